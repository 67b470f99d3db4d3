"""`toolchain`: writes what every Action needs of this machine, as the folder of a build tool's repository.

Inputs of Actions are the program, the toolchain's document, the standard policy, the files of ours that run inside, and
Hypothesis and pytest. Beside them, and no inputs: the images of the toolchain, and where this oracle_rules is.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from ..errors import Exit, UsageError
from ..protocol import layout
from ..worker import toolchain_files
from .interface import Output


def run(options: argparse.Namespace, output: Output) -> Exit:
    """Exit 0 when everything is written."""
    top: Path = options.output
    if not top.is_dir():
        raise UsageError("is no folder", where=str(top), remedy="make it first")
    files = toolchain_files(top.absolute() / layout.IMAGES)
    _write(top, {path.removeprefix(f"{layout.TOOLCHAIN_ROOT}/"): data for path, data in files.items()})
    (top / Path(layout.PROGRAM).name).chmod(0o755)
    package = Path(__file__).absolute().parents[2]
    _write(top, {layout.LOCATION: f"{sys.executable}\n{package}\n".encode()})
    output.out(f"{top}: {len(files)} inputs\n")
    return Exit.ACCEPT


def _write(top: Path, files: Mapping[str, bytes]) -> None:
    for path, data in files.items():
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_bytes(data)
