"""The domain lock in its short form: what may be generated for a property, as frozen values with a fingerprint.

`{"parse_headers": {"min_size", "max_size", "alphabet", "max_examples", "deadline_ms", "seed"}}`: sized text over an
alphabet. Every field is required, because a field that is left out is a bound that nobody locked. Knows nothing of how
cases are drawn, nor of what a change to a lock means.
"""

from __future__ import annotations

from dataclasses import dataclass

from .. import relpath
from ..digest import Digest
from ..protocol import canonical
from . import document
from .document import Field

_FIELDS = ("min_size", "max_size", "alphabet", "max_examples", "deadline_ms", "seed")
_REMEDY = f"a domain is {{{', '.join(_FIELDS)}}}; restore the locked one, or let a person lock it anew"
_MOST = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """The locked domain of one property."""

    property_id: str
    min_size: int
    max_size: int
    alphabet: str
    max_examples: int
    deadline_ms: int
    seed: int

    @property
    def fingerprint(self) -> Digest:
        """Digest of the canonical form, the name included, so that two properties never share one."""
        fields: dict[str, int | str] = {name: getattr(self, name) for name in _FIELDS}
        return Digest.of(canonical.dumps({self.property_id: fields}))


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainLock:
    """The domains of one lock file, ordered by property id."""

    path: str
    domains: tuple[Domain, ...]
    digest: Digest

    def find(self, property_id: str) -> Domain | None:
        """The domain of this property, or None when it is not in the lock."""
        return next((domain for domain in self.domains if domain.property_id == property_id), None)


def parse_domain_lock(data: bytes | None, *, path: str) -> DomainLock:
    """Reads a lock; None stands for one that is declared and missing. Raises IncompleteError."""
    top = document.read(data, path=path, remedy=_REMEDY)
    domains = tuple(_domain(name, row) for name, row in top.members())
    if not domains:
        top.fail("locks no domain")
    return DomainLock(path=path, domains=domains, digest=Digest.of(data or b""))


def _domain(name: str, row: Field) -> Domain:
    if reason := relpath.problem(name):
        row.fail(f"is no property id: it {reason}")
    fields = row.closed(_FIELDS)
    least = fields["min_size"].integer(0, _MOST)
    most = fields["max_size"].integer(0, _MOST)
    if most < least:
        fields["max_size"].fail(f"is {most}, below min_size {least}: no case could be drawn")
    return Domain(
        property_id=name,
        min_size=least,
        max_size=most,
        alphabet=_alphabet(fields["alphabet"]),
        max_examples=fields["max_examples"].integer(1, _MOST),
        deadline_ms=fields["deadline_ms"].integer(1, _MOST),
        seed=fields["seed"].integer(0, 2**64 - 1),
    )


def _alphabet(field: Field) -> str:
    """A name, or the characters themselves; a single space is an alphabet, so only emptiness is refused."""
    if type(field.value) is not str:
        field.fail(f"has to be text, this is {document.kind(field.value)}")
    if not field.value:
        field.fail("must not be empty")
    return str(field.value)
