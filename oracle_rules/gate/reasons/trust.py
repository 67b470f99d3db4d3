"""Evidence about the oracle itself that cannot be believed. All lead to exit 7."""

from __future__ import annotations

_SIGN = "Let an oracle owner sign it: `oracle-rules oracle sign --key KEYFILE`."

ROWS = (
    ("oracle_unsigned", "declaration", "A signed oracle is asked for, and there is no signature.", _SIGN),
    ("oracle_signature_invalid", "declaration", "Too few people whose keys are trusted have signed the oracle.", _SIGN),
    ("oracle_signature_expired", "declaration", "The signed statement about the oracle is past its last day.", _SIGN),
    ("oracle_digest_mismatch", "declaration", "What was signed is another oracle.",
     "Score with the oracle that was signed, or let an oracle owner review and sign this one."),
)  # fmt: skip
