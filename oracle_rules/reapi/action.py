"""`Action`, `Command` and `Platform`: what is run, and with what. Their digest is the key of a result.

Knows nothing of results, nor which of the optional parts a given build tool would fill in: that is `profile.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .. import relpath
from ..digest import Digest
from . import wire
from .values import check_path, check_seconds, check_text, decode_digest, encode_digest, utf8

_LONGEST_TIMEOUT = 315_576_000_000
_Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """What is required of the place of execution: properties, held in the order of name and value."""

    properties: _Pairs = ()

    def __post_init__(self) -> None:
        for name, value in self.properties:
            check_text("Platform", name)
            check_text("Platform", value)
        object.__setattr__(self, "properties", tuple(sorted(self.properties, key=_pair_key)))

    def encode(self) -> bytes:
        """The bytes of the message."""
        return _encode_pairs(1, self.properties)

    @classmethod
    def decode(cls, data: bytes) -> Platform:
        """Reads untrusted bytes; ValueError when they are not a Platform in canonical order."""
        properties = _decode_pairs("Platform", wire.Reader("Platform", data).messages(1))
        found = cls(properties=properties)
        _check_order("Platform", found.properties, properties)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command line with its environment and outputs; environment and outputs are held in order.

    `output_files` is what REAPI 2.0 has, `output_paths` what 2.1 put in its place; where both are given the latter
    counts. `platform` is None when absent, which is not the same bytes as an empty Platform.
    """

    arguments: tuple[str, ...] = ()
    environment: _Pairs = ()
    output_files: tuple[str, ...] = ()
    output_paths: tuple[str, ...] = ()
    working_directory: str = ""
    platform: Platform | None = None

    def __post_init__(self) -> None:
        for argument in self.arguments:
            check_text("Command", argument)
        object.__setattr__(self, "environment", _checked_environment(self.environment))
        for field in ("output_files", "output_paths"):
            object.__setattr__(self, field, _checked_outputs(getattr(self, field)))
        if self.working_directory:
            check_path("Command", self.working_directory)

    @property
    def outputs(self) -> tuple[str, ...]:
        """The paths that the command has to write, in whichever field they are."""
        return self.output_paths or self.output_files

    def encode(self) -> bytes:
        """The bytes of the message."""
        return b"".join(
            (
                *(wire.message(1, argument.encode("utf-8")) for argument in self.arguments),
                _encode_pairs(2, self.environment),
                *(wire.message(3, path.encode("utf-8")) for path in self.output_files),
                wire.message(5, None if self.platform is None else self.platform.encode()),
                wire.text(6, self.working_directory),
                *(wire.message(7, path.encode("utf-8")) for path in self.output_paths),
            )
        )

    @classmethod
    def decode(cls, data: bytes) -> Command:
        """Reads untrusted bytes; ValueError when they are not a Command in canonical order."""
        reader = wire.Reader("Command", data)
        environment = _decode_pairs("Command", reader.messages(2))
        platform = reader.message(5)
        found = cls(
            arguments=reader.texts(1),
            environment=environment,
            output_files=reader.texts(3),
            output_paths=reader.texts(7),
            working_directory=reader.text(6),
            platform=None if platform is None else Platform.decode(platform),
        )
        _check_order("Command", found.environment, environment)
        _check_order("Command", found.output_files, reader.texts(3))
        _check_order("Command", found.output_paths, reader.texts(7))
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """Everything that can change a result, by digest. The digest of its bytes is the key in the ActionCache.

    `timeout_seconds` is None when there is no timeout, which is not the same bytes as a timeout of zero.
    """

    command_digest: Digest
    input_root_digest: Digest
    timeout_seconds: int | None = None
    timeout_nanos: int = 0
    do_not_cache: bool = False
    salt: bytes = b""
    platform: Platform | None = None

    def __post_init__(self) -> None:
        if self.timeout_seconds is not None:
            check_seconds("Action", self.timeout_seconds, self.timeout_nanos, 0, _LONGEST_TIMEOUT)
        elif self.timeout_nanos:
            raise ValueError("Action: nanoseconds without seconds are no timeout")

    def encode(self) -> bytes:
        """The bytes of the message."""
        return b"".join(
            (
                wire.message(1, encode_digest(self.command_digest)),
                wire.message(2, encode_digest(self.input_root_digest)),
                wire.message(6, self._encoded_timeout()),
                wire.flag(7, self.do_not_cache),
                wire.blob(9, self.salt),
                wire.message(10, None if self.platform is None else self.platform.encode()),
            )
        )

    def _encoded_timeout(self) -> bytes | None:
        if self.timeout_seconds is None:
            return None
        return wire.integer(1, self.timeout_seconds) + wire.integer(2, self.timeout_nanos)

    @classmethod
    def decode(cls, data: bytes) -> Action:
        """Reads untrusted bytes; ValueError when they are not an Action."""
        reader = wire.Reader("Action", data)
        timeout, platform = reader.message(6), reader.message(10)
        duration = None if timeout is None else wire.Reader("Duration", timeout)
        return cls(
            command_digest=decode_digest(reader.required(1)),
            input_root_digest=decode_digest(reader.required(2)),
            timeout_seconds=None if duration is None else duration.integer(1),
            timeout_nanos=0 if duration is None else duration.integer(2),
            do_not_cache=reader.flag(7),
            salt=reader.message(9) or b"",
            platform=None if platform is None else Platform.decode(platform),
        )


def pairs(values: Mapping[str, str]) -> _Pairs:
    """A mapping as the ordered pairs that Command and Platform hold."""
    return tuple(sorted(values.items(), key=_pair_key))


def _pair_key(pair: tuple[str, str]) -> tuple[bytes, bytes]:
    return utf8(pair[0]), utf8(pair[1])


def _encode_pairs(number: int, found: _Pairs) -> bytes:
    return b"".join(wire.message(number, wire.text(1, name) + wire.text(2, value)) for name, value in found)


def _decode_pairs(what: str, items: list[bytes]) -> _Pairs:
    readers = [wire.Reader(what, item) for item in items]
    return tuple((reader.text(1), reader.text(2)) for reader in readers)


def _checked_environment(environment: _Pairs) -> _Pairs:
    seen: set[str] = set()
    for name, value in environment:
        check_text("Command", name)
        check_text("Command", value)
        if not name or "=" in name:
            raise ValueError(f"Command: {name!r} is not the name of an environment variable")
        if name in seen:
            raise ValueError(f"Command: the environment variable {name!r} is set twice")
        seen.add(name)
    return tuple(sorted(environment, key=_pair_key))


def _checked_outputs(paths: tuple[str, ...]) -> tuple[str, ...]:
    for path in paths:
        check_path("Command", path)
    if len(set(paths)) != len(paths):
        raise ValueError("Command: an output is declared twice")
    for path in paths:
        if not set(paths).isdisjoint(relpath.ancestors(path)):
            raise ValueError(f"Command: the output {path!r} lies below another output")
    return tuple(sorted(paths, key=utf8))


def _check_order(what: str, held: tuple[object, ...], given: tuple[object, ...]) -> None:
    if held != given:
        raise ValueError(f"{what}: a list is not in the order of its UTF-8 bytes")
