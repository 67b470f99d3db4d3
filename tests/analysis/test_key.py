"""The key: each input, changed alone, gives another Action; what must not matter gives the same.

An independent decoder reads what is written.
"""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from buildgrid.common.protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as pb

from oracle_rules.analysis import policy as policies
from oracle_rules.analysis.actions import Host, Judgement, Plan
from oracle_rules.digest import Digest

from .kit import DOMAIN, generate, host, judge, judgement, policy, suite

TARGET = (("OTHER", "y"), ("WORD", "x"))
LIMITS = (
    "cpu_seconds",
    "memory_bytes",
    "processes",
    "file_bytes",
    "open_files",
    "output_bytes",
    "tmp_bytes",
    "tmp_files",
)


def other(data: bytes) -> bytes:
    """Bytes that differ in one place alone."""
    return bytes([data[0] ^ 1]) + data[1:] if data else b"\n"


def edits(files: Mapping[str, bytes]) -> dict[str, dict[str, bytes]]:
    """Every way to change one thing of a set of files: content, absence, presence, name."""
    found = {}
    for path, data in files.items():
        rest = {name: held for name, held in files.items() if name != path}
        found[f"{path} changed"] = {**files, path: other(data)}
        found[f"{path} gone"] = rest
        found[f"{path} renamed"] = {**rest, path + "x": data}
    seeds = files.get("seeds/clean.json", b"")
    for place in range(1, len(seeds)):
        changed = seeds[:place] + other(seeds[place : place + 1]) + seeds[place + 1 :]
        found[f"seed byte {place}"] = {**files, "seeds/clean.json": changed}
    first, second = list(files)[:2]
    found["swapped"] = {**files, first: files[second], second: files[first]}
    found["added"] = {**files, "added.py": b""}
    return found


# Each field of a suite, changed.
SUITES: dict[str, Any] = {
    "selector": "properties/clean.py::test_a",
    "nodeids": ("properties/clean.py::test_b", "properties/clean.py::test_a"),
    "seeds": (4,),
    "max_examples": 8,
}


def judgements() -> dict[str, Judgement]:
    """Each field of a judgement, changed alone."""
    found = {
        "label": judgement(label="//pkg:other"),
        "property id": judgement(property_id="other"),
        "lane": judgement(lane="holdout"),
        "property": judgement(property="properties/help.py"),
        "seeds": judgement(seeds="fixtures/a.json"),
        "imports": judgement(imports=(".",)),
        "roots": judgement(roots=("src",)),
        "allow": judgement(allow=("clock",)),
        "allow nothing": judgement(allow=()),
        "variable": judgement(environment={"WORD": "x", "OTHER": "z"}),
        "variable's name": judgement(environment={"WORD": "x", "ANOTHER": "y"}),
        "values swapped": judgement(environment={"WORD": "y", "OTHER": "x"}),
        "no variable": judgement(environment={}),
        "timeout": judgement(timeout_seconds=21),
        "fresh cell": judgement(fresh_cell=True),
        "corpus": judgement(corpora=(b'{"cases":[1,2,4]}\n',)),
        "two corpora": judgement(corpora=(b"{}\n", b'{"cases":[1,2,3]}\n')),
        "corpora in another order": judgement(corpora=(b'{"cases":[1,2,3]}\n', b"{}\n")),
        "no corpus": judgement(corpora=()),
        "no committed corpus": judgement(seeds=None),
        "packages": judgement(dependencies=b"PEY"),
        "no packages": judgement(dependencies=None),
        "reach": judgement(reach=True),
        "a suite": judgement(suite=suite()),
        **{f"suite: {name}": judgement(suite=suite(**{name: value})) for name, value in SUITES.items()},
    }
    found |= {f"oracle: {name}": judgement(oracle=files) for name, files in edits(judgement().oracle).items()}
    found |= {f"candidate: {name}": judgement(candidate=files) for name, files in edits(judgement().candidate).items()}
    return found


