import hashlib
import random


def stream(text):
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    return random.Random(seed)  # none


def weak_stream(text):
    return random.Random(hash(text))  # hit: identity


def timed_stream():
    import time
    return random.Random(time.time_ns())  # hit: clock
