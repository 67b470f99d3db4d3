"""Laws of an ActionCache."""

from __future__ import annotations

from oracle_rules.digest import EMPTY, Digest
from oracle_rules.reapi.messages import ActionResult, ExecutionMetadata, OutputFile, Timestamp
from oracle_rules.storage.interface import ActionCache, ContentStore

ACTION, OTHER = Digest.of(b"action"), Digest.of(b"other")


def _result(content: ContentStore, data: bytes, exit_code: int = 0) -> ActionResult:
    output = OutputFile(path="out/verdict.json", digest=content.put(data), is_executable=False)
    return ActionResult(
        output_files=(output,),
        exit_code=exit_code,
        stdout_digest=EMPTY,
        stderr_digest=content.put(b"stderr of " + data),
        execution_metadata=ExecutionMetadata(worker="w", queued=Timestamp(seconds=1, nanos=2)),
    )


def test_what_is_put_is_got(content: ContentStore, actions: ActionCache) -> None:
    result = _result(content, b"red", exit_code=-9)
    actions.put(ACTION, result)
    assert actions.get(ACTION) == result
    assert actions.get(OTHER) is None


def test_the_last_result_counts(content: ContentStore, actions: ActionCache) -> None:
    actions.put(ACTION, _result(content, b"first"))
    second = _result(content, b"second")
    actions.put(ACTION, second)
    assert actions.get(ACTION) == second


def test_a_result_without_anything_comes_back_as_such(actions: ActionCache) -> None:
    bare = ActionResult(output_files=(), exit_code=0)
    assert actions.get(ACTION) is None
    actions.put(ACTION, bare)
    assert actions.get(ACTION) == bare


def test_discard_forgets(content: ContentStore, actions: ActionCache) -> None:
    first, second = _result(content, b"1"), _result(content, b"2")
    actions.put(ACTION, first)
    actions.put(OTHER, second)
    actions.discard(ACTION)
    actions.discard(ACTION)
    assert actions.get(ACTION) is None
    assert actions.get(OTHER) == second
    actions.put(ACTION, first)
    assert actions.get(ACTION) == first


def test_results_and_blobs_do_not_share_names(content: ContentStore, actions: ActionCache) -> None:
    digest = content.put(b"blob")
    assert actions.get(digest) is None
    result = _result(content, b"x")
    actions.put(digest, result)
    assert content.get(digest) == b"blob"
    content.discard(digest)
    assert actions.get(digest) == result
