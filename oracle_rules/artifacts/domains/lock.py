"""The domain lock: one row for each property that gets generated cases, in the short form or the general one.

Short: `{"min_size", "max_size", "alphabet", "max_examples", "deadline_ms", "seed"}`, sized text. General: `{"domain":
{"kind": …}, "max_examples", "deadline_ms", "seed"}` and what `kinds.ROW` says beside. A field that is left out is a
bound that nobody locked. Knows nothing of how cases are drawn, nor of what a change to a lock means.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ... import relpath
from ...digest import Digest
from ...entropy.source import UnreadableError, parse
from ...protocol import canonical
from .. import document
from ..document import Field
from . import alphabet
from .kinds import REQUIRED, ROW, SHORT
from .parse import SIZE_LIMIT, read_shape
from .shape import Shape, make

_REMEDY = (f"a domain is {{{', '.join(SHORT)}}}, or {{{', '.join(REQUIRED)}}}; "
           "restore the locked one, or let a person lock it anew")
_OPTIONAL = tuple(name for name in ROW.names if name not in REQUIRED)
ReadSource = Callable[[str], bytes | None]


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Filter:
    """A predicate that a case has to pass: a function of an oracle file, and the digest of that file.

    `meaning` is the same for two files that differ in comments and layout alone. Filters are equal when it is.
    """

    path: str
    name: str
    meaning: str
    source: str = field(compare=False)

    def __str__(self) -> str:
        return f"{self.path}:{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedDomain:
    """The locked row of one property.

    `short` holds the six fields of a row in the short form, else None; `path` is the lock's file.
    """

    property_id: str
    domain: Shape
    max_examples: int
    deadline_ms: int
    seed: int
    acceptance_floor: float | None = None
    distinct_floor: int | None = None
    corpus: str | None = None
    filters: tuple[Filter, ...] = ()
    short: tuple[tuple[str, int | str], ...] | None = field(default=None, compare=False)
    path: str = field(compare=False)

    @property
    def document(self) -> dict[str, Any]:
        """The canonical form, the same for each spelling of one row."""
        filters = [{"predicate": str(each), "source": each.source} for each in self.filters]
        return {
            "domain": self.domain.document, "max_examples": self.max_examples, "deadline_ms": self.deadline_ms,
            "seed": self.seed, "acceptance_floor": self.acceptance_floor, "distinct_floor": self.distinct_floor,
            "corpus": self.corpus, "filters": filters}

    @property
    def fingerprint(self) -> Digest:
        """Digest of the canonical form under the property's id; a row in the short form is hashed as it is spelled."""
        form = dict(self.short) if self.short is not None else self.document
        return Digest.of(canonical.dumps({self.property_id: form}))

    @property
    def drawn(self) -> tuple[object, ...]:
        """What the drawn cases hang on, apart from tools: rows that are equal in it have one corpus."""
        return self.domain, self.max_examples, self.seed, self.filters

    @property
    def request(self) -> dict[str, Any]:
        """What the drawing hangs on; a deadline, a floor, a pin or a name changes no case."""
        if self.short is not None:
            return {name: value for name, value in self.short if name != "deadline_ms"}
        return {"domain": self.domain.document, "max_examples": self.max_examples, "seed": self.seed,
                "filters": [{"path": each.path, "name": each.name} for each in self.filters]}


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainLock:
    """The domains of one lock file, ordered by property id."""

    path: str
    domains: tuple[LockedDomain, ...]
    digest: Digest

    def find(self, property_id: str) -> LockedDomain | None:
        """The domain of this property, or None when it is not in the lock."""
        return next((domain for domain in self.domains if domain.property_id == property_id), None)


def parse_domain_lock(data: bytes | None, *, path: str, source: ReadSource = lambda path: None) -> DomainLock:
    """Reads a lock; None stands for one that is declared and missing. Raises IncompleteError.

    `source` gives the bytes of a filter's file by workspace path. Without them a row with filters is refused, because a
    predicate that nobody read can't be told from a narrower one.
    """
    top = document.read(data, path=path, remedy=_REMEDY)
    domains = tuple(_domain(name, row, source) for name, row in top.members())
    if not domains:
        top.fail("locks no domain")
    return DomainLock(path=path, domains=domains, digest=Digest.of(data or b""))


