"""Sizes in words."""

UNITS = ("B", "kB", "MB", "GB")


def words(count):
    """A number of bytes with one decimal, below 1000 of its unit where there is a larger one."""
    place = 0
    while count >= 1000 and place < len(UNITS) - 1:
        count, place = count / 1000, place + 1
    return f"{count:.1f} {UNITS[place]}"
