"""How fast `scan` is against `ruff check` on the same tree: CPU of whole processes, alternating, as ratios in one run.

    python bench/scan_speed.py [FOLDER ...] [--rounds N] [--json FILE]

Without folders the standard library of the running interpreter. CPU and not wall time, so that what else the machine
does counts little. Both get the same list of files, both find what they
find and both write it to nowhere; ruff runs with its cache off and without configuration, once with its standard rules
and once with the few rules that touch entropy (DTZ, S311, PLC0208, NPY002). `ast.parse` of the same files, and nothing
else, is there to say what of our time is reading.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_PARSE = """
import ast, sys, warnings
warnings.simplefilter("ignore")
for path in open(sys.argv[1]).read().splitlines():
    try:
        ast.parse(open(path, "rb").read())
    except (SyntaxError, ValueError):
        pass
"""


def sources(folders: list[Path]) -> list[Path]:
    """The Python files below the folders, installed packages left out."""
    found = (path for folder in folders for path in folder.rglob("*.py"))
    return sorted(path for path in found if "site-packages" not in path.parts and path.is_file())


def timed(command: list[str]) -> float:
    """Seconds of CPU, of all threads, of one whole process. Findings are no failure."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1, 4):
        raise SystemExit(f"{command[0]} ended with {done.returncode}: {done.stderr.decode()[:500]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(files: list[Path], rounds: int) -> dict[str, list[float]]:
    """Seconds by what was run."""
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent)) or shutil.which("ruff")
    if ruff is None:
        raise SystemExit("there is no ruff to compare with")
    check = [ruff, "check", "--isolated", "--no-cache", "--exit-zero", "--quiet"]
    with tempfile.TemporaryDirectory() as scratch:
        listed = Path(scratch, "files")
        listed.write_text("\n".join(map(str, files)), encoding="utf-8")
        names = [str(path) for path in files]
        runs: dict[str, Callable[[], float]] = {
            "scan": lambda: timed([sys.executable, "-c", "from oracle_rules.cli import main; main()", "scan", *names]),
            "parse": lambda: timed([sys.executable, "-c", _PARSE, str(listed)]),
            "ruff": lambda: timed([*check, *names]),
            "ruff_entropy": lambda: timed([*check, "--preview", "--select", "DTZ,S311,PLC0208,NPY002", *names]),
        }
        found: dict[str, list[float]] = {name: [] for name in runs}
        for _ in range(rounds):
            for name, run in runs.items():
                found[name].append(run())
    return found


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description="Speed of scan against ruff check.")
    parser.add_argument("folders", nargs="*", type=Path, default=[Path(sysconfig.get_path("stdlib"))])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the numbers in this file, beside the others")
    options = parser.parse_args()
    files = sources(options.folders)
    size = sum(path.stat().st_size for path in files)
    seconds = {name: statistics.median(times) for name, times in measure(files, options.rounds).items()}
    print(f"{len(files)} files, {size / 1e6:.1f} MB")
    for name, took in seconds.items():
        print(f"{name:<13} median {took:6.2f} s  {size / took / 1e6:7.2f} MB/s  scan/this {seconds['scan'] / took:6.1f}")
    if options.json:
        kept = json.loads(options.json.read_text(encoding="utf-8")) if options.json.exists() else {}
        kept["speed"] = {"files": len(files), "bytes": size, "seconds": {k: round(v, 3) for k, v in seconds.items()},
                         "scan_over": {name: round(seconds["scan"] / took, 2) for name, took in seconds.items()}}
        options.json.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
