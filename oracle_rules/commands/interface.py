"""What a verb may do to the outside: `cli.py` hands over something that prints. Knows no terminal."""

from __future__ import annotations

from typing import Protocol

FORMATS = ("text", "json")
PACKET_FORMATS = ("text", "json", "markdown")
# Those of `gate/author.py`, the strict one first; written again, so that `--help` imports no deciding code.
AUTHORS = ("agent", "human")


class Output(Protocol):
    """Where a verb writes: reports to stdout, everything else to stderr."""

    def out(self, text: str) -> None:
        """A report."""

    def err(self, text: str) -> None:
        """A message for the person at the terminal."""

    def progress(self, what: str, number: int, total: int) -> None:
        """How far it is; nothing in a pipe."""

    def clear(self) -> None:
        """Takes the progress away."""

    @property
    def colour(self) -> bool:
        """Whether reports on stdout may have colour."""
