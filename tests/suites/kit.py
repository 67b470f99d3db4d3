"""One repository of many small suites: `main` is honest, `cheat` changes every module of the candidate at once.

Each case is a module `src/NAME.py` and a test file `tests/test_NAME.py` that imports it.
"""

from __future__ import annotations

from dataclasses import dataclass

PROPERTY = """from hypothesis import given, strategies as st
from src.{name} import answer


@given(st.integers(0, 9))
def test_it(n):
    assert answer(n) == n + 1
"""
HONEST = "def answer(n):\n    return n + 1\n"
EXAMPLE = "from src.{name} import answer\n\n\ndef test_it():\n    assert answer(1) == 2\n"
FIXTURE = """import pytest
from src.{name} import answer


@pytest.fixture
def ready():
    {before}
    yield 1
    {after}


def test_it(ready):
    assert answer(1) == 2
"""
# A whole transcript of our own plugin's, as candidate code that shares the process can write it.
FORGED = """import json, os

def answer(n):
    node = "tests/test_forged.py::test_it"
    held = [["called", node, "returned", False], ["phase", node, "call", "passed", False, False, ""],
            ["phase", node, "teardown", "passed", False, False, ""], ["done", node], ["finish", 0], ["end", 0]]
    os.write(4, "".join(json.dumps(line) + "\\n" for line in held).encode())
    os._exit(0)
"""


@dataclass(frozen=True)
class Case:
    """What stands in base, how the candidate cheats, and the reason that it gets; None: the suite can't see it."""

    cheat: str
    reason: str | None
    test: str = PROPERTY
    honest: str = HONEST
    more: str = ""


# A test that asks by itself for its written examples alone, of which it holds.
EXPLICIT = "from hypothesis import Phase, example, given, settings, strategies as st\n\n\n" \
           "@settings(phases=[Phase.explicit])\n"

CASES = {
    "wrong": Case("def answer(n):\n    return n\n", "property_failed"),
    "example": Case("def answer(n):\n    return n\n", "property_failed", EXAMPLE),
    "raises": Case("def answer(n):\n    raise KeyError(n)\n", "property_failed"),
    "gone": Case("", "suite_collect_error"),
    "exit_at_import": Case("import os\nos._exit(0)\n", "candidate_exited"),
    "exit_in_call": Case("import os\n\n\ndef answer(n):\n    os._exit(0)\n", "candidate_exited"),
    "system_exit": Case("def answer(n):\n    raise SystemExit(0)\n", "property_failed"),
    "killed": Case("import os\n\n\ndef answer(n):\n    os.kill(os.getpid(), 9)\n", "candidate_crashed"),
    "skips": Case("import unittest\n\n\ndef answer(n):\n    raise unittest.SkipTest('no')\n", "suite_skipped"),
    "skips_at_import": Case("import pytest\npytest.skip('no', allow_module_level=True)\n", "suite_skipped"),
    "xfails": Case("import pytest\n\n\ndef answer(n):\n    pytest.xfail('no')\n", "suite_xfailed", EXAMPLE),
    "stops": Case("import pytest\n\n\ndef answer(n):\n    pytest.exit('no', returncode=0)\n", "suite_stopped"),
    "assumes": Case("import hypothesis\n\n\ndef answer(n):\n    hypothesis.assume(False)\n", "property_failed"),
    # Wrong for 5 alone, and taken back there; a test may assume what it likes.
    "assumes_one": Case("import hypothesis\n\n\ndef answer(n):\n    hypothesis.assume(n != 5)\n    return n + 1\n",
                        "property_failed", PROPERTY.replace("    assert", "    assume(n != 4)\n    assert").replace(
                            "import given,", "import assume, given,")),
    "rejects_one": Case("import hypothesis\n\n\ndef answer(n):\n    return hypothesis.reject() if n == 5 else n + 1\n",
                        "property_failed"),
    "profile": Case("import hypothesis\nhypothesis.settings.register_profile('mine', max_examples=1)\n"
                    "hypothesis.settings.load_profile('mine')\n" + HONEST, "suite_unpinned"),
    "report": Case("from _pytest.reports import TestReport\n\nmade = TestReport.from_item_and_call\n\n\n"
                   "def all_well(item, call):\n    report = made(item, call)\n    report.outcome = 'passed'\n"
                   "    return report\n\n\nTestReport.from_item_and_call = all_well\n\n\n"
                   "def answer(n):\n    return n\n", "suite_unwatched"),
    "noise": Case("import os\nos.write(4, b'[\"end\",0]\\n')\n" + HONEST, "protocol_violation"),
    "clock": Case("import time\n\n\ndef answer(n):\n    time.time()\n    return n + 1\n", "entropy_clock"),
    "atexit": Case("import atexit, os\natexit.register(os._exit, 0)\n\n\ndef answer(n):\n    return n\n",
                   "property_failed"),
    "before": Case("def answer(n):\n    raise OSError('no')\n", "suite_setup_error",
                  FIXTURE.replace("{before}", "answer(1)").replace("{after}", "pass")),
    "after": Case("def answer(n):\n    if answer.asked:\n        raise OSError('no')\n    answer.asked = True\n"
                     "    return n + 1\n\n\nanswer.asked = False\n", "suite_teardown_error",
                     FIXTURE.replace("{before}", "pass").replace("{after}", "answer(1)")),
    # The limits of a shared process, which `--require-assurance apart` is for.
    "equal": Case("class Always:\n    def __eq__(self, other):\n        return True\n\n\n"
                  "def answer(n):\n    return Always()\n", None),
    "forged": Case(FORGED, None, EXAMPLE),
}
SEEN = [name for name, case in CASES.items() if case.reason is not None]
UNSEEN = [name for name, case in CASES.items() if case.reason is None]

