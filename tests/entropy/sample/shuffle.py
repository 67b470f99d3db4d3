import random

random.seed(7)  # hit: random


def deal(cards):
    random.shuffle(cards)  # hit: random
    return cards


def deal_with(rng: random.Random, cards):
    rng.shuffle(cards)  # none
    return cards


def make():
    return random.Random()  # hit: random


def make_from(seed):
    return random.Random(seed)  # none


class Loaded(random.Random):  # none
    pass
