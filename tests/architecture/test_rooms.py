"""The drawing of the rooms as a table: who may import whom, and what of the standard library is forbidden where."""

from __future__ import annotations

import ast
import sys

import pytest

from .sources import Import, Module, imports, modules

VALUES = {"errors", "digest", "label", "relpath"}
# Room -> the rooms it may import. What is not in the table may not be.
MAY: dict[str, set[str]] = {
    "oracle_rules": set(),
    "oracle_seams": set(),
    **{value: set() for value in VALUES},
    "protocol": set(),
    "runner": {"protocol", "oracle_seams"},
    "reapi": VALUES,
    "loading": VALUES,
    "artifacts": VALUES | {"protocol", "entropy"},
    "gate": VALUES | {"artifacts"},
    "entropy": VALUES,
    "lint": VALUES | {"artifacts", "entropy"},
    "analysis": VALUES | {"protocol", "reapi", "artifacts", "loading"},
    "shrinking": {"protocol"},
    "mutation": set(),
    "trust": VALUES | {"protocol", "artifacts", "gate"},
    "record": VALUES | {"protocol", "artifacts", "analysis", "gate", "trust"},
    "report": VALUES | {"protocol", "record", "gate", "entropy"},
    "scm": VALUES,
    "storage": VALUES | {"protocol", "reapi"},
    "execution": set(),
    "execution.sandbox": {"errors"},
    "execution.toolchain": VALUES | {"protocol"},
    "execution.lockfile": VALUES,
    "execution.deps_layout": VALUES,
    "execution.deps": VALUES | {"protocol", "execution.lockfile", "execution.deps_layout", "execution.toolchain"},
    "execution.runtime": VALUES,
    "execution.libraries": VALUES | {"protocol", "execution.toolchain"},
    "execution.staging": VALUES | {"reapi", "storage"},
    "execution.local": VALUES | {"protocol", "reapi", "storage", "execution.sandbox", "execution.staging"},
    "history": VALUES | {"protocol"},
    "inventory": VALUES | {"scm", "loading", "gate", "trust"},
    "again": {"gate"},
    "unreadable": VALUES | {"again", "gate", "record", "trust"},
    "workspace": VALUES | {"again", "unreadable", "scm", "loading", "gate", "trust", "inventory"},
    "scanning": VALUES | {"artifacts", "entropy", "lint", "scm", "workspace"},
    "asking": VALUES | {"artifacts", "gate", "inventory", "lint", "loading", "scm", "trust", "workspace"},
    "keeping": VALUES | {"artifacts", "gate", "loading", "scm"},
    "worker": VALUES
    | {"analysis", "protocol", "reapi", "storage"}
    | {f"execution.{part}" for part in ("deps", "libraries", "local", "runtime", "sandbox", "staging", "toolchain")},
    "scoring": VALUES
    | {"protocol", "reapi", "artifacts", "gate", "analysis", "record", "scm", "workspace", "asking", "worker"}
    | {"shrinking", "mutation"},
    "outcomes": VALUES | {"protocol", "gate", "record"},
    "finds": {"protocol"},
    "promoting": VALUES | {"protocol", "record", "asking", "scoring", "shrinking", "workspace", "worker"},
    "drawing": VALUES | {"artifacts", "gate", "loading", "asking", "scoring", "workspace", "worker"},
    "hunting": VALUES | {"gate", "loading", "scm", "asking", "scoring", "shrinking", "workspace", "worker"},
    "rooted": VALUES | {"protocol", "storage"}
    | {f"execution.{part}" for part in ("libraries", "local", "sandbox", "staging", "toolchain")},
    "strength": VALUES | {"artifacts", "gate", "loading", "mutation", "scm", "asking", "scoring", "workspace", "worker"},
    "evaluate": VALUES | {"artifacts", "gate", "analysis", "record", "outcomes", "workspace", "asking", "scoring", "worker"},
    "commands": VALUES
    | {"protocol", "reapi", "gate", "record", "report", "history", "scm", "workspace", "worker"}
    | {"asking", "keeping", "drawing", "evaluate", "finds", "hunting", "mutation", "promoting", "strength"}
    | {"unreadable", "oracle_rules", "artifacts", "analysis", "rooted"}
    | {"entropy", "scanning", "inventory", "loading", "trust"}
    | {"execution.sandbox"},
    "cli": {"errors", "commands"},
    "nox_sessions": set(),
}
DECIDING = (
    "errors", "digest", "label", "relpath", "protocol", "reapi", "loading", "artifacts", "gate", "entropy", "lint",
    "analysis", "record", "outcomes", "report", "shrinking", "mutation", "trust", "again", "unreadable",
)  # fmt: skip
# What touches the world, a clock or chance; `datetime` is a value as long as nobody asks it for now.
WORLD = {
    "asyncio", "concurrent", "ctypes", "fcntl", "glob", "io", "mmap", "multiprocessing", "os", "pathlib", "random",
    "resource", "secrets", "select", "shutil", "signal", "socket", "sqlite3", "ssl", "subprocess", "tempfile",
    "threading", "time", "urllib", "uuid",
}  # fmt: skip
# Packages that are not the standard library's, and the only rooms that may import them.
FOREIGN = {
    "_oracle_runtime": {"runner"}, "cryptography": {"trust"}, "hypothesis": {"runner"}, "nox": {"nox_sessions"},
    "pytest": {"runner"},
    "starlark": {"loading"}, "yaml": {"artifacts"},
}  # fmt: skip


