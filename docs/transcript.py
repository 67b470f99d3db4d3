"""Runs what the README shows and writes down what a terminal shows: `docs/transcript.txt`.

    python docs/transcript.py

The workspace is the README's own snippet; the commands are below. Names and times of the commits are fixed, so that
only the digests of Actions, which depend on this machine's interpreter, differ from run to run.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = (
    "oracle-rules score",
    "sed -i 's/.lower()//' src/header.py && oracle-rules score",
    "echo '[{\"line\": \"a: b\", \"name\": \"a\"}]' > seeds/header_name.json && oracle-rules score",
)
_ENTRY = "import sys; from oracle_rules.cli import main; sys.exit(main())"
_SNIPPET = re.compile(r"<!-- run: ([a-z]+) -->\n```sh\n(.*?)```", re.DOTALL)


def snippets(text: str) -> dict[str, str]:
    """The shell snippets of a page that are meant to be run, by name."""
    return {name: body for name, body in _SNIPPET.findall(text)}


def environment(scratch: Path) -> dict[str, str]:
    """Variables for a shell that finds this tree's oracle-rules, and whose commits are the same everywhere."""
    programs = scratch / "bin"
    programs.mkdir(exist_ok=True)
    entry = programs / "oracle-rules"
    entry.write_text(f"#!/bin/sh\nPYTHONPATH='{ROOT}' exec '{sys.executable}' -c '{_ENTRY}' \"$@\"\n", "utf-8")
    entry.chmod(0o755)
    when = "2026-01-01T00:00:00+00:00"
    return {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(scratch), "XDG_CACHE_HOME": str(scratch / "cache"),
            "LC_ALL": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}


def shell(command: str, folder: Path, variables: dict[str, str], *, expected: tuple[int, ...] = (0,)) -> str:
    """What one command line prints; raises RuntimeError when it ends otherwise than expected."""
    done = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", command], cwd=folder, env=variables, text=True,
                          capture_output=True, check=False)
    if done.returncode not in expected:
        raise RuntimeError(f"{command!r} ended with {done.returncode}: {done.stderr}")
    return done.stdout + done.stderr


def transcript(readme: str) -> str:
    """The whole session."""
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        variables = environment(scratch)
        shell(snippets(readme)["workspace"], scratch, variables)
        parts = [f"$ {command}\n" + shell(command, scratch / "demo", variables, expected=(0, 1, 4)).rstrip("\n") + "\n"
                 for command in COMMANDS]
    return "\n".join(parts)


if __name__ == "__main__":
    (ROOT / "docs" / "transcript.txt").write_text(transcript((ROOT / "README.md").read_text("utf-8")), "utf-8")
