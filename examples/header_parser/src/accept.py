"""Which of the types on offer a client likes best."""

from .errors import HeaderError
from .media import parse_media_type
from .scan import items


def preferred(accept: str, offered: list[str]) -> str | None:
    """The offered type with the highest weight, or None when the client takes none."""
    weights: dict[str, float] = {}
    for element in items(accept):
        try:
            media = parse_media_type(element)
            weights[f"{media.type}/{media.subtype}"] = float(dict(media.parameters).get("q", "1"))
        except (HeaderError, ValueError):
            continue
    liked = [name for name in offered if weights.get(name, weights.get("*/*", 0.0)) > 0]
    return max(liked, key=lambda name: weights.get(name, weights.get("*/*", 0.0)), default=None)
