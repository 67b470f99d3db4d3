"""Builds the two kinds of Action: Generate (locked domain to corpus) and Judge (property over cases to verdict).

What is under `cell/` in an input root is all that the candidate's process sees, what is under `judge/` all that the
judge sees; `toolchain.json` and `policy.json` stand beside them, because both change the bit. Nothing else is in the
key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from ..digest import Digest
from ..protocol import canonical
from ..reapi.profile import Profile
from ..reapi.tree import FileInput, merkle
from .policy import Policy, check_environment

REQUEST_SCHEMA = "oracle_rules/request/v1"
VERDICT_PATH, CORPUS_PATH = "verdict.json", "corpus.json"
JUDGE, GENERATE = "judge", "generate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """What a worker brings along: the toolchain's document, and files of ours and of Hypothesis that run inside."""

    toolchain: bytes
    runtime: Mapping[str, Mapping[str, bytes]]
    generator: Mapping[str, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One Action with every blob that its execution needs; `inputs` names each input file's digest.

    `profile` is the name of the determinism profile; what it pins is the input `policy.json`.
    """

    label: str
    kind: str
    lane: str
    profile: str
    action: Digest
    inputs: Mapping[str, Digest]
    blobs: Mapping[Digest, bytes] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What one Judge Action is about, all as bytes: oracle files and candidate files by workspace path.

    It asks the committed corpus first, where `seeds` names one, then `corpora` in their order: a word for each, and a
    corpus document. `cases` counts all of them.
    """

    label: str
    property_id: str
    lane: str
    property: str
    seeds: str | None
    cases: int
    oracle: Mapping[str, bytes] = field(repr=False)
    candidate: Mapping[str, bytes] = field(repr=False)
    imports: tuple[str, ...]
    roots: tuple[str, ...]
    allow: tuple[str, ...]
    environment: Mapping[str, str]
    timeout_seconds: int
    fresh_cell: bool = False
    corpora: tuple[tuple[str, bytes], ...] = field(default=(), repr=False)
    dependencies: bytes | None = field(default=None, repr=False)


def judge_plan(about: Judgement, policy: Policy, host: Host, profile: Profile) -> Plan:
    """The Judge Action of one target and lane; its output is `verdict.json`, whatever the bit."""
    check_environment(about.environment, where=about.label)
    environment = {**policy.environment, **about.environment}
    corpora = [] if about.seeds is None else [f"/oracle/{about.seeds}"]
    corpora += [f"/request/corpora/{name}.json" for name, _ in about.corpora]
    request = {
        "schema": REQUEST_SCHEMA, "target": about.label, "property_id": about.property_id, "lane": about.lane,
        "property": about.property, "corpora": corpora, "planned": about.cases, "imports": sorted(about.imports),
        "roots": sorted(about.roots), "dependencies": about.dependencies is not None, "allow": sorted(about.allow),
        "environment": environment, "fresh_cell": about.fresh_cell}
    files = {f"judge/oracle/{path}": data for path, data in about.oracle.items()}
    files |= {f"judge/runtime/{path}": data for path, data in host.runtime["judge"].items()}
    files |= {f"cell/candidate/{path}": data for path, data in about.candidate.items()}
    files |= {f"cell/runtime/{path}": data for path, data in host.runtime["cell"].items()}
    files["judge/request/request.json"] = canonical.dumps(request)
    files["judge/request/policy.json"] = policy.data
    files |= {f"judge/request/corpora/{name}.json": data for name, data in about.corpora}
    if about.dependencies is not None:
        files["cell/deps.pex"] = about.dependencies
    return _plan(about.label, JUDGE, about.lane, files, environment, about.timeout_seconds, VERDICT_PATH, host, policy,
                 profile)


def generate_plan(label: str, domain: Mapping[str, Any], policy: Policy, host: Host, profile: Profile,
                  filters: Mapping[str, bytes] = MappingProxyType({})) -> Plan:
    """The Generate Action of one locked domain; no candidate, no property, no base commit is in its key.

    `filters` holds the oracle files of the domain's predicates by workspace path.
    """
    files = {f"generate/runtime/{path}": data for path, data in host.runtime["generate"].items()}
    files |= {f"generate/site-packages/{path}": data for path, data in host.generator.items()}
    files |= {f"generate/oracle/{path}": data for path, data in filters.items()}
    files["generate/request/domain.json"] = canonical.dumps(dict(domain))
    files["generate/request/policy.json"] = policy.data
    return _plan(label, GENERATE, "generator", files, dict(policy.environment), 300, CORPUS_PATH, host, policy, profile)


def _plan(label: str, kind: str, lane: str, files: dict[str, bytes], environment: Mapping[str, str], timeout: int,
          output: str, host: Host, policy: Policy, profile: Profile) -> Plan:
    files = {**files, "toolchain.json": host.toolchain, "policy.json": policy.data}
    inputs = {path: Digest.of(data) for path, data in sorted(files.items())}
    tree = merkle({path: FileInput(digest, profile.executable(False)) for path, digest in inputs.items()})
    command = profile.command(arguments=["oracle-rules", "execute", kind], environment=environment, outputs=[output],
                              platform={}).encode()
    action = profile.action(command=Digest.of(command), input_root=tree.root, timeout_seconds=timeout,
                            platform={}).encode()
    blobs = {inputs[path]: data for path, data in files.items()} | dict(tree.directories)
    blobs |= {Digest.of(command): command, Digest.of(action): action}
    return Plan(label=label, kind=kind, lane=lane, profile=policy.profile, action=Digest.of(action), inputs=inputs,
                blobs=blobs)
