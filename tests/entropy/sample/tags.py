def render(words):
    tags = {word.lower() for word in words}
    return ", ".join(tags)  # hit: set-order


def render_sorted(words):
    tags = {word.lower() for word in words}
    return ", ".join(sorted(tags))  # none


def count(words):
    return len(set(words))  # none


def has(words, word):
    return word in set(words)  # none
