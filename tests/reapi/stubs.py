"""Our messages as those of an independent implementation: protobuf's own, with the stubs of `buildgrid-common`.

Every conversion names each field by its name in REAPI's `.proto`, so field numbers and types are the stubs' own.
"""

from __future__ import annotations

from typing import Any

from buildgrid.common.protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as pb

from oracle_rules.digest import Digest
from oracle_rules.reapi import messages as ours

MOMENTS = {
    "queued": "queued_timestamp",
    "worker_start": "worker_start_timestamp",
    "worker_completed": "worker_completed_timestamp",
    "input_fetch_start": "input_fetch_start_timestamp",
    "input_fetch_completed": "input_fetch_completed_timestamp",
    "execution_start": "execution_start_timestamp",
    "execution_completed": "execution_completed_timestamp",
    "output_upload_start": "output_upload_start_timestamp",
    "output_upload_completed": "output_upload_completed_timestamp",
}


def stub(message: Any) -> Any:
    """The stub message that says the same."""
    return _CONVERSIONS[type(message)](message)


def stub_bytes(message: Any) -> bytes:
    """What protobuf writes for that."""
    data = stub(message).SerializeToString(deterministic=True)
    assert isinstance(data, bytes)
    return data


def _digest(digest: Digest) -> Any:
    return pb.Digest(hash=digest.hash, size_bytes=digest.size_bytes)


def _platform(platform: ours.Platform) -> Any:
    found = pb.Platform()
    for name, value in platform.properties:
        found.properties.add(name=name, value=value)
    return found


def _command(command: ours.Command) -> Any:
    found = pb.Command(
        arguments=command.arguments,
        output_files=command.output_files,
        output_paths=command.output_paths,
        working_directory=command.working_directory,
    )
    for name, value in command.environment:
        found.environment_variables.add(name=name, value=value)
    if command.platform is not None:
        found.platform.CopyFrom(_platform(command.platform))
        found.platform.SetInParent()
    return found


def _action(action: ours.Action) -> Any:
    found = pb.Action(
        command_digest=_digest(action.command_digest),
        input_root_digest=_digest(action.input_root_digest),
        do_not_cache=action.do_not_cache,
        salt=action.salt,
    )
    if action.timeout_seconds is not None:
        found.timeout.seconds = action.timeout_seconds
        found.timeout.nanos = action.timeout_nanos
        found.timeout.SetInParent()
    if action.platform is not None:
        found.platform.CopyFrom(_platform(action.platform))
        found.platform.SetInParent()
    return found


def _file(node: ours.FileNode) -> Any:
    return pb.FileNode(name=node.name, digest=_digest(node.digest), is_executable=node.is_executable)


def _below(node: ours.DirectoryNode) -> Any:
    return pb.DirectoryNode(name=node.name, digest=_digest(node.digest))


def _symlink(node: ours.SymlinkNode) -> Any:
    return pb.SymlinkNode(name=node.name, target=node.target)


def _directory(directory: ours.Directory) -> Any:
    return pb.Directory(
        files=[_file(node) for node in directory.files],
        directories=[_below(node) for node in directory.directories],
        symlinks=[_symlink(node) for node in directory.symlinks],
    )


def _output(file: ours.OutputFile) -> Any:
    return pb.OutputFile(path=file.path, digest=_digest(file.digest), is_executable=file.is_executable)


def _metadata(metadata: ours.ExecutionMetadata) -> Any:
    found = pb.ExecutedActionMetadata(worker=metadata.worker)
    for name, theirs in MOMENTS.items():
        moment = getattr(metadata, name)
        if moment is not None:
            target = getattr(found, theirs)
            target.seconds, target.nanos = moment.seconds, moment.nanos
            target.SetInParent()
    return found


def _result(result: ours.ActionResult) -> Any:
    found = pb.ActionResult(output_files=[_output(file) for file in result.output_files], exit_code=result.exit_code)
    if result.stdout_digest is not None:
        found.stdout_digest.CopyFrom(_digest(result.stdout_digest))
    if result.stderr_digest is not None:
        found.stderr_digest.CopyFrom(_digest(result.stderr_digest))
    if result.execution_metadata is not None:
        found.execution_metadata.CopyFrom(_metadata(result.execution_metadata))
        found.execution_metadata.SetInParent()
    return found


_CONVERSIONS: dict[type, Any] = {
    ours.Platform: _platform,
    ours.Command: _command,
    ours.Action: _action,
    ours.FileNode: _file,
    ours.DirectoryNode: _below,
    ours.SymlinkNode: _symlink,
    ours.Directory: _directory,
    ours.OutputFile: _output,
    ours.ExecutionMetadata: _metadata,
    ours.ActionResult: _result,
}
