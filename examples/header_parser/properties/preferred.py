"""The client gets what it likes best; equal weights go by the order of the offer."""

from src.accept import preferred


def hold(case):
    return preferred(case["accept"], case["offered"]) == case["expect"]
