"""Which hits decide: what was scanned, in which role each file stands, and what follows, by a table.

Knows nothing of where the sources came from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .hit import Category, Hit
from .scan import Scan, new_hits


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """One row: what a file is, which of its hits are findings, and which kinds of finding refuse: `*` for all."""

    name: str
    only_new: bool
    refuses: tuple[str, ...]
    why: str


ROLES: Mapping[str, Role] = {row.name: row for row in (
    Role(name="path", only_new=False, refuses=("*",), why="It was asked for by its path: all that it holds is told."),
    Role(name="oracle", only_new=False, refuses=("*",),
         why="A property, or a file that properties import, runs in every score: it may hold no entropy at all."),
    Role(name="candidate", only_new=True, refuses=("*",),
         why="A source that is judged: what base already holds is no patch's fault, what is new is."),
    Role(name="test", only_new=True, refuses=("silence", "assertion"),
         why="A test beside the oracle: what is new is told, and none may be silenced or made to say less."),
    Role(name="other", only_new=True, refuses=(),
         why="Neither runs in a score; what is new is told and refuses nothing."),
)}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A hit in a file of some role."""

    hit: Hit
    role: Role

    @property
    def refuses(self) -> bool:
        """Whether the role lets a hit of this kind refuse."""
        return "*" in self.role.refuses or self.hit.rule.kind in self.role.refuses


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One file of a diff: its scans before and after; None where it does not exist. `weaker`: what claims less now."""

    role: str
    before: Scan | None
    after: Scan | None
    weaker: tuple[Hit, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Inventory:
    """All findings, in the order of paths and lines. `base`, `head` and `parent` are empty when paths were scanned."""

    files: int
    findings: tuple[Finding, ...] = field(repr=False)
    base: str = ""
    head: str = ""
    parent: str = ""
    again: str = ""

    @property
    def refuses(self) -> bool:
        """Whether any finding decides."""
        return any(finding.refuses for finding in self.findings)

    def count(self, category: Category) -> int:
        """How many findings are of a category."""
        return sum(finding.hit.rule.category is category for finding in self.findings)

    def of_kind(self, kind: str) -> int:
        """How many findings are of a kind of rule."""
        return sum(finding.hit.rule.kind == kind for finding in self.findings)


def of_paths(scans: Sequence[Scan], *, again: str = "") -> Inventory:
    """The inventory of files that were named."""
    found = (Finding(hit=hit, role=ROLES["path"]) for scan in scans for hit in scan.hits)
    return Inventory(files=len(scans), findings=_ordered(found), again=again)


def of_diff(sides: Sequence[Side], *, base: str, head: str, parent: str, again: str = "") -> Inventory:
    """The inventory of a patch."""
    found = []
    for side in sides:
        role = ROLES[side.role]
        after = () if side.after is None else side.after.hits
        before = side.before.hits if role.only_new and side.before is not None else ()
        found += [Finding(hit=hit, role=role) for hit in (*new_hits(before, after), *side.weaker)]
    return Inventory(files=len(sides), findings=_ordered(found), base=base, head=head, parent=parent, again=again)


def _ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda each: (each.hit.path, each.hit.span.line, each.hit.span.column,
                                                    each.hit.rule.id)))
