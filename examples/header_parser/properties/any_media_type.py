"""Any text is a media type with one spelling, or refused; nothing else may come out, and it is never refused for fun."""

from properties.tokens import TOKEN, plain
from src.errors import HeaderError
from src.media import parse_media_type


def refused_or_spelled(text):
    """Whether the answer to this text is one of the two that are allowed."""
    try:
        media = parse_media_type(text)
    except HeaderError as error:
        return 0 <= error.position <= len(text)
    if not set(media.type + media.subtype) <= TOKEN or media.type != media.type.lower():
        return False
    again = parse_media_type(str(media))
    return again == media and str(again) == str(media)


def hold(case):
    text = case if isinstance(case, str) else case["text"]
    name = plain(text)
    # Drawn from the case and certainly right, so that refusing everything holds for no case.
    control = parse_media_type(f" {name}/{name.upper()} ;A=\"{name}\"; b={name}\t")
    if (control.type, control.subtype) != (name.lower(), name.lower()):
        return False
    if control.parameters != (("a", name), ("b", name)):
        return False
    # A text alone is seldom close to a media type; as a parameter and inside quotes it gets further.
    return all(refused_or_spelled(head + text) for head in ("", "a/b;", 'a/b;c="'))
