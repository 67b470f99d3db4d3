"""Evaluates BUILD and .bzl files: bytes in, declared targets out, mistakes with their place. Does no I/O.

Every file gets one line put before it, a `load` of the prelude, so lines are reported one less than the evaluator says.
A rule is a Python callable in the user's own scope: an error raised in it carries the place of the call. A finding that
comes later, when labels are resolved, is placed by evaluating the package once more and raising it in that same call
(`fail_at`): evaluation is a pure function of bytes, so the same call comes again.

Bounded: size and nesting of the text (`guard.py`), steps (MAX_STEPS), depth of calls and of loads. Not bounded: memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import starlark

from oracle_rules import relpath
from oracle_rules.errors import OracleError
from oracle_rules.label import Label
from oracle_rules.loading import builtins, guard, prelude, reports
from oracle_rules.loading.builtins import Declarations, Declared, Stop
from oracle_rules.loading.files import Packages, SourceFiles
from oracle_rules.loading.position import Source
from oracle_rules.loading.problem import Problem, suggestion
from oracle_rules.loading.schema import FOREIGN_RULES, RULES

MAX_STEPS = 20_000_000
_STEPS_PER_CHECK = 1000
_MAX_CALLS = 100
_MAX_LOADS = 50
_PRELUDE = "oracle:prelude"
_OURS = "oracle:defs"
# A file must not end in an expression: the evaluator would make Python data of it, of functions too.
_LAST = "\npass\n"
_DEFS = Label("", "oracle_rules", "defs.bzl")


class Evaluator:
    """One reading of a workspace's declarations."""

    def __init__(self, declarations: SourceFiles, packages: Packages) -> None:
        self._declarations = declarations
        self._packages = packages
        self._sources: dict[str, Source] = {}
        self._modules: dict[str, starlark.FrozenModule] = {}
        self._current: Declarations | None = None
        self._raised: BaseException | None = None
        self._globals = starlark.Globals.extended_by(
            [starlark.LibraryExtension.StructType, starlark.LibraryExtension.Json]
        )
        self._modules[_OURS] = self._defs()
        self._modules[_PRELUDE] = self._prelude()

    @property
    def evaluated(self) -> frozenset[str]:
        """The path of every file that was evaluated."""
        return frozenset(source.path for source in self._sources.values())

    def package(self, package: str, stop: Stop | None = None) -> Declarations:
        """What the package's build file declares."""
        source = self._read(self._packages.build_files[package])
        modules = self._loads(source, package, ())
        found = Declarations(package, self._packages, stop)
        self._current = found
        try:
            self._run(source, modules, prelude.BUILD_NAMES, define=False)
        finally:
            self._current = None
        return found

    def fail_at(self, declared: Declared, problem: Problem) -> NoReturn:
        """Raises the problem as an OracleError with the place of the call that declared the target."""
        self.package(declared.label.package, Stop(ordinal=declared.ordinal, problem=problem))
        raise problem.kind(problem.detail, where=str(declared.label), remedy=problem.remedy)

    def place(self, declared: Declared) -> str:
        """`path:line:column` of the call that declared the target."""
        try:
            self.fail_at(declared, Problem("here"))
        except OracleError as error:
            return error.where

    def _read(self, path: str) -> Source:
        try:
            text = guard.decode(self._declarations.read(path))
            guard.check_nesting(text)
        except Problem as problem:
            raise problem.kind(problem.detail, where=f"{path}:{problem.line}:1", remedy=problem.remedy) from None
        token = f"oracle-source-{path.encode('utf-8', 'surrogateescape').hex()}-"
        return self._sources.setdefault(token, Source(path=path, text=text, token=token, shift=1))

    def _loads(
        self, source: Source, package: str, chain: tuple[str, ...]
    ) -> dict[str, starlark.FrozenModule | Problem]:
        """The module of every load statement, or why there is none."""
        unshifted = Source(path=source.path, text=source.text, token=source.token)
        tree = self._attempt(unshifted, lambda: starlark.parse(source.token, source.text, _dialect(define=True)))
        found: dict[str, starlark.FrozenModule | Problem] = {}
        wanted: dict[str, set[str]] = {}
        for load in tree.loads():
            wanted.setdefault(load.module_id, set()).update(load.symbols.values())
        for text, symbols in wanted.items():
            try:
                found[text] = self._module(text, symbols, package, (*chain, source.path))
            except Problem as problem:
                found[text] = problem
        return found

    def _module(self, text: str, symbols: set[str], package: str, chain: tuple[str, ...]) -> starlark.FrozenModule:
        if not text.startswith((":", "//", "@")):
            raise Problem(f"load of '{text}', which is no label", remedy='write ":file.bzl" or "//package:file.bzl"')
        try:
            label = self._packages.local(Label.parse(text, package))
        except ValueError as error:
            raise Problem(str(error), remedy='write "//package:file.bzl"') from None
        if label.repository in ("", "oracle_rules") and Label("", label.package, label.name) == _DEFS:
            return self._modules[_OURS]
        if label.repository == "oracle_rules":
            raise Problem(f"'{text}' is not a file of oracle_rules", remedy=f'load "@oracle_rules{_DEFS}"')
        if label.repository:
            return self._foreign(symbols)
        self._check_file(label, text)
        if label.path in chain:
            cycle = " -> ".join([*chain[chain.index(label.path) :], label.path])
            raise Problem(f"load cycle: {cycle}", remedy="move what both need into a third file")
        if len(chain) > _MAX_LOADS:
            raise Problem(f"loads nest deeper than {_MAX_LOADS} files", remedy="flatten the chain of loads")
        if label.path not in self._modules:
            inner = self._read(label.path)
            modules = self._loads(inner, label.package, chain)
            self._modules[label.path] = self._run(inner, modules, prelude.BZL_NAMES, define=True)
        return self._modules[label.path]

    def _check_file(self, label: Label, text: str) -> None:
        if label.path not in self._packages.declared:
            pool = [f"//{self._packages.owner(path)}:{relpath.name(path)}" for path in self._bzl_files()]
            raise Problem(
                f"load of '{text}', but there is no file {label.path}",
                remedy=suggestion(str(label), pool, otherwise="create the file or correct the label"),
            )
        owner = self._packages.owner(label.path)
        if owner != label.package:
            where = "no package holds it" if owner is None else f"it belongs to package '//{owner}'"
            raise Problem(
                f"load of '{text}', but {where}",
                remedy=f"add an empty {relpath.join(label.package, 'BUILD.bazel')}"
                if owner is None or relpath.is_within(label.package, owner)
                else f"load '//{owner}:{label.path[len(owner) + 1 :]}'",
            )

    def _bzl_files(self) -> list[str]:
        return sorted(path for path in self._packages.declared if path.endswith(".bzl"))

    def _run(
        self,
        source: Source,
        modules: Mapping[str, starlark.FrozenModule | Problem],
        names: tuple[str, ...],
        *,
        define: bool,
    ) -> starlark.FrozenModule:
        first = f"load({_PRELUDE!r}, {', '.join(map(repr, names))})\n"

        def loaded(text: str) -> starlark.FrozenModule:
            found = self._modules[_PRELUDE] if text == _PRELUDE else modules[text]
            if isinstance(found, Problem):
                self._raised = found
                raise found
            return found

        def evaluate() -> starlark.FrozenModule:
            tree = starlark.parse(source.token, first + source.text + _LAST, _dialect(define=define))
            module = starlark.Module()
            options = starlark.EvalOptions(check_cancelled=_budget(), max_callstack_size=_MAX_CALLS)
            starlark.eval_with(options, module, tree, self._globals, starlark.FileLoader(loaded))
            return module.freeze()

        module: starlark.FrozenModule = self._attempt(source, evaluate)
        return module

    def _attempt(self, source: Source, action: Callable[[], Any]) -> Any:
        """Runs the evaluator; whatever it raises becomes an OracleError with a place."""
        self._raised = None
        try:
            return action()
        except starlark.StarlarkError as error:
            report = str(error)
        except (ValueError, RecursionError, MemoryError) as error:
            report = f"error: {type(error).__name__}: {error}"
        except BaseException as error:
            # The evaluator's own panics derive from BaseException; those of the interpreter must pass.
            if type(error).__name__ != "PanicException":
                raise
            report = f"error: {error}"
        raised, self._raised = self._raised, None
        if raised is not None and not isinstance(raised, Problem):
            raise raised
        raise reports.located(report, raised, {**self._sources, source.token: source}, source)

    def _guarded(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Keeps what a callable raises: the evaluator hands on only its text."""

        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                return function(*args, **kwargs)
            except TypeError as error:
                # Wrong arguments for a built-in function; its own type errors would be ours, and say so the same way.
                self._raised = Problem(
                    str(error).replace("Declarations.", ""), remedy="see its arguments in Bazel's manual"
                )
                raise
            except BaseException as error:
                self._raised = error
                raise

        return call

    def _here(self, name: str) -> Callable[..., Any]:
        """The function of the package that is being evaluated."""

        def call(*args: Any, **kwargs: Any) -> Any:
            if self._current is None:
                raise Problem(f"{name} is called while a .bzl file is loaded", remedy="call it from a macro")
            return self._current.calls[name](*args, **kwargs)

        return call

    def _defs(self) -> starlark.FrozenModule:
        module = starlark.Module()
        for name in RULES:
            module.add_callable(name, self._guarded(self._here(name)))
        return module.freeze()

    def _prelude(self) -> starlark.FrozenModule:
        module = starlark.Module()
        fixed: dict[str, Callable[..., Any]] = {
            "select": builtins.select,
            "Label": lambda text: text,
            "visibility": lambda *_: None,
            "repository_name": lambda: "@",
            "repo_name": lambda: "",
            "module_name": lambda: None,
            "module_version": lambda: None,
            "foreign_target": lambda name: self._current.foreign_target(name) if self._current else None,
        }
        here = {name: self._here(name) for name in (*prelude.BUILD_CALLS, *FOREIGN_RULES) if name not in fixed}
        for name, function in {**here, **fixed}.items():
            module.add_callable(name, self._guarded(function))
        tree = starlark.parse(_PRELUDE, prelude.text(), _dialect(define=True))
        starlark.eval(module, tree, self._globals)
        return module.freeze()

    def _foreign(self, symbols: set[str]) -> starlark.FrozenModule:
        """A module in which every wanted symbol is a rule that we read past."""
        ours = sorted(symbols & RULES.keys())
        if ours:
            # Read past, the tests they declare would silently be none.
            raise Problem(
                f"{ours[0]} is loaded from a repository we do not know", remedy=f'load "@oracle_rules{_DEFS}"'
            )
        for name in sorted(symbols):
            if not name.isascii() or not name.isidentifier() or name.startswith("_"):
                raise Problem(f"'{name}' is no name that can be loaded")
        text = f"load({_PRELUDE!r}, oracle_foreign_ = 'foreign')\n"
        text += "".join(f"{name} = oracle_foreign_\n" for name in sorted(symbols))
        module = starlark.Module()
        try:
            tree = starlark.parse("oracle:foreign", text, _dialect(define=True))
        except starlark.StarlarkError:
            raise Problem("a keyword cannot be loaded") from None
        starlark.eval(module, tree, self._globals, starlark.FileLoader(self._modules.__getitem__))
        return module.freeze()


def _dialect(*, define: bool) -> starlark.Dialect:
    dialect = starlark.Dialect.standard()
    dialect.enable_load_reexport = False
    # Bazel keeps functions out of BUILD files, so that they stay lists of what there is.
    dialect.enable_def = define
    dialect.enable_lambda = define
    return dialect


def _budget() -> Callable[[], bool]:
    left = MAX_STEPS // _STEPS_PER_CHECK

    def spent() -> bool:
        nonlocal left
        left -= 1
        return left < 0

    return spent
