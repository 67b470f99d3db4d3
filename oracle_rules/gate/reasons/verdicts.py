"""What a run may observe (exit 1), and an oracle that could not be asked (exit 3)."""

from __future__ import annotations

_MEND = "Mend the candidate, then score again."
_LIMIT = "Make the candidate need less, or let the oracle owner raise the target's limit."

FALSIFIED = (
    ("property_failed", "candidate", "A property does not hold for a case.", "Run the repro command; mend the code."),
    ("import_failed", "candidate", "A module of the candidate cannot be imported.", _MEND),
    ("candidate_raised", "candidate", "The candidate raised what the property does not expect.", _MEND),
    ("candidate_exited", "candidate", "The candidate's process ended before the plan was done.", _MEND),
    ("candidate_crashed", "candidate", "The candidate's process died of a signal or of an uncaught error.", _MEND),
    ("candidate_comparison", "candidate", "Only the candidate's own comparison vouches for the answer.",
     "Return plain data, or a type that is compared by its fields."),
    ("transcript_incomplete", "candidate", "Not every planned case was answered.", _MEND),
    ("protocol_violation", "candidate", "The candidate sent what the schema of the wire does not allow.", _MEND),
    ("harness_read", "candidate", "The candidate reached for the inside of a fake or of the harness.",
     "Use the public methods that the property hands over."),
    ("output_limit", "candidate", "More output, depth or size than is allowed.", _LIMIT),
    ("memory_limit", "candidate", "More memory than is allowed.", _LIMIT),
    ("process_limit", "candidate", "More processes than are allowed, or one that was left behind.", _LIMIT),
    ("timeout", "candidate", "The time limit was reached.", _LIMIT),
    ("transport_unpinned", "candidate", "A request went to an address without a recorded exchange.",
     "Ask for the recorded address, or let a person record the exchange."),
    ("transport_drift", "candidate", "A request's body is not the recorded one.",
     "Send the recorded body, or let a person record the new one."),
    ("introduced_nondeterminism", "candidate", "The patch made an answer hang on what its parent's does not hang on.",
     "Sort before use, or take the value as an argument or from a seam."),
)  # fmt: skip

INCOMPLETE = (
    ("oracle_incomplete", "declaration", "A declared oracle artifact is missing, empty or malformed.",
     "Restore the artifact in base; the message names the file and the field."),
    ("oracle_error", "declaration", "The property itself raised, or answered neither True nor False.",
     "Mend the property: hold(case) returns exactly True or False, or fails an assertion."),
    ("property_broken", "declaration", "The property file cannot be loaded, or has no hold(case).",
     "Mend the property file in base."),
    ("property_red_on_base", "declaration", "A property is red, and base breaks it without the patch.",
     "Mend base, or let a person freeze the property; then score again."),
    ("property_unstable", "declaration", "Parent and candidate both give another answer when a pin is moved.",
     "Pin with a seam or a fixture what the property hangs on, or let a person freeze it; then score again."),
)  # fmt: skip
