"""The command line: parses arguments, runs one verb, prints, exits. The only printer and the only place that exits.

Imports of what a verb needs happen inside it, so that `--help` and a replay from cache stay quick.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from . import __version__
from .errors import Exit, OracleError, UsageError

FORMATS = ("text", "json")
_DESCRIPTION = "Score patches against an oracle that the patch cannot touch."
_EXITS = """exit codes of score: 0 accept, 1 a property is falsified, 2 usage, 3 oracle incomplete, 4 refused by the gate,
5 malfunction, 6 nothing to score, 7 untrusted evidence"""


class Output:
    """Where a verb writes: reports to stdout or files, everything else to stderr."""

    def __init__(self) -> None:
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


def parser() -> argparse.ArgumentParser:
    """The grammar of the command line."""
    top = argparse.ArgumentParser(prog="oracle-rules", description=_DESCRIPTION, epilog=_EXITS, allow_abbrev=False)
    top.add_argument("--version", action="version", version=f"oracle-rules {__version__}")
    top.add_argument("--explain", metavar="CODE", help="say what a reason code means and what to do, then exit")
    verbs = top.add_subparsers(dest="verb", metavar="VERB")
    score = _verb(verbs, "score", "judge a patch: gate, properties in the sandbox, one decision")
    _sides(score)
    score.add_argument("--today", metavar="DATE", help="the day on which freeze rows are held (default: this machine's)")
    score.add_argument("--format", action="append", metavar="FORMAT[=FILE]", dest="formats",
                       help=f"{', '.join(FORMATS)}; repeatable; without FILE to stdout (default: text)")
    gate = _verb(verbs, "gate", "hold what a patch touches against the gate's table, without running anything")
    _sides(gate)
    replay = _verb(verbs, "replay", "run one Action again from the cache alone and compare the verdicts")
    replay.add_argument("action", metavar="DIGEST|LABEL", help="HASH/SIZE as score prints it, or a target's label")
    why = _verb(verbs, "why", "say which input of a target changed since its last run")
    _sides(why)
    doctor = verbs.add_parser("doctor", help="prove each primitive of the sandbox on this machine", allow_abbrev=False)
    doctor.add_argument("--format", action="append", choices=FORMATS, dest="formats")
    return top


def _verb(verbs: argparse._SubParsersAction[argparse.ArgumentParser], name: str, text: str) -> argparse.ArgumentParser:
    made = verbs.add_parser(name, help=text, description=text, epilog=_EXITS, allow_abbrev=False)
    made.add_argument("--repository", type=Path, default=Path("."), metavar="DIR", help="a folder of the repository")
    made.add_argument("--cache-dir", type=Path, metavar="DIR", help="the local cache (default: below ~/.cache)")
    made.add_argument("--cache-size", type=int, metavar="BYTES", help="cap of the local cache (default: 2 GiB)")
    made.add_argument("--jobs", type=int, metavar="N", help="how many sandboxes run at once (default: one for each CPU)")
    return made


def _sides(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("patterns", nargs="*", metavar="PATTERN", help="target patterns (default: //...)")
    verb.add_argument("--base", metavar="REV", help="the trusted commit (default: HEAD for uncommitted work, else main)")
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
    try:
        status = int(run(sys.argv[1:], output))
        sys.stdout.flush()
    except OracleError as error:
        output.err(f"oracle-rules: {error.code}: {error}")
        status = int(error.exit_code)
    except KeyboardInterrupt:
        output.err("oracle-rules: interrupted; what was finished is in the cache")
        status = 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        status = 141
    except OSError as error:
        output.err(f"oracle-rules: malfunction: {error.strerror or error}: {error.filename or ''}")
        status = int(Exit.MALFUNCTION)
    output.clear()
    sys.exit(status)
