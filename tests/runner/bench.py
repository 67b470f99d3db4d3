"""Judges many small (candidate, property) pairs in one score, in the real sandbox, without a repository on disk."""

from __future__ import annotations

import datetime
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from oracle_rules.asking.questions import Questions
from oracle_rules.digest import EMPTY
from oracle_rules.loading import load_workspace
from oracle_rules.scm import memory_tree
from oracle_rules.scoring.judging import Judging
from oracle_rules.scoring.planning import Planner, usual
from oracle_rules.trust.oracle import Standing
from oracle_rules.worker import Worker
from oracle_rules.workspace import Subject


@dataclass(frozen=True)
class Pair:
    """A candidate module `src.NAME`, a property over it, its cases and the reason code that is expected (None: held)."""

    name: str
    candidate: str
    hold: str
    reason: str | None = None
    cases: Sequence[Any] = (1,)
    attributes: str = ""
    detail: str = ""
    files: Mapping[str, str] = field(default_factory=dict)


def judge(pairs: Sequence[Pair], worker: Worker, *, requirements: str | None = None) -> dict[str, Mapping[str, Any]]:
    """Verdict by name."""
    files = {"src/__init__.py": b""}
    build = ['load("@oracle_rules//oracle_rules:defs.bzl", "oracle_candidate", "oracle_property_test")',
             'oracle_candidate(name = "src", srcs = glob(["src/**/*.py"]), '
             + ('requirements = "requirements.lock")' if requirements is not None else ")")]
    if requirements is not None:
        files["requirements.lock"] = requirements.encode()
    for pair in pairs:
        files[f"src/{pair.name}.py"] = pair.candidate.encode("utf-8", "surrogatepass")
        files[f"properties/{pair.name}.py"] = pair.hold.encode()
        files[f"seeds/{pair.name}.json"] = json.dumps(list(pair.cases)).encode()
        files |= {path: text.encode() for path, text in pair.files.items()}
        build.append(f'oracle_property_test(name = "{pair.name}", property = "properties/{pair.name}.py", '
                     f'candidate = ":src", seeds = "seeds/{pair.name}.json", {pair.attributes})')
    files["BUILD.bazel"] = "\n".join(build).encode()
    tree = memory_tree(files)
    declared = load_workspace(tree)
    standing = Standing(commit="0" * 40, digest=EMPTY, source="base", signed_by=())
    subject = Subject(base_id="0" * 40, candidate_id="1" * 40, parent_id="0" * 40, standing=standing,
                      base=tree, candidate=tree, oracle=tree, declared=declared, before=declared, selected=declared)
    # Asked without gate and lint: what the runner does with properties that nobody should write is shown here, too.
    questions = Questions(subject, standard=sys.stdlib_module_names, today=datetime.date(2026, 1, 1))
    asked = [question for test in subject.tests([]) if (question := questions.ask(test)) is not None]
    planner = Planner(worker, lambda what, number, total: None)
    plans = [(planner.plan(each), each.about.property_id) for each in planner.ready([usual(each) for each in asked], subject.candidate)]
    rows = Judging(worker, lambda what, number, total: None).judge(plans)
    return {row.property_id: row.verdict for row in rows}