def profiles() -> dict[str, dict[str, Any]]:
    """Each field of a profile, changed alone."""
    found: dict[str, dict[str, Any]] = {
        "clock": {"clock": "2026-01-01T00:00:01+00:00"},
        "clock, by a microsecond": {"clock": "2026-01-01T00:00:00.000001+00:00"},
        "hash seed": {"hash_seed": 1},
        "seed": {"seed": 1},
        "zone": {"tz": "CET-1CEST,M3.5.0,M10.5.0/3"},
        "zone without summer time": {"tz": "CET-1"},
        "cache folder": {"cache_dir": "tmp"},
        "environment": {"env": {"THIRD": "z"}},
        "environment's value": {"env": {"THIRD": "y"}},
    }
    return found | {f"limit {name}": {"limits": {name: 12345}} for name in LIMITS}


def hosts(role: str) -> dict[str, Host]:
    """Each file of a worker that the role sees, changed alone."""
    same = host()
    found = {"toolchain": host(toolchain=b'{"python":"3.12"}\n'), "program": host(program=b"#!/bin/sh -e\n")}
    for name, files in edits(same.runtime[role]).items():
        found[f"runtime of {role}: {name}"] = host(runtime={**same.runtime, role: files})
    return found


def plans() -> dict[str, Plan]:
    """Every Judge Action that differs from the first in one thing."""
    found = {name: judge(about) for name, about in judgements().items()}
    found |= {name: judge(profile=given) for name, given in profiles().items()}
    found |= {name: judge(worker=given) for role in ("judge", "cell") for name, given in hosts(role).items()}
    return found


def test_each_change_of_one_input_gives_a_key_of_its_own() -> None:
    found = {"as it was": judge(), **plans()}
    assert len(found) > 80
    keys: dict[Digest, str] = {}
    for name, plan in found.items():
        assert plan.action not in keys, f"{name!r} has the key of {keys[plan.action]!r}"
        keys[plan.action] = name


def test_every_field_there_is_was_changed() -> None:
    """The table above is complete: a field that is added later has to be added to it."""
    fields = {field.name for field in dataclasses.fields(Judgement)}
    changed = {
        field
        for about in judgements().values()
        for field in fields
        if getattr(about, field) != getattr(judgement(), field)
    }
    assert changed == fields
    document = dict(policies.policy().document)
    moved = set()
    for given in profiles().values():
        after = policy(given).document
        moved |= {name for name in document if after[name] != document[name]}
        moved |= {f"limits.{name}" for name in document["limits"] if after["limits"][name] != document["limits"][name]}
    constant = {
        "schema",
        "sandbox",
        "network",
        "loopback",
        "aslr",
        "hostname",
        "uid",
        "umask",
        "locale",
        "denied",
        "cpus",
    }
    assert moved | constant == {*document, *(f"limits.{name}" for name in document["limits"])}


def test_what_no_profile_can_change_is_in_the_key_all_the_same() -> None:
    """A later version of the sandbox that pins something else gets other keys."""
    before, seen = policies.policy(), {judge().action}
    for name in before.document:
        changed = dataclasses.replace(before, document={**before.document, name: "something else"})
        from oracle_rules.analysis.actions import judge_plan

        from .kit import PROFILE

        seen.add(judge_plan(judgement(), changed, host(), PROFILE).action)
    assert len(seen) == 1 + len(before.document)


def reversed_order(files: Mapping[str, Any]) -> dict[str, Any]:
    return dict(reversed(list(files.items())))


# Each setting with its standard value.
ALL_STANDARD = {
    "profile": "standard",
    "seed": 20260916,
    "tz": "UTC",
    "hash_seed": 20260916,
    "cache_dir": "cache",
    "clock": "2026-01-01T00:00:00Z",
    "limits": {},
    "env": {},
    "freeze": [],
}
# Two spellings of one profile.
SPELLINGS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"seed": 7}, {"entropy_seed": 7}),
    ({"tz": "JST-9"}, {"env": {"TZ": "JST-9"}}),
    ({"hash_seed": 0}, {"env": {"PYTHONHASHSEED": "0"}}),
    ({"cache_dir": "a/b"}, {"env": {"CACHE_DIR": "a/b"}}),
    ({"clock": "1999-12-31T23:00:00Z"}, {"clock": "2000-01-01T00:00:00+01:00"}),
    ({"limits": {"processes": 5}}, {"limits": {"processes": 5, "open_files": 128}}),
    ({"env": {"A": "1", "B": "2"}}, {"env": {"B": "2", "A": "1"}}),
    (
        {"seed": 5, "tz": "UTC", "cache_dir": "tmp"},
        {"profile": "x", "seed": 5, "env": {"TZ": "UTC", "CACHE_DIR": "tmp"}},
    ),
]


