"""A heavier parcel never costs less, and one step more costs the zone's rate more."""

from shipping.rates import rate

STEP = 500


def hold(case):
    zone, grams = case["zone"], case["grams"]
    return rate(zone, grams) <= rate(zone, grams + 1) and rate(zone, grams + STEP) - rate(zone, grams) == rate(zone, 1)
