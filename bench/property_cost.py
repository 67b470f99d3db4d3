"""What one property costs, cold and replayed, against the same property as one pytest process: ratios in one run.

    python bench/property_cost.py [--rounds N] [--json FILE]

Writes a workspace with one target into a temporary repository and times, alternating, as whole processes:

    pytest     python -m pytest -q over the same property and seeds, in this interpreter, plugins not loaded
    cold       oracle-rules score with the verdict thrown away before each run (cache of toolchain and image kept)
    replayed   oracle-rules score again, so that the verdict comes from the cache

and, inside one process with a live spawner, one Action after another (`action`): what a further target adds.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from oracle_rules.evaluate import Evaluation
from oracle_rules.worker import Worker
from oracle_rules.workspace import discover, open_subject

FILES = {
    "src/__init__.py": "",
    "src/name.py": "def canonical(raw):\n    return raw.strip().lower()\n",
    "properties/name.py": "from src.name import canonical\n\n\ndef hold(case):\n    return canonical(case['raw']) == case['expect']\n",
    "seeds/name.json": json.dumps([{"raw": f" N{n} ", "expect": f"n{n}"} for n in range(20)]),
    "BUILD.bazel": 'load("@oracle_rules//oracle_rules:defs.bzl", "oracle_candidate", "oracle_property_test")\n'
                   'oracle_candidate(name = "src", srcs = glob(["src/**/*.py"]))\n'
                   'oracle_property_test(name = "name", candidate = ":src", property = "properties/name.py", '
                   'seeds = "seeds/name.json")\n',
    "test_name.py": "import json, pytest\nfrom properties.name import hold\n\n\n@pytest.mark.parametrize('case', "
                    "json.load(open('seeds/name.json')))\ndef test_name(case):\n    assert hold(case)\n",
}


def workspace(folder: Path) -> None:
    """Writes and commits the workspace."""
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    who = ["-c", "user.name=Bench", "-c", "user.email=bench@example.invalid"]
    for command in (["init", "-q"], ["add", "."], [*who, "commit", "-q", "-m", "base"]):
        subprocess.run(["git", *command], cwd=folder, check=True)


def timed(command: list[str], folder: Path) -> float:
    """Seconds of one whole process that has to succeed."""
    env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(Path(__file__).parent.parent)}
    started = time.perf_counter()
    subprocess.run(command, cwd=folder, env=env, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def actions(folder: Path, cache: Path, rounds: int) -> list[float]:
    """Seconds of each execution of the one Action, in a live spawner."""
    with discover(folder) as repository, Worker(cache, jobs=1) as worker:
        subject = open_subject(repository, base=None, head=None, worktree=True)
        evaluation = Evaluation(subject, worker, today=datetime.date(2026, 1, 1), progress=lambda *seen: None)
        [plan], _ = evaluation.plan([])
        worker.store_inputs(plan)
        with worker._executor() as executor:
            executor.execute(plan.action)
            found = []
            for _ in range(rounds):
                started = time.perf_counter()
                executor.execute(plan.action)
                found.append(time.perf_counter() - started)
    return found


def measure(rounds: int) -> dict[str, list[float]]:
    """Seconds by what was run, alternating so that the machine's moods hit all alike."""
    score = [sys.executable, "-c", "from oracle_rules.cli import main; main()", "score", "--cache-dir"]
    found: dict[str, list[float]] = {"pytest": [], "cold": [], "replayed": []}
    with tempfile.TemporaryDirectory() as scratch:
        folder, cache = Path(scratch, "repository"), Path(scratch, "cache")
        folder.mkdir()
        workspace(folder)
        command = [*score, str(cache)]
        timed(command, folder)
        runs: dict[str, Callable[[], float]] = {
            "pytest": lambda: timed([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], folder),
            "cold": lambda: timed(command, folder), "replayed": lambda: timed(command, folder)}
        for _ in range(rounds):
            for name, run in runs.items():
                if name == "cold":
                    shutil.rmtree(cache / "ac")
                found[name].append(run())
        found["action"] = actions(folder, cache, rounds * 2)
    return found


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description="Cost of one property against one pytest process.")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    found = measure(options.rounds)
    pytest = statistics.median(found["pytest"])
    rows = {name: {"median_s": statistics.median(times), "min_s": min(times), "max_s": max(times),
                   "pytest_over_this": pytest / statistics.median(times)} for name, times in found.items()}
    for name, row in rows.items():
        print(f"{name:<9} median {row['median_s'] * 1000:7.1f} ms  (min {row['min_s'] * 1000:.1f}, max "
              f"{row['max_s'] * 1000:.1f})  pytest/this {row['pytest_over_this']:5.2f}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
