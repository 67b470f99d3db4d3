import functools
import time


def stamped(at):
    def wrap(function):
        function.at = at
        return function

    return wrap


@stamped(time.time())  # hit: clock
def handler():
    return 1


@functools.lru_cache(maxsize=None)
def token(name):
    import secrets

    return secrets.token_urlsafe()  # hit: secrets
