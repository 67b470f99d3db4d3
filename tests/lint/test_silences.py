"""Silences: every spelling is found, one that names a row of the ledger is let alone, and a near word is no silence."""

from __future__ import annotations

import pytest

from oracle_rules.entropy.source import parse
from oracle_rules.lint.silences import RULES, silences

IDS = frozenset({"FZ-014", "clock-step"})


def found(text: str, ids: frozenset[str] = IDS) -> list[str]:
    return [f"{hit.rule.id.removeprefix('silence-')} {hit.span.line}:{hit.span.column}"
            for hit in silences(parse(text, "tests/test_a.py"), ids)]


SPELLINGS = {
    "import pytest\ndef test_a():\n    pytest.skip('flaky')\n": "skip 3:5",
    "import pytest as p\n@p.mark.skip(reason='flaky')\ndef test_a(): ...\n": "skip 2:2",
    "from pytest import mark\n@mark.skip\ndef test_a(): ...\n": "skip 2:2",
    "from pytest import mark as m\n@m.skipif(True, reason='later')\ndef test_a(): ...\n": "skip 2:2",
    "import pytest\npytestmark = [pytest.mark.skip]\n": "skip 2:15",
    "import pytest\npytestmark = pytest.mark.xfail(strict=False)\n": "xfail 2:14",
    "import pytest\nlater = pytest.mark.xfail\n": "xfail 2:9",
    "import pytest\ndef test_a():\n    pytest.xfail('flaky')\n": "xfail 3:5",
    "from pytest import importorskip as need\nneed('numpy')\n": "skip 2:1",
    "from pytest import skip\nskip('all of it', allow_module_level=True)\n": "skip 2:1",
    "import pytest\ndef test_a():\n    raise pytest.skip.Exception('x')\n": "skip 3:11",
    "import unittest\n@unittest.skip('x')\nclass T(unittest.TestCase): ...\n": "skip 2:2",
    "from unittest import skipIf\n@skipIf(True, 'x')\ndef test_a(): ...\n": "skip 2:2",
    "import unittest\n@unittest.expectedFailure\ndef test_a(): ...\n": "xfail 2:2",
    "import unittest\ndef test_a():\n    raise unittest.SkipTest\n": "skip 3:11",
    "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.skipTest('x')\n": "skip 4:9",
    "class TestA:\n    __test__ = False\n": "collection 2:5",
    "collect_ignore = ['test_a.py']\n": "collection 1:1",
    "import pytest\ndef test_a():\n    pytest.exit('enough', 0)\n": "collection 3:5",
}


@pytest.mark.parametrize(("text", "expect"), SPELLINGS.items())
def test_every_spelling_is_found(text: str, expect: str) -> None:
    assert found(text) == [expect]


@pytest.mark.parametrize("text", [
    "import pytest\ndef test_a():\n    pytest.skip('FZ-014: the clock steps back')\n",
    "import pytest\n@pytest.mark.skip(reason='see FZ-014')\ndef test_a(): ...\n",
    "import pytest\npytestmark = pytest.mark.xfail(reason='(clock-step)')\n",
    "import unittest\n@unittest.skip('clock-step')\nclass T: ...\n",
    "import unittest\ndef test_a():\n    raise unittest.SkipTest('FZ-014')\n",
])  # fmt: skip
def test_one_that_names_a_row_of_the_ledger_is_the_ledgers_business(text: str) -> None:
    assert found(text) == []
    assert len(found(text, frozenset({"FZ-999"}))) == 1


@pytest.mark.parametrize("reason", ["FZ-0145", "XFZ-014", "FZ-01", "fz-014", "FZ-014-b", ""])
def test_an_id_has_to_stand_there_as_a_word(reason: str) -> None:
    assert found(f"import pytest\npytest.skip({reason!r})\n") == ["skip 2:1"]


@pytest.mark.parametrize("text", [
    "def skip(x): ...\nskip('x')\n",
    "import pytest\n@pytest.mark.parametrize('x', [1])\ndef test_a(x): ...\n",
    "class A:\n    __test__ = True\n",
    "from itertools import dropwhile as skip\nskip(None, [])\n",
    "import pytest\ndef test_a():\n    with pytest.raises(ValueError): ...\n",
    "text = 'pytest.skip(1)'  # pytest.skip\n",
])  # fmt: skip
def test_a_near_word_is_no_silence(text: str) -> None:
    assert found(text) == []


def test_every_rule_and_every_name_of_the_table_is_found_by_itself() -> None:
    """A row that is taken out of the table makes this fail, and so does a name that no row has."""
    for rule in RULES:
        for name in rule.names:
            module, _, last = name.rpartition(".")
            text = (f"{name} = False\n" if not module else f"def test_a(x):\n    x.{last}('why')\n" if module == "?"
                    else f"import {module.partition('.')[0] if module.startswith('pytest') else module}\n{name}('why')\n")
            assert [each.split()[0] for each in found(text)] == [rule.id.removeprefix("silence-")], name
    assert {rule.id for rule in RULES} == {"silence-skip", "silence-xfail", "silence-collection"}
