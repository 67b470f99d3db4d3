"""Amounts: exact decimals with two places, and nothing that merely looks like one."""

from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation

CENT = Decimal("0.01")


class BadAmount(ValueError):
    """No amount of money."""


def amount(value: str | int | Decimal) -> Decimal:
    """An exact amount; binary fractions and anything finer than a cent are refused."""
    if isinstance(value, (float, bool)):
        raise BadAmount(f"{value!r} is no exact amount")
    try:
        found = Decimal(value)
        exact = found.is_finite() and found == found.quantize(CENT)
    except (InvalidOperation, TypeError, ValueError):
        exact = False
    if not exact:
        raise BadAmount(f"{value!r} is no amount in cents")
    return found.quantize(CENT)


def share(total: Decimal, percent: Decimal) -> Decimal:
    """A percentage of an amount, rounded half to even, as banks do."""
    return (total * percent / 100).quantize(CENT, rounding=ROUND_HALF_EVEN)
