"""The moves that change a journal, each one row of the table in `states.py`, as journals before and after.

Pure: the day and whoever acts are arguments. More names than eight because each move has a function. Raises NoMove for
a move that the table doesn't have, and Unmet for one whose needs are not met, with what to do.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import replace

from ..freezing.persons import why_no_person
from .journal import Freeze, Journal, Tools, case_path
from .states import FROZEN, LOCKED, NONE, PROPOSED, advance


class Unmet(ValueError):
    """What a move asks for and does not find; `code` is the reason code, `remedy` what to do."""

    def __init__(self, code: str, detail: str, remedy: str) -> None:
        super().__init__(detail)
        self.code = code
        self.remedy = remedy


def propose(path: str, *, property_id: str, selector: str, parent_sha: str, held_out: int) -> Journal:
    """A new journal, in which nothing was hunted."""
    return Journal(
        path=path, id=property_id, selector=selector, parent_sha=parent_sha, seeds=(), cases=(), hits=0,
        last_hit_at=None, seen=(), noise=(), held_out=held_out, generator_saw=False, commitment=None, shown=(),
        replay_flakes=0, holdout_flakes=0, freeze=None, tools=None, domain=None, owner=None,
        state=advance(NONE, "propose"))


def hunted(journal: Journal, *, hits: Sequence[int], noise: Sequence[int], missed: Sequence[int], mixed: int,
           parent_sha: str, tools: Tools, domain: str, today: datetime.date) -> Journal:
    """After a hunt. Seeds of other versions, or of another domain, are history: they stay seen, and so do their cases.

    While both are the same a seed draws the same, so that none leaves replay, whatever became of it on this parent.
    """
    moved = journal.with_seeds_of_replay()
    seen = tuple(sorted({*moved.known, *hits, *noise, *missed}))
    flakes = moved.replay_flakes + mixed
    noisy = tuple(sorted(({*moved.noise} | {*noise}) - {*hits}))
    if not hits:
        return replace(moved, state=advance(journal.state, "miss"), seen=seen, noise=noisy, replay_flakes=flakes)
    same = journal.state == PROPOSED or (moved.tools, moved.domain) == (tools, domain)
    kept = moved.seeds if same else ()
    cases = tuple(dict.fromkeys((*moved.cases, *(case_path(journal.path, seed) for seed in hits))))
    return replace(
        moved, state=advance(journal.state, "hunt"), parent_sha=parent_sha, tools=tools, domain=domain, seen=seen,
        noise=noisy, seeds=tuple(dict.fromkeys((*kept, *hits))), cases=cases, hits=len(cases), freeze=None, owner=None,
        last_hit_at=today.isoformat(), replay_flakes=flakes)


def lock(journal: Journal, *, owner: str, stale: str | None, hunt: str) -> Journal:
    """After a person has locked it; `hunt` is the command that would hunt again."""
    if not journal.cases:
        raise Unmet("journal_zero_hit", "has no hit: what never falsified the parent is no evidence, and locks nothing",
                    f"hunt on a parent that breaks the property: `{hunt}`, or give the property up")
    after = advance(journal.state, "lock")
    if stale is not None:
        raise Unmet("journal_stale", f"can't be locked: {stale}", f"`{hunt}`, then lock it")
    return replace(journal.with_seeds_of_replay(), state=after, owner=_person(owner))


def freeze(journal: Journal, *, seeds: Sequence[int], until: datetime.datetime, owner: str,
           today: datetime.date) -> Journal:
    """After a person has frozen replay seeds that flake; cases that are realised go on being asked."""
    after = advance(journal.state, "freeze")
    if not journal.cases:
        raise Unmet("journal_zero_hit", "has no hit, and a miss can't be frozen", "give the property up")
    beyond = sorted(set(seeds) - set(journal.replayed))
    if beyond or not seeds:
        said = f"seed {beyond[0]} is none of replay" if beyond else "no seed is named"
        raise Unmet("journal_unlawful", f"{said}: only replay seeds are frozen, and nothing that is held out",
                    f"name seeds of {', '.join(map(str, journal.replayed))}")
    if until.date() <= today:
        raise Unmet("journal_unlawful", f"would be over already: its day is {until.date()}, today is {today}",
                    "give a later --until")
    frozen = {*(journal.freeze.seeds if journal.freeze is not None else ()), *seeds}
    return replace(journal.with_seeds_of_replay(), state=after, owner=_person(owner),
                   freeze=Freeze(seeds=tuple(sorted(frozen)), until=until),
                   replay_flakes=journal.replay_flakes + len(seeds))


def thaw(journal: Journal, *, owner: str) -> Journal:
    """After a person has ended a freeze."""
    return replace(journal.with_seeds_of_replay(), state=advance(journal.state, "thaw"), owner=_person(owner),
                   freeze=None)


def unlock(journal: Journal, *, owner: str) -> Journal:
    """After a person has taken a lock back, as for a property whose held-out seeds flake."""
    after = advance(journal.state, "unlock")
    _person(owner)
    return replace(journal.with_seeds_of_replay(), state=after, owner=None, freeze=None)


def saw(journal: Journal, *, seeds: Sequence[int]) -> Journal:
    """After the proposer has seen seeds: they are replayed and never held out."""
    after = advance(journal.state, "saw")
    _answered(journal)
    moved = journal.with_seeds_of_replay()
    return replace(moved, state=after, seeds=tuple(dict.fromkeys((*moved.seeds, *seeds))),
                   seen=tuple(sorted({*moved.seen, *seeds})))


def commit(journal: Journal, *, commitment: str) -> Journal:
    """After a person has committed to the secret that seeds are held out by from now on."""
    after = advance(journal.state, "commit")
    _answered(journal)
    return replace(journal.with_seeds_of_replay(), state=after, commitment=commitment)


def _answered(journal: Journal) -> None:
    """A lock of the older shape names nobody; written in ours it would break a law."""
    if journal.owner is None and journal.state in (LOCKED, FROZEN):
        raise Unmet("journal_unlawful", f"is {journal.state}, and nobody answers for it",
                    f'take the lock back first: `oracle-rules journal unlock {journal.id} --owner "NAME" --why TEXT`')


def _person(owner: str) -> str:
    why = why_no_person(owner)
    if why is not None:
        raise Unmet("journal_unlawful", f"--owner {owner!r} {why}", "name the person who answers for it")
    return owner
