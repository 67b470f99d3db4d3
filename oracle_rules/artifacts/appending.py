"""A seed corpus with one case more at its end, in the layout that the file has. Nothing else of it changes."""

from __future__ import annotations

import json
from typing import Any

from ..protocol import canonical
from .seeds import parse_corpus


class Refused(ValueError):
    """A case that is not appended, and why."""


def with_case(data: bytes | None, case: Any, *, path: str) -> bytes:
    """The file with this case (plain JSON) behind all others. Raises Refused, and IncompleteError for a broken file."""
    corpus = parse_corpus(data, path=path)
    encoded = canonical.dumps(case)
    if encoded in corpus.encoded:
        raise Refused(f"case {corpus.encoded.index(encoded)} of {path} is this case already")
    text = (data or b"").decode("utf-8")
    body = text.rstrip(" \t\r\n")
    inside, tail = body[:-1].rstrip(" \t\r\n"), body[-1:] + text[len(body):]
    first = inside.find("[") + 1
    gap = inside[first : len(inside[first:]) - len(inside[first:].lstrip(" \t\r\n")) + first]
    newline = "\r\n" if "\r\n" in text else "\n"
    closing = body[len(inside):-1] if newline in gap else ""
    spread = newline in gap and inside.count("\n") > len(corpus)
    shown = _laid_out(case, gap) if spread else json.dumps(case, ensure_ascii=True)
    separator = "," + (gap if newline in gap else " ")
    made = f"{inside}{separator}{shown}{closing}{tail}".encode()
    if parse_corpus(made, path=path).encoded != (*corpus.encoded, encoded):
        raise Refused(f"{path} can't be appended to as it is laid out; bring it into one layout first")
    return made


def _laid_out(case: Any, gap: str) -> str:
    """Indented as the file is."""
    margin = gap.rpartition("\n")[2]
    newline = "\r\n" if "\r\n" in gap else "\n"
    step = margin or " "
    return json.dumps(case, ensure_ascii=True, indent=step).replace("\n", newline + margin)
