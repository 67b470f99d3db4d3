"""How long a server asks us to wait."""


def seconds(value):
    """Whole seconds from a Retry-After header; None where it says nothing that we understand."""
    try:
        return int(value)
    except ValueError:
        return None