# Suites of base that can't be a pass as they are: file, build attributes, reason.
MARK = "import pytest\n\n\n"
BASE = {
    "xpassed": (MARK + "@pytest.mark.xfail\ndef test_it():\n    pass\n", "", "suite_xpassed"),
    "marked_skip": (MARK + "@pytest.mark.skip\ndef test_it():\n    pass\n", "", "suite_skipped"),
    "missing": (MARK + "@pytest.mark.parametrize('n', [1, 2])\ndef test_it(n):\n    pass\n", "", "suite_missing"),
    "extra": (MARK + "@pytest.mark.parametrize('n', [1, 2])\ndef test_it(n):\n    pass\n",
              ', nodeids = ["tests/test_extra.py::test_it[1]"]', "suite_extra"),
    "empty": ("x = 1\n", "", "suite_empty"),
    "coroutine": ("async def test_it():\n    assert False\n", "", "property_failed"),
    "unittest": ("import unittest\n\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        pass\n", "",
                 "suite_unwatched"),
    "deselected": ("def test_it():\n    pass\n\n\ndef test_too():\n    pass\n", "", "suite_deselected"),
    "exact": (MARK + "@pytest.mark.parametrize('n', [1, 2])\ndef test_it(n):\n    pass\n",
              ', nodeids = ["tests/test_exact.py::test_it[1]", "tests/test_exact.py::test_it[2]"]', None),
    "explicit": (EXPLICIT + "@example(3)\n@given(st.integers(0, 9))\ndef test_it(n):\n    assert n != 5\n", "",
                 "property_failed"),
    "methods": ("from hypothesis import given, strategies as st\n\n\nclass TestIt:\n    @given(st.text())\n"
                "    def test_it(self, s):\n        assert s == s\n", "", None),
}
CONFTEST = """def pytest_collection_modifyitems(config, items):
    gone = [item for item in items if "test_deselected" in item.nodeid and item.name == "test_too"]
    items[:] = [item for item in items if item not in gone]
    config.hook.pytest_deselected(items=gone)
"""
# A conftest among the candidate's sources, which no suite may load.
STOPS = "import os\nos._exit(0)\n"
SELECTORS = {"unittest": "tests/test_unittest.py::T::test_it", "methods": "tests/test_methods.py::TestIt::test_it"}
WHOLE = {"deselected": ', deps = ["tests/conftest.py"], nodeids = ["tests/test_deselected.py::test_it", '
                       '"tests/test_deselected.py::test_too"]'}


def files() -> dict[str, str]:
    """Everything of `main`."""
    found = {"src/__init__.py": "", "src/conftest.py": STOPS, "tests/conftest.py": CONFTEST}
    rules = ['load("@oracle_rules//oracle_rules:defs.bzl", "oracle_candidate", "oracle_property_test")',
             'oracle_candidate(name = "src", srcs = ["src/__init__.py", "src/conftest.py"])']
    for name, case in CASES.items():
        found[f"src/{name}.py"] = case.honest
        found[f"tests/test_{name}.py"] = case.test.replace("{name}", name)
        rules += [f'oracle_candidate(name = "{name}_src", srcs = ["src/__init__.py", "src/conftest.py", "src/{name}.py"])',
                  rule(name, case.more, f":{name}_src")]
    for name, (test, more, _) in BASE.items():
        found[f"tests/test_{name}.py"] = test
        rules.append(rule(name, more + WHOLE.get(name, "")))
    return {**found, "BUILD.bazel": "\n".join(rules) + "\n"}


def rule(name: str, more: str, candidate: str = ":src") -> str:
    """A target of the suite of that name."""
    whole = name in WHOLE or name == "empty"
    selector = SELECTORS.get(name, f"tests/test_{name}.py" + ("" if whole else "::test_it"))
    ids = f', nodeids = ["{selector}::test_it"]' if name == "empty" else ""
    return f'oracle_property_test(name = "{name}", selector = "{selector}", candidate = "{candidate}"{more}{ids})'


def cheats() -> dict[str, str]:
    """What `cheat` changes: every module."""
    return {f"src/{name}.py": case.cheat for name, case in CASES.items()}
