"""A change between two trees, as the gate reads it. Any object of this shape will do; knows nothing of git."""

from __future__ import annotations

from typing import Protocol

LINK, GITLINK = "120000", "160000"
_WORDS = {"100644": "file", "100755": "executable file", LINK: "symbolic link", GITLINK: "submodule"}


class Entry(Protocol):
    """One side of a change: the mode as git writes it, and the object id in hexadecimal."""

    @property
    def mode(self) -> str:
        """Six octal digits."""

    @property
    def oid(self) -> str:
        """Of a blob or a commit."""


class Change(Protocol):
    """One path whose mode or object differs; None where the path is absent."""

    @property
    def path(self) -> str:
        """From the root of the workspace."""

    @property
    def before(self) -> Entry | None:
        """In base."""

    @property
    def after(self) -> Entry | None:
        """In the candidate."""


def is_change(change: Change) -> bool:
    """Whether the two sides differ at all."""
    before, after = change.before, change.after
    if before is None or after is None:
        return before is not after
    return (before.mode, before.oid) != (after.mode, after.oid)


def has(change: Change, when: str) -> bool:
    """Whether the change is of the kind that a table row asks for; the words of `WHEN`."""
    return WHEN[when](change)


def describe(change: Change) -> str:
    """What changed, in one phrase, object ids cut to twelve digits."""
    before, after = change.before, change.after
    if after is None:
        return f"removed ({_side(before)})" if before else "absent on both sides"
    if before is None:
        return f"added ({_side(after)})"
    parts = []
    if _word(before) != _word(after):
        parts.append(f"{_word(before)} became {_word(after)}")
    elif before.mode != after.mode:
        parts.append(f"mode {before.mode} to {after.mode}")
    if before.oid != after.oid:
        parts.append(f"git object {before.oid[:12]} to {after.oid[:12]}")
    return ", ".join(parts)


def _mode_only(change: Change) -> bool:
    before, after = change.before, change.after
    return before is not None and after is not None and before.oid == after.oid and before.mode != after.mode


def _gitlink(change: Change) -> bool:
    return any(side is not None and side.mode == GITLINK for side in (change.before, change.after))


WHEN = {
    "any": lambda change: True,
    "added": lambda change: change.before is None,
    "removed": lambda change: change.after is None,
    "present": lambda change: change.after is not None,
    "mode": _mode_only,
    "link": lambda change: change.after is not None and change.after.mode == LINK,
    "gitlink": _gitlink,
}


def _side(entry: Entry) -> str:
    return f"{_word(entry)}, git object {entry.oid[:12]}"


def _word(entry: Entry) -> str:
    return _WORDS.get(entry.mode, f"mode {entry.mode}")
