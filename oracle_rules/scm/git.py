"""Runs git: which binary, in which environment, for how long. Knows nothing of what the commands mean.

The environment is written from scratch. Nothing of the caller's is inherited, above all no `GIT_*`, and no file of
system, user or repository configuration is read (see `view.py` for the last), so there is no alias, hook, filter,
pager, credential helper, ssh command or fsmonitor that could run. HOME is the private folder.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import UsageError

OLDEST = (2, 30)

_VERSION = re.compile(rb"git version (\d+)\.(\d+)")
_ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LC_ALL": "C.UTF-8",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_SYSTEM": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ADVICE": "0",
    "GIT_PAGER": "cat",
    "GIT_EDITOR": "false",
    "GIT_FLUSH": "1",
}


class Silent(UsageError):
    """Git did not answer in time.

    A usage error, not a malfunction: pipes among the refs, or an object whose header promises more bytes than
    follow, make git wait or spin for ever, and a repository must not get out of its answer that way.
    """


@dataclass(frozen=True, kw_only=True, slots=True)
class Done:
    """What a command that ended on its own left behind."""

    code: int
    out: bytes
    err: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Git:
    """A git binary and what it runs in."""

    binary: str
    home: Path
    seconds: float

    def environment(self, extra: Mapping[str, str]) -> dict[str, str]:
        """The whole environment of a command."""
        home = str(self.home)
        return {**_ENVIRONMENT, "HOME": home, "XDG_CONFIG_HOME": home, "TMPDIR": home, **extra}

    def run(self, arguments: Sequence[str | bytes], extra: Mapping[str, str], folder: Path | None = None) -> Done:
        """Runs one command to its end; nothing is written to its standard input. No exit status is an error here."""
        command = [os.fsencode(self.binary), b"--no-pager", *(_raw(argument) for argument in arguments)]
        try:
            done = subprocess.run(
                command,
                env=self.environment(extra),
                cwd=folder or self.home,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=self.seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise silent(self.seconds, str(folder or "")) from None
        except OSError as problem:
            raise UsageError(
                f"git could not be started: {problem.strerror}", where=self.binary, remedy="check the git installation"
            ) from None
        return Done(code=done.returncode, out=done.stdout, err=done.stderr.decode("utf-8", "backslashreplace").strip())


def find_git(path: str | None) -> str:
    """The git on this search path. Relative and empty folders are passed over: they may lie in the repository."""
    for folder in (os.defpath if path is None else path).split(os.pathsep):
        found = os.path.join(folder, "git")
        if os.path.isabs(folder) and os.path.isfile(found) and os.access(found, os.X_OK):
            return found
    raise UsageError(
        "there is no git on PATH", remedy=f"install git {_dotted(OLDEST)} or newer and put its folder on PATH"
    )


def check_version(git: Git) -> None:
    """Refuses a git that is too old to be asked."""
    done = git.run(["--version"], {})
    found = _VERSION.match(done.out)
    if not found:
        raise UsageError("this program does not answer as git does", where=git.binary, remedy="put git first on PATH")
    version = (int(found[1]), int(found[2]))
    if version < OLDEST:
        raise UsageError(
            f"git {_dotted(version)} is too old", where=git.binary, remedy=f"install git {_dotted(OLDEST)} or newer"
        )


def silent(seconds: float, where: str = "") -> Silent:
    """The error for a git that gives no sign of life."""
    return Silent(
        f"git gave no answer for {seconds:g} seconds",
        where=where,
        remedy="look for a pipe, a damaged object or an unreachable network disk in the repository, then run again",
    )


def _raw(argument: str | bytes) -> bytes:
    return argument if isinstance(argument, bytes) else argument.encode("utf-8", "surrogateescape")


def _dotted(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))
