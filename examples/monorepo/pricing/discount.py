"""Discounts by number of pieces."""

import os
from decimal import Decimal

from shared.money import cents

STEPS = ((100, Decimal("0.80")), (10, Decimal("0.95")), (1, Decimal(1)))


def price(pieces: int, each: str) -> int:
    """What so many pieces cost, in cents."""
    if pieces < 1:
        raise ValueError(f"{pieces} pieces cannot be sold")
    rate = next(rate for least, rate in STEPS if pieces >= least)
    return cents(Decimal(each) * pieces * rate)


def price_list() -> str:
    """The list that is in force."""
    return os.environ["PRICE_LIST"]
