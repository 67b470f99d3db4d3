"""Lines that were run: put together from several runs; what a cell makes up is not believed, and breaks nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from oracle_rules.protocol import reach


def seen(told: Any) -> dict[str, Any]:
    return {"reached": told}


def test_lines_of_several_runs_are_put_together() -> None:
    found = reach.parse(reach.document([seen([["b.py", [3, 1]]]), None, {}, seen([["a.py", [2]], ["b.py", [7, 1]]])]))
    assert found == {"a.py": {2}, "b.py": {1, 3, 7}}


@pytest.mark.parametrize("told", [
    None, 5, "a.py", {"a.py": [1]}, [["a.py"]], [["a.py", 1]], [[1, [1]]], [["a.py", [0]]], [["a.py", [True]]],
    [["a.py", ["1"]]], [["a.py", [1.0]]], [("a.py", [1])]])
def test_what_is_malformed_counts_as_not_told(told: Any) -> None:
    assert reach.parse(reach.document([seen(told), seen([["b.py", [1]]])])) == {"b.py": {1}}


@pytest.mark.parametrize("document", [
    [], {}, {"schema": reach.SCHEMA}, {"schema": "other", "lines": {}}, {"schema": reach.SCHEMA, "lines": {"a": [0]}},
    {"schema": reach.SCHEMA, "lines": [["a", [1]]]}])
def test_a_document_of_another_shape_is_refused(document: Any) -> None:
    with pytest.raises(reach.InvalidReach):
        reach.parse(json.dumps(document).encode())
    assert reach.parse(json.dumps({"schema": reach.SCHEMA, "lines": {"a": [1]}}).encode()) == {"a": {1}}
