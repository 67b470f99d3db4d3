"""`ActionResult`: what an Action left behind, by digest. Knows nothing of what its outputs mean.

Of REAPI's message it holds what an Action with declared output files can produce; output directories, symlinks and
inlined contents of a foreign result are skipped when it is read.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..digest import Digest
from . import wire
from .values import Timestamp, check_path, check_text, decode_digest, encode_digest, utf8

_MOMENTS = (
    (2, "queued"),
    (3, "worker_start"),
    (4, "worker_completed"),
    (5, "input_fetch_start"),
    (6, "input_fetch_completed"),
    (7, "execution_start"),
    (8, "execution_completed"),
    (9, "output_upload_start"),
    (10, "output_upload_completed"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputFile:
    """A file that the command wrote, its path relative to the working directory."""

    path: str
    digest: Digest
    is_executable: bool

    def __post_init__(self) -> None:
        check_path("OutputFile", self.path)

    def encode(self) -> bytes:
        """The bytes of the message."""
        return wire.text(1, self.path) + wire.message(2, encode_digest(self.digest)) + wire.flag(4, self.is_executable)

    @classmethod
    def decode(cls, data: bytes) -> OutputFile:
        """Reads untrusted bytes; ValueError when they are not an OutputFile."""
        reader = wire.Reader("OutputFile", data)
        digest = decode_digest(reader.required(2))
        return cls(path=reader.text(1), digest=digest, is_executable=reader.flag(4))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionMetadata:
    """`ExecutedActionMetadata`: who executed, and when. The one place where a time may be; never part of a key."""

    worker: str = ""
    queued: Timestamp | None = None
    worker_start: Timestamp | None = None
    worker_completed: Timestamp | None = None
    input_fetch_start: Timestamp | None = None
    input_fetch_completed: Timestamp | None = None
    execution_start: Timestamp | None = None
    execution_completed: Timestamp | None = None
    output_upload_start: Timestamp | None = None
    output_upload_completed: Timestamp | None = None

    def __post_init__(self) -> None:
        check_text("ExecutedActionMetadata", self.worker)

    def encode(self) -> bytes:
        """The bytes of the message."""
        parts = [wire.text(1, self.worker)]
        for number, name in _MOMENTS:
            moment: Timestamp | None = getattr(self, name)
            parts.append(wire.message(number, None if moment is None else moment.encode()))
        return b"".join(parts)

    @classmethod
    def decode(cls, data: bytes) -> ExecutionMetadata:
        """Reads untrusted bytes; ValueError when they are not an ExecutedActionMetadata."""
        reader = wire.Reader("ExecutedActionMetadata", data)
        moments = {}
        for number, name in _MOMENTS:
            moment = reader.message(number)
            if moment is not None:
                moments[name] = Timestamp.decode(moment)
        return cls(worker=reader.text(1), **moments)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionResult:
    """The outputs of an Action; output files are held in the order of their paths, each path once."""

    output_files: tuple[OutputFile, ...]
    exit_code: int
    stdout_digest: Digest | None = None
    stderr_digest: Digest | None = None
    execution_metadata: ExecutionMetadata | None = None

    def __post_init__(self) -> None:
        if type(self.exit_code) is not int or not -(1 << 31) <= self.exit_code < 1 << 31:
            raise ValueError(f"ActionResult: {self.exit_code!r} is not an exit code")
        ordered = tuple(sorted(self.output_files, key=lambda file: utf8(file.path)))
        if len({file.path for file in ordered}) != len(ordered):
            raise ValueError("ActionResult: two outputs have the same path")
        object.__setattr__(self, "output_files", ordered)

    @property
    def blobs(self) -> tuple[Digest, ...]:
        """Every blob that the result is worth nothing without."""
        streams = (self.stdout_digest, self.stderr_digest)
        return (*(file.digest for file in self.output_files), *(digest for digest in streams if digest is not None))

    def encode(self) -> bytes:
        """The bytes of the message."""
        metadata = self.execution_metadata
        return b"".join(
            (
                *(wire.message(2, file.encode()) for file in self.output_files),
                wire.integer(4, self.exit_code),
                _encoded(6, self.stdout_digest),
                _encoded(8, self.stderr_digest),
                wire.message(9, None if metadata is None else metadata.encode()),
            )
        )

    @classmethod
    def decode(cls, data: bytes) -> ActionResult:
        """Reads untrusted bytes, outputs in any order; ValueError when they are not an ActionResult."""
        reader = wire.Reader("ActionResult", data)
        stdout, stderr, metadata = reader.message(6), reader.message(8), reader.message(9)
        return cls(
            output_files=tuple(OutputFile.decode(item) for item in reader.messages(2)),
            exit_code=reader.integer(4),
            stdout_digest=None if stdout is None else decode_digest(stdout),
            stderr_digest=None if stderr is None else decode_digest(stderr),
            execution_metadata=None if metadata is None else ExecutionMetadata.decode(metadata),
        )


def _encoded(number: int, digest: Digest | None) -> bytes:
    return wire.message(number, None if digest is None else encode_digest(digest))
