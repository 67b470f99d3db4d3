"""A list gives its elements one after the other; a fault further on spoils no element before it."""

from itertools import islice

from src.errors import BadQuote
from src.scan import items


def hold(case):
    found = []
    try:
        for element in items(case["text"]):
            found.append(element)
    except BadQuote:
        if not case.get("broken", False):
            return False
    else:
        if case.get("broken", False):
            return False
    # Lazy: whoever wants one element does not stumble over the last one.
    first = list(islice(items(case["text"]), 1)) if case["expect"] else []
    return found == case["expect"] and first == case["expect"][:1]
