"""The journal lane: what a journal may not say or lose (exit 4), and journals that can't be asked in full (exit 3)."""

from __future__ import annotations

ROWS = (
    ("journal_unlawful", "journal", "A journal breaks a law, such as a lock without a hit.",
     "Let a person mend what the message names; `oracle-rules journal show ID` says how."),
    ("journal_move_unknown", "journal", "A journal came into a state that no move leads to.",
     "Take the way that `oracle-rules journal show ID` draws."),
    ("journal_case_lost", "journal", "A realised case, or a seed that was seen, is gone from a journal or was changed.",
     "Restore it; what was found stays found."),
    ("journal_zero_hit", "journal", "No seed falsified the property on the parent, so that it shows nothing there.",
     "Hunt other seeds with `oracle-rules journal hunt ID --seeds 1..50`, or give the property up."),
)  # fmt: skip

INCOMPLETE = (
    ("journal_stale", "journal", "A journal's seeds were drawn with other versions, or from another domain.",
     "Let a person hunt again with `oracle-rules journal hunt ID --seeds 1..50`, and lock what it finds."),
    ("holdout_secret_missing", "journal", "A journal holds out seeds by a secret, and another one or none was given.",
     "Give the file of the secret that the journal's commitment stands for: `--secret-file FILE`."),
)  # fmt: skip
