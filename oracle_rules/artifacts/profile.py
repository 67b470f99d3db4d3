"""The determinism profile: what a target's environment is pinned to, read from a JSON file, attributes, or both.

The settings are rows; the parser and the page about profiles are drawn from them. A setting may be spelled in more
than one way within a file (`tz`, `env.TZ`) as long as all spellings agree; between file and attributes it has one
source. Knows nothing of how a pin is set, nor of the policy that is made of it.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from .. import relpath
from ..errors import IncompleteError
from . import document, variables, zone
from .document import Field
from .positions import dotted

_MOST_SEED = 2**32 - 1
_MOST = 1_000_000_000
_DEEPEST = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """One limit: its standard value, the least it may be, and what it counts."""

    name: str
    standard: int
    least: int = 1
    counts: str


LIMITS = (
    Limit(name="cpu_seconds", standard=60, counts="seconds of processor time of one process"),
    Limit(name="memory_bytes", standard=1 << 30, counts="memory of one sandbox"),
    Limit(name="processes", standard=64, counts="processes and threads of one sandbox"),
    Limit(name="file_bytes", standard=16 << 20, counts="the largest file"),
    Limit(name="open_files", standard=128, counts="open files of one process"),
    Limit(name="output_bytes", standard=1 << 20, counts="stdout and stderr, each"),
    Limit(name="tmp_bytes", standard=16 << 20, counts="bytes below `/tmp`"),
    Limit(name="tmp_files", standard=1024, least=16, counts="files and folders below `/tmp`"),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What is pinned. `clock_ns` counts nanoseconds from the epoch; `max_examples` None makes no demand on locks."""

    name: str = "standard"
    seed: int = 20260916
    max_examples: int | None = None
    tz: str = zone.UTC
    hash_seed: int = 20260916
    cache_dir: str = "cache"
    clock_ns: int = 1_767_225_600_000_000_000
    limits: Mapping[str, int] = field(default_factory=lambda: {limit.name: limit.standard for limit in LIMITS})
    env: Mapping[str, str] = field(default_factory=dict)


STANDARD = Profile()


def _seed(value: Field) -> int:
    return value.integer(0, _MOST_SEED)


def _seed_text(value: Field) -> int:
    """A hash seed as a variable spells it."""
    text = value.words()
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and int(text) <= _MOST_SEED):
        value.fail(f"has to be a whole number from 0 to {_MOST_SEED} in quotes, this is {text!r}")
    return int(text)


def _zone(value: Field) -> str:
    text = value.words()
    if reason := zone.problem(text):
        value.fail(reason)
    return text


def _cache_dir(value: Field) -> str:
    text = value.words()
    if reason := relpath.problem(text):
        value.fail(f"{text!r} {reason}; it is a folder below /tmp inside the sandbox, such as 'cache'")
    if text.count("/") >= _DEEPEST or len(text) > 200:
        value.fail(f"is more than {_DEEPEST} folders deep or longer than 200 characters")
    return text


def _clock(value: Field) -> int:
    text = value.words()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        value.fail(f"has to be an ISO 8601 time such as 2026-01-01T00:00:00+00:00, this is {text!r}")
    if moment.tzinfo is None:
        value.fail("needs an offset, such as +00:00")
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86400 + since.seconds) * 10**9 + since.microseconds * 1000


def _limits(value: Field) -> dict[str, int]:
    known = {limit.name: limit for limit in LIMITS}
    given = value.closed((), tuple(known))
    return {name: known[name].standard if name not in given else given[name].integer(known[name].least, 1 << 40)
            for name in known}


