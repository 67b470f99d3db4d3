"""Each row of the table of attribution, shown by a real project that is scored with `--attribute`."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from oracle_rules.analysis.variations import VARIATIONS
from oracle_rules.digest import Digest
from oracle_rules.errors import Malfunction
from oracle_rules.evaluate import Evaluation
from oracle_rules.gate.attribution import TABLE
from oracle_rules.record import record
from oracle_rules.scoring import attribute
from oracle_rules.worker import Worker
from oracle_rules.workspace import discover, open_subject, parent_side

from .kit import Ran, Repo, oracle

HEAD = "import datetime\nimport os\nimport time\n\n\ndef year():\n    return datetime.datetime.now().year\n"
# Waits for ever and needs no processor; the limit leaves a busy machine time for the side that answers.
WAIT, LIMIT = "os.read(os.pipe()[0], 1)", "timeout_seconds = 4"
# Target -> (its row, the body of its function in base, the same in the patch, more of its declaration).
CASES: dict[str, tuple[str, str, str, str]] = {
    "clean": ("candidate", "return True", "return False", ""),
    "total": ("pre-existing", "return False", "return bool(0)", ""),
    "more": ("broke-more", "return case == 1", "return case > 2", ""),
    "season": ("environment", "return year() < 2027", "return year() >= 2027", 'allow = ["clock"]'),
    "bloom": ("environment-red", "return year() > 2026", "return 2026 < year()", 'allow = ["clock"]'),
    "order": ("introduced-nondeterminism", "return min(case)", "return next(iter(set(case)))", ""),
    "always": ("candidate-throughout", "return year() < 2027", "return year() < 0", 'allow = ["clock"]'),
    "reads": ("ambient-introduced", "return True", "return time.time() > 0", ""),
    "loops": ("slow", "return True", WAIT, LIMIT),
    "lazy": ("timed-out", "return True", f"if year() < 2027:\n        {WAIT}\n    return True",
             f'allow = ["clock"], {LIMIT}'),
    "odd": ("harness-error", "return True", "return 2", ""),
    "oddly": ("parent-error", "return 2", "return False", ""),
    "late": ("parent-timed-out", WAIT, "return False", LIMIT),
}
# What the patch mends, and what it leaves as it is.
GREEN = {"mended": ("return False", "return True"), "kept": ("return True", "return bool(1)")}
MASS = tuple(f"mass{number}" for number in range(5))
NAMES = "abcdefghijklmnop"
ODD = "from src.code import {name}\n\n\ndef hold(case):\n    answer = {name}(case)\n    return answer is True or answer == 2 and 7\n"
PLAIN = "from src.code import {name}\n\n\ndef hold(case):\n    return {name}(case)\n"
ORDER = "from src.code import order\n\n\ndef hold(case):\n    return order(case) == min(case)\n"


def code(bodies: dict[str, str]) -> str:
    """The module under judgement."""
    return HEAD + "".join(f"\n\ndef {name}(case):\n    {body}\n" for name, body in bodies.items())


def build(names: dict[str, str], sources: str = 'glob(["src/**/*.py"])') -> str:
    lines = ['load("@oracle_rules//oracle_rules:defs.bzl", "oracle_candidate", "oracle_property_test")',
             f'oracle_candidate(name = "src", srcs = {sources})']
    for name, more in names.items():
        asked = "total" if name in MASS else name
        lines.append(f'oracle_property_test(name = "{name}", property = "properties/{asked}.py", candidate = ":src", '
                     f'property_id = "{name}", seeds = "seeds/{asked}.json", {more})')
    return "\n".join(lines) + "\n"


def init(top: Path, files: dict[str, str]) -> Repo:
    top.mkdir(parents=True)
    repo = Repo(top)
    repo.git("init", "-q", "-b", "main")
    repo.commit(files)
    return repo


def properties(names: Sequence[str]) -> dict[str, str]:
    found = {f"properties/{name}.py": PLAIN.format(name=name) for name in names}
    found |= {f"seeds/{name}.json": "[1]" for name in names}
    return found


@pytest.fixture(scope="module")
def blamed(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """Base is the parent; `patch` shows most rows."""
    names = {name: more for name, (_, _, _, more) in CASES.items()} | dict.fromkeys((*GREEN, *MASS), "")
    before = {name: case[1] for name, case in CASES.items()} | {name: case[0] for name, case in GREEN.items()}
    after = {name: case[2] for name, case in CASES.items()} | {name: case[1] for name, case in GREEN.items()}
    files = {"BUILD.bazel": build(names), "src/__init__.py": "", "src/code.py": code(before),
             **properties([*CASES, *GREEN]), "properties/order.py": ORDER,
             "seeds/order.json": str([[first, second] for first, second in zip(NAMES[::2], NAMES[1::2], strict=True)]
                                     ).replace("'", '"'),
             "seeds/more.json": "[1, 2]", **{f"properties/{name}.py": ODD.format(name=name) for name in ("odd", "oddly")}}
    repo = init(tmp_path_factory.mktemp("blamed") / "repo", files)
    repo.commit({"src/code.py": code(after)}, "patch")
    repo.git("checkout", "-q", "main")
    repo.commit({"src/code.py": "def broken(:\n"}, "unimportable")
    repo.git("checkout", "-q", "main")
    return repo


@pytest.fixture(scope="module")
def scored(blamed: Repo, cache: Path) -> Ran:
    """The patch, once for everybody."""
    labels = [f"//:{name}" for name in (*CASES, *GREEN)]
    return oracle("score", "--base", "main", "--head", "patch", "--attribute", "--cache-dir", str(cache), *labels,
                  "--format", "json", cwd=blamed.top, timeout=180)


def target(found: dict[str, Any], name: str) -> dict[str, Any]:
    [row] = [each for each in found["targets"] if each["label"] == f"//:{name}"]
    assert isinstance(row, dict)
    return row


@pytest.mark.parametrize("name", CASES)
def test_a_project_that_shows_the_row(name: str, scored: Ran) -> None:
    row = target(scored.record, name)
    assert row["bit"] == 0 and row["attribution"]["row"] == CASES[name][0]
    shown = next(each for each in TABLE if each.name == CASES[name][0])
    assert (row["attribution"]["blame"], row["attribution"]["why"]) == (shown.blame, shown.why)
    parent_holds = name not in ("total", "more", "bloom", "oddly", "late")
    assert row["change"] == ("broke" if parent_holds else "still-red")
    assert (row["attribution"]["parent"]["bit"] == 1) is parent_holds and row["attribution"]["base"] is None
    codes = {reason["code"] for reason in scored.record["reasons"] if reason["subject"] == f"//:{name}"}
    assert (shown.code in codes) if shown.code else codes == {row["reason"], "property_failed"} or name == "odd"
    assert ("property_failed" in codes) is not (shown.instead or name in ("odd", "reads"))


def test_what_is_green_says_what_became_of_it(scored: Ran) -> None:
    assert scored.status == 4 and scored.record["decision"] == "refused"  # `reads` reads the clock
    assert {name: target(scored.record, name)["change"] for name in GREEN} == {"mended": "fixed", "kept": "kept"}
    for name in GREEN:
        told = target(scored.record, name)["attribution"]
        assert (told["row"], told["blame"], told["variations"]) == (None, None, [])
    assert target(scored.record, "mended")["attribution"]["parent"]["bit"] == 0


def test_what_flipped_is_named_and_can_be_seen_again(scored: Ran, blamed: Repo, cache: Path) -> None:
    def flipped(name: str) -> dict[str, list[str]]:
        return {each["name"]: each["flipped"] for each in target(scored.record, name)["attribution"]["variations"]
                if each["flipped"]}

    clocks = ("clock-398-days", "clock-16-years")
    assert flipped("clean") == flipped("total") == {}
    assert flipped("season") == flipped("bloom") == dict.fromkeys(clocks, ["parent", "candidate"])
    assert flipped("always") == dict.fromkeys(clocks, ["parent"])
    assert flipped("order") and set(flipped("order")) <= {f"hash-seed-{number}" for number in range(1, 5)}
    assert {name for sides in flipped("order").values() for name in sides} == {"candidate"}
    for name, status in (("season", 0), ("clean", 1)):
        [varied] = [each for each in target(scored.record, name)["attribution"]["variations"]
                    if each["name"] == "clock-398-days"]
        words = varied["candidate"]["repro"].split()[1:]
        assert oracle(*words, "--cache-dir", str(cache), cwd=blamed.top).status == status
    parent = target(scored.record, "clean")["attribution"]["parent"]
    assert oracle(*parent["repro"].split()[1:], "--cache-dir", str(cache), cwd=blamed.top).status == 0


def test_the_report_says_who_and_by_what(scored: Ran, blamed: Repo, cache: Path) -> None:
    """Everything is replayed, so that it is quick; and a score by the command of the record is the same."""
    row = target(scored.record, "season")["attribution"]
    ran = oracle("score", "--base", "main", "--head", "patch", "--attribute", "--cache-dir", str(cache), "//:season",
                 "//:kept", cwd=blamed.top)
    assert ran.status == 3
    lines = [line.strip() for line in ran.out.splitlines()]
    assert "broken //:season  replay  replayed  0/1 cases  broke" in lines
    assert "held   //:kept    replay  replayed  1/1 cases  kept" in lines
    assert f"blame: environment [environment]: {row['why']}" in lines
    assert f"parent holds: {row['parent']['repro']}" in lines
    [clock] = [each for each in row["variations"] if each["name"] == "clock-398-days"]
    assert f"candidate holds under clock-398-days: {clock['candidate']['repro']}" in lines
    assert f"parent is red (property_failed, case 0) under clock-398-days: {clock['parent']['repro']}" in lines
    assert [line for line in lines if line.startswith("the same under hash-seed-1, hash-seed-2, entropy,")]
    [unstable] = [line for line in lines if line.startswith("property_unstable //:season: ")]
    assert unstable.startswith(f"property_unstable //:season: {row['why']}; season:seed=0 hold answered False")
    assert lines[-1].startswith("INCOMPLETE")
    # Of few targets, since a side that reached its time limit is never replayed.
    few = oracle("score", "--base", "main", "--head", "patch", "--attribute", "--cache-dir", str(cache), "//:clean",
                 "//:reads", "--format", "json", cwd=blamed.top)
    again = oracle(*few.record["repro"].split()[1:], "--cache-dir", str(cache), "--format", "json", cwd=blamed.top)
    assert again.record["decision"] == few.record["decision"] == "refused"
    assert again.record["targets"][0]["attribution"]["row"] == "candidate"


def test_a_timeout_names_its_limit(scored: Ran) -> None:
    assert target(scored.record, "loops")["detail"] == "the time limit of 4 s was reached"


def test_without_attribution_nothing_is_said(blamed: Repo, cache: Path) -> None:
    """The control: the same red bits, a parent that nobody asks, and `property_failed` for what base breaks."""
    ran = oracle("score", "--base", "main", "--head", "patch", "--cache-dir", str(cache), "//:total", "//:season",
                 "--format", "json", cwd=blamed.top)
    assert ran.status == 1 and [reason["code"] for reason in ran.record["reasons"]] == ["property_failed"] * 2
    assert all(row["change"] is None and row["attribution"] is None for row in ran.record["targets"])


def test_what_base_breaks_is_never_admitted_nor_the_patch_s(blamed: Repo, cache: Path) -> None:
    words = ("score", "--base", "main", "--head", "patch", "--attribute", "--cache-dir", str(cache), "--format", "json")
    ran = oracle(*words, "//:total", "//:kept", cwd=blamed.top)
    assert (ran.status, ran.record["decision"], ran.record["bit"]) == (3, "incomplete", 0)
    [reason] = ran.record["reasons"]
    assert (reason["code"], reason["lane"], reason["row"]) == ("property_red_on_base", "replay", "pre-existing")
    assert oracle(*words, "//:mended", "//:kept", cwd=blamed.top).status == 0  # mended by the patch


def test_what_the_patch_breaks_of_its_own_is_its_fault_though_the_parent_is_red(
    blamed: Repo, cache: Path, scored: Ran
) -> None:
    row = target(scored.record, "more")
    assert (row["change"], row["counterexample"]["index"]) == ("still-red", 0)
    ran = oracle("score", "--base", "main", "--head", "patch", "--attribute", "--cache-dir", str(cache), "//:more",
                 cwd=blamed.top)
    assert ran.status == 1 and "broken //:more  replay  replayed  0/2 cases  still-red" in ran.out
    assert "blame: candidate [broke-more]" in ran.out and "parent is red (property_failed, case 1): " in ran.out


Scorer = Callable[..., dict[str, Any]]


@pytest.fixture
def inside(cache: Path) -> Scorer:
    """Scores in this process, where a bound or a worker can be another one; the record."""

    def score(repo: Repo, base: str, head: str, *names: str, spoil: Any = None) -> dict[str, Any]:
        with discover(repo.top) as found, Worker(cache, jobs=2) as worker:
            if spoil is not None:
                spoil(worker)
            subject = open_subject(found, base=base, head=head, worktree=False)
            evaluation = Evaluation(subject, worker, today=datetime.date(2026, 1, 1), progress=lambda *seen: None)
            labels = [f"//:{name}" for name in names]
            return record(evaluation.score(labels, parent=parent_side(found, subject)))

    return score


def test_a_mass_failure(
    blamed: Repo, cache: Path, inside: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("score", "--base", "main", "--head", "patch", "--attribute", "--cache-dir", str(cache), "--format", "json")
    ran = oracle(*words, *(f"//:{name}" for name in MASS), cwd=blamed.top)
    assert ran.status == 3 and {row["attribution"]["row"] for row in ran.record["targets"]} == {"mass-failure"}
    assert {row["attribution"]["blame"] for row in ran.record["targets"]} == {"too-noisy"}
    assert {reason["code"] for reason in ran.record["reasons"]} == {"property_red_on_base"}
    monkeypatch.setattr(attribute, "VARIED_MOST", 0)
    fewer = inside(blamed, "main", "patch", *MASS[:4])
    assert {row["attribution"]["row"] for row in fewer["targets"]} == {"pre-existing"}


def test_a_patch_that_breaks_everything_is_to_blame(
    inside: Scorer, blamed: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And beyond the bound nothing is varied."""
    monkeypatch.setattr(attribute, "VARIED_MOST", 1)
    names = ("clean", "season", "order", "always", "kept")
    found = inside(blamed, "main", "unimportable", *names)
    assert found["exit"] == 1 and {row["reason"] for row in found["targets"]} == {"import_failed"}
    rows = [target(found, name)["attribution"] for name in names]
    assert sorted(row["row"] for row in rows) == ["candidate", *["candidate-not-varied"] * 4]
    assert {row["blame"] for row in rows} == {"candidate"}


