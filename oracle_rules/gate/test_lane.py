"""What a change of the declarations does to one test: the cases and the domain it is asked, and whether it is frozen.

Law: what base asks of a property is asked of it afterwards, wherever the declarations take it from and whatever they
call it. Compared are a test of base and one that goes on as it; files by themselves are compared in the lanes beside
this. A test that only asks less strictly is shown, not refused. Knows nothing of targets but what it compares.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from ..artifacts.seeds import Corpus
from . import domain_lane, seed_lane
from .domain_lane import Drawn
from .lanes import Step, row_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A test on one side. `corpus` is None where it can't be read, `ledger` empty unless it freezes the test.

    `target` has the attributes that EASES compares.
    """

    label: str
    property: str
    property_id: str
    seeds: str
    corpus: Corpus | None
    drawn: Drawn
    ledger: str
    target: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Ease:
    """One way in which a target asks less or allows more: an attribute, when that is so, and what to say of it."""

    field: str
    eased: Callable[[Any, Any], bool]
    says: str


EASES = (
    Ease(field="tags", eased=lambda old, new: "manual" in new and "manual" not in old,
         says="wildcards such as //... leave it out from now on"),
    Ease(field="candidate", eased=lambda old, new: bool(old != new), says="it judges other sources"),
    Ease(field="timeout_seconds", eased=lambda old, new: bool(new < old), says="it has less time"),
    Ease(field="allow", eased=lambda old, new: not set(new) <= set(old), says="more is open to what it judges"),
    Ease(field="fresh_cell", eased=lambda old, new: old and not new, says="cases may see what others left behind"),
    Ease(field="deps", eased=lambda old, new: not set(old) <= set(new), says="it reads other files than before"),
    Ease(field="nodeids", eased=lambda old, new: not set(old) <= set(new), says="it expects other tests of its suite"),
    Ease(field="fixtures", eased=lambda old, new: not set(old) <= set(new), says="it reads other fixtures than before"),
    Ease(field="profile", eased=lambda old, new: old is not None and old != new, says="it runs under another profile"),
    Ease(field="env", eased=lambda old, new: bool(old != new), says="it runs in another environment"),
)  # fmt: skip


def compare(old: Asked, new: Asked, *, frozen: Collection[str]) -> tuple[Step, ...]:
    """The steps from a test of base to one that goes on as it; `frozen` are the ids that base's ledgers freeze."""
    return (*_named(old, new), *_cases(old, new), *domain_lane.follow(new.label, old.drawn, new.drawn),
            *_frozen(old, new, frozen), *_eased(old, new))


def removed(old: Asked, seeds: Collection[str]) -> tuple[Step, ...]:
    """The steps for a test that nothing goes on as; `seeds` are the corpora that other targets name."""
    told = Step(subject=old.property, sign="test-removed", detail=f"{old.label} is gone, and no test goes on as it")
    if old.seeds not in seeds:
        return (told,)
    return told, Step(subject=old.seeds, sign="cases-unasked", detail=f"{old.label} is gone, which asked them")


def _named(old: Asked, new: Asked) -> Iterator[Step]:
    names = [f"{was} is {now}" for was, now in (
        (old.label, new.label), (f"property {old.property}", f"property {new.property}"),
        (f"property_id {old.property_id}", f"property_id {new.property_id}")) if was != now]
    if names:
        yield Step(subject=new.property, sign="test-renamed", detail=", ".join(names))


def _cases(old: Asked, new: Asked) -> Iterator[Step]:
    """Another corpus has to begin with the cases of base's."""
    if old.seeds == new.seeds or old.corpus is None or new.corpus is None:
        return
    broken = [step for step in seed_lane.compare(new.seeds, old.corpus, new.corpus)
              if row_of(step).code is not None and step.sign != "seed-duplicate"]
    for step in broken:
        yield Step(subject=new.seeds, sign="cases-unasked",
                   detail=f"{new.label} asked those of {old.seeds}, where {step.detail}")


def _frozen(old: Asked, new: Asked, frozen: Collection[str]) -> Iterator[Step]:
    """A test that becomes frozen needs a new row; one of base's is about another test."""
    if new.ledger and not old.ledger and new.property_id in frozen and new.property_id != old.property_id:
        yield Step(subject=new.ledger, sign="frozen-by-name",
                   detail=f"{new.label} goes by {new.property_id}, was {old.property_id}, and is not asked any more")


def _eased(old: Asked, new: Asked) -> Iterator[Step]:
    for ease in EASES:
        was, now = getattr(old.target, ease.field), getattr(new.target, ease.field)
        if ease.eased(was, now):
            detail = f"{new.label}: {ease.field} was {_text(was)}, is {_text(now)}; {ease.says}"
            yield Step(subject=new.property, sign="test-eased", detail=detail)


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join("=".join(each) if isinstance(each, tuple) else str(each) for each in value) or "nothing"
    return "nothing" if value is None else str(value)
