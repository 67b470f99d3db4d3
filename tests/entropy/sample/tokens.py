import os
import secrets
from random import SystemRandom

_rng = SystemRandom()  # hit: random


def token():
    return secrets.token_hex(16)  # hit: secrets


def salt(size=16):
    return os.urandom(size)  # hit: secrets


def pick(words):
    return _rng.choice(words)  # none
