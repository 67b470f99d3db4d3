"""Any sequence of operations on a stack does what it does on two dicts."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from oracle_rules.digest import EMPTY, Digest
from oracle_rules.reapi.messages import ActionResult, OutputFile

from .stacks import STACKS

blobs = st.sampled_from([b"", b"a", b"b", b"c" * 5000, b"d" * 9000])
keys = st.sampled_from([b"k1", b"k2", b"k3"]).map(Digest.of)


class Agreement(RuleBasedStateMachine):
    """The stack that `stack` names beside its model. Subclasses set it."""

    stack = ""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.content, self.actions = STACKS[self.stack](Path(self.folder.name))
        self.blobs: dict[Digest, bytes] = {EMPTY: b""}
        self.results: dict[Digest, ActionResult] = {}

    def teardown(self) -> None:
        self.folder.cleanup()

    @rule(data=blobs)
    def put(self, data: bytes) -> None:
        digest = self.content.put(data)
        assert digest == Digest.of(data)
        self.blobs[digest] = data

    @rule(many=st.lists(blobs, max_size=4))
    def put_many(self, many: list[bytes]) -> None:
        assert self.content.put_many(many) == tuple(Digest.of(data) for data in many)
        self.blobs.update((Digest.of(data), data) for data in many)

    @rule(data=blobs)
    def get(self, data: bytes) -> None:
        digest = Digest.of(data)
        assert self.content.get(digest) == self.blobs.get(digest)

    @rule(many=st.lists(blobs, max_size=5))
    def find_missing(self, many: list[bytes]) -> None:
        digests = [Digest.of(data) for data in many]
        assert self.content.find_missing(digests) == {digest for digest in digests if digest not in self.blobs}
        for digest in digests:
            assert self.content.contains(digest) == (digest in self.blobs)

    @rule(data=blobs)
    def path(self, data: bytes) -> None:
        path = self.content.path(Digest.of(data))
        assert path is None or path.read_bytes() == data and Digest.of(data) in self.blobs

    @rule(data=blobs)
    def discard(self, data: bytes) -> None:
        self.content.discard(Digest.of(data))
        if data:
            self.blobs.pop(Digest.of(data), None)

    @rule(action=keys, data=blobs, exit_code=st.integers(-2, 2))
    def put_result(self, action: Digest, data: bytes, exit_code: int) -> None:
        output = OutputFile(path="o", digest=Digest.of(data), is_executable=False)
        result = ActionResult(output_files=(output,), exit_code=exit_code, stdout_digest=EMPTY)
        self.actions.put(action, result)
        self.results[action] = result

    @rule(action=keys)
    def get_result(self, action: Digest) -> None:
        expected = self.results.get(action)
        checked = "complete" in self.stack or self.stack == "local"
        if expected is not None and checked and any(digest not in self.blobs for digest in expected.blobs):
            expected = None
        assert self.actions.get(action) == expected

    @rule(action=keys)
    def discard_result(self, action: Digest) -> None:
        self.actions.discard(action)
        self.results.pop(action, None)


@pytest.mark.parametrize("stack", sorted(set(STACKS) - {"disk-durable"}))
def test_a_stack_agrees_with_a_dict(stack: str) -> None:
    machine = type("Agreement", (Agreement,), {"stack": stack})
    run_state_machine_as_test(machine, settings=settings(max_examples=25, stateful_step_count=30, deadline=None))
