import os

DEBUG = os.environ.get("DEBUG") == "1"  # hit: environment
HOME = os.path.expanduser("~")  # hit: environment


def region():
    return os.getenv("REGION", "eu")  # hit: environment


def cwd_relative(name):
    return os.path.join(os.getcwd(), name)  # hit: environment


def from_mapping(env):
    return env.get("REGION", "eu")  # none


def joined(a, b):
    return os.path.join(a, b)  # none