@pytest.mark.parametrize(("one", "other"), SPELLINGS)
def test_two_spellings_of_a_profile_are_one_policy(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert policy(one).data == policy(other).data != policy({}).data
    assert judge(profile=one).action == judge(profile=other).action != judge().action
    assert generate(profile=one).action == generate(profile=other).action != generate().action


SAME: dict[str, Callable[[], Plan]] = {
    "order of oracle files": lambda: judge(judgement(oracle=reversed_order(judgement().oracle))),
    "order of candidate files": lambda: judge(judgement(candidate=reversed_order(judgement().candidate))),
    "order of allow": lambda: judge(judgement(allow=("env", "clock"))),
    "order of imports": lambda: judge(judgement(imports=("lib", "."))),
    "order of roots": lambda: judge(judgement(roots=("more", "src"))),
    "order of variables": lambda: judge(judgement(environment={"OTHER": "y", "WORD": "x"})),
    "order of roles": lambda: judge(worker=host(runtime=reversed_order(host().runtime))),
    "the generator's files": lambda: judge(worker=host(generator={})),
    "the generator's runtime": lambda: judge(worker=host(runtime={**host().runtime, "generate": {}})),
    "a profile that repeats the standard": lambda: judge(profile={"hash_seed": 20260916, "limits": {"processes": 64}}),
    "the spelling of the clock": lambda: judge(profile={"clock": "2026-01-01T02:00:00+02:00"}),
    "the standard, spelled out": lambda: judge(profile=dict(ALL_STANDARD)),
    "the standard as variables": lambda: judge(
        profile={"env": {"TZ": "UTC", "PYTHONHASHSEED": "20260916", "CACHE_DIR": "cache"}}
    ),
    "the name of the profile": lambda: judge(profile={"profile": "patch-gate"}),
    # It is a demand on locks; the corpus that the lock draws is in the key.
    "the number of cases that locks have to draw": lambda: judge(profile={"max_examples": 200}),
}


@pytest.mark.parametrize("name", SAME)
def test_what_must_not_matter_does_not(name: str) -> None:
    assert SAME[name]().action == judge().action
    assert SAME[name]().blobs == judge().blobs


def test_the_key_of_a_corpus_hangs_on_domain_policy_toolchain_and_generator_alone() -> None:
    found = {"as it was": generate()}
    for name, value in DOMAIN.items():
        found[name] = generate({**DOMAIN, name: value + 1 if type(value) is int else value + "x"})
    found |= {name: generate(profile=given) for name, given in profiles().items()}
    found |= {name: generate(worker=given) for name, given in hosts("generate").items()}
    found["generator"] = generate(worker=host(generator={"hypothesis/__init__.py": b"i"}))
    found["generator's file"] = generate(worker=host(generator={**host().generator, "hypothesis/x.py": b""}))
    for (one, a), (two, b) in itertools.combinations(found.items(), 2):
        assert a.action != b.action, (one, two)
    same = host(runtime={**host().runtime, "judge": {}, "cell": {}})
    assert generate(worker=same).action == generate().action != generate(label="//other:one").action
    assert generate(dict(reversed(list(DOMAIN.items())))).action == generate().action
    assert generate().action != judge().action


def decoded(plan: Plan, digest: Any, kind: Any) -> Any:
    """A blob of the plan, read by protobuf; its name is checked by hand."""
    data = plan.blobs[Digest(digest.hash, digest.size_bytes)]
    assert (hashlib.sha256(data).hexdigest(), len(data)) == (digest.hash, digest.size_bytes)
    message = kind()
    message.ParseFromString(data)
    assert message.SerializeToString(deterministic=True) == data
    return message


def files_of(plan: Plan, digest: Any, folder: str = "") -> dict[str, bytes]:
    """Every file of the input root, through protobuf."""
    directory = decoded(plan, digest, pb.Directory)
    assert [node.name for node in directory.files] == sorted(node.name for node in directory.files)
    assert not directory.symlinks
    found = {}
    for node in directory.files:
        data = plan.blobs[Digest(node.digest.hash, node.digest.size_bytes)]
        assert hashlib.sha256(data).hexdigest() == node.digest.hash
        found[folder + node.name] = data
    for node in directory.directories:
        found |= files_of(plan, node.digest, f"{folder}{node.name}/")
    return found


HOME = "bazel-out/k8-fastbuild/bin/pkg/clean.oracle"
WORKER = "external/oracle_rules_toolchain"


def test_an_independent_decoder_reads_the_action() -> None:
    """Program, kind, request and policy; no environment and no time limit, which Bazel would not write either."""
    plan = judge()
    action = decoded(plan, pb.Digest(hash=plan.action.hash, size_bytes=plan.action.size_bytes), pb.Action)
    assert not action.HasField("timeout") and not action.do_not_cache and not action.salt
    command = decoded(plan, action.command_digest, pb.Command)
    assert list(command.arguments) == [f"{WORKER}/execute", "judge", f"{HOME}/request.json", f"{WORKER}/policy.json"]
    assert [*command.output_paths, *command.output_files] == [f"{HOME}/verdict.json"]
    assert not command.environment_variables
    files = files_of(plan, action.input_root_digest)
    assert {path: Digest.of(data) for path, data in files.items()} == dict(plan.inputs)
    about, worker = judgement(), host()
    expected = {**about.oracle, **about.candidate}
    for role in ("judge", "cell"):
        expected |= {f"{WORKER}/runtime/{role}/{path}": data for path, data in worker.runtime[role].items()}
    expected |= {
        f"{WORKER}/toolchain.json": worker.toolchain,
        f"{WORKER}/execute": worker.program,
        f"{WORKER}/policy.json": policies.policy().data,
        f"{HOME}/deps.pex": b"PEX",
        f"{HOME}/corpora/000.json": b'{"cases":[1,2,3]}\n',
    }
    assert {path: files[path] for path in expected} == expected
    assert set(files) - set(expected) == {f"{HOME}/request.json"}
    request = json.loads(files[f"{HOME}/request.json"])
    assert (request["target"], request["allow"], request["timeout_seconds"]) == ("//pkg:clean", ["clock", "env"], 20)
    assert request["environment"] == dict(TARGET)
    pinned = json.loads(files[f"{WORKER}/policy.json"])["environment"].items()
    assert set(pinned) >= {("LANG", "C.UTF-8"), ("LC_ALL", "C.UTF-8"), ("PYTHONHASHSEED", "20260916"), ("TZ", "UTC")}


def test_the_candidate_sees_nothing_of_the_oracle() -> None:
    """What each side sees is listed by path, and no path is in both lists."""
    plan = judge()
    request = json.loads(plan.blobs[plan.inputs[f"{HOME}/request.json"]])
    assert request["candidate"] == sorted(judgement().candidate) and request["oracle"] == sorted(judgement().oracle)
    from oracle_rules.errors import UsageError

    for moved in ("properties/help.py", "external/a.py", "bazel-out/a.py"):
        with pytest.raises(UsageError) as caught:
            judge(judgement(candidate={**judgement().candidate, moved: b""}))
        assert caught.value.where == moved and caught.value.remedy


def test_nothing_of_a_machine_is_in_the_blobs() -> None:
    import os
    import socket

    words = {os.getcwd(), os.path.expanduser("~"), socket.gethostname(), os.path.dirname(__file__)}
    data = b"\0".join(judge().blobs.values()).decode("latin-1")
    assert not [word for word in words if len(word) > 3 and word in data]


PINNED = ("TZ", "LC_TIME", "LANG", "HOME", "TMPDIR", "XDG_CACHE_HOME", "CACHE_DIR", "PYTHONPATH", "LD_PRELOAD",
          "GLIBC_TUNABLES", "TZDIR", "LOCPATH")  # fmt: skip


@pytest.mark.parametrize("name", PINNED)
def test_a_target_cannot_undo_a_pin(name: str) -> None:
    from oracle_rules.errors import UsageError

    with pytest.raises(UsageError, match=f"env.{name} can't be set") as caught:
        judge(judgement(environment={name: "x"}))
    assert caught.value.where == "//pkg:clean" and "profile" in caught.value.remedy


def test_a_target_cannot_undo_a_pin_either() -> None:
    from oracle_rules.errors import UsageError

    with pytest.raises(UsageError, match="PYTHONHASHSEED"):
        judge(judgement(environment={"PYTHONHASHSEED": "0"}))
    assert judge(judgement(environment={"MY_PYTHON": "0"})).action
