"""The seed and fixture lanes. All lead to exit 4."""

from __future__ import annotations

from .remedies import REVERT

ROWS = (
    ("seed_removed", "seed", "A committed seed file, or a case in it, is gone.", REVERT),
    ("seed_rewritten", "seed", "A committed seed file, or a case in it, was changed.", REVERT),
    ("seed_appended", "seed", "A seed file was added by a patch; only people add cases.", REVERT),
    ("seed_reordered", "seed", "Committed cases stand in another order, or at other indexes.",
     "Add new cases at the end of the file."),
    ("seed_duplicate", "seed", "A new case is one that the corpus already holds.", "Leave out the new one."),
    ("journal_changed", "seed", "A journal was added, changed or removed.", REVERT),
    ("fixture_rewritten", "fixture", "A byte-locked fixture was changed.", REVERT),
    ("fixture_unexplained", "fixture", "A fixture's bytes changed, and its row does not say by whom and what for.",
     "Change the row's purpose, and name the person in its origin."),
    ("fixture_missing", "fixture", "A fixture that base declares has no file.", "Restore the file, or drop its row."),
    ("fixture_unmanifested", "fixture", "A file among the fixtures has no row in base's manifest.",
     "Let a person add its row, or keep the file elsewhere."),
    ("fixture_hash_mismatch", "fixture", "A fixture's bytes are not those of its manifest row.",
     "Restore the bytes, or let a person change the row with a purpose that explains them."),
    ("fixture_agent_rewritable", "fixture", "A fixture may be rewritten by agents and has no human origin.",
     "Set rewritable_by_agent to false, or name the person in its origin."),
    ("manifest_changed", "fixture", "The fixture manifest was changed.", REVERT),
    ("artifact_malformed", "declaration", "A person's change leaves an oracle artifact that cannot be read.",
     "Mend what the message names; nothing of base is lost."),
    ("fixture_not_canonical", "fixture", "A JSON fixture is not stored in canonical form.",
     "Let a person run `oracle-rules canon --write FILE` and renew its row, or mark its row as bytes."),
    ("fixture_converted", "fixture", "A git attribute would convert a fixture between git and a work tree.",
     "Let a person set `-text` for it in .gitattributes, below the line that says otherwise."),
)  # fmt: skip
