"""The text is the same in every process: hash seed, allocator and addresses have no say. One process can't show that."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# (PYTHONHASHSEED, PYTHONMALLOC, objects that are made first, -O)
WORLDS = (("0", "pymalloc", "0", ""), ("1", "malloc", "7", ""), ("4294967295", "debug", "1000", "-O"), ("random", "pymalloc", "3", ""))


def test_hash_seed_and_allocator_have_no_say() -> None:
    running = [subprocess.Popen(
        [sys.executable, *([flag] if flag else []), "-m", "tests.seams.report", objects], cwd=ROOT, stdout=subprocess.PIPE, text=True,
        env={"PATH": os.environ["PATH"], "PYTHONHASHSEED": seed, "PYTHONMALLOC": malloc, "PYTHONPATH": str(ROOT)})
        for seed, malloc, objects, flag in WORLDS]
    found = [process.communicate(timeout=60)[0].split() for process in running]
    assert all(process.returncode == 0 for process in running)
    assert len({text for text, _, _ in found}) == 1
    # The control: these processes do see one and the same set in different orders.
    assert len({order for _, order, _ in found}) > 1
