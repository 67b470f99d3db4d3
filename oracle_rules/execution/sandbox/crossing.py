"""What crosses from process to process: the program's descriptors by number, requests as trees for JSON.

Knows the shapes of `request.py` and no kernel interface.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from .request import Bind, Limits, Link, Process, Tmpfs

WIRE_FD = 3
RESULT_FD = 4


def process_from(tree: Mapping[str, Any]) -> Process:
    """The inverse of `dataclasses.asdict` after JSON has made lists of the tuples."""
    fields = dict(tree)
    fields["argv"] = tuple(fields["argv"])
    fields["env"] = tuple((key, value) for key, value in fields["env"])
    fields["binds"] = tuple(Bind(**bind) for bind in fields["binds"])
    fields["tmpfs"] = tuple(Tmpfs(**tmpfs) for tmpfs in fields["tmpfs"])
    fields["links"] = tuple((target, text) for target, text in fields["links"])
    fields["limits"] = Limits(**fields["limits"])
    fields["deny"] = tuple(fields["deny"])
    return Process(**fields)


def tree_of(value: Process | Link) -> dict[str, Any]:
    """Plain lists and dictionaries, for JSON."""
    return dataclasses.asdict(value)
