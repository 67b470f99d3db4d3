"""Merged spans cover the same numbers, stand in order, and do not touch."""

from src.spans import merge


def hold(case):
    spans = [(low, low + length) for low, length in case]
    merged = merge(spans)
    covered = {number for low, high in spans for number in range(low, high)}
    again = [number for low, high in merged for number in range(low, high)]
    return sorted(covered) == again and all(one[1] < two[0] for one, two in zip(merged, merged[1:]))
