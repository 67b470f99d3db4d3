"""What a workspace declares, as frozen values with absolute labels. Knows nothing of how it was read.

Field names are the attribute names of `schema.py`; paths are relative to the workspace, never to the package, except
`Candidate.imports`, which is written and kept relative to the package.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from oracle_rules import relpath
from oracle_rules.label import Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """The sources under judgement: sorted workspace paths."""

    label: Label
    srcs: tuple[str, ...]
    imports: tuple[str, ...] = (".",)
    requirements: str | None = None

    @property
    def import_roots(self) -> tuple[str, ...]:
        """`imports` as folders of the workspace; the root is the empty string."""
        package = self.label.package
        return tuple(package if folder == "." else relpath.join(package, folder) for folder in self.imports)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixtures:
    """Fixture files and the manifest that lists them."""

    label: Label
    srcs: tuple[str, ...]
    manifest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Freeze:
    """A freeze ledger."""

    label: Label
    ledger: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainLock:
    """A domain lock."""

    label: Label
    lock: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A determinism profile: a JSON file, attributes, or both; `env` is sorted by name."""

    label: Label
    profile: str | None = None
    seed: int | None = None
    max_examples: int | None = None
    tz: str | None = None
    hash_seed: int | None = None
    cache_dir: str | None = None
    clock: str | None = None
    env: tuple[tuple[str, str], ...] = ()

    @property
    def attributes(self) -> dict[str, Any]:
        """The settings that are given here, by name."""
        given = {"seed": self.seed, "max_examples": self.max_examples, "tz": self.tz, "hash_seed": self.hash_seed,
                 "cache_dir": self.cache_dir, "clock": self.clock, "env": dict(self.env) or None}
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolchain:
    """A pinned toolchain; nothing follows from it yet."""

    label: Label
    toolchain: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyTest:
    """One property, what it is judged on and against; `env` is sorted by name.

    Of an existing suite `property` is the test file, `seeds` None, `selector` what pytest is given and `nodeids` the
    ids that it has to collect, both relative to the workspace.
    """

    label: Label
    property: str
    property_id: str
    candidate: Label
    seeds: str | None = None
    selector: str | None = None
    nodeids: tuple[str, ...] = ()
    fixtures: tuple[Label, ...] = ()
    freeze: Label | None = None
    domain_lock: Label | None = None
    journal: str | None = None
    profile: Label | None = None
    deps: tuple[str, ...] = ()
    timeout_seconds: int = 20
    fresh_cell: bool = False
    allow: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A named list of property tests, other suites already expanded."""

    label: Label
    tests: tuple[Label, ...]
    tags: tuple[str, ...] = ()
