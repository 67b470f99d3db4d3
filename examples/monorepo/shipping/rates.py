"""Rates by zone and weight."""

RATES = {1: 390, 2: 690, 3: 1490}
STEP = 500
_labels = 0


def rate(zone: int, grams: int) -> int:
    """What a parcel costs, in cents: the zone's rate for every begun step of its weight."""
    if zone not in RATES or grams < 1:
        raise ValueError(f"no rate for {grams} g to zone {zone}")
    return RATES[zone] * -(-grams // STEP)


def next_label() -> str:
    """A label for a parcel, counted from one."""
    global _labels
    _labels += 1
    return f"P{_labels:04}"
