"""The seed lane: what a change does to a corpus, case by case, in terms of canonical bytes.

Law: a corpus only grows, and only at its end. The steps that `compare` gives hold none that is refused exactly when
the cases of base are, in their order, the first cases of the new corpus, and no new case is one that was there before.
Indexes count from 0, as in a record. Knows nothing of files; a corpus that cannot be read never comes here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..artifacts.seeds import Corpus
from .lanes import Step

_SHOWN = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class _Aligned:
    """Which case of base is which of the new ones: by index, among those that did not move; and those that did."""

    kept: tuple[tuple[int, int], ...]
    moved: tuple[tuple[int, int], ...]


def compare(path: str, before: Corpus | None, after: Corpus | None) -> tuple[Step, ...]:
    """The steps from one corpus to the other, in the order of their indexes; None where there is no such file."""
    if before is None and after is None:
        return ()
    if after is None:
        return (Step(subject=path, sign="corpus-removed", detail=_gone(len(before or ()))),)
    old = before.encoded if before is not None else ()
    twice = dict(_duplicates(len(old), after.encoded))
    steps = [*_steps(path, old, after.encoded, twice)]
    for index, earlier in twice.items():
        detail = f"case {index} is case {earlier} again: {_text(after.encoded[index])}"
        steps.append(Step(subject=path, sign="seed-duplicate", detail=detail))
    if before is None:
        steps.append(Step(subject=path, sign="corpus-new", detail=f"a new corpus of {_cases(len(after))}"))
    elif not steps and before.digest != after.digest:
        steps.append(Step(subject=path, sign="corpus-laid-out", detail="the same cases in another layout"))
    return tuple(steps)


def _steps(path: str, old: Sequence[bytes], new: Sequence[bytes], twice: Mapping[int, int]) -> Iterator[Step]:
    """Each gap between two cases that stayed: what was there in base against what is there now.

    A case that stands there twice is told as that; at the end of the corpus it is no new evidence as well.
    """
    aligned = _align(old, new)
    for was, now in aligned.moved:
        yield Step(subject=path, sign="seed-moved", detail=f"case {was} is now case {now}: {_text(old[was])}")
    came = {now for _, now in aligned.moved}
    went = {was for was, _ in aligned.moved}
    edges = [(-1, -1), *aligned.kept, (len(old), len(new))]
    for (was, now), (was_next, now_next) in zip(edges, edges[1:], strict=False):
        gone = [index for index in range(was + 1, was_next) if index not in went]
        fresh = [index for index in range(now + 1, now_next) if index not in came]
        is_last = now_next == len(new) and was_next == len(old)
        for step, index in _gap(path, old, new, gone, fresh, is_last=is_last):
            if step.sign != "seed-appended" or index not in twice:
                yield step


def _gap(
    path: str, old: Sequence[bytes], new: Sequence[bytes], gone: list[int], fresh: list[int], *, is_last: bool
) -> Iterator[tuple[Step, int]]:
    """Each step with the index of its case. In pairs they are rewritten; what is left over was removed, or is new:
    appended when nothing follows.
    """
    pairs = min(len(gone), len(fresh))
    for was, now in zip(gone, fresh, strict=False):
        detail = f"case {was} was {_text(old[was])}, case {now} is {_text(new[now])}"
        yield Step(subject=path, sign="seed-rewritten", detail=detail), now
    for was in gone[pairs:]:
        yield Step(subject=path, sign="seed-removed", detail=f"case {was} is gone: {_text(old[was])}"), was
    for now in fresh[pairs:]:
        sign, word = ("seed-appended", "is new") if is_last else ("seed-inserted", "stands before cases of base")
        yield Step(subject=path, sign=sign, detail=f"case {now} {word}: {_text(new[now])}"), now


def _align(old: Sequence[bytes], new: Sequence[bytes]) -> _Aligned:
    """Pairs equal cases, the first with the first; the longest run of pairs that is in order stayed, the rest moved."""
    free: defaultdict[bytes, deque[int]] = defaultdict(deque)
    for index, case in enumerate(new):
        free[case].append(index)
    pairs = [(was, free[case].popleft()) for was, case in enumerate(old) if free[case]]
    stays = _longest_rising([now for _, now in pairs])
    return _Aligned(kept=tuple(pair for index, pair in enumerate(pairs) if index in stays),
                    moved=tuple(pair for index, pair in enumerate(pairs) if index not in stays))


def _longest_rising(values: Sequence[int]) -> set[int]:
    """Indexes of a longest rising subsequence of distinct values, by patience sorting."""
    tops: list[int] = []
    piles: list[int] = []
    below: list[int] = []
    for index, value in enumerate(values):
        place = bisect_left(tops, value)
        below.append(piles[place - 1] if place else -1)
        tops[place : place + 1] = [value]
        piles[place : place + 1] = [index]
    found: set[int] = set()
    index = piles[-1] if piles else -1
    while index >= 0:
        found.add(index)
        index = below[index]
    return found


def _duplicates(known: int, new: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """New cases with the first that is equal to them. What base repeats, it has lived with."""
    first: dict[bytes, int] = {}
    for index, case in enumerate(new):
        earlier = first.setdefault(case, index)
        if earlier != index and index >= known:
            yield index, earlier


def _gone(count: int) -> str:
    return f"its {_cases(count)} {'is' if count == 1 else 'are'} gone"


def _cases(count: int) -> str:
    return "1 case" if count == 1 else f"{count} cases"


def _text(case: bytes) -> str:
    """A case on one line, cut where it is long; canonical bytes are ASCII."""
    text = case.decode("ascii").strip()
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text)} characters)"
