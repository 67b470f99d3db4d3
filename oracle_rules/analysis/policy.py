"""The sandbox policy: everything that is pinned inside, as a document that is an input of every Action.

REAPI's Action does not say what a sandbox forbids, so two workers with different walls would share a key. `policy.json`
closes that: change a limit, the clock or the version of the sandbox and every key changes. Knows nothing of how a pin
is set, nor of how a profile is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..artifacts import variables
from ..artifacts.profile import STANDARD, Profile
from ..errors import UsageError
from ..protocol import canonical, layout

SCHEMA = "oracle_rules/policy/v1"
SANDBOX_VERSION = 1
_REMEDY = "set what it stands for in the target's profile, or drop it"
# Timers would end a run at a moment that hangs on the machine's speed.
_DENIED = ("setitimer", "alarm", "timer_create", "timerfd_create")


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """A policy: `document` is what becomes `policy.json`, `environment` the variables every process gets.

    `profile` is the name of the profile that it is made from; it is in no key, since it pins nothing. `path` is where
    the document lies among the inputs.
    """

    profile: str
    document: Mapping[str, Any]
    environment: Mapping[str, str]
    path: str = layout.POLICY

    @property
    def data(self) -> bytes:
        """The canonical bytes."""
        return canonical.dumps(dict(self.document))


def policy(profile: Profile = STANDARD) -> Policy:
    """The policy that a profile asks for."""
    pinned = variables.pinned(tz=profile.tz, hash_seed=profile.hash_seed, cache_dir=profile.cache_dir)
    environment = dict(sorted({**profile.env, **pinned}.items()))
    document = {
        "schema": SCHEMA, "sandbox": SANDBOX_VERSION, "clock_ns": profile.clock_ns, "hash_seed": profile.hash_seed,
        "entropy": f"{profile.seed:064x}", "cpus": 1, "limits": dict(profile.limits), "network": "none",
        "loopback": "down", "aslr": False, "hostname": "oracle", "uid": 65534, "umask": 0o022,
        "timezone": profile.tz, "locale": "C.UTF-8", "cache_dir": profile.cache_dir, "denied": list(_DENIED),
        "environment": environment}
    return Policy(profile=profile.name, document=document, environment=environment)


def check_environment(env: Mapping[str, Any], *, where: str) -> None:
    """Raises UsageError for a variable that a target may not set: no pin may be undone by one."""
    for name, value in env.items():
        if reason := variables.problem(name, value):
            raise UsageError(f"env.{name} {reason}", where=where, remedy=_REMEDY)
