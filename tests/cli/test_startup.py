"""What stands before and beside a score: help that loads nothing, doctor, gate."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from oracle_rules.errors import Exit

from .kit import Ran, Repo, environment, oracle

HEAVY = ("starlark", "hypothesis", "pex", "asyncio", "subprocess", "socket", "ssl", "concurrent")


def test_help_loads_nothing_that_it_does_not_need(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom oracle_rules.cli import main\ntry:\n    main()\nfinally:\n"
        "    print(*sorted(sys.modules), file=sys.stderr)\n"
    )
    for words in (["--help"], ["score", "--help"], ["--version"]):
        done = subprocess.run(
            [sys.executable, "-S", "-c", program, *words],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        loaded = done.stderr.split()
        assert done.returncode == 0 and "oracle_rules.cli" in loaded and done.stdout
        assert [name for name in loaded if name.partition(".")[0] in HEAVY] == []


def test_help_names_every_verb_and_every_exit_code(tmp_path: Path) -> None:
    shown = " ".join(oracle("--help", cwd=tmp_path).out.split())
    for verb in ("score", "gate", "replay", "why", "doctor"):
        assert f" {verb} " in shown
        assert oracle(verb, "--help", cwd=tmp_path).out.startswith(f"usage: oracle-rules {verb} ")
    for code in Exit:
        assert f"{int(code)} " in shown.partition("exit codes")[2]
    assert "130 " in shown and "141 " in shown


def test_doctor_proves_each_primitive(tmp_path: Path) -> None:
    ran = oracle("doctor", cwd=tmp_path)
    assert ran.status == 0 and ran.err == "" and all(line.startswith("ok ") for line in ran.out.splitlines()), ran.out
    found = json.loads(oracle("doctor", "--format", "json", cwd=tmp_path).out)
    assert found["schema"] == "oracle_rules/doctor/v1"
    assert len(found["probes"]) == len(ran.out.splitlines()) >= 8
    assert all(set(row) == {"name", "ok", "detail", "remedy"} and row["ok"] for row in found["probes"])


def test_gate_alone_judges_nothing(repo: Repo, tmp_path: Path) -> None:
    ran = oracle("gate", "--base", "main", "--head", "edited", cwd=repo.top)
    assert ran.status == 4 and ran.out.startswith("seed_rewritten seeds/clean.json: ")
    ran = oracle("gate", "--base", "main", "--head", "red", cwd=repo.top)
    assert ran.status == 0 and ran.out == "the gate has nothing against this patch; it has not been judged\n"


def test_score_says_the_same_as_gate(score: Callable[..., Ran], repo: Repo) -> None:
    said = oracle("gate", "--base", "main", "--head", "edited", cwd=repo.top).out.split()[0]
    assert said in {reason["code"] for reason in score("edited", "--format", "json").record["reasons"]}
