"""Rows and codes that other rooms show already, and where. Knows no product code."""

from __future__ import annotations

# (row, code) -> cases of tests/cli/test_attribution.py::test_a_project_that_shows_the_row.
ATTRIBUTED: dict[tuple[str, str], tuple[str, ...]] = {
    ("red-by-patch", "property_failed"): ("clean", "always"),
    ("red-before", "property_red_on_base"): ("total", "oddly", "late"),
    ("only-patch-varies", "introduced_nondeterminism"): ("order", "reads"),
    ("all-vary", "property_unstable"): ("season", "bloom"),
}
# No candidate gets so far by itself: the cell's last message and its end are one step.
BY_UNIT: dict[tuple[str, str], tuple[str, str]] = {
    ("exits-early", "transcript_incomplete"): ("tests.protocol.test_verdict", "test_rows"),
}
# A machine, and no workspace: test_judged.py::test_a_machine_that_is_not_fit.
TOOLING = ("tooling", "malfunction")
