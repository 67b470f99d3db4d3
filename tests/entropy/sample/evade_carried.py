import logging
import uuid


def now():
    return logging.time.time()  # hit: clock


def chance():
    return uuid.os.urandom(4)  # hit: secrets


def name():
    return uuid.uuid3(uuid.NAMESPACE_DNS, "example.org")  # none


def host_based():
    return uuid.uuid1()  # hit: uuid


def node():
    return uuid.getnode()  # hit: uuid
