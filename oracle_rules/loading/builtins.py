"""The functions of a BUILD file that run in Python: they read the package's files and write down what is declared.

One `Declarations` is one evaluation of one package. Knows nothing of Starlark, of labels' meaning or of other packages'
targets; whatever is wrong is a Problem, raised in the call that is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from oracle_rules.label import Label
from oracle_rules.loading import attributes, globs
from oracle_rules.loading.files import Packages
from oracle_rules.loading.problem import Problem
from oracle_rules.loading.schema import FOREIGN_RULES, NATIVE_RULES, RULES, Rule

_DEFAULT_CONDITION = "//conditions:default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A target as it was written; by `ordinal`, the number of the call in its package, the call is found again."""

    label: Label
    rule: str
    ordinal: int
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """Raise this problem at the call with this ordinal: how a later finding gets the place it is about."""

    ordinal: int
    problem: Problem


class Declarations:
    """What one package declares, in order."""

    def __init__(self, package: str, packages: Packages, stop: Stop | None = None) -> None:
        self.package = package
        self.targets: dict[str, Declared] = {}
        self.exported: set[str] = set()
        # Names of files that no Starlark string can spell (not UTF-8), by the stand-in that glob returned.
        self.spelled: dict[str, str] = {}
        self._packages = packages
        self._stop = stop
        self._ordinal = 0
        # The functions by the name they have in a BUILD file.
        self.calls = self._table()

    def _table(self) -> dict[str, Callable[..., Any]]:
        rules = {name: self.rule(rule) for name, rule in {**NATIVE_RULES, **RULES}.items()}
        foreign = {name: self._foreign_rule(name) for name in FOREIGN_RULES}
        return {
            **rules,
            **foreign,
            "existing_rule": self.existing_rule,
            "existing_rules": lambda: {name: self.existing_rule(name) for name in self.targets},
            "exports_files": self.exports_files,
            "glob": self.glob,
            "licenses": _ignored,
            "package": _ignored,
            "package_group": _ignored,
            "package_name": lambda: self.package,
            "package_relative_label": lambda text: str(_label(text, self.package)),
            "subpackages": self.subpackages,
        }

    def rule(self, rule: Rule) -> Callable[..., None]:
        """The function that declares a target of this rule."""

        def declare(*args: Any, **kwargs: Any) -> None:
            ordinal = self._next()
            if args:
                raise Problem(
                    f"{rule.name} takes no positional arguments", remedy="write every attribute as NAME = VALUE"
                )
            label = self._new_label(rule.name, kwargs)
            values = attributes.check(rule, kwargs)
            self.targets[label.name] = Declared(label=label, rule=rule.name, ordinal=ordinal, attributes=values)

        return declare

    def foreign_target(self, name: Any) -> None:
        """Notes that a rule we do not know declared (or may have declared) a target; ours win over these."""
        ordinal = self._next()
        if type(name) is str and name not in self.targets:
            self.targets[name] = Declared(label=Label("", self.package, name), rule="", ordinal=ordinal)

    def exports_files(self, srcs: Any = None, **_ignored_arguments: Any) -> None:
        """Makes files nameable from other packages."""
        for name in _strings("exports_files", "srcs", srcs):
            # A file of that name and a rule of that name would be one label with two meanings.
            if name in self.targets:
                raise Problem(
                    f"exports_files names '{name}', which is a target of this package",
                    remedy="leave it out, or rename the target",
                    attribute="srcs",
                    value=name,
                )
            self.exported.add(name)

    def glob(
        self,
        include: Any = None,
        exclude: Any = None,
        exclude_directories: Any = 1,
        allow_empty: Any = True,
    ) -> list[str]:
        """The files of this package that the patterns select, sorted."""
        wanted, unwanted = _patterns("include", include or []), _patterns("exclude", exclude or [])
        if exclude_directories not in (1, True):
            raise Problem("glob cannot return folders", remedy="leave exclude_directories out and glob the files below")
        files = self._packages.files(self.package)
        found = globs.select(files, wanted, unwanted)
        if allow_empty in (0, False) and not self._packages.apart:
            for pattern in wanted:
                if not globs.select(files, [pattern]):
                    raise _empty(f"glob pattern '{pattern}' matches no file of package '//{self.package}'")
            if not found:
                raise _empty("glob is left without a file")
        return [self._spellable(path) for path in found]

    def subpackages(self, include: Any = None, exclude: Any = None, allow_empty: Any = False) -> list[str]:
        """The packages directly below this one, relative to it."""
        wanted, unwanted = _patterns("include", include or []), _patterns("exclude", exclude or [])
        cut = len(self.package) + 1 if self.package else 0
        # A package's own folder, taken for a file, belongs to the package above.
        direct = [
            name[cut:] for name in self._packages.build_files if name and self._packages.owner(name) == self.package
        ]
        found = globs.select(direct, wanted, unwanted)
        if not found and not allow_empty:
            raise _empty("subpackages finds nothing")
        return found

    def existing_rule(self, name: Any) -> dict[str, Any] | None:
        """`name`, `kind` and nothing more of a target declared so far."""
        target = self.targets.get(name)
        return {"name": target.label.name, "kind": target.rule or "foreign"} if target else None

    def _foreign_rule(self, kind: str) -> Callable[..., None]:
        def declare(*_args: Any, **kwargs: Any) -> None:
            ordinal = self._next()
            label = self._new_label(kind, kwargs)
            self.targets[label.name] = Declared(label=label, rule="", ordinal=ordinal)

        return declare

    def _next(self) -> int:
        ordinal = self._ordinal
        self._ordinal += 1
        if self._stop is not None and self._stop.ordinal == ordinal:
            raise self._stop.problem
        return ordinal

    def _new_label(self, rule: str, arguments: dict[str, Any]) -> Label:
        name = attributes.check_name(rule, arguments)
        try:
            label = Label.parse(":" + name, self.package)
        except ValueError as error:
            raise Problem(str(error), remedy="name it with letters, digits, _ and -", attribute="name") from None
        earlier = self.targets.get(name)
        if earlier is not None and earlier.rule:
            raise Problem(
                f"target '{name}' is declared twice in package '//{self.package}', first by {earlier.rule}",
                remedy="give one of them another name",
                attribute="name",
                value=name,
            )
        if name in self.exported:
            raise Problem(f"target '{name}' has the name of an exported file", remedy="rename it", attribute="name")
        below = self._packages.crossed(self.package, name)
        if below is not None:
            raise Problem(
                f"target '{name}' reaches into package '//{below}'",
                remedy=f"declare it in {self._packages.build_files[below]}",
                attribute="name",
                value=name,
            )
        return label

    def _spellable(self, path: str) -> str:
        # Bazel writes a leading @ so that it is not read as a repository.
        shown = f":{path}" if path.startswith("@") else path
        if not any(0xD800 <= ord(char) <= 0xDFFF for char in shown):
            return shown
        token = "".join(chr(0x100000 + ord(char) - 0xD800) if 0xD800 <= ord(char) <= 0xDFFF else char for char in shown)
        while token in self._packages.files(self.package) or self.spelled.get(token, path) != path:
            token += "\U0010fffd"
        self.spelled[token] = path
        return token


