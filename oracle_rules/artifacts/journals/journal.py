"""The journal of one property, as frozen values: `oracles/<id>.json` strictly read, and written canonically.

Two shapes are read: our own, and an older short one without versions, owner and seen seeds, whose held-out seeds stand
in the file. Seeds that a file shows have been seen: they are replayed and never held out. Knows no law and no clock.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass, replace
from typing import Any

from ...protocol import canonical
from .. import document
from ..document import Field
from . import fields as read
from .holdout import MOST
from .states import STATES

SCHEMA = "oracle_rules/journal/v1"
_REMEDY = ("journals are written by verbs of their own; restore the committed one, or let a person begin it anew "
           "with `oracle-rules journal propose ID`")
_COMMITMENT = re.compile(r"[0-9a-f]{64}\Z", re.ASCII)
_CASE = re.compile(r"(0|[1-9][0-9]{0,19})\.json\Z", re.ASCII)
_SHORT = ("id", "selector", "parent_sha", "replay", "holdout", "flake", "state")
_OWN = ("schema", *_SHORT, "seen", "noise", "tools", "owner")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What the draw of a seed hangs on beside the domain: versions as their makers write them."""

    hypothesis: str
    python: str
    unicode: str

    @property
    def document(self) -> dict[str, str]:
        """As JSON."""
        return {"hypothesis": self.hypothesis, "python": self.python, "unicode": self.unicode}


@dataclass(frozen=True, slots=True, kw_only=True)
class Freeze:
    """Replay seeds that are not asked before a day, because what they show comes and goes."""

    seeds: tuple[int, ...]
    until: datetime.datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Journal:
    """Everything that a journal says. `tools` and `domain` (a fingerprint) are None in the short shape.

    `cases` are the paths of realised cases, one for each hit; `seen` every seed that was hunted or shown, `noise` those
    that gave nothing to believe; `held_out` how many seeds are held out; `shown` those that the file itself names.
    """

    path: str
    id: str
    selector: str
    parent_sha: str
    seeds: tuple[int, ...]
    cases: tuple[str, ...]
    hits: int
    last_hit_at: str | None
    seen: tuple[int, ...]
    noise: tuple[int, ...]
    held_out: int
    generator_saw: bool
    commitment: str | None
    shown: tuple[int, ...]
    replay_flakes: int
    holdout_flakes: int
    freeze: Freeze | None
    tools: Tools | None
    domain: str | None
    owner: str | None
    state: str
    short: bool = False

    @property
    def replayed(self) -> tuple[int, ...]:
        """The seeds of the replay lane: those that hit, and those that a file or the proposer has shown."""
        return tuple(dict.fromkeys((*self.seeds, *self.shown)))

    @property
    def known(self) -> frozenset[int]:
        """Every seed that can't be held out any more."""
        return frozenset((*self.seeds, *self.shown, *self.seen, *map(case_seed, self.cases)))

    def with_seeds_of_replay(self) -> Journal:
        """The same with shown seeds where they belong: `generator_saw` is answered by moving them."""
        return replace(self, seeds=self.replayed, seen=tuple(sorted(self.known)), shown=(), generator_saw=False,
                       short=False)

    @property
    def data(self) -> bytes:
        """The canonical bytes of the file, in our own shape."""
        moved = self.with_seeds_of_replay()
        frozen = moved.freeze
        tools = None if moved.tools is None else {**moved.tools.document, "domain": moved.domain}
        return canonical.dumps({
            "schema": SCHEMA, "id": moved.id, "selector": moved.selector, "parent_sha": moved.parent_sha,
            "replay": {"seeds": list(moved.seeds), "fixtures": list(moved.cases), "hits": moved.hits,
                       "last_hit_at": moved.last_hit_at},
            "seen": sorted(moved.seen), "noise": sorted(moved.noise),
            "holdout": {"count": moved.held_out, "generator_saw": False, "commitment": moved.commitment},
            "flake": {"replay_flakes": moved.replay_flakes, "holdout_flakes": moved.holdout_flakes,
                      "seeds": [] if frozen is None else sorted(frozen.seeds),
                      "freeze_replay_until": None if frozen is None else _stamp(frozen.until)},
            "tools": tools, "owner": moved.owner, "state": moved.state})


def folder(path: str) -> str:
    """Where the realised cases of a journal are."""
    return path.removesuffix(".json")


