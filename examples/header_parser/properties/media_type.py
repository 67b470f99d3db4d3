"""A media type is what it spells, or refused with the typed error that says which rule it breaks, and where."""

from src.errors import BadQuote, BadToken, HeaderError, Repeated
from src.media import MediaType, parse_media_type

CLASSES = {"bad_token": BadToken, "bad_quote": BadQuote, "repeated": Repeated}


def hold(case):
    try:
        media = parse_media_type(case["text"])
    except HeaderError as error:
        # `except` and `isinstance` work on stand-ins of the candidate's classes, attributes are asked for in the cell.
        kind = CLASSES.get(case.get("refuse"), int)
        return isinstance(error, kind) and isinstance(error, ValueError) and error.position == case["position"]
    if "refuse" in case:
        return False
    expected = MediaType(case["type"], case["subtype"], tuple((name, value) for name, value in case["parameters"]))
    return media == expected and str(media) == case["spelled"]