def select(branches: Any = None, no_match_error: Any = "") -> Any:
    """The default branch: there is one configuration, and it is nobody's condition."""
    if type(branches) is not dict:
        raise Problem(
            "select takes a dictionary from conditions to values", remedy='select({"//conditions:default": …})'
        )
    if _DEFAULT_CONDITION not in branches:
        raise Problem(
            f"select has no '{_DEFAULT_CONDITION}'",
            remedy="add that key: there are no configurations here, so no other condition ever holds",
        )
    return branches[_DEFAULT_CONDITION]


def _ignored(*_args: Any, **_kwargs: Any) -> None:
    """A declaration that means nothing here: visibility and licences are not enforced."""


def _label(text: Any, package: str) -> Label:
    if type(text) is not str:
        raise Problem("a label is a string")
    try:
        return Label.parse(text, package)
    except ValueError as error:
        raise Problem(str(error)) from None


def _strings(function: str, argument: str, value: Any) -> Sequence[str]:
    if type(value) is not list or any(type(item) is not str for item in value):
        raise Problem(f"'{argument}' of {function} must be a list of strings", remedy=f'{argument} = ["…"]')
    return value


def _patterns(argument: str, value: Any) -> Sequence[str]:
    for pattern in _strings("glob", argument, value):
        reason = globs.problem(pattern)
        if reason:
            raise Problem(
                f"glob pattern '{pattern}' {reason}",
                remedy="patterns are relative to the package, with whole components between slashes",
                attribute=argument,
                value=pattern,
            )
    return _strings("glob", argument, value)


def _empty(detail: str) -> Problem:
    return Problem(f"{detail}, and allow_empty is False", remedy="correct the patterns or allow it to be empty")
