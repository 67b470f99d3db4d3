"""How many cases a hunt judges in a second, against a `pytest --hypothesis-seed` for each seed, in one run.

    python bench/hunt_throughput.py [--rounds N] [--seeds N] [--cases N ...] [--json FILE]

One property over one domain, twice: as a target with a locked domain that `oracle-rules journal hunt` asks, and as a
Hypothesis test that calls the same `hold` with the same strategy and as many examples. It holds, so that each seed
costs all of its cases on both sides; what shrinking a hit costs is not measured here. Whole processes, alternating:

    pytest          python -m pytest --hypothesis-seed=N for each seed, one after another; no other plugins, no database
    pytest_spread   the same, as many at once as there are CPUs
    cold            journal hunt over all seeds with one job, nothing drawn and nothing judged before
    cold_spread     the same with a job for each CPU
    drawn           the same on another parent: what the seeds draw comes from the cache, every case is judged
    cached          the same on the same parent again: every verdict comes from the cache

Image and description of the toolchain are in the cache before anything is timed. Each side has to tell that it judged
as many cases as it is credited with, or the run is given up.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CPUS = len(os.sched_getaffinity(0))
SOURCE = '''"""Half-open spans of whole numbers."""


def merge(spans):
    merged = []
    for low, high in sorted(spans):
        if merged and low <= merged[-1][1]:
            merged[-1][1] = max(high, merged[-1][1])
        else:
            merged.append([low, high])
    return [tuple(span) for span in merged]
'''
PROPERTY = '''from src.spans import merge


def hold(case):
    spans = [(low, low + length) for low, length in case]
    covered = {number for low, high in spans for number in range(low, high)}
    return sorted(covered) == [number for low, high in merge(spans) for number in range(low, high)]
'''
CLASSIC = '''import os

from hypothesis import HealthCheck, given, settings, strategies as st
from properties.spans import hold

ASKED = []


@settings(max_examples=CASES, database=None, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(st.integers(0, 999), st.integers(1, 99)), max_size=12))
def test_spans(case):
    ASKED.append(None)
    assert hold(case)


def teardown_module():
    with open(os.environ["COUNTED"], "w") as stream:
        stream.write(str(len(ASKED)))
'''
BUILD = '''load("@oracle_rules//oracle_rules:defs.bzl", "oracle_candidate", "oracle_domain_lock",
     "oracle_property_test")
oracle_candidate(name = "src", srcs = glob(["src/**/*.py"]))
oracle_domain_lock(name = "domain_lock", lock = "domain_lock.json")
oracle_property_test(name = "spans", candidate = ":src", domain_lock = ":domain_lock",
                     property = "properties/spans.py", seeds = "seeds/spans.json", timeout_seconds = 60)
'''


def files(cases: int) -> dict[str, str]:
    """The workspace, with so many cases for each seed."""
    pair = [{"kind": "integers", "min": 0, "max": 999}, {"kind": "integers", "min": 1, "max": 99}]
    domain = {"kind": "lists", "elements": {"kind": "tuples", "elements": pair}, "min_size": 0, "max_size": 12,
              "unique": False}
    lock = {"spans": {"domain": domain, "max_examples": cases, "deadline_ms": 400, "seed": 100_000}}
    return {".gitignore": "__pycache__/\n", "src/__init__.py": "", "src/spans.py": SOURCE,
            "properties/spans.py": PROPERTY, "BUILD.bazel": BUILD,
            "seeds/spans.json": "[[[1, 2], [5, 1]]]", "domain_lock.json": json.dumps(lock),
            "test_spans.py": CLASSIC.replace("CASES", str(cases))}


class Bench:
    """One workspace in a repository of its own, and the two ways to ask its property for what seeds draw."""

    def __init__(self, scratch: Path, cases: int, seeds: int) -> None:
        self.folder, self.cache, self.scratch = scratch / "repository", scratch / "cache", scratch
        self.cases, self.seeds, self.parents = cases, seeds, 0
        # CI would make Hypothesis draw the same cases whatever the seed.
        self.env = {"PATH": os.environ["PATH"], "HOME": str(scratch), "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8",
                    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "HYPOTHESIS_STORAGE_DIRECTORY": str(scratch / "hypothesis")}
        for path, text in files(cases).items():
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / path).write_text(text, encoding="utf-8")
        self.git("init", "-q", "-b", "main")
        self.commit()
        self.oracle("journal", "propose", "spans")
        build = BUILD.replace('name = "spans",', 'name = "spans", journal = "oracles/spans.json",')
        (self.folder / "BUILD.bazel").write_text(build, encoding="utf-8")
        self.commit()
        self.hunt(1)

    def run(self, command: list[str], allowed: tuple[int, ...] = (0,), **env: str) -> str:
        """What the command prints. Gives the run up when it ends otherwise than allowed."""
        done = subprocess.run(command, cwd=self.folder, env={**self.env, **env}, capture_output=True, text=True,
                              check=False)
        if done.returncode not in allowed:
            raise SystemExit(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def git(self, *words: str) -> None:
        """Runs git in the workspace."""
        who = ["-c", "user.name=Bench", "-c", "user.email=bench@example.invalid"]
        self.run(["git", *who, *words])

    def commit(self) -> None:
        """Commits everything."""
        self.git("add", "--all")
        self.git("commit", "-q", "-m", "a parent")

    def oracle(self, *words: str, allowed: tuple[int, ...] = (0,)) -> str:
        """Runs the command line."""
        return self.run([sys.executable, "-c", "from oracle_rules.cli import main; main()", *words], allowed)

    def hunt(self, jobs: int) -> None:
        """Hunts every seed on the last commit; exit 1 says that none hits, which is what has to come out."""
        out = self.oracle("journal", "hunt", "spans", "--seeds", f"1..{self.seeds}", "--parent", "HEAD", "--dry-run",
                          "--jobs", str(jobs), "--cache-dir", str(self.cache), allowed=(1,))
        told = re.findall(r"^seed +\d+ +miss +held +(\d+) cases$", out, re.MULTILINE)
        if [int(each) for each in told] != [self.cases] * self.seeds:
            raise SystemExit(f"the hunt judged something else than {self.seeds} times {self.cases} cases:\n{out}")

    def seed(self, seed: int) -> None:
        """One seed in a pytest of its own."""
        counted = self.scratch / f"counted-{seed}"
        self.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "_hypothesis_pytestplugin",
                  f"--hypothesis-seed={seed}", "test_spans.py"], COUNTED=str(counted))
        if counted.read_text(encoding="utf-8") != str(self.cases):
            raise SystemExit(f"seed {seed}: pytest asked {counted.read_text()} cases, not {self.cases}")

    def pytest(self, jobs: int) -> None:
        """Every seed, so many at once."""
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(self.seed, range(1, self.seeds + 1)))

    def cold(self, jobs: int) -> Callable[[], None]:
        """A hunt for which nothing was drawn or judged; the forgetting is not timed."""
        shutil.rmtree(self.cache / "ac")
        return lambda: self.hunt(jobs)

    def drawn(self) -> Callable[[], None]:
        """A hunt on another parent."""
        self.parents += 1
        (self.folder / "src/spans.py").write_text(f"{SOURCE}\n\nPARENT = {self.parents}\n", encoding="utf-8")
        self.commit()
        return lambda: self.hunt(CPUS)

    def measure(self, rounds: int) -> dict[str, list[float]]:
        """Seconds by what was run, in an order in which each finds the cache that it says it finds."""
        ways: dict[str, Callable[[], Callable[[], None]]] = {
            "pytest": lambda: lambda: self.pytest(1), "pytest_spread": lambda: lambda: self.pytest(CPUS),
            "cold": lambda: self.cold(1), "cold_spread": lambda: self.cold(CPUS), "drawn": self.drawn,
            "cached": lambda: lambda: self.hunt(CPUS)}
        found: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(rounds):
            for name, prepare in ways.items():
                run = prepare()
                started = time.perf_counter()
                run()
                found[name].append(time.perf_counter() - started)
        return found


def rows(found: dict[str, list[float]], cases: int) -> dict[str, dict[str, float]]:
    """The numbers of one size, `cases` being those of all seeds; `over_pytest` compares with as many at once."""
    middle = {name: statistics.median(times) for name, times in found.items()}
    return {name: {"median_s": middle[name], "min_s": min(times), "max_s": max(times),
                   "cases_per_s": cases / middle[name],
                   "over_pytest": middle["pytest" if name in ("pytest", "cold") else "pytest_spread"] / middle[name]}
            for name, times in found.items()}


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description="Throughput of a hunt against pytest --hypothesis-seed.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seeds", type=int, default=8, help="how many seeds are hunted")
    parser.add_argument("--cases", type=int, nargs="+", default=[100, 1000], help="cases of a seed; each is a size")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    sizes = []
    for cases in options.cases:
        with tempfile.TemporaryDirectory() as scratch:
            measured = Bench(Path(scratch), cases, options.seeds).measure(options.rounds)
        sizes.append({"cases": cases, "rows": rows(measured, cases * options.seeds)})
        for name, row in sizes[-1]["rows"].items():
            print(f"{cases:>5} cases  {name:<13} median {row['median_s']:6.2f} s  (min {row['min_s']:.2f}, max "
                  f"{row['max_s']:.2f})  {row['cases_per_s']:7.0f} cases/s  over pytest {row['over_pytest']:5.2f}")
    if options.json:
        kept = {"rounds": options.rounds, "seeds": options.seeds, "cpus": CPUS, "sizes": sizes}
        options.json.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
