"""What a domain of parcels leaves out."""


def is_sendable(case):
    """No parcel of exactly a ton; the carrier's own limit."""
    return case["grams"] != 1_000_000
