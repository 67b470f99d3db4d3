"""A program: what main reads is handed in, and what it calls for is its own."""

import datetime
import sys
import time


def price(day, amount):
    return amount * (2 if day.month == 12 else 1)


def _today():
    return datetime.date.today()  # none


def _shared():
    return time.time()  # hit: clock


def report(amount):
    return price(datetime.date.today(), amount), _shared()  # hit: clock


def main(arguments=sys.argv):  # hit: environment
    print(price(_today(), int(sys.argv[1])), time.time())  # none
    return _shared()


if __name__ == "__main__":
    started = time.monotonic()  # none
    main()
else:
    loaded = time.monotonic()  # hit: clock
