"""The freeze lane: what a ledger may not say. All lead to exit 4."""

from __future__ import annotations

from .remedies import REVERT

ROWS = (
    ("freeze_changed", "freeze", "The freeze ledger was changed.", REVERT),
    ("freeze_unaccounted", "freeze", "Something is frozen without a row of its own that says class, owner and day.",
     "Run `oracle-rules freeze import FILE --out FILE` and answer what it asks for."),
    ("freeze_budget_exceeded", "freeze", "The ledger holds more rows than its budget allows.",
     "Mend what is frozen until it fits."),
    ("freeze_duplicate_id", "freeze", "An id, or a frozen thing, stands in more than one row.", "Keep one row."),
    ("freeze_agent_extendable", "freeze", "A row lets agents extend it.", "Set agent_may_extend to false."),
    ("freeze_expired", "freeze", "A row is past the day it names; expired rows fail closed.",
     "Mend the cause and remove the row, or let a person renew it."),
    ("freeze_nodeid_inexact", "freeze", "A node id may stand for other tests than one.",
     "Write the id as `pytest --collect-only -q` prints it."),
    ("freeze_class_unknown", "freeze", "A row's class is not one of the closed set.",
     "Classify the failure before freezing it."),
    ("freeze_class_unfreezable", "freeze", "A row's class has another answer than freezing.",
     "Do what the message says for the class, then remove the row."),
    ("freeze_unreproduced", "freeze", "A row gives no order, or no clock, that makes it red.",
     "Add the reproducing order or the captured skew."),
    ("freeze_evidence_missing", "freeze", "A row's evidence says nothing that could be checked.",
     "Say what was seen and how often."),
    ("freeze_always_red", "freeze", "What is frozen is red, or green, in every run: it is not flaky.",
     "Mend what is always red, thaw what is always green."),
    ("freeze_never_green", "freeze", "A row does not say when it was last green.",
     "Name the day; what never passed is broken and can't be frozen."),
    ("freeze_seam_unknown", "freeze", "A row names no seam through which the flake comes.",
     "Keep the test red until the seam is known."),
    ("freeze_owner_not_person", "freeze", "A row's owner is not a person.", "Name the person who mends it."),
    ("freeze_future_dated", "freeze", "A row was green on a day that is still to come.", "Mend the day."),
    ("freeze_dates_crossed", "freeze", "A row expires before it was last green.", "Mend the two days."),
    ("freeze_matches_nothing", "freeze", "A row freezes a property or a test that base doesn't have.",
     "Mend its name, or remove the row."),
    ("freeze_still_collected", "freeze", "A frozen property is still collected.",
     "Take it out of the collection, or let a person thaw it."),
)  # fmt: skip
