"""The freeze lane: what a ledger may not say. All lead to exit 4."""

from __future__ import annotations

from .remedies import REVERT

ROWS = (
    ("freeze_changed", "freeze", "The freeze ledger was changed.", REVERT),
    ("freeze_budget_exceeded", "freeze", "The ledger holds more rows than its budget allows.",
     "Mend what is frozen until it fits."),
    ("freeze_duplicate_id", "freeze", "An id, or a frozen thing, stands in more than one row.", "Keep one row."),
    ("freeze_agent_extendable", "freeze", "A row lets agents extend it.", "Set agent_may_extend to false."),
    ("freeze_expired", "freeze", "A row is past the day it names; expired rows fail closed.",
     "Mend the cause and remove the row, or let a person renew it."),
    ("freeze_still_collected", "freeze", "A frozen property is still collected.",
     "Take it out of the collection, or let a person thaw it."),
)  # fmt: skip
