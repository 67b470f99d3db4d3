"""Ways around the pinned clock, entropy and host: each cheat is right only if it learns what it must not.

So an accepted cheat is a leak, and a cheat that is right for a pinned value has to be refused for having read it.
"""

from __future__ import annotations

from ..kit import Case

CASES: tuple[Case, ...] = ()
