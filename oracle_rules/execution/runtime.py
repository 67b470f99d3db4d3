"""The files of ours that run inside, by role, and Hypothesis for the generator. Reads the installed package.

A role gets what it imports and nothing more: the cell has neither the judge nor the stand-ins.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from ..errors import Malfunction

PACKAGE = "_oracle_runtime"
_SHARED = ("protocol/__init__.py", "runner/__init__.py", "runner/start.py", "runner/wire.py", "runner/codec.py",
           "runner/describe.py", "runner/changes.py", "runner/proxies.py", "runner/pins.py", "runner/pin_clock.py",
           "runner/pin_entropy.py", "runner/pin_host.py")
ROLES: Mapping[str, tuple[str, ...]] = {
    "cell": (*_SHARED, "runner/cell.py", "runner/objects.py", "runner/reach.py"),
    "judge": (*_SHARED, "protocol/canonical.py", "protocol/typed.py", "runner/judge.py",
              "runner/remote.py", "runner/standins.py"),
    "generate": ("protocol/__init__.py", "protocol/alphabets.py", "protocol/canonical.py", "protocol/corpus.py",
                 "protocol/typed.py", "runner/__init__.py", "runner/start.py", "runner/generate.py",
                 "runner/strategies.py", "runner/filters.py", "runner/pins.py", "runner/pin_clock.py",
                 "runner/pin_entropy.py", "runner/pin_host.py"),
    "suite": ("protocol/__init__.py", "protocol/canonical.py", "protocol/typed.py", "runner/__init__.py",
              "runner/start.py", "runner/suite.py", "runner/suite_plugin.py", "runner/transcript.py", "runner/pins.py",
              "runner/pin_clock.py", "runner/pin_entropy.py", "runner/pin_host.py"),
}
_GENERATOR = ("hypothesis", "sortedcontainers")
# What real pytest and Hypothesis tests need beside the standard library: import names of each distribution.
_SUITE = {"attrs": ("attr", "attrs"), "hypothesis": ("hypothesis",), "iniconfig": ("iniconfig",),
          "packaging": ("packaging",), "pluggy": ("pluggy",), "pygments": ("pygments",),
          "pytest": ("pytest", "_pytest", "py.py"), "sortedcontainers": ("sortedcontainers",)}


@cache
def runtime() -> dict[str, dict[str, bytes]]:
    """Role to path to bytes; the parent package is empty, so a change of ours outside these files moves no key."""
    home = Path(__file__).parent.parent
    found = {role: {f"{PACKAGE}/{path}": (home / path).read_bytes() for path in paths} for role, paths in ROLES.items()}
    seams = {f"oracle_seams/{path.name}": path.read_bytes() for path in sorted(_seams().glob("*.py"))}
    for role, files in found.items():
        files[f"{PACKAGE}/__init__.py"] = b""
        if role != "generate":
            files.update(seams)
    return found


@cache
def program() -> bytes:
    """The program that a build tool runs for every Action."""
    return (Path(__file__).parent / "execute.sh").read_bytes()


def _seams() -> Path:
    return Path(__file__).parent.parent.parent / "oracle_seams"


@cache
def hypothesis_version() -> str:
    """The version of the Hypothesis that `generator` gives, as its package says it; raises Malfunction without one."""
    generator()
    return importlib.metadata.version(_GENERATOR[0])


@cache
def generator() -> dict[str, bytes]:
    """Hypothesis as it is installed beside us, without bytecode; raises Malfunction when it is not."""
    return _installed({name: (name,) for name in _GENERATOR}, "case can be generated")


@cache
def suite() -> dict[str, bytes]:
    """pytest and Hypothesis as they are installed beside us, in the same way."""
    return _installed(_SUITE, "suite can be run")


def _installed(distributions: Mapping[str, tuple[str, ...]], what: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for name, packages in distributions.items():
        try:
            files = importlib.metadata.distribution(name).files or []
        except importlib.metadata.PackageNotFoundError:
            raise Malfunction(f"the package {name} is not installed, so that no {what}",
                              remedy="install the locked requirements: pip install -r requirements.lock") from None
        for item in files:
            inside = item.parts[0] in packages or item.as_posix().startswith("_hypothesis_")
            if inside and item.suffix in (".py", ".so", ".json", ".gz"):
                found[item.as_posix()] = Path(str(item.locate())).read_bytes()
    return found
