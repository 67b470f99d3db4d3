"""The verbs, one file each. A verb gets parsed options and an output, and answers with an exit code."""

from __future__ import annotations

import argparse

from ..errors import Exit
from .interface import Output


def score(options: argparse.Namespace, output: Output) -> Exit:
    """`oracle-rules score`."""
    from .score import run
    return run(options, output)


def gate(options: argparse.Namespace, output: Output) -> Exit:
    """`oracle-rules gate`."""
    from .gate import run
    return run(options, output)


def replay(options: argparse.Namespace, output: Output) -> Exit:
    """`oracle-rules replay`."""
    from .replay import run
    return run(options, output)


def why(options: argparse.Namespace, output: Output) -> Exit:
    """`oracle-rules why`."""
    from .why import run
    return run(options, output)


def doctor(options: argparse.Namespace, output: Output) -> Exit:
    """`oracle-rules doctor`."""
    from .doctor import run
    return run(options, output)


def explain(code: str, output: Output) -> Exit:
    """`oracle-rules --explain CODE`."""
    from .explain import run
    return run(code, output)
