"""Where reports go: `--format FORMAT[=FILE]`, to stdout or to files. Knows nothing of what is in them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..errors import UsageError
from .interface import Output


def formats(given: Sequence[str], known: Sequence[str]) -> list[tuple[str, Path | None]]:
    """Each `FORMAT[=FILE]` with its place, None for stdout, which only one may have."""
    found: list[tuple[str, Path | None]] = []
    for item in given:
        form, equals, place = item.partition("=")
        if form not in known or equals and not place:
            raise UsageError(f"--format {item!r} is none of {', '.join(known)}", remedy="write FORMAT or FORMAT=FILE")
        found.append((form, Path(place) if place else None))
    if sum(place is None for _, place in found) > 1:
        raise UsageError("two formats would share stdout", remedy="give all but one a file: --format json=record.json")
    return found


def deliver(content: str, place: Path | None, output: Output) -> None:
    """A report to its place."""
    if place is None:
        output.out(content)
        return
    write(place, content)


def write(place: Path, content: str) -> None:
    """Writes a report to the file that the options name."""
    try:
        place.write_text(content, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"the report can't be written: {error.strerror}", where=str(place),
                         remedy="give a writable file") from None
