def publish(names, send):
    unique = set(names)
    send(unique)  # none
    for name in unique:  # hit: set-order
        send(name)


def matrix(names):
    unique = set(names)
    return list(enumerate(unique))  # hit: set-order


def grow(names, rows: list):
    rows.extend(set(names))  # hit: set-order
    return rows
