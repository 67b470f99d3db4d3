"""What holds for all tests: a property of ours says what is true, and never how fast this machine is."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("tests", deadline=None)
settings.load_profile("tests")
