"""From what a user calls a commit to its id, and from two commits to their common ancestor.

Knows nothing of trees. A revision is a branch, a tag, a remote branch, an id (also shortened), HEAD, and any of these
with `~N` or `^N`. What depends on this machine's history of moves (`@{…}`), names something else than one commit
(ranges, `COMMIT:PATH`, `:/TEXT`) or could be read as an option is refused before git sees it.
"""

from __future__ import annotations

import difflib

from ..errors import UsageError
from .batch import Absent
from .objects import is_full_id, link_target
from .session import Session
from .snapshot import read_one

_ONE = "give a branch, a tag or a commit id"
_TAGS_DEEP = 32
_REFS = ("refs/heads", "refs/remotes", "refs/tags")


def resolve(session: Session, revision: str) -> str:
    """The full id of the commit that the revision names; tags are peeled."""
    problem = _problem(revision)
    if problem:
        raise UsageError(f"the revision {revision!r} {problem}", where=session.layout.shown, remedy=_ONE)
    found = revision.lower() if is_full_id(revision, session.algorithm) else _look_up(session, revision)
    for _ in range(_TAGS_DEEP):
        kind, data = _read(session, revision, found)
        if kind == "commit":
            return found
        found = link_target(kind, data, revision)
    raise UsageError(f"the tag {revision!r} only leads to other tags", where=session.layout.shown, remedy=_ONE)


def merge_base(session: Session, base: str, candidate: str) -> str | None:
    """The best common ancestor of two commits, None if their histories are unrelated.

    Of several equally good ones (a criss-cross merge) the smallest id, so that every clone answers the same.
    """
    ids = [resolve(session, base), resolve(session, candidate)]
    done = session.run(["merge-base", "--all", *ids])
    found = done.out.decode("ascii", "replace").split()
    if done.code == 0 and found:
        return min(found)
    if done.code == 1 and not done.err:
        if session.is_shallow:
            raise UsageError(
                f"this shallow clone holds no common ancestor of {base} and {candidate}",
                where=session.layout.shown,
                remedy="run `git fetch --unshallow`",
            )
        return None
    raise UsageError(
        f"the histories of {base} and {candidate} cannot be read: {done.err}",
        where=session.layout.shown,
        remedy="see `git fsck`; fetch what is missing or clone the repository again",
    )


def head(session: Session) -> str | None:
    """The id that HEAD points to, whether or not the object is there; None if there is none yet."""
    session.view.refresh()
    done = session.run(["rev-parse", "--verify", "--quiet", "HEAD"])
    found = done.out.decode("ascii", "replace").strip()
    return found if done.code == 0 and is_full_id(found, session.algorithm) else None


def default_base(session: Session) -> str:
    """What a candidate is compared to if nobody says: `main`, else the remote's default branch, else HEAD."""
    for name in ("refs/heads/main", "refs/remotes/origin/HEAD"):
        if session.run(["rev-parse", "--verify", "--quiet", name]).code == 0:
            return name
    return "HEAD"


def _problem(revision: str) -> str | None:
    if not revision:
        return "is empty"
    if revision.startswith("-"):
        return "starts with a dash"
    if any(ord(char) <= 32 or ord(char) == 127 for char in revision):
        return "holds a space or a control character"
    if ".." in revision or revision.startswith("^"):
        return "is a range, not one commit"
    if ":" in revision:
        return "names a file, a folder or a search, not a commit"
    if "@{" in revision:
        return "depends on this clone's own log or settings"
    if "^{" in revision:
        return "asks for a kind of object"
    return None


def _look_up(session: Session, revision: str) -> str:
    session.view.refresh()
    done = session.run(["rev-parse", "--verify", "--end-of-options", revision])
    if "ambiguous" in done.err:
        raise UsageError(
            f"the revision {revision!r} is ambiguous",
            where=session.layout.shown,
            remedy="give the whole id, or refs/heads/NAME or refs/tags/NAME",
        )
    found = done.out.decode("ascii", "replace").strip()
    if done.code == 0 and is_full_id(found, session.algorithm):
        return found
    raise _unknown(session, revision)


def _read(session: Session, revision: str, found: str) -> tuple[str, bytes]:
    try:
        return read_one(session, found, ("commit", "tag"), revision)
    except Absent:
        if not is_full_id(revision, session.algorithm):
            raise  # a ref that points to nothing: say which object is lacking
    raise _unknown(session, revision)


def _unknown(session: Session, revision: str) -> UsageError:
    where = session.layout.shown
    names = _names(session)
    if head(session) is None and revision.startswith(("HEAD", "@")):
        if not names:
            return UsageError("this repository has no commit yet", where=where, remedy="commit something first")
        return UsageError(
            "the branch that is checked out has no commit yet", where=where, remedy="commit, or " + _among(names)
        )
    remedy = _among(difflib.get_close_matches(revision, names, n=3, cutoff=0.5) or names[:3])
    if session.is_shallow:
        remedy += "; this clone is shallow, so `git fetch --unshallow` may bring it"
    return UsageError(f"there is no revision {revision!r}", where=where, remedy=remedy)


def _names(session: Session) -> list[str]:
    done = session.run(["for-each-ref", "--count=10000", "--format=%(refname:short)", *_REFS])
    return sorted(done.out.decode("utf-8", "replace").split("\n")[:-1])


def _among(names: list[str]) -> str:
    return "did you mean " + " or ".join(repr(name) for name in names[:3]) + "?" if names else _ONE
