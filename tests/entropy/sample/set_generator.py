def emit(rows):
    keys = {row["key"] for row in rows}
    for key in keys:  # hit: set-order
        yield key


def emit_all(rows):
    yield from {row["key"] for row in rows}  # hit: set-order


def emit_sorted(rows):
    for key in sorted({row["key"] for row in rows}):  # none
        yield key
