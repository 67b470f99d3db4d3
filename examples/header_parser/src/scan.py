"""Tokens, quoted strings and lists of RFC 9110, read from left to right."""

from collections.abc import Iterator

from .errors import BadQuote, BadToken

TOKEN = frozenset("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
BLANK = " \t"


def blanks(text: str, at: int) -> int:
    """Where the first character that is no blank stands."""
    while at < len(text) and text[at] in BLANK:
        at += 1
    return at


def token(text: str, at: int) -> tuple[str, int]:
    """A token and where it ends."""
    end = at
    while end < len(text) and text[end] in TOKEN:
        end += 1
    if end == at:
        raise BadToken(text, at)
    return text[at:end], end


def quoted(text: str, at: int) -> tuple[str, int]:
    """What a quoted string says, and where it ends."""
    said, start = [], at
    at += 1
    while at < len(text) and text[at] != '"':
        if text[at] == "\\":
            at += 1
        if at == len(text) or (ord(text[at]) < 32 and text[at] != "\t") or ord(text[at]) == 127:
            raise BadQuote(text, min(at, len(text) - 1))
        said.append(text[at])
        at += 1
    if at == len(text):
        raise BadQuote(text, start)
    return "".join(said), at + 1


def items(text: str) -> Iterator[str]:
    """The elements of a comma-separated list, blanks dropped, empty ones left out; commas in quotes don't count."""
    start = at = 0
    while at < len(text):
        if text[at] == '"':
            _, at = quoted(text, at)
            continue
        if text[at] == ",":
            if element := text[start:at].strip(BLANK):
                yield element
            start = at + 1
        at += 1
    if element := text[start:].strip(BLANK):
        yield element
