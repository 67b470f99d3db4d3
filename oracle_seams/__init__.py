"""Seams: time, ids and HTTP as arguments, with pinned stand-ins for tests and properties; and canonical documents.

The same import works in three places: ordinary code (which takes a `Seams` and gets `live_seams()` from its `main`),
ordinary tests, and property files that oracle_rules judges. `canon` and `dumps` are loaded when they are first used:
they cost more than everything else here, and most properties do without.
"""

from typing import TYPE_CHECKING

from .clock import FakeClock
from .fixtures import load_document, load_exchanges, load_fixture
from .seams import Seams, live_seams, pinned_seams
from .transport import FakeTransport, SeamViolation, take_violations

if TYPE_CHECKING:
    from .canonical import canon, dumps

__all__ = ["FakeClock", "FakeTransport", "SeamViolation", "Seams", "canon", "dumps", "live_seams", "load_document",
           "load_exchanges", "load_fixture", "pinned_seams", "take_violations"]


def __getattr__(name: str) -> object:
    """`canon` and `dumps`, on first use."""
    if name in ("canon", "dumps"):
        from . import canonical
        return getattr(canonical, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
