"""What stands before and beside a score: help that loads nothing, doctor, gate."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from oracle_rules.commands import grammar
from oracle_rules.commands.exits import EXITS
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


def _leaves(parser: argparse.ArgumentParser, above: str = "") -> dict[str, argparse.ArgumentParser]:
    """Every command that can be run, by its words."""
    below = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    if not below:
        return {above.strip(): parser}
    return {name: leaf for verb, each in below[0].choices.items()
            for name, leaf in _leaves(each, f"{above} {verb}").items()}


def test_every_command_says_its_own_exit_codes_and_offers_no_option_that_does_nothing() -> None:
    leaves = _leaves(grammar.parser())
    assert set(leaves) == set(EXITS)
    for name, leaf in leaves.items():
        said = str(leaf.epilog)
        assert said.startswith(f"exit codes of {name}: ")
        told = [int(part.split()[0]) for part in said.removeprefix(f"exit codes of {name}: ").split("; ")
                if part[0].isdigit()]
        assert told == sorted(told) and {0, 2, 5, 130, 141} <= set(told) <= {*map(int, Exit), 130, 141}, name
    options = {name: {word for each in leaf._actions for word in each.option_strings} for name, leaf in leaves.items()}
    assert {name for name, words in options.items() if "--jobs" in words} == {
        "score", "why", "promote", "explore", "domain draw", "journal hunt", "journal strength"}
    assert {name for name, words in options.items() if "--cache-size" in words} == {
        "score", "why", "replay", "promote", "explore", "domain draw", "journal hunt", "journal show", "journal lock",
        "journal strength"}


def test_doctor_proves_each_primitive(tmp_path: Path) -> None:
    ran = oracle("doctor", cwd=tmp_path)
    assert ran.status == 0 and ran.err == "" and all(line.startswith("ok ") for line in ran.out.splitlines()), ran.out
    found = json.loads(oracle("doctor", "--format", "json", cwd=tmp_path).out)
    assert found["schema"] == "oracle_rules/doctor/v1"
    assert len(found["probes"]) == len(ran.out.splitlines()) >= 8
    assert all(set(row) == {"name", "ok", "detail", "remedy"} and row["ok"] for row in found["probes"])


def test_gate_alone_judges_nothing(repo: Repo, tmp_path: Path) -> None:
    ran = oracle("gate", "--base", "main", "--head", "edited", "--today", "2026-01-01", cwd=repo.top)
    assert ran.status == 4 and "\nseed_rewritten seeds/clean.json: " in ran.out and "nothing has been judged" in ran.out
    assert ran.out.endswith(f"oracle-rules gate --base {repo.git('rev-parse', 'main')} "
                            f"--head {repo.git('rev-parse', 'edited')} --today 2026-01-01\n")
    ran = oracle("gate", "--base", "main", "--head", "red", cwd=repo.top)
    assert ran.status == 0 and "the gate has nothing against this patch; it has not been judged\n" in ran.out


def test_a_packet_is_the_same_bytes_in_every_process_and_format(repo: Repo, tmp_path: Path) -> None:
    words = ("gate", "--base", "main", "--head", "edited", "--today", "2026-01-01", "--require-codeowners")
    files = [f"--format={form}={tmp_path / form}" for form in ("json", "markdown")]
    seen = []
    for seed in ("1", "2"):
        ran = oracle(*words, *files, "--format", "text", cwd=repo.top, env={"PYTHONHASHSEED": seed, "TZ": f"UTC+{seed}"})
        assert ran.status == 4
        seen.append((ran.out, *((tmp_path / form).read_bytes() for form in ("json", "markdown"))))
    assert seen[0] == seen[1]
    found = json.loads(seen[0][1])
    assert (found["schema"], found["decision"], found["exit"]) == ("oracle_rules/packet/v1", "refused", 4)
    assert found["repro"].endswith("--today 2026-01-01 --require-codeowners")
    codes = {each["code"] for each in found["findings"]["rows"]}
    assert codes == {"oracle_edit_forbidden", "seed_rewritten", "codeowners_missing"}
    again = oracle(*found["repro"].split()[1:], "--format", "json", cwd=repo.top)
    assert again.out.encode() == seen[0][1]


def test_score_says_the_same_as_gate(score: Callable[..., Ran], repo: Repo) -> None:
    said = json.loads(oracle("gate", "--base", "main", "--head", "edited", "--format", "json", cwd=repo.top).out)
    reasons = score("edited", "--format", "json").record["reasons"]
    assert said["findings"]["rows"] == reasons and reasons[0]["code"] == "oracle_edit_forbidden"