def _env(value: Field) -> dict[str, str]:
    """The variables that spell no setting."""
    found = {}
    for name, member in value.members():
        if name not in variables.SPELLED:
            if reason := variables.problem(name, member.value):
                member.fail(reason)
            found[name] = str(member.value)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One field of a profile: how it is read into `target` of Profile, and what the page says of it.

    `default` is the standard value as JSON would spell it, empty for none; `other` an older name of the field;
    `attribute` whether the rule has it too.
    """

    name: str
    target: str
    read: Callable[[Field], Any]
    shape: str
    default: str
    effect: str
    other: str = ""
    attribute: bool = True


SETTINGS = (
    Setting(name="seed", target="seed", read=_seed, other="entropy_seed", shape="0 to 4294967295", default="20260916",
            effect="keys the stream that stands in for random bytes, unseeded generators and random UUIDs; a domain "
            "lock's cases are drawn from the lock's own seed"),
    Setting(name="max_examples", target="max_examples", read=lambda value: value.integer(1, _MOST),
            shape="1 to 1000000000", default="",
            effect="how many cases each domain lock under this profile draws; the lock decides, and one that says "
            "otherwise is an error"),
    Setting(name="tz", target="tz", read=_zone, shape="`UTC` or a POSIX rule", default='"UTC"',
            effect="the local time of property and candidate"),
    Setting(name="hash_seed", target="hash_seed", read=_seed, shape="0 to 4294967295", default="20260916",
            effect="the order of sets of text"),
    Setting(name="cache_dir", target="cache_dir", read=_cache_dir, shape="a relative folder", default='"cache"',
            effect="an empty writable folder below `/tmp`, there before any code runs"),
    Setting(name="clock", target="clock_ns", read=_clock, shape="ISO 8601 with an offset",
            default='"2026-01-01T00:00:00+00:00"', effect="the instant that Python's clocks show"),
    Setting(name="limits", target="limits", read=_limits, shape="an object, see below", default="{}",
            effect="what a sandbox may use", attribute=False),
    Setting(name="env", target="env", read=_env, shape="an object of text", default="{}",
            effect="further variables; those of the target win"),
)  # fmt: skip
ATTRIBUTES = tuple(setting.name for setting in SETTINGS if setting.attribute)
_FIELDS = ("profile", *(name for row in SETTINGS for name in (row.name, row.other) if name), "freeze")
_SPELLED = {"tz": _zone, "hash_seed": _seed_text, "cache_dir": _cache_dir}
_REMEDY = f"a profile holds any of {', '.join(_FIELDS)}; let a person mend it in base"


def parse_profile(data: bytes | None, *, path: str, label: str = "",
                  attributes: Mapping[str, Any] = MappingProxyType({})) -> Profile:
    """The profile of a file and of the attributes beside it; None stands for a file that is declared and missing.

    Named by its field `profile`, else by the label, else by the file. Raises IncompleteError.
    """
    top = document.read(data, path=path, remedy=_REMEDY)
    members = top.closed((), _FIELDS)
    if "freeze" in members:
        _no_freeze(members["freeze"], path)
    found = _settings(members)
    beside = _of_attributes(attributes, label)
    for name, (_, place) in found.items():
        if name in beside:
            place.fail(f"is also an attribute of {label}; give it in one of the two places")
    name = members["profile"].words() if "profile" in members else ""
    fallback = label.rpartition(":")[2] or relpath.name(path).removesuffix(".json")
    return _profile(name or fallback, {**{key: value for key, (value, _) in found.items()}, **beside})


def declared_profile(attributes: Mapping[str, Any], *, label: str) -> Profile:
    """The profile of a declaration without a file. Raises IncompleteError."""
    if not attributes:
        remedy = f"give profile, or any of {', '.join(ATTRIBUTES)}"
        raise IncompleteError("declares nothing", where=label, remedy=remedy)
    return _profile(label.rpartition(":")[2], _of_attributes(attributes, label))


def check_lock(profile: Profile, *, property_id: str, max_examples: int, where: str) -> None:
    """Raises IncompleteError when profile and domain lock name different numbers of cases: the lock is never weakened,
    and never silently stronger than what the profile says."""
    if profile.max_examples not in (None, max_examples):
        raise IncompleteError(
            f"{property_id}.max_examples: the lock draws {max_examples} cases, profile {profile.name!r} says "
            f"{profile.max_examples}", where=where,
            remedy="the lock decides; let a person change or drop max_examples in the profile")


def _profile(name: str, given: Mapping[str, Any]) -> Profile:
    targets = {setting.name: setting.target for setting in SETTINGS}
    return Profile(name=name, **{targets[key]: value for key, value in given.items()})


def _settings(members: Mapping[str, Field]) -> dict[str, tuple[Any, Field]]:
    """What is given, with its place; every spelling of one setting has to say the same."""
    found: dict[str, tuple[Any, Field]] = {}
    for name, read, place in _spellings(members):
        value = read(place)
        if name in found and found[name][0] != value:
            place.fail(f"is {place.value!r}, and {dotted(found[name][1].path)} is "
                       f"{found[name][1].value!r}; they are one setting")
        found.setdefault(name, (value, place))
    return found


def _spellings(members: Mapping[str, Field]) -> list[tuple[str, Callable[[Field], Any], Field]]:
    """Every place that gives a setting: its name, how it is read there, and the field."""
    places = [(row.name, row.read, members[name]) for row in SETTINGS if row.name != "env"
              for name in (row.name, row.other) if name in members]
    if "env" in members:
        env = dict(members["env"].members())
        places += [(row, _SPELLED[row], env[name]) for name, row in variables.SPELLED.items() if name in env]
        if _env(members["env"]):
            places.append(("env", _env, members["env"]))
    return places


def _of_attributes(attributes: Mapping[str, Any], label: str) -> dict[str, Any]:
    """The settings that attributes give; read by the same rows as a file's."""
    top = Field(file="", text="", path=(), value=dict(attributes), remedy=_REMEDY)
    try:
        return {name: value for name, (value, _) in _settings(top.closed((), ATTRIBUTES)).items()}
    except IncompleteError as error:
        raise IncompleteError(error.detail, where=label, remedy=error.remedy) from None


def _no_freeze(value: Field, path: str) -> None:
    """An empty list freezes nothing; anything else belongs into a ledger, with an owner and an end."""
    names = [item.words() for item in value.items()]
    if names:
        remedy = (f"`oracle-rules freeze import {shlex.quote(path)} --out frozen.json` makes ledger rows of them; "
                  "declare that ledger, then drop freeze from the profile")
        replace(value, remedy=remedy).fail(f"a profile freezes nothing, and this one lists {', '.join(names)}")
