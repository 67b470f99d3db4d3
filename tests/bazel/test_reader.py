"""The thin test that reads a verdict: anything but the verdict of that target with bit 1 is no pass."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ..cli.kit import Ran, oracle

HELD: dict[str, Any] = {
    "schema": "oracle_rules/verdict/v1", "target": "//p:x", "property_id": "x", "lane": "replay", "bit": 1, "row": "held",
    "reason": None, "detail": "", "planned": 2, "held": 2, "counterexample": None, "assurance": "apart", "notes": []}  # fmt: skip
BROKEN = {**HELD, "bit": 0, "row": "observed", "reason": "property_failed", "detail": "hold answered False \x1b[2J", "held": 1,
          "counterexample": {"index": 1, "case": {"a": "\u202e"}}}  # fmt: skip
ROW = {"id": "FRZ-1", "property": "x", "class": "order", "seam": "src/a.py::f", "evidence": "red after clean, 1 of 900 runs",
       "owner": "Ada Lindqvist", "last_green": "2026-01-01", "expires": "2026-12-31", "agent_may_extend": False}  # fmt: skip


def read(tmp_path: Path, content: bytes | None, *words: str) -> Ran:
    if content is not None:
        (tmp_path / "verdict.json").write_bytes(content)
    return oracle("execute", "read", "verdict.json", "--target", "//p:x", "--property-id", "x", *words, cwd=tmp_path)


def spelled(document: Any) -> bytes:
    return (json.dumps(document, sort_keys=True, separators=(",", ":")) + "\n").encode()


def test_a_verdict_of_the_target_says_its_bit(tmp_path: Path) -> None:
    ran = read(tmp_path, spelled(HELD))
    assert (ran.status, ran.out) == (0, "held //p:x: 2 of 2 cases\n")
    ran = read(tmp_path, spelled(BROKEN))
    assert ran.status == 1 and "\x1b" not in ran.out and "\u202e" not in ran.out
    assert 'case 1: {"a":"\\u202e"}' in ran.out


@pytest.mark.parametrize("content", [
    None, b"", b"{}", spelled(HELD)[:-20], spelled([HELD]), spelled({**HELD, "schema": "oracle_rules/verdict/v9"}),
    spelled({**HELD, "target": "//p:y"}), spelled({**HELD, "property_id": "y"}), spelled({**HELD, "lane": "holdout"}),
    spelled({**HELD, "held": 1}), spelled({**HELD, "planned": 0, "held": 0}), spelled({**HELD, "bit": True}),
    spelled({**HELD, "bit": 2}), spelled({**HELD, "more": 1}), spelled({**BROKEN, "bit": 1}), b"\xff" + spelled(HELD),
    json.dumps({**HELD, "bit": 1})[:-1].encode() + b',"bit":1}\n'])
def test_anything_else_says_nothing(tmp_path: Path, content: bytes | None) -> None:
    ran = read(tmp_path, content)
    assert ran.status == 3 and "verdict.json" in ran.err and ran.out == "", ran


def test_what_is_frozen_is_no_evidence_until_its_day(tmp_path: Path) -> None:
    (tmp_path / "freeze.json").write_text(json.dumps({"budget": 1, "rows": [ROW]}))
    words = ("--ledger", "freeze.json", "--today")
    frozen = read(tmp_path, spelled(BROKEN), *words, "2026-12-31")
    assert frozen.status == 0 and frozen.out.startswith("frozen //p:x: FRZ-1, Ada Lindqvist")
    assert read(tmp_path, spelled(BROKEN), *words, "2027-01-01").status == 1
    assert read(tmp_path, spelled({**HELD, "target": "//p:y"}), *words, "2026-12-31").status == 3
    (tmp_path / "freeze.json").write_text("[")
    assert read(tmp_path, spelled(HELD), *words, "2026-12-31").status == 3
