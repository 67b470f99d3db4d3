"""A rule and a hit of it: what the inventory says about one place of one source. Values; knows nothing of how hits
are found, and serves every rule that points at a place: entropy, silences, assertions."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Category(enum.StrEnum):
    """What becomes of entropy. There is no third way."""

    FIXTURE = "becomes a fixture or seam"
    NEVER = "must not run while scoring"


class Use(enum.StrEnum):
    """How a source uses what it names."""

    CALL = "called"
    REFERENCE = "referred to"
    IMPORT_CALL = "called at import"
    IMPORT_REFERENCE = "bound at import"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One row: `names` are dotted names in which `*` stands for one component, `?` at the front for a receiver that
    nobody knows; `when` names the condition that the place must meet; `seam` says what to put in its stead.

    `code` is a reason code of the catalogue, `kind` the group under which people look it up. `category` is None for
    what is no entropy: silences and assertions. `sentence` says what a hit is: `{written}` as it stands,
    `{expression}` with what it resolves to and how it is used, `{before}`, `{form}` and `{says}` of hit and rule.
    """

    id: str
    kind: str
    code: str
    category: Category | None
    says: str
    seam: str
    names: tuple[str, ...] = ()
    but: tuple[str, ...] = ()
    when: str = "always"
    sentence: str = "{expression} {says}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A place in a source: lines and columns from 1, columns in characters, the end just after the last one."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One place. `expression` is the source as written, cut to a line's length; `name` what it resolves to; `scope` the
    qualified name of the function or class around it, empty at the top of the module.

    `form` is the expression without layout and comments: with path, scope and rule it tells hits apart that only moved.
    `before` is what stood in its place on the other side of a diff, where a rule is about a change.
    """

    path: str
    span: Span
    rule: Rule
    expression: str
    name: str
    scope: str
    form: str
    use: Use
    before: str | None = None

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """What stays when lines move: path, scope, rule, form."""
        return self.path, self.scope, self.rule.id, self.form