def test_too_few_variations_that_count(inside: Scorer, blamed: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    [later] = [each for each in VARIATIONS if each.name == "clock-398-days"]
    monkeypatch.setattr(attribute, "VARIATIONS", (later,))
    told = target(inside(blamed, "main", "patch", "season"), "season")["attribution"]
    assert (told["row"], told["blame"], len(told["variations"])) == ("too-few", "too-noisy", 1)


@pytest.mark.usefixtures("scored")
def test_a_time_limit_of_the_parent_hangs_on_the_machine_too(inside: Scorer, blamed: Repo) -> None:
    assert inside(blamed, "main", "patch", "clean")["replayable"] is True
    late = inside(blamed, "main", "patch", "late")
    assert target(late, "late")["reason"] == "property_failed" and late["replayable"] is False


@pytest.mark.usefixtures("scored")
def test_a_side_that_we_fail_to_judge(inside: Scorer, blamed: Repo) -> None:
    """The candidate's bit stands, whatever becomes of its explanation."""
    looked: list[Digest] = []

    def spoil(worker: Worker) -> None:
        """The candidate is served from the cache; everything after it would have to be run, and can't."""
        lookup = worker.lookup
        worker.lookup = lambda action: None if looked else looked.append(action) or lookup(action)  # type: ignore
        worker.attempt = lambda actions: (  # type: ignore
            (action, Malfunction("the disk is full")) for action in actions)

    found = inside(blamed, "main", "patch", "clean", spoil=spoil)
    told = target(found, "clean")["attribution"]
    assert (found["exit"], told["row"], told["problem"]) == (1, "not-judged", "the disk is full")
    assert target(found, "clean")["change"] is None and told["parent"] is None


@pytest.fixture(scope="module")
def moved(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """Base has moved on since the patch left it: it mended `stale`, and broke `worse`."""
    names = ("stale", "worse", "fine")
    old = dict.fromkeys(names, "return True") | {"stale": "return False"}
    files = {"BUILD.bazel": build(dict.fromkeys(names, "")), "src/__init__.py": "", "src/code.py": code(old),
             **properties(names)}
    repo = init(tmp_path_factory.mktemp("moved") / "repo", files)
    repo.commit({"src/code.py": code(dict.fromkeys(names, "return bool(0)"))}, "patch")
    repo.git("checkout", "-q", "main")
    repo.commit({"src/code.py": code(dict.fromkeys(names, "return True") | {"worse": "return False"})})
    return repo


def test_base_is_asked_where_it_has_moved_on(inside: Scorer, moved: Repo) -> None:
    found = inside(moved, "main", "patch", "stale", "worse", "fine")
    told = {name: target(found, name)["attribution"] for name in ("stale", "worse", "fine")}
    assert {name: row["row"] for name, row in told.items()} == {
        "stale": "behind-base", "worse": "base-red", "fine": "candidate"}
    assert {name: (row["parent"]["bit"], row["base"]["bit"]) for name, row in told.items()} == {
        "stale": (0, 1), "worse": (1, 0), "fine": (1, 1)}
    assert {(reason["subject"], reason["code"]) for reason in found["reasons"]} == {
        ("//:stale", "property_failed"), ("//:worse", "property_red_on_base"), ("//:fine", "property_failed")}


def test_a_parent_that_base_s_declarations_do_not_fit(inside: Scorer, tmp_path: Path) -> None:
    sources = 'glob(["src/*.py"]) + glob(["more/*.py"], allow_empty = False)'
    files = {"BUILD.bazel": build({"clean": ""}, sources), "src/code.py": code({"clean": "return True"}),
             **properties(["clean"])}
    repo = init(tmp_path / "repo", files)
    repo.commit({"more/one.py": "", "src/code.py": code({"clean": "return False"})}, "patch")
    repo.git("checkout", "-q", "main")
    repo.commit({"more/one.py": "x = 1\n"})
    told = target(inside(repo, "main", "patch", "clean"), "clean")
    assert (told["change"], told["attribution"]["row"], told["attribution"]["parent"]) == (None, "no-parent", None)
    assert told["attribution"]["base"]["bit"] == 1


def test_the_inputs_of_the_sides_differ_in_the_sources_alone(
    inside: Scorer, blamed: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []
    real = attribute.Judging.attempt
    monkeypatch.setattr(attribute.Judging, "attempt", lambda self, asks: seen.append(asks) or real(self, asks))
    inside(blamed, "main", "patch", "clean")
    [(parent, _)], varied, _ = seen
    pairs = [(parent.inputs, varied[0][0].inputs)]  # the policy apart
    pairs += [(mine[0].inputs, other[0].inputs) for other, mine in zip(varied[::2], varied[1::2], strict=True)]
    policy = "external/oracle_rules_toolchain/policy.json"
    for number, (one, two) in enumerate(pairs):
        assert set(one) == set(two)
        differ = {path for path in one if one[path] != two[path]}
        assert differ == ({policy} if number == 0 else {"src/code.py"})
    assert len(varied) == 2 * len(VARIATIONS)
    assert len({plan.action for plan, _ in varied} | {parent.action}) == 2 * len(VARIATIONS) + 1


def test_every_row_has_a_project() -> None:
    shown = {case[0] for case in CASES.values()} | {
        "mass-failure", "candidate-not-varied", "too-few", "not-judged", "behind-base", "base-red", "no-parent"}
    assert shown == {row.name for row in TABLE}
