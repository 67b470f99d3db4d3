"""What an example's README claims: console blocks to be typed in order, and a table of patches with their answers.

A line that starts with `$ ` is a command, the lines up to the next one are what it prints; `…` stands for whatever
differs from run to run. `python -m tests.examples.readme` types the commands and writes down what they print now.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
FOLDER = REPOSITORY / "examples"
NAMES = ("header_parser", "http_retry", "ledger")

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_ROW = re.compile(r"^\| `(\w+)` \| .* \| (\d) \| (?:`(\w+)`)? *\|$", re.MULTILINE)
_VARIES = re.compile(r"\b[0-9a-f]{64}/[0-9]+|\b(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{12})\b|\b[0-9]+ days? left"
                     r"|(?<=--today )[0-9]{4}-[0-9]{2}-[0-9]{2}")
_WHO = {
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org"}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Step:
    """One command and what the README says that it prints."""

    command: str
    printed: str


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One row of the table: what the patch must come to. `code` empty: it is accepted."""

    patch: str
    exit: int
    code: str


def steps(text: str) -> list[Step]:
    """The commands of all console blocks, in order."""
    return [step for block in _BLOCK.findall(text) for step in _steps(block)]


def claims(text: str) -> list[Claim]:
    """The rows of the table of patches."""
    return [Claim(patch=patch, exit=int(code), code=reason or "") for patch, code, reason in _ROW.findall(text)]


def says(printed: str, claimed: str) -> bool:
    """Whether this is what the README claims, `…` standing for any text within a line."""
    return re.fullmatch(".*".join(map(re.escape, claimed.split("…"))), printed) is not None


def copy(name: str, place: Path) -> Path:
    """The example as its user has it: a folder of its own, no repository yet."""
    return Path(shutil.copytree(FOLDER / name, place / name, ignore=shutil.ignore_patterns("__pycache__")))


def environment(home: Path) -> dict[str, str]:
    """A user's environment: an empty home, git without settings of this machine, and `oracle-rules` among the programs."""
    programs = home / "programs"
    programs.mkdir(parents=True, exist_ok=True)
    script = programs / "oracle-rules"
    if not script.exists():
        # -P, as for an installed script: nothing is imported from the folder that is judged.
        script.write_text(f"#!{sys.executable} -P\nimport sys\nsys.path.append({str(REPOSITORY)!r})\n"
                          "from oracle_rules.cli import main\nsys.exit(main())\n", encoding="utf-8")
        script.chmod(0o755)
    return {**_WHO, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "LC_ALL": "C.UTF-8",
            "PATH": f"{programs}:{os.environ['PATH']}"}


def run(command: str, *, place: Path, env: Mapping[str, str]) -> str:
    """What a shell prints for the command."""
    done = subprocess.run(["bash", "-c", command], cwd=place, env=dict(env), text=True, check=False, timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout


def _steps(block: str) -> Iterator[Step]:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, printed = part.partition("\n")
        yield Step(command=command, printed=printed)


def _typed(name: str) -> str:
    """The README with what its commands print now."""
    text = (FOLDER / name / "README.md").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as scratch:
        place, env = copy(name, Path(scratch)), environment(Path(scratch) / "home")

        def fill(block: re.Match[str]) -> str:
            lines = [f"$ {step.command}\n" + _VARIES.sub("…", run(step.command, place=place, env=env))
                     for step in _steps(block.group(1))]
            return "```console\n" + "".join(lines) + "```"

        return _BLOCK.sub(fill, text)


def main() -> None:
    """Rewrites the READMEs of all examples."""
    for name in NAMES:
        text = _typed(name)
        (FOLDER / name / "README.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