def all_imports() -> list[Import]:
    return [found for module in modules().values() for found in imports(module)]


def room(name: str) -> str:
    return modules()[name].room


def ours(found: Import) -> bool:
    return found.target in modules()


def test_every_room_has_a_row_and_every_row_a_room() -> None:
    assert {module.room for module in modules().values()} == set(MAY)


def test_a_room_imports_what_its_row_says() -> None:
    wrong = [
        f"{found.module}:{found.line} imports {found.target}"
        for found in all_imports()
        if ours(found) and room(found.target) not in MAY[room(found.module)] | {room(found.module)}
    ]
    assert wrong == []


def test_an_import_of_ours_is_one_that_exists() -> None:
    wrong = [
        f"{found.module}:{found.line} imports {found.target}"
        for found in all_imports()
        if found.target.split(".")[0] in ("oracle_rules", "oracle_seams") and not ours(found)
    ]
    assert wrong == []


def test_what_decides_never_reaches_what_touches_the_world() -> None:
    """By the table, and through others as well."""
    reach = {name: set(rooms) for name, rooms in MAY.items()}
    for _ in reach:
        for rooms in reach.values():
            rooms.update(*(reach[further] for further in tuple(rooms)))
    worldly = {"scm", "storage", "worker", "asking", "scoring", "keeping", "evaluate", "drawing", "finds", "hunting"}
    worldly |= {"promoting", "rooted", "strength", "cli", "commands", "inventory"}
    worldly |= {"workspace", "history", "scanning"}
    worldly |= {name for name in MAY if name.startswith("execution")}
    for name in DECIDING:
        assert not reach[name] & worldly, name
    assert reach["evaluate"] & worldly


def test_no_module_of_the_world_where_we_decide() -> None:
    wrong = [
        f"{found.module}:{found.line} imports {found.target}"
        for found in all_imports()
        if room(found.module) in DECIDING and found.target.split(".")[0] in WORLD
    ]
    assert wrong == []


def calls(module: Module) -> set[tuple[str, int]]:
    """Names that are called, dotted as they are written."""
    found = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call):
            found.add((ast.unparse(node.func), node.lineno))
    return found


# To compile is to read a text as Python does; running what comes of it is what may not be.
HARMLESS = {"starlark.eval"}
FORBIDDEN_CALLS = ("now", "utcnow", "today", "open", "print", "input", "exec", "eval", "__import__")


def test_no_call_that_asks_the_world_where_we_decide() -> None:
    wrong = []
    for module in modules().values():
        if module.room in DECIDING:
            for name, line in calls(module):
                last = name.rpartition(".")[2]
                if last in FORBIDDEN_CALLS and name not in HARMLESS:
                    wrong.append(f"{module.name}:{line} calls {name}")
    assert wrong == []


@pytest.mark.parametrize("words", ["datetime.date.today()", "datetime.now()", "open('x')", "print()"])
def test_the_test_above_can_fail(words: str) -> None:
    module = Module("x", modules()["oracle_rules.cli"].path, words, ast.parse(words))
    assert [name for name, _ in calls(module) if name.rpartition(".")[2] in FORBIDDEN_CALLS]


def test_what_runs_inside_imports_relatively_and_the_standard_library_alone() -> None:
    allowed = {"oracle_seams", "_oracle_runtime", "hypothesis", "pytest"} | set(sys.stdlib_module_names)
    for found in all_imports():
        if room(found.module) in ("runner", "protocol"):
            inside = ours(found) and (found.relative or found.target.startswith("oracle_seams"))
            assert inside or found.target.split(".")[0] in allowed and not ours(found), found
        if found.module.startswith("oracle_seams"):
            assert found.relative or found.target.split(".")[0] in sys.stdlib_module_names, found
    assert {found.module for found in all_imports() if found.target.startswith("hypothesis")} == {
        "oracle_rules.runner.generate", "oracle_rules.runner.strategies", "oracle_rules.runner.suite_plugin"
    }


def test_foreign_packages_stay_in_their_rooms() -> None:
    known = set(sys.stdlib_module_names) | {"oracle_rules", "oracle_seams"}
    for found in all_imports():
        top = found.target.split(".")[0]
        if top not in known:
            assert room(found.module) in FOREIGN.get(top, ()), found


def test_no_import_cycle() -> None:
    """Late imports included, those for types alone left out; a package and its own parts are no cycle."""
    graph: dict[str, set[str]] = {name: set() for name in modules()}
    for found in all_imports():
        own_package = found.module.startswith(found.target + ".")
        if ours(found) and not found.typing_only and not own_package and found.target != found.module:
            graph[found.module].add(found.target)
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join((*path[path.index(name) :], name))
        if name not in done:
            for target in sorted(graph[name]):
                visit(target, (*path, name))
            done.add(name)

    for name in graph:
        visit(name, ())
    assert len(done) > 100


def test_only_the_command_line_prints_and_exits() -> None:
    printers = {"oracle_rules.cli"}
    inside = {"runner", "execution.sandbox", "nox_sessions"}
    for module in modules().values():
        if module.name in printers or module.room in inside:
            continue
        for name, line in calls(module):
            assert name not in ("print", "sys.exit", "exit", "os._exit", "sys.stdout.write"), (
                f"{module.name}:{line} {name}"
            )
