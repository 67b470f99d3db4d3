"""The fixture lane: what a change does to the fixture files and to their rows, path by path over all manifests.

Law: changed bytes need a row that names a person as their origin and a purpose that was changed, too, because a fixture
is an answer that the world once gave, and new bytes are another answer. Every byte counts, in recorded exchanges as in
everything else: there is no change of a fixture that is layout only. Which manifest has the row is of no account.
Whether the files of one side stand by their rows at all is the law of `artifacts/fixtures.py`; where a side breaks
that, nothing is said here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from .. import relpath
from ..artifacts.fixtures import Manifest, ManifestRow
from ..digest import Digest
from .lanes import Step

_Rows = Sequence[ManifestRow]


def compare(
    before: Sequence[Manifest], after: Sequence[Manifest], was: Mapping[str, Digest], now: Mapping[str, Digest], *,
    elsewhere: Collection[str] = (), unread: Collection[str] = (),
) -> tuple[Step, ...]:
    """The steps from base's manifests and files to the new ones, by path.

    `elsewhere` are the paths that are declared afterwards, and not as fixtures; `unread` those of which nothing is
    said, because their new manifest can't be read.
    """
    old, new = _rows(before), _rows(after)
    steps: list[Step] = []
    for path in sorted({*old, *new, *was, *now} - {*unread}):
        steps += _path(path, old.get(path, ()), new.get(path, ()), was.get(path), now.get(path), path in elsewhere)
    signs = {sign: [step.subject for step in steps if step.sign == sign] for sign in ("fixture-retired", "fixture-new")}
    steps += _replaced(old, new, was, now, signs["fixture-retired"], signs["fixture-new"])
    return tuple(dict.fromkeys(steps))


def _rows(manifests: Sequence[Manifest]) -> dict[str, _Rows]:
    found: dict[str, list[ManifestRow]] = {}
    for manifest in manifests:
        for row in manifest.rows:
            found.setdefault(row.path, []).append(row)
    return {path: tuple(rows) for path, rows in found.items()}


def _path(
    path: str, olds: _Rows, news: _Rows, was: Digest | None, now: Digest | None, elsewhere: bool
) -> Iterator[Step]:
    if not news and now is None and was is not None:
        if elsewhere:
            detail = f"was {was.hash[:12]} by its row, and has none now"
            yield Step(subject=path, sign="fixture-unlisted", detail=detail)
        else:
            yield Step(subject=path, sign="fixture-retired", detail=f"{was.hash[:12]} and its row are gone")
    for new in news:
        if now is not None and now.hash == new.sha256:
            yield from _stands(path, olds, new, was, now)


def _stands(path: str, olds: _Rows, new: ManifestRow, was: Digest | None, now: Digest) -> Iterator[Step]:
    """A row that has the hash of its file."""
    if was is None:
        yield Step(subject=path, sign="fixture-new", detail=f"{now.hash[:12]}, origin {new.origin!r}: {new.purpose!r}")
    elif was != now:
        yield from _changed(path, olds, new, f"{was.hash[:12]} became {now.hash[:12]}")
    elif olds and (new.origin, new.purpose) not in {(old.origin, old.purpose) for old in olds}:
        told = f"was {olds[0].purpose!r} ({olds[0].origin}), is {new.purpose!r} ({new.origin})"
        yield Step(subject=path, sign="fixture-retold", detail=told)
    if new.rewritable_by_agent and not (olds and all(old.rewritable_by_agent for old in olds)):
        yield Step(subject=path, sign="fixture-opened", detail=f"agents may rewrite it from now on ({new.origin})")


def _changed(path: str, olds: _Rows, new: ManifestRow, what: str) -> Iterator[Step]:
    """Other bytes under a row that has their hash."""
    stands = True
    if not new.of_human_origin:
        stands = False
        yield Step(subject=path, sign="fixture-nobody", detail=f"{what}, origin {new.origin!r} names no person")
    if any(old.said == new.said for old in olds):
        stands = False
        yield Step(subject=path, sign="fixture-silent", detail=f"{what}, the purpose is still {new.purpose!r}")
    if stands:
        yield Step(subject=path, sign="fixture-changed", detail=f"{what}: {new.purpose!r}")


def _replaced(
    old: Mapping[str, _Rows], new: Mapping[str, _Rows], was: Mapping[str, Digest], now: Mapping[str, Digest],
    gone: Sequence[str], came: Sequence[str],
) -> Iterator[Step]:
    """Pairs of a fixture that goes and one that comes with its bytes, its purpose or its name."""
    for path in came:
        for other in gone:
            said = {row.said for row in old.get(other, ())} & {row.said for row in new[path]}
            if was[other] == now[path]:
                yield Step(subject=path, sign="fixture-replaced", detail=f"has the bytes of {other}, which goes")
            elif said or relpath.name(other) == relpath.name(path):
                yield Step(subject=path, sign="fixture-replaced",
                           detail=f"{other} goes, {was[other].hash[:12]}, and this comes, {now[path].hash[:12]}"
                           + (f", for the same purpose: {min(said)!r}" if said else ""))
