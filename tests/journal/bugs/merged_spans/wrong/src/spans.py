"""Half-open spans of whole numbers."""


def merge(spans):
    """The fewest spans that cover the same numbers, in order."""
    spans = sorted(spans)
    # A span that lies inside the one before it adds nothing.
    kept = [span for place, span in enumerate(spans) if not place or span[1] > spans[place - 1][1]]
    merged = []
    for low, high in kept:
        if merged and low <= merged[-1][1]:
            merged[-1][1] = high
        else:
            merged.append([low, high])
    return [tuple(span) for span in merged]