def case_path(path: str, seed: int) -> str:
    """The realised case of one seed."""
    return f"{folder(path)}/{seed}.json"


def case_seed(case: str) -> int:
    """The seed of a realised case, from its path in a journal."""
    return int(case.rpartition("/")[2].removesuffix(".json"))


def parse_journal(data: bytes | None, *, path: str) -> Journal:
    """Reads a journal of either shape; None stands for one that is declared and missing. Raises IncompleteError."""
    top = document.read(data, path=path, remedy=_REMEDY)
    own = "schema" in dict(top.members())
    fields = top.closed(_OWN if own else _SHORT, () if own else _OWN)
    if own and fields["schema"].value != SCHEMA:
        fields["schema"].fail(f"has to be {SCHEMA}")
    replay = fields["replay"].closed(("seeds", "fixtures", "hits"), ("last_hit_at",))
    holdout = fields["holdout"].closed(("count", "generator_saw", "commitment") if own else ("generator_saw",),
                                       () if own else ("seeds", "count", "commitment"))
    flake = fields["flake"].closed(("replay_flakes", "holdout_flakes", "freeze_replay_until"), ("seeds",))
    shown = read.seeds(holdout["seeds"]) if "seeds" in holdout else ()
    seeds = read.seeds(replay["seeds"])
    tools, domain = _tools(fields.get("tools"))
    return Journal(
        path=path, id=fields["id"].words(), selector=fields["selector"].words(),
        parent_sha=read.commit_id(fields["parent_sha"]), seeds=seeds, cases=_paths(replay["fixtures"], path),
        hits=replay["hits"].integer(0, 10**6), last_hit_at=read.day(replay.get("last_hit_at")),
        seen=read.seeds(fields["seen"]) if "seen" in fields else seeds,
        noise=read.seeds(fields["noise"]) if "noise" in fields else (),
        held_out=holdout["count"].integer(1, MOST) if "count" in holdout else max(1, len(shown)),
        generator_saw=holdout["generator_saw"].flag(), commitment=_commitment(holdout.get("commitment")), shown=shown,
        replay_flakes=flake["replay_flakes"].integer(0, 10**6),
        holdout_flakes=flake["holdout_flakes"].integer(0, 10**6), freeze=_freeze(flake, seeds),
        tools=tools, domain=domain, owner=read.maybe_words(fields.get("owner")), state=_state(fields["state"]),
        short=not own)


def _paths(field: Field, path: str) -> tuple[str, ...]:
    found: list[str] = []
    for item in field.items():
        name, place = item.words(), f"{folder(path)}/"
        if not name.startswith(place) or not _CASE.match(name[len(place):]) or case_seed(name) > read.MOST_SEED:
            item.fail(f"has to be {place}SEED.json")
        if name in found:
            item.fail("is listed twice")
        found.append(name)
    return tuple(found)


def _commitment(field: Field | None) -> str | None:
    if field is None or field.value is None:
        return None
    found = field.words()
    if not _COMMITMENT.match(found):
        field.fail("has to be 64 hexadecimal digits, as `oracle-rules journal holdout ID --commit` prints them")
    return found


def _state(field: Field) -> str:
    found = field.words()
    if found not in STATES:
        field.fail(f"{document.near(found, STATES)}has to be one of {', '.join(STATES)}")
    return found


def _tools(field: Field | None) -> tuple[Tools | None, str | None]:
    if field is None or field.value is None:
        return None, None
    given = field.closed(("hypothesis", "python", "unicode", "domain"))
    words: dict[str, Any] = {name: given[name].words() for name in ("hypothesis", "python", "unicode")}
    return Tools(**words), given["domain"].words()


def _freeze(flake: dict[str, Field], seeds: tuple[int, ...]) -> Freeze | None:
    """What is frozen: the listed seeds; the short shape freezes all of them."""
    until = flake["freeze_replay_until"]
    listed = read.seeds(flake["seeds"]) if "seeds" in flake else seeds
    if until.value is None:
        if "seeds" in flake and listed:
            flake["seeds"].fail("are frozen without an end; freeze_replay_until has to say it")
        return None
    return Freeze(seeds=listed, until=read.moment(until))


def _stamp(when: datetime.datetime) -> str:
    return when.astimezone(datetime.UTC).isoformat().replace("+00:00", "Z")
