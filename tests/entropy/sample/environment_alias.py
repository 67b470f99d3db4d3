from os import environ, sep


def flag(name):
    return name in environ  # hit: environment


def pick(name):
    env = environ  # hit: environment
    return env[name]  # hit: environment


def split(path):
    return path.split(sep)  # none
