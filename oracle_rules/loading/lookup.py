"""What a label names: follows aliases, expands filegroups, and says what is near when there is nothing.

Visibility is not enforced: a target may be named from any package, and a file of another package when that package
exports it or names it in a rule of its own (what Bazel calls an implicit export). Knows nothing of Starlark.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn

from oracle_rules import relpath
from oracle_rules.errors import OracleError, UsageError
from oracle_rules.label import Label
from oracle_rules.loading.builtins import Declarations, Declared
from oracle_rules.loading.evaluate import Evaluator
from oracle_rules.loading.files import Packages
from oracle_rules.loading.problem import Problem, nearest, suggestion


class Lookup:
    """One workspace's declarations, all packages read."""

    def __init__(self, evaluator: Evaluator, packages: Packages, declared: Mapping[str, Declarations]) -> None:
        self._evaluator = evaluator
        self._packages = packages
        self._declared = declared
        self._named: dict[str, frozenset[str]] = {}
        self._groups: dict[Label, tuple[str, ...]] = {}

    def fail(self, declared: Declared, problem: Problem) -> NoReturn:
        """Raises the problem with the place of the target's declaration."""
        self._evaluator.fail_at(declared, problem)

    def refuse(self, declared: Declared, attribute: str, value: str, detail: str, remedy: str) -> NoReturn:
        """The same, for one label in one attribute."""
        self.fail(declared, Problem(detail, remedy=remedy, attribute=attribute, value=value))

    def declared(self) -> list[Declared]:
        """Every target, package by package, in the order of declaration."""
        return [each for package in self._declared.values() for each in package.targets.values()]

    def files(
        self, declared: Declared, attribute: str, text: str, absent: type[OracleError] = UsageError
    ) -> tuple[str, ...]:
        """The files that a label stands for, in order, each once; `absent` is raised when a file is not there."""
        found = self.follow(declared, attribute, text, absent=absent)
        if isinstance(found, str):
            return (found,)
        if found.rule != "filegroup":
            kind = found.rule or "another rule set"
            detail = f"'{attribute}' needs files, '{text}' is a target of {kind}"
            self.refuse(declared, attribute, text, detail, "name files, or a filegroup of files")
        return self.flatten(found, "srcs", functools.partial(self._members, absent), self._groups)

    def _members(self, absent: type[OracleError], group: Declared) -> list[tuple[str, Declared | str]]:
        found: list[tuple[str, Declared | str]] = []
        for text in group.attributes["srcs"]:
            member = self.follow(group, "srcs", text, absent=absent)
            if isinstance(member, Declared) and member.rule != "filegroup":
                kind = member.rule or "another rule set"
                detail = f"a filegroup that is used here needs files, '{text}' is a target of {kind}"
                self.refuse(group, "srcs", text, detail, "name files, or a filegroup of files")
            found.append((text, member))
        return found

    def flatten(
        self,
        start: Declared,
        attribute: str,
        members: Callable[[Declared], Sequence[tuple[str, Declared | str]]],
        memo: dict[Label, tuple[str, ...]],
    ) -> tuple[str, ...]:
        """The leaves (strings) below a group, in order, each once; a group inside itself is refused.

        Depth-first with a stack of its own and a memo: neither a long chain nor a wide lattice of groups costs more
        than its size.
        """
        path: dict[Label, dict[str, None]] = {start.label: {}}
        stack = [(start, iter(members(start) if start.label not in memo else ()))]
        while stack:
            group, rest = stack[-1]
            leaves = path[group.label]
            for text, member in rest:
                if isinstance(member, str):
                    leaves[member] = None
                elif member.label in memo:
                    leaves.update(dict.fromkeys(memo[member.label]))
                elif member.label in path:
                    labels = [str(label) for label in path]
                    cycle = " -> ".join([*labels[labels.index(str(member.label)) :], str(member.label)])
                    self.refuse(group, attribute, text, f"{group.rule} cycle: {cycle}", "take one of them out")
                else:
                    path[member.label] = {}
                    stack.append((member, iter(members(member))))
                    break
            else:
                stack.pop()
                memo.setdefault(group.label, tuple(path.pop(group.label)))
                if stack:
                    path[stack[-1][0].label].update(dict.fromkeys(memo[group.label]))
        return memo[start.label]

    def follow(
        self,
        declared: Declared,
        attribute: str,
        text: str,
        *,
        absent: type[OracleError] = UsageError,
        must_exist: bool = True,
    ) -> Declared | str:
        """The target that a label names once aliases are followed, or the path of a file."""
        must_exist = must_exist and not self._elsewhere(declared, attribute)
        place, chain, written = declared, {declared.label: None}, text
        while True:
            found = self._lookup(place, text, attribute if place is declared else "actual", absent, must_exist)
            if isinstance(found, str) or found.rule != "alias":
                return found
            if found.label in chain:
                labels = [str(label) for label in chain]
                cycle = " -> ".join([*labels[labels.index(str(found.label)) :], str(found.label)])
                self.refuse(declared, attribute, written, f"alias cycle: {cycle}", "point one of them elsewhere")
            chain[found.label] = None
            place, text = found, found.attributes["actual"]

    def _elsewhere(self, declared: Declared, attribute: str) -> bool:
        """Whether what this attribute names may stand in the candidate's own repository."""
        return self._packages.apart and attribute == "srcs" and declared.rule in ("oracle_candidate", "filegroup")

    def _lookup(
        self, declared: Declared, text: str, attribute: str, absent: type[OracleError], must_exist: bool
    ) -> Declared | str:
        here = self._declared[declared.label.package]
        plain = here.spelled.get(text, text)
        own = relpath.join(here.package, plain.removeprefix(":"))
        try:
            label = self._packages.local(Label.parse(plain, here.package))
        except ValueError as error:
            # A file may have a name that no label can spell; glob still finds it.
            if own in self._packages.known and self._packages.owner(own) == here.package:
                return own
            self.fail(declared, Problem(str(error), remedy="correct the label", attribute=attribute, value=text))
        if label.repository:
            return self._outside(declared, text, attribute, label, must_exist)
        package = self._declared.get(label.package)
        if package is not None:
            target = package.targets.get(label.name)
            if target is not None:
                return target
            if self._is_file(label, declared):
                return label.path
        if not must_exist:
            return label.path
        problem = self._missing(declared, label, text, absent)
        problem.attribute, problem.value = attribute, text
        self.fail(declared, problem)

    def _outside(self, declared: Declared, text: str, attribute: str, label: Label, must_exist: bool) -> Declared:
        if must_exist:
            problem = Problem(
                f"'{text}' is in another repository, which is not read",
                remedy="oracle rules take files and targets of this workspace only",
                attribute=attribute,
                value=text,
            )
            self.fail(declared, problem)
        return Declared(label=label, rule="", ordinal=-1)

    def _is_file(self, label: Label, declared: Declared) -> bool:
        if label.path not in self._packages.known or self._packages.owner(label.path) != label.package:
            return False
        return label.package == declared.label.package or label.name in self._nameable(label.package)

    def _nameable(self, package: str) -> frozenset[str]:
        """Files of a package that others may name: exported, or named by one of its own rules."""
        if package not in self._named:
            found = set(self._declared[package].exported)
            for target in self._declared[package].targets.values():
                for value in target.attributes.values():
                    texts = value if isinstance(value, tuple) else (value,)
                    found.update(text.removeprefix(":") for text in texts if isinstance(text, str))
            self._named[package] = frozenset(found)
        return self._named[package]

    def _missing(self, declared: Declared, label: Label, text: str, absent: type[OracleError]) -> Problem:
        package = self._declared.get(label.package)
        if package is None:
            hint = suggestion(label.package, self._declared, otherwise="add a BUILD.bazel there, or correct the label")
            return Problem(f"no package '//{label.package}' for '{text}'", remedy=hint)
        below = self._packages.crossed(label.package, label.name)
        if below is not None:
            inner = label.path[len(below) + 1 :]
            return Problem(f"'{text}' reaches into package '//{below}'", remedy=f"write //{below}:{inner}")
        if label.path in self._packages.known and self._packages.owner(label.path) == label.package:
            remedy = f'add exports_files(["{label.name}"]) to {self._packages.build_files[label.package]}'
            return Problem(f"'{text}' is a file that package '//{label.package}' does not export", remedy=remedy)
        local = label.package == declared.label.package
        near = [f":{name}" if local else f"//{label.package}:{name}" for name in self._near(package, label.name)]
        remedy = f"did you mean {' or '.join(near)}?" if near else "declare it, add the file, or correct the name"
        detail = f"no target or file '{text}' in package '//{label.package}'"
        return Problem(detail, remedy=remedy, kind=absent)

    def _near(self, package: Declarations, name: str) -> list[str]:
        targets_first = nearest(name, package.targets)
        return targets_first or nearest(name, self._packages.files(package.package))
