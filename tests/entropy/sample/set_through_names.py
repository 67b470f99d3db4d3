def names(rows):
    found = set()
    for row in rows:
        found.add(row["name"])
    result = found
    return tuple(result)  # hit: set-order


def names_sorted(rows):
    found = set()
    for row in rows:
        found.add(row["name"])
    found = sorted(found)
    return tuple(found)  # none


def chosen(flag, rows):
    found = set(rows) if flag else frozenset()
    return [str(row) for row in found]  # hit: set-order
