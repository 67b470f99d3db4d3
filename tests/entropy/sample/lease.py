import datetime as dt

EPOCH = dt.datetime(1970, 1, 1)  # none


class Lease:
    started = dt.datetime.utcnow()  # hit: clock

    def left(self, now=None):
        now = now or dt.datetime.utcnow()  # hit: clock
        return self.started - now


def parse(text):
    return dt.datetime.strptime(text, "%Y-%m-%d")  # none


def combine(day, moment):
    return dt.datetime.combine(day, moment)  # none
