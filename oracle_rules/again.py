"""The command line that scores, or gates, the same again: the one place that knows every input it has to name.

Names no path of the machine: what the caller handed over stands in variables of the shell. Knows no trees.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import date

from .gate.author import Author


def again(verb: str, *, base: str, head: str | None, author: Author = Author.AGENT, oracle: str | None = None,
          demands: Sequence[str] = (), today: date | None = None, words: Sequence[str] = ()) -> str:
    """One line for a shell, good in any folder of the repository.

    `head` is None for uncommitted work, `oracle` the commit of another repository, `demands` options that name
    files elsewhere, as a shell reads them, `today` the day that was used where one counts, and `words` stand last.
    """
    sides = ["--worktree"] if head is None else ["--head", head]
    who = ["--author", author.value] if author is not Author.AGENT else []
    day = ["--today", today.isoformat()] if today is not None else []
    line = shlex.join(["oracle-rules", verb, "--base", base, *sides, *who, *day])
    separate = [f'--oracle "$ORACLE_REPOSITORY@{oracle}"'] if oracle is not None else []
    return " ".join([line, *separate, *demands, *([shlex.join(words)] if words else [])])
