class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __hash__(self):
        return hash((self.x, self.y))  # none

    def __eq__(self, other):
        return (self.x, self.y) == (other.x, other.y)


def shard(key, shards):
    return hash(key) % shards  # hit: identity


def order(points):
    return sorted(points, key=id)  # hit: identity


def describe(thing):
    return f"<thing at {id(thing):x}>"  # hit: identity
