"""A delay is ASCII digits with blanks around them, and nothing else is one (RFC 9110, 10.2.3)."""

from src.retry import seconds


def hold(case):
    digits = case.strip(" ")
    expected = None
    if digits and all(sign in "0123456789" for sign in digits):
        expected = sum(int(sign) * 10**place for place, sign in enumerate(reversed(digits)))
    return seconds(case) == expected
