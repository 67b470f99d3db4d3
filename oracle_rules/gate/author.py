"""Who made a patch, as the caller says, and what that changes: an agent's edit of the oracle is refused whatever it is,
a person's is refused where the table says that nobody may, and else held to the laws of its lane.

The word comes from whoever runs the gate (continuous integration), never from the patch. Knows nothing of those laws.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from .change import Change, describe
from .tables import JUDGED, PERSON, REFUSED, REMOVABLE, Row


class Author(enum.StrEnum):
    """Who made the patch. Nobody is taken for a person unless the caller says so."""

    AGENT = "agent"
    HUMAN = "human"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One change, the row of the table that it fires, and the lane that it is reviewed in."""

    change: Change
    row: Row
    lane: str
    extra: str

    @property
    def detail(self) -> str:
        """What changed, and why that matters, in one line."""
        return f"{self._changed}; {self.row.why}"

    def told(self, author: Author) -> str:
        """The same for a packet: the row's reason is one against the change, so it is told where the row refuses it.

        A person's change that is allowed, or that a lane decides, is told with what the row means for a person.
        """
        if author is Author.HUMAN and allowed(self):
            return f"{self._changed}; {PERSON[self.row.person]}"
        return self.detail

    @property
    def _changed(self) -> str:
        return ", ".join(part for part in (describe(self.change), self.extra) if part)


def refuses(edit: Edit, author: Author) -> bool:
    """Whether this author may not make this change, whatever its content."""
    if edit.row.code is None:
        return False
    if author is not Author.HUMAN or edit.row.person == REFUSED:
        return True
    return edit.row.person == REMOVABLE and edit.change.after is not None


def allowed(edit: Edit) -> bool:
    """Whether the change edits the oracle and a person may make it, as far as paths and modes can tell."""
    return edit.row.person != JUDGED and not refuses(edit, Author.HUMAN)
