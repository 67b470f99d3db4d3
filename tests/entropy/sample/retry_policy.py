import random
from time import sleep as pause


def call(action, attempts=5):
    for attempt in range(attempts):
        try:
            return action()
        except OSError:
            pause(2**attempt + random.random())  # hit: sleep, random
    raise TimeoutError("gave up")


def delays(seed, attempts=5):
    rng = random.Random(seed)  # none
    return [rng.uniform(0, 2**n) for n in range(attempts)]  # none
