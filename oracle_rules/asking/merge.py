"""Reads what a merge packet shows: the changed files, the oracle's digests on both sides, and CODEOWNERS of base.

Base's declarations say what is oracle; when a person changed them, the candidate's say what it would be. Decides
nothing. A file that is too large to be read is shown by its object id alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from ..artifacts.domains.lock import DomainLock, parse_domain_lock
from ..digest import Digest
from ..errors import Exit, IncompleteError, TooLargeError
from ..gate.author import Author, Edit
from ..gate.codeowners import PLACES, CodeOwners, parse_codeowners
from ..gate.decide import decide
from ..gate.diffs import Diff, diff
from ..gate.finding import CANDIDATE_LANE, Finding
from ..gate.lanes import shown
from ..gate.owners import oracle_files as need_owners
from ..gate.owners import owned, unowned
from ..gate.packet import (
    ALL_SOURCE_LINES,
    CORE_LINES,
    MOST_FILES,
    ORACLE_LINES,
    SOURCE_LINES,
    Fingerprint,
    Packet,
    Part,
    Protection,
    Shown,
)
from ..gate.tables import JUDGED
from ..inventory import declared_paths, oracle_files
from ..loading import Workspace
from ..scm import Entry, Mode, Tree
from ..trust.oracle import OracleFile, oracle_digest
from ..workspace import Subject, oracle_paths
from .gating import Gating

# The three files that say what is evidence, in the order in which they are shown.
CORE = (("domain lock", "domain_locks"), ("fixture manifest", "manifests"), ("freeze ledger", "ledgers"))
_DIGESTED = ("domain_locks", "manifests", "fixtures", "ledgers", "seeds", "journals")


class Merge:
    """One patch as a reviewer gets it; `found` is what gate and questions have against it."""

    def __init__(self, subject: Subject, gated: Gating, found: tuple[Finding, ...], *, author: Author,
                 need_people: bool) -> None:
        self._subject = subject
        self._gated = gated
        self._found = found
        self._author = author
        self._after: Workspace = gated.proposed or subject.declared
        self._protection, self._owners = self._protected(need_people)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What stands against the patch, CODEOWNERS among it when that was asked for."""
        return (*self._found, *self._owners)

    def packet(self, words: Sequence[str], *, today: date | None) -> Packet:
        """The packet; `words` are what the command line said beside the sides and the author, `today` the day if any
        counts."""
        sides, core = self._subject, list(self._core())
        told = {path for _, path, _ in core}
        edits = [edit for edit in self._gated.edits if edit.change.path not in told]
        rest = sorted((edit for edit in edits if _is_oracle(edit)), key=_oracle_order)
        sources = sorted((edit for edit in edits if not _is_oracle(edit)), key=_source_order)
        decided = decide(self.findings, ()) if self.findings else None
        return Packet(
            base=sides.base_id, candidate=sides.candidate_id, parent=sides.parent_id, oracle=sides.standing.as_json(),
            author=self._author, decision="clear" if decided is None else decided.decision,
            exit=int(Exit.ACCEPT if decided is None else decided.exit),
            repro=sides.command(words, author=self._author, today=today, verb="gate"), core=tuple(core),
            rest=self._part(rest, ORACLE_LINES, MOST_FILES * ORACLE_LINES),
            fingerprints=tuple(self._fingerprints()), findings=() if decided is None else decided.reasons,
            allowed=shown(self._gated.steps),
            protection=self._protection, production=self._part(sources, SOURCE_LINES, ALL_SOURCE_LINES))

    def _core(self) -> Iterator[tuple[str, str, Shown | None]]:
        """Each of the three kinds: every file of it, changed or not."""
        edits = {edit.change.path: edit for edit in self._gated.edits}
        before = oracle_paths(self._subject)
        after = declared_paths(self._subject.candidate, self._after)
        for kind, group in CORE:
            for path in sorted(before.group(group) | after.group(group)):
                edit = edits.get(path)
                yield kind, path, None if edit is None else self._shown(edit, CORE_LINES)

    def _part(self, edits: Sequence[Edit], most: int, total: int) -> Part:
        files = []
        for edit in edits[:MOST_FILES]:
            found = self._shown(edit, min(most, total))
            total -= len(found.diff.lines)
            files.append(found)
        return Part(files=tuple(files), cut=max(0, len(edits) - MOST_FILES))

    def _shown(self, edit: Edit, most: int) -> Shown:
        change = edit.change
        try:
            before = _bytes(self._subject.base, change.path, change.before is not None)
            after = _bytes(self._subject.candidate, change.path, change.after is not None)
        except TooLargeError:
            return Shown(edit=edit, diff=Diff(form="large"), hashes=(None, None))
        hashes = (_hash(before), _hash(after))
        return Shown(edit=edit, diff=diff(before, after, most=most), hashes=hashes)

    def _fingerprints(self) -> Iterator[Fingerprint]:
        sides = self._subject
        tree, declared = (sides.oracle, sides.declared) if sides.separate else (sides.candidate, self._after)
        before, after = _files(sides.oracle, sides.declared), _files(tree, declared)
        yield Fingerprint(kind="oracle", subject="", before=_whole(before), after=_whole(after))
        yield from self._domains(before, tree, after)
        digests = [{(file.group, file.path): file.digest.hash if file.digest else None for file in files}
                   for files in (before or (), after or ())]
        for group in _DIGESTED:
            for key in sorted({key for each in digests for key in each if key[0] == group}):
                yield Fingerprint(kind=group, subject=key[1], before=digests[0].get(key), after=digests[1].get(key))

    def _domains(
        self, before: Iterable[OracleFile] | None, tree: Tree, after: Iterable[OracleFile] | None
    ) -> Iterator[Fingerprint]:
        paths = {file.path for files in (before, after) for file in files or () if file.group == "domain_locks"}
        for path in sorted(paths):
            sides = [_lock(each, path) for each in (self._subject.oracle, tree)]
            prints = [{row.property_id: row.fingerprint.hash for row in lock.domains} if lock else {} for lock in sides]
            for name in sorted({*prints[0], *prints[1]}):
                yield Fingerprint(kind="domain", subject=f"{path}:{name}", before=prints[0].get(name),
                                  after=prints[1].get(name))

    def _protected(self, required: bool) -> tuple[Protection, tuple[Finding, ...]]:
        tree = self._subject.oracle  # where the oracle is kept is where its owners are named
        found = [path for path in PLACES if path in tree.entries and tree.entries[path].mode.is_plain]
        rules: CodeOwners | None = None
        if found:
            rules = parse_codeowners(tree.read(found[0]), path=found[0])
        each = owned(need_owners(oracle_paths(self._subject), tree.entries), rules)
        protection = Protection(path=rules.path if rules else None, others=tuple(found[1:]), required=required,
                                skipped=rules.skipped if rules else (), owned=each)
        return protection, unowned(each, rules) if required else ()


