"""How long a server asks us to wait."""


def seconds(value):
    """Whole seconds from a Retry-After header; None where it says nothing that we understand."""
    digits = value.strip(" \t")
    return int(digits) if digits.isascii() and digits.isdigit() else None
