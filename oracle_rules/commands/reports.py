"""Where reports go: `--format FORMAT[=FILE]`, to stdout or to files; and how broken laws are told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..errors import Exit, UsageError
from ..gate.decide import decide
from ..gate.finding import Finding
from ..gate.review import printable
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


def laws(findings: Sequence[Finding], fine: str, output: Output) -> Exit:
    """Tells each finding of a verb that holds laws, or that all is `fine`; exits as `score` would for them."""
    for finding in findings:
        output.out(f"{finding.code} {printable(finding.subject)}: {printable(finding.detail)} [{finding.row}]\n")
        output.out(f"  {printable(finding.remedy)}\n")
    if not findings:
        output.out(f"{fine}\n")
    return decide(findings, ()).exit if findings else Exit.ACCEPT
