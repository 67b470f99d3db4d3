"""Profiles: each row of the table by the bytes it makes, which the stubs write independently."""

from __future__ import annotations

from typing import Any

import pytest
from buildgrid.common.protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as pb

from oracle_rules.digest import Digest
from oracle_rules.reapi.profile import PROFILES, Profile, named

A, B = Digest.of(b"a"), Digest.of(b"b")
THEIR_A = pb.Digest(hash=A.hash, size_bytes=1)
THEIR_B = pb.Digest(hash=B.hash, size_bytes=1)


def _command(profile: Profile, platform: dict[str, str]) -> bytes:
    return profile.command(
        arguments=["/bin/sh", "-c", "true"],
        environment={"PATH": "/bin", "LANG": "C"},
        outputs=["out/z", "out/a"],
        platform=platform,
    ).encode()


def _action(profile: Profile, platform: dict[str, str], salt: bytes = b"") -> bytes:
    return profile.action(command=A, input_root=B, timeout_seconds=None, platform=platform, salt=salt).encode()


def _their_command(**fields: Any) -> Any:
    variables = [("LANG", "C"), ("PATH", "/bin")]
    return pb.Command(
        arguments=["/bin/sh", "-c", "true"],
        environment_variables=[pb.Command.EnvironmentVariable(name=name, value=value) for name, value in variables],
        **fields,
    )


def test_bazel_4_uses_output_files_and_an_empty_platform() -> None:
    profile = named("bazel-4")
    command = _their_command(output_files=["out/a", "out/z"])
    command.platform.SetInParent()
    assert _command(profile, {}) == command.SerializeToString(deterministic=True)
    action = pb.Action(command_digest=THEIR_A, input_root_digest=THEIR_B)
    action.platform.SetInParent()
    assert _action(profile, {}) == action.SerializeToString(deterministic=True)
    assert profile.executable(False) is True


def test_bazel_4_has_no_salt() -> None:
    with pytest.raises(ValueError, match="has no salt"):
        _action(named("bazel-4"), {}, b"s")
    assert _action(named("bazel-4"), {})


def test_reapi_2_1_uses_output_paths_salt_and_no_empty_platform() -> None:
    profile = named("reapi-2.1+")
    command = _their_command(output_paths=["out/a", "out/z"])
    assert _command(profile, {}) == command.SerializeToString(deterministic=True)
    action = pb.Action(command_digest=THEIR_A, input_root_digest=THEIR_B, salt=b"s")
    assert _action(profile, {}, b"s") == action.SerializeToString(deterministic=True)
    assert (profile.executable(False), profile.executable(True)) == (False, True)


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_properties_are_in_command_and_action(name: str) -> None:
    platform = pb.Platform(properties=[pb.Platform.Property(name="a", value="2"), pb.Platform.Property(name="b")])
    found = pb.Command.FromString(_command(named(name), {"b": "", "a": "2"}))
    assert found.platform == platform
    assert pb.Action.FromString(_action(named(name), {"b": "", "a": "2"})).platform == platform


def test_an_unknown_profile_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"bazel-4 and reapi-2\.1\+"):
        named("bazel-5")