def _domain(name: str, row: Field, source: ReadSource) -> LockedDomain:
    if reason := relpath.problem(name):
        row.fail(f"is no property id: it {reason}")
    keys = {key for key, _ in row.members()}
    return _general(name, row, source) if "domain" in keys else _short(name, row)


def _short(name: str, row: Field) -> LockedDomain:
    fields = row.closed(SHORT)
    least = fields["min_size"].integer(0, SIZE_LIMIT)
    most = fields["max_size"].integer(0, SIZE_LIMIT)
    if most < least:
        fields["max_size"].fail(f"is {most}, below min_size {least}: no case could be drawn")
    letters = alphabet.short(fields["alphabet"])
    shape = make("text", alphabet=alphabet.short_ranges(letters), min_size=least, max_size=most)
    numbers = _numbers(fields)
    values: dict[str, int | str] = {"min_size": least, "max_size": most, "alphabet": letters, **numbers}
    return LockedDomain(
        path=row.file, property_id=name, domain=shape, max_examples=numbers["max_examples"],
        deadline_ms=numbers["deadline_ms"], seed=numbers["seed"], short=tuple((key, values[key]) for key in SHORT))


def _numbers(fields: dict[str, Field]) -> dict[str, int]:
    return {"max_examples": fields["max_examples"].integer(1, SIZE_LIMIT),
            "deadline_ms": fields["deadline_ms"].integer(1, SIZE_LIMIT),
            "seed": fields["seed"].integer(0, 2**64 - 1)}


def _general(name: str, row: Field, source: ReadSource) -> LockedDomain:
    fields = row.closed(REQUIRED, _OPTIONAL)
    shape, numbers = read_shape(fields["domain"]), _numbers(fields)
    given = {key: value for key, value in fields.items() if value.value is not None}
    filters = _filters(given["filters"], source) if "filters" in given else ()
    share = _share(given["acceptance_floor"]) if "acceptance_floor" in given else None
    least = given["distinct_floor"].integer(1, numbers["max_examples"]) if "distinct_floor" in given else None
    corpus = _digest(given["corpus"]) if "corpus" in given else None
    if filters and share is None and corpus is None:
        fields["filters"].fail("needs an acceptance_floor or a pinned corpus beside it: a filter that accepts ever "
                               "fewer cases would narrow the domain unseen")
    return LockedDomain(
        path=row.file, property_id=name, domain=shape, max_examples=numbers["max_examples"],
        deadline_ms=numbers["deadline_ms"], seed=numbers["seed"], acceptance_floor=share, distinct_floor=least,
        corpus=corpus, filters=filters)


def _meaning(path: str, data: bytes) -> str:
    """A digest of what a file says, or of its bytes where it is no Python. Interpreters differ in it."""
    try:
        said = ast.dump(parse(data, path).tree).encode("utf-8", "surrogatepass")
    except (UnreadableError, RecursionError):
        return str(Digest.of(data))
    return f"ast {Digest.of(said)}"


def _share(field: Field) -> float:
    value = field.value
    if type(value) not in (int, float) or not 0 < value <= 1:
        field.fail("has to be a number above 0 and up to 1: the share of drawn cases that the filters accept")
    return float(value)


def _digest(field: Field) -> str:
    try:
        return str(Digest.parse(field.words()))
    except ValueError as error:
        field.fail(f"is no digest as HASH/SIZE: {error}")


def _filters(field: Field, source: ReadSource) -> tuple[Filter, ...]:
    found: set[Filter] = set()
    for item in field.items():
        path, _, name = item.words().rpartition(":")
        if relpath.problem(path) or not path.endswith(".py") or not name.isidentifier():
            item.fail("has to be FILE.py:FUNCTION with the path of an oracle file, such as "
                      "properties/_filters.py:is_even")
        data = source(path)
        if data is None:
            item.fail(f"{path} is not there, so that its predicate can't be locked")
        made = Filter(path=path, name=name, meaning=_meaning(path, data), source=str(Digest.of(data)))
        if made in found:
            item.fail("is listed twice")
        found.add(made)
    return tuple(sorted(found))
