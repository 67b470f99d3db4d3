"""Amounts in cents."""

from decimal import ROUND_HALF_EVEN, Decimal


def cents(amount: Decimal) -> int:
    """The nearest whole number of cents; a half goes to the even neighbour."""
    return int((amount * 100).quantize(Decimal(1), rounding=ROUND_HALF_EVEN))
