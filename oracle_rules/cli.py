"""The command line: parses arguments, runs one verb, prints, exits. The only printer and the only place that exits.

Imports of what a verb needs happen inside it, so that `--help` and a replay from cache stay quick.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from . import __version__
from .commands.interface import FORMATS
from .errors import Exit, OracleError, UsageError

# As a shell reports a process that was ended by SIGINT or SIGPIPE.
INTERRUPTED, BROKEN_PIPE = 130, 141
_DESCRIPTION = "Score patches against an oracle that the patch cannot touch."
_EXITS = """exit codes of score: 0 accept, 1 a property is falsified, 2 usage, 3 oracle incomplete,
4 refused by the gate, 5 malfunction, 6 nothing to score, 7 untrusted evidence;
130 interrupted, 141 the reader of the report went away"""


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


class _Parser(argparse.ArgumentParser):
    """Complains as everything else does: one line that says what is wrong and what to do."""

    def error(self, message: str) -> NoReturn:
        """Called by argparse for a command line that is not in the grammar."""
        raise UsageError(message, remedy=f"see {self.prog} --help")


def parser() -> argparse.ArgumentParser:
    """The grammar of the command line."""
    top = _Parser(prog="oracle-rules", description=_DESCRIPTION, epilog=_EXITS, allow_abbrev=False)
    top.add_argument("--version", action="version", version=f"oracle-rules {__version__}")
    top.add_argument("--explain", metavar="CODE", help="say what a reason code means and what to do, then exit")
    verbs = top.add_subparsers(dest="verb", metavar="VERB")
    score = _verb(verbs, "score", "judge a patch: gate, properties in the sandbox, one decision")
    _sides(score)
    score.add_argument("--format", action="append", metavar="FORMAT[=FILE]", dest="formats",
                       help=f"{', '.join(FORMATS)}; repeatable; without FILE to stdout (default: text)")
    gate = _verb(verbs, "gate", "hold what a patch touches against the gate's table, without running anything")
    _sides(gate)
    for verb in (score, gate):
        verb.add_argument("--today", metavar="DATE",
                          help="the day freeze rows are held against (default: this machine's)")
    replay = _verb(verbs, "replay", "run one Action again from the cache alone and compare the verdicts")
    replay.add_argument("action", metavar="DIGEST|LABEL", help="HASH/SIZE as score prints it, or a target's label")
    why = _verb(verbs, "why", "say which input of a target changed since its last run")
    _sides(why)
    doctor = verbs.add_parser("doctor", help="prove each primitive of the sandbox on this machine", allow_abbrev=False)
    doctor.add_argument("--format", action="append", choices=FORMATS, dest="formats")
    return top


def _verb(verbs: argparse._SubParsersAction[_Parser], name: str, text: str) -> argparse.ArgumentParser:
    made = verbs.add_parser(name, help=text, description=text, epilog=_EXITS, allow_abbrev=False)
    made.add_argument("--repository", type=Path, default=Path("."), metavar="DIR", help="a folder of the repository")
    made.add_argument("--cache-dir", type=Path, metavar="DIR", help="the local cache (default: below ~/.cache)")
    made.add_argument("--cache-size", type=int, metavar="BYTES", help="cap of the local cache (default: 2 GiB)")
    made.add_argument("--jobs", type=int, metavar="N", help="how many sandboxes run at once (default: one per CPU)")
    return made


def _sides(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("patterns", nargs="*", metavar="PATTERN", help="target patterns (default: //...)")
    verb.add_argument("--base", metavar="REV", help="the trusted commit (default: HEAD, or main when --head is given)")
    verb.add_argument("--head", metavar="REV", help="the commit under judgement (default: the work tree)")
    verb.add_argument("--worktree", action="store_true", help="judge uncommitted work, untracked files included")


def run(argv: Sequence[str], output: Output) -> Exit:
    """Runs one command line; raises OracleError for what has to be told to the person."""
    options = parser().parse_args(argv)
    from . import commands
    if options.explain is not None:
        return commands.explain(options.explain, output)
    if options.verb is None:
        raise UsageError("no verb is given", remedy="oracle-rules score judges a patch; --help lists the verbs")
    if getattr(options, "jobs", None) is not None and options.jobs < 1:
        raise UsageError(f"--jobs {options.jobs} is no number of sandboxes", remedy="give 1 or more")
    verb: Exit = getattr(commands, options.verb)(options, output)
    return verb


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
        output.err(f"oracle-rules: malfunction: {place}{error.strerror or error}; see oracle-rules doctor")
        return int(Exit.MALFUNCTION)
