"""What can go wrong, as exceptions that carry what, where, remedy and an exit code.

Knows nothing of printing: `cli.py` is the only place that turns one of these into text and a process status.
A falsified property is a value, not one of these; see `protocol/verdict.py`.
"""

from __future__ import annotations

import enum


class Exit(enum.IntEnum):
    """Process status of `oracle-rules score`; the numbers are a published contract."""

    ACCEPT = 0
    FALSIFIED = 1
    USAGE = 2
    INCOMPLETE = 3
    REFUSED = 4
    MALFUNCTION = 5
    NOTHING = 6
    UNTRUSTED = 7


class OracleError(Exception):
    """Base of every error that a user may see.

    `code` is a closed snake_case reason, `detail` one sentence that says what is wrong, `where` the file, path or
    label it is about (with line and column when known), `remedy` what to do next.
    """

    exit_code: Exit = Exit.MALFUNCTION
    code = "malfunction"

    def __init__(self, detail: str, *, where: str = "", remedy: str = "", code: str = "") -> None:
        super().__init__(detail)
        self.detail = detail
        self.where = where
        self.remedy = remedy
        if code:
            self.code = code

    def __str__(self) -> str:
        parts = [f"{self.where}: {self.detail}" if self.where else self.detail]
        if self.remedy:
            parts.append(self.remedy)
        return "; ".join(parts)


class UsageError(OracleError):
    """The command, a declaration or a revision is not what it has to be (exit 2)."""

    exit_code = Exit.USAGE
    code = "usage"


class TooLargeError(UsageError):
    """Files that are asked for are larger than is read; the side that holds them caused it."""

    code = "blob_too_large"


class IncompleteError(OracleError):
    """A declared oracle artifact is missing, empty or malformed (exit 3)."""

    exit_code = Exit.INCOMPLETE
    code = "oracle_incomplete"


class NothingError(OracleError):
    """There is nothing that could be scored (exit 6)."""

    exit_code = Exit.NOTHING
    code = "nothing_to_score"


class UntrustedError(OracleError):
    """Evidence that cannot be believed (exit 7)."""

    exit_code = Exit.UNTRUSTED
    code = "untrusted"


class Malfunction(OracleError):
    """We failed: no sandbox, no disk, a broken toolchain (exit 5). Never a verdict, never cached."""
