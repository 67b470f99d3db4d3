"""The command line: parses arguments, runs one verb, prints, exits. The only printer and the only place that exits.

Imports of what a verb needs happen inside it, so that `--help` and a replay from cache stay quick.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

from .commands.grammar import parser
from .errors import Exit, OracleError, UsageError

# As a shell reports a process that was ended by SIGINT or SIGPIPE.
INTERRUPTED, BROKEN_PIPE = 130, 141


class Output:
    """Where a verb writes: reports to stdout or files, everything else to stderr."""

    def __init__(self) -> None:
        # A descriptor that the caller has closed leaves None; nothing that is opened later may take its place.
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            if getattr(sys, name) is None:
                _fill(number)
                setattr(sys, name, open(os.devnull, "w" if number else "r"))
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        self._live = sys.stderr.isatty()

    def out(self, text: str) -> None:
        """A report."""
        sys.stdout.write(text)

    def err(self, text: str) -> None:
        """A message for the person at the terminal."""
        self.clear()
        sys.stderr.write(text + "\n")

    def progress(self, what: str, number: int, total: int) -> None:
        """One line that is overwritten; nothing in a pipe."""
        if self._live:
            count = f"{number}/{total} " if total else ""
            sys.stderr.write(f"\r\x1b[K{count}{what}"[:200])
            sys.stderr.flush()

    def clear(self) -> None:
        """Takes the progress line away."""
        if self._live:
            sys.stderr.write("\r\x1b[K")

    @property
    def colour(self) -> bool:
        """Whether stdout is a terminal that wants colour (no-color.org)."""
        return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _fill(number: int) -> None:
    opened = os.open(os.devnull, os.O_RDWR)
    if opened != number:
        os.dup2(opened, number)
        os.close(opened)


def run(argv: Sequence[str], output: Output) -> Exit:
    """Runs one command line; raises OracleError for what has to be told to the person."""
    options = parser().parse_args(argv)
    from . import commands
    if options.explain is not None:
        return commands.explain(options.explain, output)
    if options.verb is None:
        raise UsageError("no verb is given", remedy="`oracle-rules score` judges a patch; --help lists the verbs")
    if getattr(options, "jobs", None) is not None and options.jobs < 1:
        raise UsageError(f"--jobs {options.jobs} is no number of sandboxes", remedy="give 1 or more")
    return commands.verb(options.verb)(options, output)


def main() -> None:
    """Entry point of `oracle-rules`."""
    output = Output()
    status = _run(output)
    output.clear()
    try:
        sys.stderr.flush()
    except OSError:
        pass  # there is nobody left to tell
    # What is still buffered for a closed pipe or a full disk would fail once more while the interpreter ends.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.exit(status)


def _run(output: Output) -> int:
    """The status of the command line; whatever goes wrong is one line on stderr."""
    try:
        status = int(run(sys.argv[1:], output))
        sys.stdout.flush()
        return status
    except OracleError as error:
        output.err(f"oracle-rules: {error.code}: {error}")
        return int(error.exit_code)
    except KeyboardInterrupt:
        output.err("oracle-rules: interrupted; what was finished is in the cache")
        return INTERRUPTED
    except BrokenPipeError:
        return BROKEN_PIPE
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        output.err(f"oracle-rules: malfunction: {place}{error.strerror or error}; see `oracle-rules doctor`")
        return int(Exit.MALFUNCTION)
