"""The generator lane: what a change of a lock may not take away (exit 4), and domains no case came from (exit 3)."""

from __future__ import annotations

from .remedies import REVERT

ROWS = (
    ("domain_changed", "generator", "The domain lock was changed.", REVERT),
    ("domain_narrowed", "generator", "A domain allows less than the locked one.",
     "Restore the locked value; a person may widen a domain, and nobody may narrow it."),
    ("domain_unlocked", "generator", "A property has generated cases and its domain is not locked.",
     "Let a person lock the property's domain; cases are drawn from the lock and nowhere else."),
)  # fmt: skip

INCOMPLETE = (
    ("domain_starved", "generator", "Fewer cases could be drawn from a locked domain than its floors ask for.",
     "Let a person mend the filter or widen the domain until enough cases pass."),
    ("domain_undrawable", "generator", "No case can be drawn from a locked domain.",
     "Let a person mend the filter or the domain that the message names."),
    ("corpus_drift", "generator", "The drawn corpus is not the one that the lock pins.",
     "Restore what the drawing hangs on, or let a person pin the corpus anew."),
)  # fmt: skip
