"""The closed catalogue of reason codes: what each means, which exit code it leads to, and what to do about it.

Data, and a function to explain a code. A code that is not here does not exist; `decide.py` treats it as our own fault.
`--explain CODE` and the documentation are drawn from this table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ..errors import Exit, Malfunction


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """One reason: its lane is where it is usually found, its exit what `score` answers when nothing weighs more."""

    code: str
    lane: str
    exit: Exit
    meaning: str
    remedy: str


_REVERT = "Leave the file as it is in base; a person changes it in a commit of its own."
_MEND = "Mend the candidate, then score again."
_SEAM = "Take the value as an argument or from a seam, or declare the need in the target."
_LIMIT = "Make the candidate need less, or let the oracle owner raise the target's limit."

_EDITS = (
    ("oracle_edit_forbidden", "declaration", "The patch touches the oracle, or what declares and runs it.",
     "Take these paths out of the patch; a person changes them in a commit of its own."),
    ("seed_removed", "seed", "A committed seed file is gone.", _REVERT),
    ("seed_rewritten", "seed", "A committed seed file was changed.", _REVERT),
    ("seed_appended", "seed", "A seed file was added by a patch; only people add cases.", _REVERT),
    ("fixture_rewritten", "fixture", "A byte-locked fixture was changed.", _REVERT),
    ("fixture_missing", "fixture", "A fixture that base declares has no file.", "Restore the file, or drop its row."),
    ("fixture_unmanifested", "fixture", "A file among the fixtures has no row in base's manifest.",
     "Let a person add its row, or keep the file elsewhere."),
    ("fixture_hash_mismatch", "fixture", "A fixture's bytes are not those of its manifest row.",
     "Restore the bytes, or let a person change the row with a purpose that explains them."),
    ("fixture_agent_rewritable", "fixture", "A fixture may be rewritten by agents and has no human origin.",
     "Set rewritable_by_agent to false, or name the person in its origin."),
    ("manifest_changed", "fixture", "The fixture manifest was changed.", _REVERT),
    ("freeze_changed", "freeze", "The freeze ledger was changed.", _REVERT),
    ("freeze_budget_exceeded", "freeze", "The ledger holds more rows than its budget allows.",
     "Mend what is frozen until it fits."),
    ("freeze_duplicate_id", "freeze", "An id, or a frozen thing, stands in more than one row.", "Keep one row."),
    ("freeze_agent_extendable", "freeze", "A row lets agents extend it.", "Set agent_may_extend to false."),
    ("freeze_expired", "freeze", "A row is past the day it names; expired rows fail closed.",
     "Mend the cause and remove the row, or let a person renew it."),
    ("freeze_still_collected", "freeze", "A frozen property is still collected.",
     "Take it out of the collection, or let a person thaw it."),
    ("domain_changed", "generator", "The domain lock was changed.", _REVERT),
    ("journal_changed", "seed", "A journal was added, changed or removed.", _REVERT),
    ("property_changed", "declaration", "A property, or a file that properties import, was changed.", _REVERT),
    ("build_changed", "declaration", "A file that declares targets, or what the build may see, was changed.", _REVERT),
    ("config_changed", "harness", "Configuration of the interpreter, test runner, sessions or pipeline was changed.",
     _REVERT),
    ("lock_changed", "harness", "A file that pins dependencies was changed.", _REVERT),
    ("codeowners_changed", "harness", "CODEOWNERS was changed.", _REVERT),
    ("attributes_forbidden", "harness", "Git attributes were changed; they can act on oracle files.", _REVERT),
    ("submodule_forbidden", "harness", "A submodule stands in place of files; its content is not judged.",
     "Commit the files themselves."),
    ("bytecode_forbidden", "harness", "Bytecode or a compiled module, which runs in place of reviewed source.",
     "Commit the source only."),
    ("oracle_symlink", "declaration", "An oracle path is not a plain file, or a folder above one not a folder.",
     _REVERT),
    ("mode_changed", "declaration", "Only the mode of an oracle file was changed.", _REVERT),
    ("path_collision", "declaration", "A path that people, file systems or importers take for another one.",
     "Give the file a plain name of its own."),
    ("candidate_symlink", "candidate", "A link among the candidate's sources leads out of them.",
     "Link to a candidate source, or copy the file."),
    ("candidate_overlaps_oracle", "declaration", "Base declares one path as candidate source and as oracle.",
     "Narrow the globs of oracle_candidate so that no oracle file is a source."),
)  # fmt: skip

_ENTROPY = (
    ("entropy_clock", "candidate", "The machine's clock was read, or a sleep was asked for.", _SEAM),
    ("entropy_random", "candidate", "A random stream without a seed was drawn from.", _SEAM),
    ("entropy_uuid", "candidate", "A random or host-derived UUID was made.", _SEAM),
    ("entropy_urandom", "candidate", "The kernel's random bytes were read.", _SEAM),
    ("entropy_network", "candidate", "The network was asked for.", "Use a transport whose exchanges are fixtures."),
    ("entropy_env", "candidate", "An environment variable was read that the target does not declare.", _SEAM),
    ("entropy_host", "candidate", "Facts of the host or of the process were read.", _SEAM),
    ("entropy_hash", "candidate", "The answer depends on hash values or on the order of a set.", "Sort before use."),
    (
        "entropy_native",
        "candidate",
        "Native code was reached that nothing can watch.",
        "Do without it, or declare it as a locked dependency.",
    ),
)

_FALSIFIED = (
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
)  # fmt: skip

_INCOMPLETE = (
    ("oracle_incomplete", "declaration", "A declared oracle artifact is missing, empty or malformed.",
     "Restore the artifact in base; the message names the file and the field."),
    ("oracle_error", "declaration", "The property itself raised, or answered neither True nor False.",
     "Mend the property: hold(case) returns exactly True or False, or fails an assertion."),
    ("property_broken", "declaration", "The property file cannot be loaded, or has no hold(case).",
     "Mend the property file in base."),
)  # fmt: skip

_OTHER = (
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


def _table() -> Mapping[str, Code]:
    lanes = [(_EDITS, Exit.REFUSED), (_ENTROPY, Exit.REFUSED), (_FALSIFIED, Exit.FALSIFIED)]
    rows = [
        Code(code=code, lane=lane, exit=exit_code, meaning=meaning, remedy=remedy)
        for group, exit_code in [*lanes, (_INCOMPLETE, Exit.INCOMPLETE)]
        for code, lane, meaning, remedy in group
    ]
    rows += [Code(code=code, lane="harness", exit=exit_, meaning=says, remedy=do) for code, exit_, says, do in _OTHER]
    return MappingProxyType({row.code: row for row in rows})


CATALOGUE = _table()


def lookup(code: str) -> Code:
    """The row of a code; a code that is not in the catalogue is a fault of ours."""
    if code not in CATALOGUE:
        raise Malfunction(f"{code!r} is not in the catalogue of reason codes")
    return CATALOGUE[code]


def explain(code: str) -> str:
    """What `--explain CODE` prints, without a line feed at the end. Raises KeyError for a code that does not exist."""
    row = CATALOGUE[code]
    outcome = f"exit {row.exit.value} ({row.exit.name.lower()})"
    return f"{row.code}: {row.meaning}\n  lane: {row.lane}\n  leads to: {outcome}\n  what to do: {row.remedy}"
