"""The verbs, one file each, named as the verb is: parsed options and an output in, an exit code out."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable

from ..errors import Exit
from .interface import Output


def verb(name: str) -> Callable[[argparse.Namespace, Output], Exit]:
    """What runs a verb of the grammar; only its own imports are paid for."""
    run: Callable[[argparse.Namespace, Output], Exit] = importlib.import_module(f".{name}", __name__).run
    return run


def explain(code: str, output: Output) -> Exit:
    """`oracle-rules --explain CODE`."""
    from .explain import run
    return run(code, output)
