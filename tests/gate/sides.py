"""Two sides in memory, as a score would open them: files in, everything that the gate finds out."""

from __future__ import annotations

import datetime
import hashlib
import json
import sys
from collections.abc import Mapping
from typing import Any

from oracle_rules.asking.questions import Questions
from oracle_rules.digest import Digest
from oracle_rules.gate.author import Author
from oracle_rules.loading import load_workspace
from oracle_rules.scm import Mode, memory_tree
from oracle_rules.trust.oracle import Standing
from oracle_rules.workspace import BASE, Subject, _select

TODAY = datetime.date(2026, 1, 10)
BUILD = """load("@oracle_rules//oracle_rules:defs.bzl", "oracle_candidate", "oracle_domain_lock", "oracle_fixtures",
     "oracle_freeze", "oracle_property_test")
oracle_candidate(name = "src", srcs = glob(["src/**/*.py"]))
oracle_fixtures(name = "fixtures", srcs = glob(["fixtures/**"], exclude = ["fixtures/manifest.json"]),
                manifest = "fixtures/manifest.json")
oracle_freeze(name = "freeze", ledger = "freeze.json")
oracle_domain_lock(name = "domains", lock = "domain_lock.json")
oracle_property_test(name = "asleep", property = "properties/z.py", candidate = ":src", seeds = "seeds/z.json",
                     freeze = ":freeze")
"""
P = """oracle_property_test(name = "p", property = "properties/p.py", candidate = ":src", seeds = "seeds/p.json",
                     fixtures = [":fixtures"], freeze = ":freeze", domain_lock = ":domains")
"""
BUILD += P
DOMAIN = {"min_size": 0, "max_size": 8, "alphabet": "letters", "max_examples": 20, "deadline_ms": 100, "seed": 7}
PROPERTY = "from src.a import f\n\n\ndef hold(case):\n    return f() == case\n"
OLD, NEW = b'{"most":9}\n', b'{"most":10}\n'


def fixture(data: bytes = OLD, **fields: Any) -> dict[str, Any]:
    """A manifest row of these bytes."""
    row = {"sha256": hashlib.sha256(data).hexdigest(), "origin": "human: Ada Lindqvist", "purpose": "the largest total",
           "rewritable_by_agent": False}
    return row | fields


def frozen(**fields: Any) -> dict[str, Any]:
    """A row of the ledger."""
    row = {"id": "FZ-1", "property": "asleep", "class": "order-dependent", "evidence": "red after p in 1 of 900 runs",
           "order": "p asleep", "seam": "map", "owner": "Ada Lindqvist", "last_green": "2026-01-05", "expires": "2026-01-12", "agent_may_extend": False}
    return row | fields


def ledger(*rows: Mapping[str, Any], budget: int = 1) -> str:
    """A ledger of these rows."""
    return json.dumps({"budget": budget, "rows": list(rows)})


def workspace(**changes: str | bytes | None) -> dict[str, bytes]:
    """Every file of base, with changes by path; None takes one away."""
    files: dict[str, str | bytes | None] = {
        "BUILD.bazel": BUILD, "src/a.py": "def f():\n    return 1\n", "properties/p.py": PROPERTY,
        "seeds/p.json": "[1, 2]", "properties/z.py": PROPERTY, "seeds/z.json": "[0]", "fixtures/a.json": OLD,
        "fixtures/manifest.json": json.dumps({"a.json": fixture()}), "freeze.json": ledger(frozen()),
        "domain_lock.json": json.dumps({"p": DOMAIN}),
    }
    files |= changes
    return {path: data.encode() if isinstance(data, str) else data for path, data in files.items() if data is not None}


def gated(before: Mapping[str, bytes], after: Mapping[str, bytes], author: Author = Author.HUMAN,
          modes: Mapping[str, Mode] | None = None) -> Questions:
    """The gate of a patch that leads from these files to those."""
    base, candidate = memory_tree(before), memory_tree(after, modes)
    declared = load_workspace(base)
    selected, problem = _select(base, candidate, declared, False)
    standing = Standing(commit="b" * 40, digest=Digest.of(b""), source=BASE, signed_by=())
    subject = Subject(base_id="b" * 40, candidate_id="c" * 40, parent_id="b" * 40, standing=standing, base=base,
                      candidate=candidate, oracle=base, declared=declared, before=declared, selected=selected,
                      unselectable=problem)
    found = Questions(subject, standard=sys.stdlib_module_names, today=TODAY, author=author)
    found.gate()
    for test in found.collect(subject.tests(()))[0]:
        found.ask(test)
    return found


def codes(found: Questions) -> list[str]:
    """The codes of the findings."""
    return [finding.code for finding in found.findings]


def signs(found: Questions) -> list[str]:
    """The steps that the lanes saw."""
    assert found.gated is not None
    return [step.sign for step in found.gated.steps]
