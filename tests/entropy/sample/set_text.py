def label(names):
    unique = frozenset(names)
    return f"names: {unique}"  # hit: set-order


def checksum(names, digest):
    unique = set(names)
    digest.update(str(unique).encode())  # hit: set-order
    return digest.hexdigest()


def label_sorted(names):
    return f"names: {sorted(set(names))}"  # none
