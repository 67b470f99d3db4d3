from collections import Counter


def histogram(words):
    unique = set(words)
    return Counter(len(word) for word in unique)  # none


def lengths(words):
    return {len(word) for word in set(words)}  # none


def biggest(words):
    best = 0
    for word in set(words):  # none
        best = max(best, len(word))
    return best


def last_seen(words):
    last = None
    for word in set(words):  # hit: set-order
        last = word
    return last
