"""The waits grow as told and stay within bounds, however many are asked for."""

from itertools import islice

from src.client import delays


def hold(case):
    pauses = delays(*case["arguments"])
    # A generator of the candidate's: each `next` is one message to the cell.
    found = list(islice(pauses, len(case["expect"])))
    pauses.close()
    return found == case["expect"] and next(pauses, None) is None
