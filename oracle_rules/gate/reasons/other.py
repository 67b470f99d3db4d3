"""Neither a verdict nor a refusal: usage, our own faults, nothing to score, untrusted evidence; with their exits."""

from __future__ import annotations

from ...errors import Exit

ROWS = (
    ("usage", Exit.USAGE, "The command, a declaration or a revision is not what it has to be.",
     "Follow the message; `--help` lists what is known."),
    ("malfunction", Exit.MALFUNCTION, "Scoring itself failed; nothing was learned about the patch.",
     "Run `oracle-rules doctor`, mend what it names, then score again."),
    ("nothing_to_score", Exit.NOTHING, "No property is left that could say anything about the patch.",
     "Declare a property for these sources, or thaw one."),
    ("blob_too_large", Exit.USAGE, "An input is larger than what is stored as one blob.",
     "Leave the file out of the inputs, or split it."),
    ("result_too_large", Exit.USAGE, "A result names more outputs than can be kept.",
     "Let the command write fewer outputs."),
    ("untrusted", Exit.UNTRUSTED, "Evidence cannot be believed.", "Drop the evidence and score again."),
)  # fmt: skip
