"""Every row has a workspace and every code of it is shown; what other rooms show is looked up there."""

from __future__ import annotations

import importlib

import pytest

from oracle_rules.gate.attribution import TABLE
from oracle_rules.gate.symptoms import SYMPTOMS, Symptom

from ..cli import test_attribution
from .elsewhere import ATTRIBUTED, BY_UNIT, TOOLING
from .judged import JUDGED
from .oracles import FIXTURES, FREEZE, GATE

SHOWN = GATE | FREEZE | FIXTURES | JUDGED


def test_each_code_of_each_row_is_shown_and_nothing_else() -> None:
    """A new row, or a new code, needs a workspace; a row that is gone leaves one without."""
    shown = {(name, show.code) for name, shows in SHOWN.items() for show in shows}
    assert len(SHOWN) == len(GATE) + len(FREEZE) + len(FIXTURES) + len(JUDGED)
    assert shown | ATTRIBUTED.keys() | BY_UNIT.keys() | {TOOLING} == {
        (row.name, code) for row in SYMPTOMS for code in row.codes}


@pytest.mark.parametrize("row", [row for row in SYMPTOMS if row.name in SHOWN], ids=lambda row: row.name)
def test_the_row_s_own_command_shows_its_first_code(row: Symptom) -> None:
    own = [show for show in SHOWN[row.name] if show.via in ("", row.command)]
    assert row.codes[0] in {show.code for show in own}


@pytest.mark.parametrize(("name", "code"), ATTRIBUTED)
def test_blame_is_shown_by_the_projects_of_attribution(name: str, code: str) -> None:
    """Those judge real projects by `score --attribute`, the command of these rows, and hold each case's codes."""
    rows = {row.name: row for row in TABLE}
    assert next(row for row in SYMPTOMS if row.name == name).command == "oracle-rules score --attribute"
    for case in ATTRIBUTED[name, code]:
        row = rows[test_attribution.CASES[case][0]]
        assert (row.code or "property_failed") == code
    marks = test_attribution.test_a_project_that_shows_the_row.pytestmark  # type: ignore[attr-defined]
    assert [mark.args[1] for mark in marks] == [test_attribution.CASES]


@pytest.mark.parametrize(("name", "code"), BY_UNIT)
def test_what_only_a_table_shows_is_in_its_test(name: str, code: str) -> None:
    module, test = BY_UNIT[name, code]
    [mark] = getattr(importlib.import_module(module), test).pytestmark
    assert code in {expected[2] for *_, expected in mark.args[1]}
