"""Media types: `text/html; charset=utf-8`."""

from dataclasses import dataclass

from .errors import BadToken, Repeated
from .scan import TOKEN, blanks, quoted, token


@dataclass(frozen=True)
class MediaType:
    """Type, subtype and parameter names in lower case; parameters in order, values as they are."""

    type: str
    subtype: str
    parameters: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return f"{self.type}/{self.subtype}" + "".join(f"; {name}={_spelled(value)}" for name, value in self.parameters)


def _spelled(value: str) -> str:
    if value and all(char in TOKEN for char in value):
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def parse_media_type(text: str) -> MediaType:
    """The media type that the text spells; raises HeaderError and nothing else."""
    at = blanks(text, 0)
    kind, at = token(text, at)
    if text[at : at + 1] != "/":
        raise BadToken(text, at)
    subtype, at = token(text, at + 1)
    found: dict[str, str] = {}
    at = blanks(text, at)
    while at < len(text):
        if text[at] != ";":
            raise BadToken(text, at)
        name, at = token(text, blanks(text, at + 1))
        if text[at : at + 1] != "=":
            raise BadToken(text, at)
        value, at = quoted(text, at + 1) if text[at + 1 : at + 2] == '"' else token(text, at + 1)
        if name.lower() in found:
            raise Repeated(text, at)
        found[name.lower()] = value
        at = blanks(text, at)
    return MediaType(kind.lower(), subtype.lower(), tuple(found.items()))
