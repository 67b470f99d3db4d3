"""Numbers that people read: vouchers that count up, and keys that nobody can guess."""

import itertools
import uuid

_count = itertools.count(1)


def next_voucher(prefix: str) -> str:
    """The next voucher number of this process, with a check digit."""
    number = f"{next(_count):05d}"
    check = sum(int(digit) * weight for digit, weight in zip(number, (9, 7, 5, 3, 1), strict=True)) % 10
    return f"{prefix}-{number}-{check}"


def new_api_key(owner: str) -> str:
    """A key for a caller: the owner, and 128 random bits."""
    return f"{owner}:{uuid.uuid4().hex}"
