"""Whether a person has to agree before the oracle changes: each oracle path held against CODEOWNERS.

This protects the merge and is no evidence about a patch: it refuses nothing unless the caller asks for it, and what has
no owner is shown. A person is an owner who is not by name a bot; a team is taken for people unless it is named after
bots. The forge alone knows whether the names exist and may approve.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ..artifacts.freezing.persons import machine
from ..artifacts.words import readings
from .codeowners import PLACES, CodeOwners
from .codes import lookup
from .finding import Finding
from .names import matches
from .paths import LANES, OraclePaths
from .tables import ROWS, Row

# Words of a name that no person's account is called by, beside those that name a machine anywhere; and whole names of
# accounts that write patches by themselves.
BOT_WORDS = frozenset("ai ci cd mergify".split())
BOT_NAMES = frozenset(
    "github-actions actions-user copilot codex chatgpt-codex-connector claude cursoragent cursor devin jules sweep"
    " gemini-code-assist web-flow ghost".split()
)
# Rows of the gate's table whose files should not be there at all, so that nobody has to own them.
_UNWANTED = ("bytecode", "examples", "environments", "installed-metadata")


@dataclass(frozen=True, slots=True, kw_only=True)
class Owned:
    """One oracle path, its lane, all owners that CODEOWNERS gives it, and those of them who are people."""

    path: str
    lane: str
    owners: tuple[str, ...]
    people: tuple[str, ...]


def is_person(owner: str) -> bool:
    """Whether an owner is somebody who can be asked. Letter case does not matter on forges."""
    name = owner.casefold()
    account = name[1:] if name.startswith("@") else name.partition("@")[0]
    if name.endswith("[bot]") or "[bot]" in account:
        return False
    last = account.rpartition("/")[2]
    if not last or last in BOT_NAMES:
        return False
    return machine(last) is None and not BOT_WORDS & readings(last)


def oracle_files(paths: OraclePaths, existing: Collection[str]) -> dict[str, str]:
    """Every oracle path with its lane: what is declared, and what of the tree the gate's table names."""
    rows: list[Row] = [row for row in ROWS if row.kind == "named" and row.name not in _UNWANTED]
    found = {path: LANES[group] for path, group in paths.declared.items()}
    for path in existing:
        if path not in found:
            row = next((row for row in rows if matches(row.patterns, path)), None)
            if row is not None:
                found[path] = row.lane
    return dict(sorted(found.items()))


def owned(files: Mapping[str, str], rules: CodeOwners | None) -> tuple[Owned, ...]:
    """Each oracle path with its owners; nobody owns anything without a file."""
    return tuple(_owned(path, lane, rules.owners(path) if rules is not None else ()) for path, lane in files.items())


def unowned(found: Collection[Owned], rules: CodeOwners | None) -> tuple[Finding, ...]:
    """A finding for each oracle path whose change no person has to agree to, and for each line that was skipped."""
    code = lookup("codeowners_missing")
    place = rules.path if rules is not None else "CODEOWNERS"
    if rules is None:
        detail = f"there is none in base; looked for {', '.join(PLACES)}"
        return (_finding(place, "harness", detail, "codeowners-absent", code.remedy),)
    skipped = [_finding(place, "harness", f"line {line} protects nothing: {why}", "codeowners-line", code.remedy)
               for line, why in rules.skipped]
    return (*skipped, *(_finding(each.path, each.lane, _why(each, place), "codeowners-path", code.remedy)
                        for each in found if not each.people))


def _owned(path: str, lane: str, owners: tuple[str, ...]) -> Owned:
    return Owned(path=path, lane=lane, owners=owners, people=tuple(filter(is_person, owners)))


def _why(each: Owned, place: str) -> str:
    return f"{place} gives it no owner" if not each.owners else f"{place} gives it {', '.join(each.owners)}, no person"


def _finding(subject: str, lane: str, detail: str, row: str, remedy: str) -> Finding:
    return Finding(code="codeowners_missing", lane=lane, subject=subject, detail=detail, row=row, remedy=remedy,
                   edits_oracle=False)
