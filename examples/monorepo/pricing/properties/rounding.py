"""A half cent goes to the even neighbour."""

from decimal import Decimal

from shared.money import cents


def hold(case):
    return cents(Decimal(case["amount"])) == case["cents"]
