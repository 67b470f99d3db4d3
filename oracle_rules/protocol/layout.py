"""Where each input and output of an Action lies below its input root: as Bazel lays out its execution root.

Sources lie where they lie in the workspace. What is made for a target lies in a folder of its own below the output
root, which is the spelling of a build tool (`reapi/profile.py`). What a worker brings along is a repository of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

# The repository of the toolchain. Nothing of a workspace can lie there: no package may be called so.
TOOLCHAIN_ROOT = "external/oracle_rules_toolchain"
# The program that every Action runs, which interpreter it is for, and what a target without a profile is pinned to.
PROGRAM, TOOLCHAIN, POLICY = (f"{TOOLCHAIN_ROOT}/{name}" for name in ("execute", "toolchain.json", "policy.json"))
# Beside the files of ours that run inside, by role: Hypothesis for the generator; pytest and Hypothesis for a suite.
GENERATOR, SUITE = f"{TOOLCHAIN_ROOT}/generator", f"{TOOLCHAIN_ROOT}/suite"
# Where the program of a machine finds what it needs, beside what is an input: see `execution/execute.sh`.
LOCATION, IMAGES = "location", "images"
# Top folders of an execution root that are no workspace's.
RESERVED = ("external", "bazel-out")
REQUEST, DOMAIN, PACKAGES, CORPORA = "request.json", "domain.json", "deps.pex", "corpora"
VERDICT, ARGUMENTS, REACH = "verdict.json", "arguments.json", "reach.json"

Item = TypeVar("Item")


def runtime(role: str) -> str:
    """The folder of the files of ours that one role runs."""
    return f"{TOOLCHAIN_ROOT}/runtime/{role}"


def folder(output_root: str, label: str) -> str:
    """The folder of what is made for a target, `label` in its full form, `//package:name`."""
    package, _, name = label.removeprefix("//").partition(":")
    return "/".join(part for part in (output_root, package, f"{name}.oracle") if part)


def name(path: str) -> str:
    """The name of an output in the folder of its target, from its path; empty for a path of no target."""
    return path.rpartition(".oracle/")[2] if ".oracle/" in path else ""


def policy(output_root: str, label: str) -> str:
    """The policy that a profile asks for, `label` in its full form."""
    package, _, name = label.removeprefix("//").partition(":")
    return "/".join(part for part in (output_root, package, f"{name}.policy.json") if part)


def corpus(number: int) -> str:
    """The name of a corpus in the folder of a target; they are asked in the order of their names."""
    return f"{CORPORA}/{number:03}.json"


def below(files: Mapping[str, Item], root: str) -> dict[str, Item]:
    """What lies below a folder, by its path there."""
    return {path[len(root) + 1:]: item for path, item in files.items() if path.startswith(f"{root}/")}
