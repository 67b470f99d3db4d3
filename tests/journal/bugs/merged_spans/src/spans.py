"""Half-open spans of whole numbers."""


def merge(spans):
    """The fewest spans that cover the same numbers, in order."""
    merged = []
    for low, high in sorted(spans):
        if merged and low <= merged[-1][1]:
            merged[-1][1] = high
        else:
            merged.append([low, high])
    return [tuple(span) for span in merged]
