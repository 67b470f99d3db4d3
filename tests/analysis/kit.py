"""One judgement, one host and one policy, small enough to be changed field by field."""

from __future__ import annotations

import json
from typing import Any

from oracle_rules.analysis.actions import Host, Judgement, Plan, Suite, generate_plan, judge_plan
from oracle_rules.analysis.policy import Policy
from oracle_rules.analysis.policy import policy as policy_of
from oracle_rules.artifacts.profile import parse_profile
from oracle_rules.reapi.profile import named

PROFILE = named("bazel-4")
DOMAIN: dict[str, Any] = {"min_size": 0, "max_size": 9, "alphabet": "letters", "max_examples": 5, "seed": 3}


def policy(profile: dict[str, Any] | None = None) -> Policy:
    """The policy of a profile's file that holds this."""
    return policy_of(parse_profile(json.dumps(profile or {}).encode(), path="profile.json"))


def judgement(**changed: Any) -> Judgement:
    """The judgement with these fields changed."""
    fields: dict[str, Any] = {
        "label": "//pkg:clean",
        "property_id": "clean",
        "lane": "replay",
        "property": "properties/clean.py",
        "seeds": "seeds/clean.json",
        "oracle": {
            "properties/clean.py": b"def hold(case): return True\n",
            "properties/help.py": b"x = 1\n",
            "seeds/clean.json": b"[1,2]\n",
            "fixtures/a.json": b"{}\n",
            "fixtures/manifest.json": b"{}\n",
        },
        "candidate": {"src/__init__.py": b"", "src/a.py": b"a = 1\n", "src/b.py": b"b = 2\n"},
        "imports": (".", "lib"),
        "roots": ("src", "more"),
        "allow": ("clock", "env"),
        "environment": {"WORD": "x", "OTHER": "y"},
        "timeout_seconds": 20,
        "fresh_cell": False,
        "corpora": (b'{"cases":[1,2,3]}\n',),
        "dependencies": b"PEX",
    }
    return Judgement(**{**fields, **changed})


def suite(**changed: Any) -> Suite:
    """What a suite is run with, with these fields changed."""
    fields: dict[str, Any] = {
        "selector": "properties/clean.py",
        "nodeids": ("properties/clean.py::test_a", "properties/clean.py::test_b"),
        "seeds": (3,),
        "max_examples": 9,
    }
    return Suite(**{**fields, **changed})


def host(**changed: Any) -> Host:
    """The host with these fields changed."""
    fields: dict[str, Any] = {
        "toolchain": b'{"python":"3.11"}\n',
        "program": b"#!/bin/sh\n",
        "runtime": {
            "judge": {"p/__init__.py": b"", "p/judge.py": b"judge"},
            "cell": {"p/__init__.py": b"", "p/cell.py": b"cell"},
            "generate": {"p/__init__.py": b"", "p/generate.py": b"generate"},
            "suite": {"p/__init__.py": b"", "p/suite.py": b"suite"},
        },
        "generator": {"hypothesis/__init__.py": b"h"},
        "suite": lambda: {"pytest/__init__.py": b"p"},
    }
    return Host(**{**fields, **changed})


def judge(about: Judgement | None = None, profile: dict[str, Any] | None = None, worker: Host | None = None) -> Plan:
    """The Judge Action."""
    return judge_plan(about or judgement(), policy(profile), worker or host(), PROFILE)


def generate(
    domain: dict[str, Any] | None = None,
    profile: dict[str, Any] | None = None,
    worker: Host | None = None,
    label: str = "//pkg:clean",
) -> Plan:
    """The Generate Action."""
    return generate_plan(label, domain or DOMAIN, policy(profile), worker or host(), PROFILE)
