class Node:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"Node({self.name!r})"  # none


def default_text(node):
    return object.__repr__(node)  # hit: identity


class Bare:
    pass


def bare_text():
    return repr(Bare())  # hit: identity


def node_text():
    return repr(Node("a"))  # none
