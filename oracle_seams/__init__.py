"""Seams: time, ids and HTTP as arguments, with pinned stand-ins for tests and properties.

The same import works in three places: ordinary code (which takes a `Seams` and gets `live_seams()` from its `main`),
ordinary tests, and property files that oracle_rules judges.
"""

from .clock import FakeClock
from .fixtures import load_exchanges, load_fixture
from .seams import Seams, live_seams, pinned_seams
from .transport import FakeTransport, SeamViolation, take_violations

__all__ = ["FakeClock", "FakeTransport", "SeamViolation", "Seams", "live_seams", "load_exchanges", "load_fixture",
           "pinned_seams", "take_violations"]
