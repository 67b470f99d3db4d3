"""The local cache is quick enough to be asked for every input of every target. Bounds are for the best of some runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from oracle_rules.digest import Digest
from oracle_rules.reapi.messages import ActionResult, OutputFile
from oracle_rules.storage.local import open_local


def _best(run: Callable[[], object]) -> float:
    taken = []
    for _ in range(5):
        begun = time.perf_counter()
        run()
        taken.append(time.perf_counter() - begun)
    return min(taken)


def test_a_thousand_small_blobs_and_results(tmp_path: Path) -> None:
    cache = open_local(tmp_path / "c", cap_bytes=1 << 30)
    digests = cache.content.put_many(b"%d" % number * 100 for number in range(1000))
    actions = [Digest.of(b"action %d" % number) for number in range(1000)]
    for action, digest in zip(actions, digests, strict=True):
        output = OutputFile(path="o", digest=digest, is_executable=False)
        cache.actions.put(action, ActionResult(output_files=(output,), exit_code=0))
    assert _best(lambda: [cache.content.get(digest) for digest in digests]) < 0.2
    assert _best(lambda: cache.content.find_missing(digests)) < 0.1
    assert _best(lambda: [cache.actions.get(action) for action in actions]) < 0.4
