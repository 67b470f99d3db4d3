"""The fixture lane: what a change does to the files of one manifest and to their rows.

Law: changed bytes need a row that names a person as their origin and a purpose that was changed, too, because a fixture
is an answer that the world once gave, and new bytes are another answer. Every byte counts, in recorded exchanges as in
everything else: there is no change of a fixture that is layout only. Whether the files of one side stand by their rows
at all is the law of `artifacts/fixtures.py`; where a side breaks that, nothing is said here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..artifacts.fixtures import Manifest, ManifestRow
from ..digest import Digest
from .lanes import Step


def compare(
    before: Manifest | None, after: Manifest | None, was: Mapping[str, Digest], now: Mapping[str, Digest]
) -> tuple[Step, ...]:
    """The steps from base's manifest and files to the new ones, by path; None for a manifest that is not there."""
    old, new = _rows(before), _rows(after)
    steps: list[Step] = []
    for path in sorted({*old, *new, *was, *now}):
        steps += _path(path, old.get(path), new.get(path), was.get(path), now.get(path))
    return tuple(steps)


def _rows(manifest: Manifest | None) -> dict[str, ManifestRow]:
    return {row.path: row for row in manifest.rows} if manifest is not None else {}


def _path(
    path: str, old: ManifestRow | None, new: ManifestRow | None, was: Digest | None, now: Digest | None
) -> Iterator[Step]:
    if new is None:
        if now is None and was is not None:
            yield Step(subject=path, sign="fixture-retired", detail=f"{was.hash[:12]} and its row are gone")
        return
    if now is None or now.hash != new.sha256:
        return
    if was is None:
        yield Step(subject=path, sign="fixture-new", detail=f"{now.hash[:12]}, origin {new.origin!r}: {new.purpose!r}")
    elif was != now:
        yield from _changed(path, old, new, f"{was.hash[:12]} became {now.hash[:12]}")
    elif old is not None and (old.origin, old.purpose) != (new.origin, new.purpose):
        told = f"was {old.purpose!r} ({old.origin}), is {new.purpose!r} ({new.origin})"
        yield Step(subject=path, sign="fixture-retold", detail=told)
    if new.rewritable_by_agent and not (old is not None and old.rewritable_by_agent):
        yield Step(subject=path, sign="fixture-opened", detail=f"agents may rewrite it from now on ({new.origin})")


def _changed(path: str, old: ManifestRow | None, new: ManifestRow, what: str) -> Iterator[Step]:
    """Other bytes under a row that has their hash."""
    stands = True
    if not new.of_human_origin:
        stands = False
        yield Step(subject=path, sign="fixture-nobody", detail=f"{what}, origin {new.origin!r} names no person")
    if old is not None and old.said == new.said:
        stands = False
        yield Step(subject=path, sign="fixture-silent", detail=f"{what}, the purpose is still {new.purpose!r}")
    if stands:
        yield Step(subject=path, sign="fixture-changed", detail=f"{what}: {new.purpose!r}")
