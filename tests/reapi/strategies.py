"""Arbitrary valid messages."""

from __future__ import annotations

from hypothesis import strategies as st

from oracle_rules import relpath
from oracle_rules.digest import Digest
from oracle_rules.reapi import messages as ours

digests = st.builds(
    Digest,
    st.binary(min_size=32, max_size=32).map(bytes.hex),
    st.one_of(st.integers(0, 300), st.integers(0, 2**63 - 1)),
)
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
names = st.text(st.characters(codec="utf-8", exclude_characters="/"), min_size=1, max_size=12).filter(
    lambda name: relpath.problem(name) is None
)
paths = st.lists(names, min_size=1, max_size=4).map("/".join)
variables = st.text(st.characters(codec="utf-8", exclude_characters="\0="), min_size=1, max_size=10)
platforms = st.builds(ours.Platform, properties=st.lists(st.tuples(texts, texts), max_size=4).map(tuple))


def _unrelated(found: list[str]) -> bool:
    return all(set(found).isdisjoint(relpath.ancestors(path)) for path in found)


outputs = st.lists(paths, max_size=4, unique=True).filter(_unrelated).map(tuple)
commands = st.builds(
    ours.Command,
    arguments=st.lists(texts, max_size=5).map(tuple),
    environment=st.dictionaries(variables, texts, max_size=5).map(lambda found: tuple(found.items())),
    output_files=outputs,
    output_paths=outputs,
    working_directory=st.one_of(st.just(""), paths),
    platform=st.none() | platforms,
)
_timeouts = st.none() | st.tuples(st.integers(0, 315_576_000_000), st.integers(0, 999_999_999))


@st.composite
def _actions(draw: st.DrawFn) -> ours.Action:
    timeout = draw(_timeouts)
    return ours.Action(
        command_digest=draw(digests),
        input_root_digest=draw(digests),
        timeout_seconds=None if timeout is None else timeout[0],
        timeout_nanos=0 if timeout is None else timeout[1],
        do_not_cache=draw(st.booleans()),
        salt=draw(st.binary(max_size=10)),
        platform=draw(st.none() | platforms),
    )


actions = _actions()


@st.composite
def _directories(draw: st.DrawFn) -> ours.Directory:
    found = draw(st.lists(st.tuples(names, st.integers(0, 2)), max_size=8, unique_by=lambda item: item[0]))
    target = texts.filter(bool)
    return ours.Directory(
        files=tuple(
            ours.FileNode(name=name, digest=draw(digests), is_executable=draw(st.booleans()))
            for name, kind in found
            if kind == 0
        ),
        directories=tuple(ours.DirectoryNode(name=name, digest=draw(digests)) for name, kind in found if kind == 1),
        symlinks=tuple(ours.SymlinkNode(name=name, target=draw(target)) for name, kind in found if kind == 2),
    )


directories = _directories()
timestamps = st.builds(
    ours.Timestamp, seconds=st.integers(-62_135_596_800, 253_402_300_799), nanos=st.integers(0, 999_999_999)
)
metadata = st.builds(
    ours.ExecutionMetadata,
    worker=texts,
    queued=st.none() | timestamps,
    worker_start=st.none() | timestamps,
    worker_completed=st.none() | timestamps,
    input_fetch_start=st.none() | timestamps,
    input_fetch_completed=st.none() | timestamps,
    execution_start=st.none() | timestamps,
    execution_completed=st.none() | timestamps,
    output_upload_start=st.none() | timestamps,
    output_upload_completed=st.none() | timestamps,
)
output_files = st.builds(ours.OutputFile, path=paths, digest=digests, is_executable=st.booleans())
results = st.builds(
    ours.ActionResult,
    output_files=st.lists(output_files, max_size=4, unique_by=lambda file: file.path).map(tuple),
    exit_code=st.integers(-(2**31), 2**31 - 1),
    stdout_digest=st.none() | digests,
    stderr_digest=st.none() | digests,
    execution_metadata=st.none() | metadata,
)
messages = st.one_of(platforms, commands, actions, directories, output_files, metadata, results)
