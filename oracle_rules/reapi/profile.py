"""Which spelling of an Action a build tool uses, as data. Two tools share results only where their bytes are equal.

`bazel-4` was compared with the Actions of Bazel 4.2.3. Knows nothing of what is run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from ..digest import Digest
from .action import Action, Command, Platform, pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One spelling.

    `output_paths`: outputs are in the field of REAPI 2.1, not in `output_files`. `empty_platform`: a Platform without
    properties is written as an empty message, not left out. `executable_inputs`: every input file is marked
    executable, whatever it is in its tree. `salt`: an Action may have one. `output_root`: the folder below which the
    tool makes what a target declares.
    """

    name: str
    output_paths: bool
    empty_platform: bool
    executable_inputs: bool
    salt: bool
    output_root: str

    def command(
        self,
        *,
        arguments: Iterable[str],
        environment: Mapping[str, str],
        outputs: Iterable[str],
        working_directory: str = "",
        platform: Mapping[str, str],
    ) -> Command:
        """The Command with these parts; ValueError when one of them is not allowed."""
        declared = tuple(outputs)
        return Command(
            arguments=tuple(arguments),
            environment=pairs(environment),
            output_files=() if self.output_paths else declared,
            output_paths=declared if self.output_paths else (),
            working_directory=working_directory,
            platform=self._platform(platform),
        )

    def action(
        self,
        *,
        command: Digest,
        input_root: Digest,
        timeout_seconds: int | None,
        platform: Mapping[str, str],
        salt: bytes = b"",
        do_not_cache: bool = False,
    ) -> Action:
        """The Action with these parts; ValueError for a salt where the profile has none."""
        if salt and not self.salt:
            raise ValueError(f"the profile {self.name} has no salt")
        return Action(
            command_digest=command,
            input_root_digest=input_root,
            timeout_seconds=timeout_seconds,
            do_not_cache=do_not_cache,
            salt=salt,
            platform=self._platform(platform),
        )

    def executable(self, is_executable: bool) -> bool:
        """What to write as an input's executable bit."""
        return is_executable or self.executable_inputs

    def _platform(self, properties: Mapping[str, str]) -> Platform | None:
        return Platform(properties=pairs(properties)) if properties or self.empty_platform else None


PROFILES: Final[Mapping[str, Profile]] = MappingProxyType(
    {
        profile.name: profile
        for profile in (
            Profile(name="bazel-4", output_paths=False, empty_platform=True, executable_inputs=True, salt=False,
                    output_root="bazel-out/k8-fastbuild/bin"),
            Profile(name="reapi-2.1+", output_paths=True, empty_platform=False, executable_inputs=False, salt=True,
                    output_root="bazel-out/k8-fastbuild/bin"),
        )
    }
)


def named(name: str) -> Profile:
    """The profile of that name; ValueError with the names there are."""
    if name not in PROFILES:
        raise ValueError(f"there is no profile {name!r}, only {' and '.join(PROFILES)}")
    return PROFILES[name]
