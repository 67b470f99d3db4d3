import numpy as np
from numpy.random import default_rng


def noise(size):
    return np.random.rand(size)  # hit: random


def noise_seeded(size, seed):
    return default_rng(seed).random(size)  # none


def noise_fresh(size):
    return default_rng().random(size)  # hit: random


def legacy(seed):
    np.random.seed(seed)  # hit: random
    return np.zeros(3)  # none
