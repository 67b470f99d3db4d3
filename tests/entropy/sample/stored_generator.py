import random


class Dice:
    def __init__(self, seed=None):
        self.rng = random.Random(seed)  # none

    def roll(self):
        return self.rng.randint(1, 6)  # none


class FreshDice:
    rng = random.Random(None)  # hit: random

    def roll(self):
        return self.rng.randint(1, 6)  # none
