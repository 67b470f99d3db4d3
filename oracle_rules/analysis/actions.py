"""Builds the kinds of Action: Generate (locked domain to corpus), Judge (property over cases to verdict) and Suite.

Their inputs lie as `protocol/layout.py` says. Which of them the judge sees, and which the candidate's process, is said
in the request; neither sees anything else. The toolchain's document and the policy are inputs, because both change the
bit; nothing else is in the key. A Command has no environment: what a process gets is in the policy and the request.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from ..digest import Digest
from ..errors import UsageError
from ..protocol import canonical, layout
from ..reapi.profile import Profile
from ..reapi.tree import FileInput, merkle
from .policy import Policy, check_environment

REQUEST_SCHEMA = "oracle_rules/request/v2"
JUDGE, GENERATE, SUITE, REACH = "judge", "generate", "suite", "reach"

@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """What a worker brings along: the toolchain's document, the program that a build tool runs, and what runs inside.

    `runtime` holds files of ours by role, `generator` those of Hypothesis, `suite` gives those of pytest too.
    """

    toolchain: bytes
    program: bytes
    runtime: Mapping[str, Mapping[str, bytes]]
    generator: Mapping[str, bytes]
    suite: Callable[[], Mapping[str, bytes]] = dict


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One Action with every blob that its execution needs; `inputs` names each input file's digest.

    `profile` is the name of the determinism profile; what it pins is the input that `policy` is the digest of.
    """

    label: str
    kind: str
    lane: str
    profile: str
    policy: Digest
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

    It asks the committed corpus first, where `seeds` names one, then the documents in `corpora` in their order. With
    `suite` it runs that instead, and the corpora hold arguments. `roots` are the names at the top of the import roots
    in base; the judge leaves out what can't be imported, or is the standard library's.
    With `reach` it also tells which lines of the candidate were run; a suite can't.
    """

    label: str
    property_id: str
    lane: str
    property: str
    seeds: str | None
    oracle: Mapping[str, bytes] = field(repr=False)
    candidate: Mapping[str, bytes] = field(repr=False)
    imports: tuple[str, ...]
    roots: tuple[str, ...]
    allow: tuple[str, ...]
    environment: Mapping[str, str]
    timeout_seconds: int
    fresh_cell: bool = False
    corpora: tuple[bytes, ...] = field(default=(), repr=False)
    dependencies: bytes | None = field(default=None, repr=False)
    suite: Suite | None = None
    reach: bool = False


def judge_plan(about: Judgement, policy: Policy, host: Host, profile: Profile) -> Plan:
    """The Action that judges one target and lane; its output is `verdict.json`, whatever the bit. Raises UsageError."""
    check_environment(about.environment, where=about.label)
    _check_places(about)
    home = layout.folder(profile.output_root, about.label)
    request = {
        "schema": REQUEST_SCHEMA, "target": about.label, "property_id": about.property_id, "lane": about.lane,
        "oracle": sorted(about.oracle), "candidate": sorted(about.candidate), "imports": sorted(about.imports),
        "dependencies": about.dependencies is not None, "allow": sorted(about.allow),
        "environment": dict(about.environment), "timeout_seconds": about.timeout_seconds, **_asked(about)}
    kind, outputs, roles = _KINDS[_kind(about)]
    files = {**about.oracle, **about.candidate, f"{home}/{layout.REQUEST}": canonical.dumps(request)}
    files |= {f"{home}/{layout.corpus(number)}": data for number, data in enumerate(about.corpora)}
    for role in roles:
        files |= {f"{layout.runtime(role)}/{path}": data for path, data in host.runtime[role].items()}
    if about.suite is not None:
        files |= {f"{layout.SUITE}/{path}": data for path, data in host.suite().items()}
    if about.dependencies is not None:
        files[f"{home}/{layout.PACKAGES}"] = about.dependencies
    return _plan(about.label, kind, about.lane, files, f"{home}/{layout.REQUEST}",
                 [f"{home}/{name}" for name in outputs], host, policy, profile)


def _kind(about: Judgement) -> str:
    return SUITE if about.suite is not None else REACH if about.reach else JUDGE


# The word of each kind, its outputs, and the roles whose files it needs.
_KINDS = {
    JUDGE: (JUDGE, (layout.VERDICT,), ("judge", "cell")),
    REACH: (REACH, (layout.REACH, layout.VERDICT), ("judge", "cell")),
    SUITE: (SUITE, (layout.ARGUMENTS, layout.VERDICT), ("suite",)),
}


def _asked(about: Judgement) -> dict[str, Any]:
    """What a property is asked, or what a suite is run with."""
    if about.suite is not None:
        return {"suite": {"selector": about.suite.selector, "nodeids": list(about.suite.nodeids),
                          "seeds": list(about.suite.seeds), "max_examples": about.suite.max_examples}}
    return {"property": about.property, "seeds": about.seeds, "roots": sorted(about.roots),
            "fresh_cell": about.fresh_cell, **({"reach": True} if about.reach else {})}


def _check_places(about: Judgement) -> None:
    """No file of a workspace may lie where something else does."""
    for path in (*about.oracle, *about.candidate):
        if path.partition("/")[0] in layout.RESERVED or (path in about.oracle and path in about.candidate):
            why = "is oracle and candidate at once" if path in about.candidate and path in about.oracle else (
                f"lies below one of {', '.join(layout.RESERVED)}, which are Bazel's")
            raise UsageError(why, where=path, remedy="let a person move the file, or declare it as one of the two")


def generate_plan(label: str, domain: Mapping[str, Any], policy: Policy, host: Host, profile: Profile,
                  filters: Mapping[str, bytes] = MappingProxyType({})) -> Plan:
    """The Generate Action of one locked domain; no candidate, no property, no base commit is in its key.

    `filters` holds the oracle files of the domain's predicates by workspace path.
    """
    home = layout.folder(profile.output_root, label)
    files = {**filters, f"{home}/{layout.DOMAIN}": canonical.dumps(dict(domain))}
    files |= {f"{layout.runtime('generate')}/{path}": data for path, data in host.runtime["generate"].items()}
    files |= {f"{layout.GENERATOR}/{path}": data for path, data in host.generator.items()}
    return _plan(label, GENERATE, "generator", files, f"{home}/{layout.DOMAIN}", [f"{home}/{layout.corpus(0)}"], host,
                 policy, profile)


def _plan(label: str, kind: str, lane: str, files: dict[str, bytes], request: str, outputs: Sequence[str], host: Host,
          policy: Policy, profile: Profile) -> Plan:
    files = {**files, layout.PROGRAM: host.program, layout.TOOLCHAIN: host.toolchain, policy.path: policy.data}
    inputs = {path: Digest.of(data) for path, data in sorted(files.items())}
    tree = merkle({path: FileInput(digest, profile.executable(path == layout.PROGRAM))
                   for path, digest in inputs.items()})
    command = profile.command(arguments=[layout.PROGRAM, kind, request, policy.path], environment={},
                              outputs=sorted(outputs), platform={}).encode()
    action = profile.action(command=Digest.of(command), input_root=tree.root, timeout_seconds=None,
                            platform={}).encode()
    blobs = {inputs[path]: data for path, data in files.items()} | dict(tree.directories)
    blobs |= {Digest.of(command): command, Digest.of(action): action}
    return Plan(label=label, kind=kind, lane=lane, profile=policy.profile, policy=inputs[policy.path],
                action=Digest.of(action), inputs=inputs, blobs=blobs)
