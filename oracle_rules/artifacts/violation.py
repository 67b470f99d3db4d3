"""A broken law of an artifact, as a value: the artifact could be read, and it says something that may not be.

Knows nothing of exit codes or of who decides; `gate` maps the code.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Violation:
    """`code` from the closed catalogue, the path it is about, what is wrong, what to do.

    `row` names the law where one code stands for several of them.
    """

    code: str
    subject: str
    detail: str
    remedy: str
    row: str = ""