def _is_oracle(edit: Edit) -> bool:
    return edit.row.person != JUDGED and edit.lane != CANDIDATE_LANE


def _oracle_order(edit: Edit) -> tuple[bool, str]:
    """Seeds first."""
    return edit.lane != "seed", edit.change.path


def _source_order(edit: Edit) -> tuple[bool, str]:
    """What is judged first, whatever a patch calls its other files."""
    return edit.row.name == "ignored", edit.change.path


def _bytes(tree: Tree, path: str, is_there: bool) -> bytes | None:
    """The bytes of a file, the target of a link, the commit of a submodule."""
    if not is_there:
        return None
    entry: Entry = tree.entries[path]
    if entry.mode is Mode.LINK:
        return tree.link(path).encode("utf-8", "surrogateescape")
    return tree.read(path) if entry.mode.is_plain else f"{entry.oid}\n".encode("ascii")


def _hash(data: bytes | None) -> str | None:
    return None if data is None else Digest.of(data).hash


def _files(tree: Tree, declared: Workspace) -> tuple[OracleFile, ...] | None:
    """Every oracle file with its digest; None when one is too large to be read."""
    try:
        return oracle_files(tree, declared)
    except TooLargeError:
        return None


def _whole(files: tuple[OracleFile, ...] | None) -> str | None:
    return None if files is None else oracle_digest(files).hash


def _lock(tree: Tree, path: str) -> DomainLock | None:
    def source(name: str) -> bytes | None:
        return tree.read(name) if name in tree.entries and tree.entries[name].mode.is_plain else None
    try:
        return parse_domain_lock(source(path), path=path, source=source)
    except IncompleteError:
        return None
