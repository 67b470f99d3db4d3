"""Builds the kinds of Action: Generate (locked domain to corpus), Judge (property over cases to verdict) and Suite.

What is under `cell/` in an input root is all that the candidate's process sees, what is under `judge/` all that the
judge sees; a suite has its tests and the candidate together under `suite/`. `toolchain.json` and `policy.json` stand
beside them, because both change the bit. Nothing else is in the key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from ..digest import Digest
from ..protocol import canonical
from ..reapi.profile import Profile
from ..reapi.tree import FileInput, merkle
from .policy import Policy, check_environment

REQUEST_SCHEMA = "oracle_rules/request/v1"
VERDICT_PATH, CORPUS_PATH, ARGUMENTS_PATH, REACH_PATH = "verdict.json", "corpus.json", "arguments.json", "reach.json"
JUDGE, GENERATE, SUITE, REACH = "judge", "generate", "suite", "reach"


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """What a worker brings along: the toolchain's document, and files of ours, of Hypothesis and of pytest that run
    inside."""

    toolchain: bytes
    runtime: Mapping[str, Mapping[str, bytes]]
    generator: Mapping[str, bytes]
    suite: Callable[[], Mapping[str, bytes]] = dict


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
class Suite:
    """What a pytest suite is run with: what it selects, the ids that it has to collect, and what Hypothesis is held to.

    It runs once for each of `seeds`, and every time draws `max_examples` cases for each of its properties.
    """

    selector: str
    nodeids: tuple[str, ...]
    seeds: tuple[int, ...]
    max_examples: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What one Judge Action is about, all as bytes: oracle files and candidate files by workspace path.

    It asks the committed corpus first, where `seeds` names one, then `corpora` in their order: a word for each, and a
    corpus document. `cases` counts all of them. With `suite` it runs that instead, and the corpora hold arguments.
    With `reach` it also tells which lines of the candidate were run; a suite can't.
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
    suite: Suite | None = None
    reach: bool = False


def judge_plan(about: Judgement, policy: Policy, host: Host, profile: Profile) -> Plan:
    """The Action that judges one target and lane; its output is `verdict.json`, whatever the bit."""
    check_environment(about.environment, where=about.label)
    environment = {**policy.environment, **about.environment}
    if about.suite is not None:
        return _suite_plan(about, about.suite, environment, policy, host, profile)
    corpora = [] if about.seeds is None else [f"/oracle/{about.seeds}"]
    corpora += [f"/request/corpora/{name}.json" for name, _ in about.corpora]
    request = {
        "schema": REQUEST_SCHEMA, "target": about.label, "property_id": about.property_id, "lane": about.lane,
        "property": about.property, "corpora": corpora, "planned": about.cases, "imports": sorted(about.imports),
        "roots": sorted(about.roots), "dependencies": about.dependencies is not None, "allow": sorted(about.allow),
        "environment": environment, "fresh_cell": about.fresh_cell, **({"reach": True} if about.reach else {})}
    files = {f"judge/oracle/{path}": data for path, data in about.oracle.items()}
    files |= {f"judge/runtime/{path}": data for path, data in host.runtime["judge"].items()}
    files |= {f"cell/candidate/{path}": data for path, data in about.candidate.items()}
    files |= {f"cell/runtime/{path}": data for path, data in host.runtime["cell"].items()}
    files["judge/request/request.json"] = canonical.dumps(request)
    files["judge/request/policy.json"] = policy.data
    files |= {f"judge/request/corpora/{name}.json": data for name, data in about.corpora}
    if about.dependencies is not None:
        files["cell/deps.pex"] = about.dependencies
    kind, more = (REACH, (REACH_PATH,)) if about.reach else (JUDGE, ())
    return _plan(about.label, kind, about.lane, files, environment, about.timeout_seconds, VERDICT_PATH, host, policy,
                 profile, *more)


def _suite_plan(about: Judgement, suite: Suite, environment: dict[str, str], policy: Policy, host: Host,
                profile: Profile) -> Plan:
    request = {
        "schema": REQUEST_SCHEMA, "target": about.label, "property_id": about.property_id, "lane": about.lane,
        "suite": {"selector": suite.selector, "nodeids": list(suite.nodeids), "seeds": list(suite.seeds),
                  "max_examples": suite.max_examples},
        "corpora": [f"/request/corpora/{name}.json" for name, _ in about.corpora], "planned": len(suite.nodeids),
        "imports": sorted(about.imports), "allow": sorted(about.allow), "environment": environment}
    files = {f"suite/oracle/{path}": data for path, data in about.oracle.items()}
    files |= {f"suite/candidate/{path}": data for path, data in about.candidate.items()}
    files |= {f"suite/runtime/{path}": data for path, data in host.runtime["suite"].items()}
    files |= {f"suite/site-packages/{path}": data for path, data in host.suite().items()}
    files |= {f"suite/request/corpora/{name}.json": data for name, data in about.corpora}
    files["suite/request/request.json"] = canonical.dumps(request)
    files["suite/request/policy.json"] = policy.data
    if about.dependencies is not None:
        files["suite/deps.pex"] = about.dependencies
    return _plan(about.label, SUITE, about.lane, files, environment, about.timeout_seconds, VERDICT_PATH, host, policy,
                 profile, ARGUMENTS_PATH)


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
          output: str, host: Host, policy: Policy, profile: Profile, *more: str) -> Plan:
    files = {**files, "toolchain.json": host.toolchain, "policy.json": policy.data}
    inputs = {path: Digest.of(data) for path, data in sorted(files.items())}
    tree = merkle({path: FileInput(digest, profile.executable(False)) for path, digest in inputs.items()})
    command = profile.command(arguments=["oracle-rules", "execute", kind], environment=environment,
                              outputs=sorted([output, *more]), platform={}).encode()
    action = profile.action(command=Digest.of(command), input_root=tree.root, timeout_seconds=timeout,
                            platform={}).encode()
    blobs = {inputs[path]: data for path, data in files.items()} | dict(tree.directories)
    blobs |= {Digest.of(command): command, Digest.of(action): action}
    return Plan(label=label, kind=kind, lane=lane, profile=policy.profile, action=Digest.of(action), inputs=inputs,
                blobs=blobs)
