import time
from datetime import datetime, timezone


def show(seconds):
    return time.strftime("%H:%M", time.gmtime(seconds))  # none


def show_now():
    return time.strftime("%H:%M")  # hit: clock


def local(seconds):
    return datetime.fromtimestamp(seconds)  # hit: timezone


def utc(seconds):
    return datetime.fromtimestamp(seconds, timezone.utc)  # none


def utc_keyword(seconds):
    return datetime.fromtimestamp(seconds, tz=timezone.utc)  # none


def today():
    return time.localtime().tm_yday  # hit: clock


def naive(moment: datetime):
    return moment.astimezone()  # hit: timezone
