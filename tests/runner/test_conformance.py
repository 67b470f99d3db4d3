"""What runs inside uses of Hypothesis and pytest: documented names, and a few beyond them, each pinned here.

Each use beyond the documentation has a test that shows what it does in the locked version. Where a run can go on without
it, the test shows what becomes of that run: the settings of a test are then told as unpinned, and what the plugin of
Hypothesis and its storage folder do changes no case.
"""

from __future__ import annotations

import ast
import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import hypothesis.errors

from oracle_rules.execution.runtime import ROLES
from oracle_rules.protocol.suite import Seen

from ..cli.kit import REPOSITORY

# Names that the documentations of Hypothesis and pytest list, by module.
DOCUMENTED = {
    "hypothesis": {"HealthCheck", "Phase", "example", "given", "is_hypothesis_test", "seed", "settings", "strategies"},
    "hypothesis.settings": {"get_profile", "load_profile", "register_profile"},
    "hypothesis.errors": {"InvalidArgument", "Unsatisfiable"},
    "pytest": {"exit", "hookimpl", "main"},
}  # fmt: skip
# What is used beyond them, and what pins it: tests of this file, of `test_streams.py` and of `tests/suites/`.
BEYOND = {
    "hypothesis.settings.__call__": "test_settings_of_a_test_give_way_because_decorating_goes_through_the_class",
    "hypothesis.settings()": "test_settings_of_a_test_give_way_because_decorating_goes_through_the_class",
    "hypothesis.errors.__name__": "test_what_hypothesis_has_against_a_test_is_of_its_module_of_errors",
    "_hypothesis_pytestplugin": "test_hypothesis_names_its_plugin_for_pytest",
    "HYPOTHESIS_STORAGE_DIRECTORY": "test_the_drawing_is_the_same_without_the_variables_that_are_not_documented",
    "report.wasxfail": "test_a_suite_of_base_counts_as_it_is",
    "item.funcargs": "test_settings_of_a_test_give_way_because_decorating_goes_through_the_class",
}  # fmt: skip
HOOKS = {"collectreport", "deselected", "collection_finish", "runtest_protocol", "pyfunc_call", "runtest_makereport",
         "internalerror", "sessionfinish"}  # fmt: skip


def used() -> dict[str, set[str]]:
    """The names of Hypothesis and pytest that the files which run inside use, by module."""
    found: dict[str, set[str]] = {}
    for path in {REPOSITORY / "oracle_rules" / name for names in ROLES.values() for name in names}:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("hypothesis", "pytest"):
                found.setdefault(str(node.module), set()).update(alias.name for alias in node.names)
            elif isinstance(node, ast.Import):
                assert not [a.name for a in node.names if a.name.startswith(("hypothesis.", "_pytest", "pluggy"))], path
            elif isinstance(node, ast.Attribute) and ast.unparse(node.value) in DOCUMENTED:
                found.setdefault(ast.unparse(node.value), set()).add(node.attr)
    return found


def test_documented_names_alone_are_used_and_those_that_are_pinned() -> None:
    beyond = {f"{module}.{name}" for module, names in used().items() for name in names - DOCUMENTED.get(module, set())}
    assert beyond == {"hypothesis.settings.__call__"} and beyond <= set(BEYOND)
    assert {module: DOCUMENTED[module] - names for module, names in used().items()} == dict.fromkeys(used(), set())


def test_every_hook_is_one_that_pytest_documents() -> None:
    tree = ast.parse((REPOSITORY / "oracle_rules/runner/suite_plugin.py").read_text("utf-8"))
    hooks = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name[:7] == "pytest_"}
    assert hooks == {f"pytest_{name}" for name in HOOKS}


def test_every_pin_is_a_test() -> None:
    places = [*Path(__file__).parent.glob("test_*.py"), *(REPOSITORY / "tests" / "suites").glob("test_*.py")]
    tests = {node.name for path in places for node in ast.walk(ast.parse(path.read_text("utf-8")))
             if isinstance(node, ast.FunctionDef)}
    assert set(BEYOND.values()) <= tests


PLAIN = "from hypothesis import given, settings, strategies as st\n\n\n@given(st.integers())\ndef test_it(n):\n    pass\n"
OWN = PLAIN.replace("@given", "@settings(max_examples=3, deadline=9000)\n@given").replace("(n)", "(tmp_path_factory, n)")
RUN = """
import sys
top, undone, dropped = sys.argv[1:]
sys.path.insert(0, top)
import os
os.environ.update(PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", HYPOTHESIS_STORAGE_DIRECTORY=os.path.join(os.getcwd(), "storage"))
import hypothesis, pytest
from oracle_rules.runner import suite
from oracle_rules.runner.suite_plugin import Watcher
from oracle_rules.runner.transcript import Transcript
transcript = Transcript(os.open("transcript", os.O_WRONLY | os.O_CREAT, 0o600))
transcript.say("start")
kept = hypothesis.settings.__call__
watcher = Watcher(transcript, seed=7, most=25, given=[])
if undone == "settings":
    hypothesis.settings.__call__ = kept
words = [os.getcwd() if word == suite.ORACLE else word for word in suite._ARGUMENTS]
if dropped == "plugin":
    place = words.index("_hypothesis_pytestplugin")
    del words[place - 1 : place + 1]
transcript.say("end", int(pytest.main([*words, "test_it.py::test_it"], plugins=[watcher])))
"""


def run(folder: Path, test: str, *, undone: str = "", dropped: str = "") -> tuple[str | None, str, list[Any]]:
    """The code, the detail and what was asked, of a suite that our plugin watched outside of the sandbox."""
    folder.mkdir()
    (folder / "test_it.py").write_text(test)
    done = subprocess.run([sys.executable, "-c", RUN, str(REPOSITORY), undone, dropped], cwd=folder, check=False,
                          env={"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    request = {"suite": {"selector": "test_it.py::test_it", "nodeids": ["test_it.py::test_it"], "max_examples": 25}}
    seen = Seen.of(request, (folder / "transcript").read_bytes(), ("exited", 0))
    return (seen.observation["code"], seen.observation["detail"],
            [json.loads(text or "null") for _, text in seen.arguments])


def test_settings_of_a_test_give_way_because_decorating_goes_through_the_class(tmp_path: Path) -> None:
    code, detail, asked = run(tmp_path / "here", OWN)
    assert (code, detail, len(asked)) == (None, "", 25)
    assert {*map(tuple, asked)} == {("n",)}, "a fixture is no argument that was drawn"
    code, detail, asked = run(tmp_path / "without", OWN, undone="settings")
    assert (code, len(asked)) == ("suite_unpinned", 3) and "max_examples is 3" in detail and "deadline" in detail


def test_what_hypothesis_has_against_a_test_is_of_its_module_of_errors() -> None:
    for name in ("InvalidArgument", "Unsatisfiable", "FailedHealthCheck", "Flaky", "FlakyStrategyDefinition"):
        assert getattr(hypothesis.errors, name).__module__ == "hypothesis.errors", name


def test_hypothesis_names_its_plugin_for_pytest(tmp_path: Path) -> None:
    [entry] = importlib.metadata.entry_points(group="pytest11", name="hypothesispytest")
    assert entry.value == "_hypothesis_pytestplugin"
    known = run(tmp_path / "here", PLAIN)
    assert run(tmp_path / "without", PLAIN, dropped="plugin") == known and len(known[2]) == 25
