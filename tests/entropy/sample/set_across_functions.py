def unique(rows):
    return {row for row in rows}


def listed(rows):
    return list(unique(rows))  # hit: set-order


class Index:
    def __init__(self):
        self.keys = set()

    def listed(self):
        return list(self.keys)  # hit: set-order

    def ordered(self):
        return sorted(self.keys)  # none


def text(index):
    return ",".join(index.keys)  # hit: set-order
