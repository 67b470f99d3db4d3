"""The whole of loading: a trusted tree's declarations to a `Workspace`. Bytes in, values out, OracleError otherwise.

Not enforced: visibility, licences, `testonly`. Not read: rules of other rule sets, `WORKSPACE` and `MODULE.bazel`
(their names only mark where another repository starts).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from oracle_rules.errors import NothingError, UsageError
from oracle_rules.label import Label, Pattern
from oracle_rules.loading.build import MANUAL, Builder, Target
from oracle_rules.loading.evaluate import Evaluator
from oracle_rules.loading.files import Packages, SourceFiles
from oracle_rules.loading.lookup import Lookup
from oracle_rules.loading.problem import nearest
from oracle_rules.loading.targets import PropertyTest, Suite


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """What a workspace declares: targets of ours by label, package by package, in the order of declaration."""

    targets: Mapping[Label, Target]
    aliases: Mapping[Label, Label] = field(repr=False)
    packages: tuple[str, ...]
    files: frozenset[str] = field(repr=False)
    locate: Callable[[Label], str] = field(repr=False, compare=False)

    def select(self, patterns: Sequence[Pattern]) -> tuple[PropertyTest, ...]:
        """The property tests that the patterns name, in the order of declaration, each once.

        Suites stand for their tests, aliases for what they lead to; wildcards leave out what is tagged `manual`.
        UsageError when a pattern names nothing, NothingError when all that they name holds no test.
        """
        if not self.packages:
            remedy = "commit a BUILD.bazel that declares property tests to base"
            raise NothingError("no package in the workspace", remedy=remedy)
        chosen: set[Label] = set()
        for pattern in patterns:
            chosen.update(self._chosen(pattern))
        found = tuple(
            test for label, test in self.targets.items() if isinstance(test, PropertyTest) and label in chosen
        )
        if not found:
            shown = " ".join(_shown(pattern) for pattern in patterns)
            raise NothingError(
                f"no oracle_property_test in {shown or 'no pattern'}",
                remedy="declare one, or name a package that has some: //... takes all",
            )
        return found

    def declared_files(self) -> frozenset[str]:
        """Every file that decided what the declarations are.

        Build files, .bzl files, `.bazelignore` at the root, and `WORKSPACE`, `MODULE.bazel` and their like anywhere.
        """
        return self.files

    def where(self, label: Label) -> str:
        """`path:line:column` of the call that declared the target; KeyError when there is none.

        Found by evaluating the package once more: for messages, not for loops.
        """
        return self.locate(label)

    def _chosen(self, pattern: Pattern) -> set[Label]:
        labels = [label for label in (*self.targets, *self.aliases) if pattern.matches(label)]
        folders = [name for name in self.packages if pattern.name == "*" and pattern.matches(Label("", name, "x"))]
        if not labels and not folders:
            raise UsageError(
                f"no target matches {_shown(pattern)}", remedy=self._remedy(pattern), where=_shown(pattern)
            )
        chosen: set[Label] = set()
        for label in labels:
            target = self.targets.get(self.aliases.get(label, label))
            if isinstance(target, PropertyTest | Suite):
                if pattern.name != "*" or MANUAL not in target.tags:
                    chosen.update(target.tests if isinstance(target, Suite) else (target.label,))
            elif pattern.name != "*":
                kind = type(target).__name__ if target is not None else "target of another rule set"
                raise UsageError(
                    f"{_shown(pattern)} is no test but a {kind}",
                    where=_shown(pattern),
                    remedy="name an oracle_property_test, an oracle_suite or a package",
                )
        return chosen

    def _remedy(self, pattern: Pattern) -> str:
        tests = [str(label) for label, target in self.targets.items() if isinstance(target, PropertyTest | Suite)]
        packages = [f"//{name}:all" for name in self.packages]
        pool = packages if pattern.name == "*" else tests
        near = nearest(_shown(pattern), pool)
        if not near:
            near = [text for text in tests if text.rpartition(":")[2] == pattern.name][:3]
        return f"did you mean {' or '.join(near)}?" if near else "//... takes every property test"


def load_workspace(
    declarations: SourceFiles, *, universe: Collection[str] | None = None, apart: bool = False
) -> Workspace:
    """Reads every package of the trusted tree.

    `universe` is the list of files that `glob` sees, the tree's own when absent. Package boundaries always come from
    `declarations`, and a file that is named outright may be in either. `apart` says that candidates' sources stand in
    another repository: then no glob has to match something, and `srcs` of candidates may name what is in neither.
    """
    packages = Packages(declarations, declarations.paths() if universe is None else universe, apart=apart)
    evaluator = Evaluator(declarations, packages)
    declared = {package: evaluator.package(package) for package in sorted(packages.build_files)}
    targets, aliases = Builder(Lookup(evaluator, packages, declared)).all()

    def locate(label: Label) -> str:
        return evaluator.place(declared[label.package].targets[label.name])

    return Workspace(
        targets=MappingProxyType(targets),
        aliases=MappingProxyType(aliases),
        packages=tuple(declared),
        files=evaluator.evaluated | packages.settings,
        locate=locate,
    )


def _shown(pattern: Pattern) -> str:
    if pattern.recursive:
        return f"//{pattern.package}/..." if pattern.package else "//..."
    return f"//{pattern.package}:{'all' if pattern.name == '*' else pattern.name}"
