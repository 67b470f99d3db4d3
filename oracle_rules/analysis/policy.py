"""The sandbox policy: everything that is pinned inside, as a document that is an input of every Action.

REAPI's Action does not say what a sandbox forbids, so two workers with different walls would share a key. `policy.json`
closes that: change a limit, the clock or the version of the sandbox and every key changes. Knows nothing of how a pin
is set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ..errors import UsageError
from ..protocol import canonical

SCHEMA = "oracle_rules/policy/v1"
SANDBOX_VERSION = 1
_DEFAULT: dict[str, Any] = {
    "clock": "2026-01-01T00:00:00+00:00", "hash_seed": 20260916, "entropy_seed": 20260916,
    "limits": {"cpu_seconds": 60, "memory_bytes": 1 << 30, "processes": 64, "file_bytes": 16 << 20, "open_files": 128,
               "output_bytes": 1 << 20, "tmp_bytes": 16 << 20, "tmp_files": 1024},
}
# glibc picks other code for sin, exp, pow … where a CPU has fused multiply-add, with other last digits.
_PLAIN_MATH = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F"
_PINNED = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC", "GLIBC_TUNABLES": _PLAIN_MATH}
_REMEDY = "a profile holds any of clock, hash_seed, entropy_seed, limits and env; mend it in base"
# Timers would end a run at a moment that hangs on the machine's speed.
_DENIED = ("setitimer", "alarm", "timer_create", "timerfd_create")


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """A policy: `document` is what becomes `policy.json`, `environment` the variables every process gets."""

    document: Mapping[str, Any]
    environment: Mapping[str, str]

    @property
    def data(self) -> bytes:
        """The canonical bytes."""
        return canonical.dumps(dict(self.document))


def parse_profile(data: bytes, *, where: str) -> Policy:
    """The policy of a profile's file."""
    try:
        given = canonical.loads(data)
    except ValueError as error:
        raise UsageError(f"is not JSON: {error}", where=where, remedy=_REMEDY) from None
    if type(given) is not dict:
        raise UsageError("is no JSON object", where=where, remedy=_REMEDY)
    return policy(given, where=where)


def policy(profile: Mapping[str, Any] | None = None, *, where: str = "") -> Policy:
    """The policy that a profile asks for; None is the standard one.

    A profile is a JSON object with any of `clock` (ISO 8601 with an offset), `hash_seed`, `entropy_seed`, `limits`
    (any of the standard names) and `env` (name to text). Raises UsageError naming the field.
    """
    given = dict(profile or {})
    env = given.pop("env", {})
    limits = {**_DEFAULT["limits"], **_checked_limits(given.pop("limits", {}), where)}
    chosen = {**_DEFAULT, **given}
    for name in given:
        if name not in _DEFAULT:
            raise _bad(where, name, f"is no field of a profile; there are env, {', '.join(_DEFAULT)}")
    if type(env) is not dict:
        raise _bad(where, "env", "has to be an object")
    check_environment(env, where=where)
    for name in ("hash_seed", "entropy_seed"):
        if type(chosen[name]) is not int or not 0 <= chosen[name] < 2**32:
            raise _bad(where, name, "has to be a whole number from 0 to 4294967295")
    document = {
        "schema": SCHEMA, "sandbox": SANDBOX_VERSION, "clock_ns": _nanoseconds(chosen["clock"], where),
        "hash_seed": chosen["hash_seed"], "entropy": f"{chosen['entropy_seed']:064x}", "cpus": 1, "limits": limits,
        "network": "none", "loopback": "down", "aslr": False, "hostname": "oracle", "uid": 65534, "umask": 0o022,
        "timezone": "UTC", "locale": "C.UTF-8", "denied": list(_DENIED)}
    environment = {**env, **_PINNED, "PYTHONHASHSEED": str(chosen["hash_seed"])}
    return Policy(document=document, environment=environment)


def _nanoseconds(text: Any, where: str) -> int:
    try:
        moment = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        raise _bad(where, "clock", "has to be an ISO 8601 time such as 2026-01-01T00:00:00+00:00") from None
    if moment.tzinfo is None:
        raise _bad(where, "clock", "needs an offset, such as +00:00")
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86400 + since.seconds) * 10**9 + since.microseconds * 1000


def _checked_limits(limits: Any, where: str) -> dict[str, int]:
    if type(limits) is not dict:
        raise _bad(where, "limits", "has to be an object")
    for name, value in limits.items():
        if name not in _DEFAULT["limits"]:
            raise _bad(where, f"limits.{name}", f"is no limit; there are {', '.join(_DEFAULT['limits'])}")
        if type(value) is not int or not 0 < value <= 1 << 40:
            raise _bad(where, f"limits.{name}", "has to be a positive whole number")
    return dict(limits)


def check_environment(env: Mapping[str, Any], *, where: str) -> None:
    """Raises UsageError for a variable that a profile or a target may not set: no pin may be undone by one."""
    for name, value in env.items():
        if not name.isidentifier() or not name.isascii():
            raise _bad(where, f"env.{name}", "is no name of a variable")
        if type(value) is not str or "\0" in value:
            raise _bad(where, f"env.{name}", "has to be text")
        if name in _PINNED or name.startswith(("LC_", "PYTHON", "LD_")):
            raise _bad(where, f"env.{name}", "can't be set, it is pinned for every run")


def _bad(where: str, name: str, what: str) -> UsageError:
    return UsageError(f"{name} {what}", where=where, remedy=_REMEDY)
