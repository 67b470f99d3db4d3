"""Oracle code that says nothing, silences in place, and asserts that were weakened. All lead to exit 4."""

from __future__ import annotations

_LOOK = "Let hold(case) compare what the candidate answers with an expectation or an invariant of its own."

ROWS = (
    ("property_opaque", "declaration", "Which function is a property's hold can't be read off its file.",
     "Write one plain def hold(case) at the top of the file, without a decorator."),
    ("property_asks_nothing", "declaration", "A property never asks the candidate for anything.",
     "Import what is judged from the candidate and ask it, or drop the property."),
    ("property_restates_generator", "declaration", "A property looks at its case only, not at the candidate's answer.",
     _LOOK),
    ("property_cannot_fail", "declaration", "A property, or a part of it, cannot be false.", _LOOK),
    ("property_no_invariant", "declaration", "A property has no invariant that is independent of the answer itself.",
     _LOOK),
    ("property_does_io", "declaration", "A property does input or output other than reading its fixtures.",
     "Read fixtures with load_fixture(name) and take the rest out."),
    ("silence_unnamed", "freeze", "A test or property is silenced in place, without the id of a ledger row.",
     "Freeze it in the ledger and name the row's id in the reason, or take the silence out."),
    ("assertion_weakened", "declaration", "An assertion is gone, or says less than before.",
     "Restore the assertion, or say it as strictly."),
)  # fmt: skip
