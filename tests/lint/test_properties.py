"""The lint of properties: each refusal beside a property that differs from it only in what was wrong."""

from __future__ import annotations

import textwrap

import pytest

from oracle_rules.lint.properties import lint_property
from oracle_rules.lint.rules import ROWS

PATH = "properties/p.py"
FIXTURES = frozenset({"fixtures/limits.json", "fixtures/deep/a.bin"})


def lint(source: str, **others: str) -> list[tuple[str, str]]:
    """(code, place) of everything that is refused; keyword arguments are further files of the folder."""
    files = {PATH: textwrap.dedent(source).encode()}
    files |= {f"properties/{name}.py": textwrap.dedent(text).encode() for name, text in others.items()}
    found = lint_property(PATH, files, candidate=frozenset({"src"}), fixtures=FIXTURES)
    return [(violation.code, violation.subject.removeprefix(PATH + ":")) for violation in found]


# (what is refused, the code and place, the bad body, the good one). Bodies stand below the two lines of HEAD.
HEAD = "from src.parser import Rejected, parse, render\nimport src.parser\n"
PAIRS = [
    ("never asks the candidate",
     "property_asks_nothing 3:1", "def hold(case):\n    return case['a'] == case['b']\n",
     "def hold(case):\n    return parse(case['a']) == case['b']\n"),
    ("asks only in a function that nobody calls",
     "property_asks_nothing 5:1",
     "def other(case):\n    return parse(case)\ndef hold(case):\n    return case['a'] == case['b']\n",
     "def other(case):\n    return parse(case)\ndef hold(case):\n    return other(case['a']) == case['b']\n"),
    ("drops the answer and checks the case",
     "property_restates_generator 5:5", "def hold(case):\n    parse(case)\n    return len(case) <= 80\n",
     "def hold(case):\n    found = parse(case)\n    return len(found) <= 80\n"),
    ("keeps the answer in a name and checks the case",
     "property_restates_generator 5:5", "def hold(case):\n    found = parse(case)\n    return case.isascii()\n",
     "def hold(case):\n    found = parse(case)\n    return found.isascii()\n"),
    ("has no other answer than True",
     "property_cannot_fail 5:5", "def hold(case):\n    parse(case)\n    return True\n",
     "def hold(case):\n    if parse(case) is not case:\n        return False\n    return True\n"),
    ("asserts a tuple",
     "property_cannot_fail 4:5",
     "def hold(case):\n    assert (parse(case) == 1, 'one')\n    return parse(case) != 2\n",
     "def hold(case):\n    assert parse(case) == 1, 'one'\n    return parse(case) != 2\n"),
    ("or True",
     "property_cannot_fail 4:5", "def hold(case):\n    return parse(case) == 1 or True\n",
     "def hold(case):\n    return parse(case) == 1 or case == 2\n"),
    ("a length is never negative",
     "property_cannot_fail 4:5", "def hold(case):\n    return len(parse(case)) >= 0\n",
     "def hold(case):\n    return len(parse(case)) > 0\n"),
    ("isinstance of object",
     "property_cannot_fail 4:5", "def hold(case):\n    return isinstance(parse(case), object)\n",
     "def hold(case):\n    return isinstance(parse(case), str)\n"),
    ("x == x",
     "property_cannot_fail 5:5", "def hold(case):\n    found = parse(case)\n    return found == found\n",
     "def hold(case):\n    found = parse(case)\n    return found == case\n"),
    ("every exception is forgiven",
     "property_cannot_fail 6:5",
     "def hold(case):\n    try:\n        return parse(case) == 1\n    except Exception:\n        return True\n",
     "def hold(case):\n    try:\n        return parse(case) == 1\n    except Rejected:\n        return True\n"),
    ("a failed assertion is forgiven",
     "property_cannot_fail 6:5",
     "def hold(case):\n    try:\n        assert parse(case) == 1\n    except (ValueError, AssertionError):\n        pass\n"
     "    return case == parse(1)\n",
     "def hold(case):\n    try:\n        assert parse(case) == 1\n    except (ValueError, AssertionError):\n"
     "        return False\n    return case == parse(1)\n"),
    ("a bare except",
     "property_cannot_fail 6:5",
     "def hold(case):\n    try:\n        found = parse(case)\n    except:\n        return True\n    return found == 1\n",
     "def hold(case):\n    try:\n        found = parse(case)\n    except Exception as error:\n"
     "        return isinstance(error, Rejected)\n    return found == 1\n"),
    ("suppress(Exception)",
     "property_cannot_fail 5:10",
     "from contextlib import suppress\ndef hold(case):\n    with suppress(Exception):\n"
     "        return parse(case) == 1\n    return parse(case) == 2\n",
     "from contextlib import suppress\ndef hold(case):\n    with suppress(Rejected):\n"
     "        return parse(case) == 1\n    return parse(case) == 2\n"),
    ("return in finally",
     "property_cannot_fail 7:9",
     "def hold(case):\n    try:\n        assert parse(case) == 1\n    finally:\n        return parse(case) == 2\n",
     "def hold(case):\n    try:\n        assert parse(case) == 1\n    finally:\n        case.clear()\n"
     "    return parse(case) == 2\n"),
    ("only that there is an answer",
     "property_no_invariant 4:12", "def hold(case):\n    return parse(case) is not None\n",
     "def hold(case):\n    return parse(case) is not None and parse(case).ok is True\n"),
    ("asserts only that there is an answer",
     "property_no_invariant 5:12", "def hold(case):\n    found = parse(case)\n    assert found is not None\n"
     "    return True\n",
     "def hold(case):\n    found = parse(case)\n    assert found == 3\n    return True\n"),
    ("the candidate against itself",
     "property_no_invariant 4:12", "def hold(case):\n    return parse(case) == parse(case)\n",
     "def hold(case):\n    return parse(parse(case)) == parse(case)\n"),
    ("the candidate against itself, through names",
     "property_no_invariant 6:12",
     "def hold(case):\n    one = parse(case)\n    two = parse(case)\n    return one == two\n",
     "def hold(case):\n    one = parse(case)\n    two = render(one)\n    return two == case\n"),
    ("opens a file",
     "property_does_io 4:12", "def hold(case):\n    return open('/etc/passwd').read() == parse(case)\n",
     "def hold(case):\n    return open('fixtures/limits.json').read() == parse(case)\n"),
    ("writes a fixture",
     "property_does_io 4:12", "def hold(case):\n    return open('fixtures/limits.json', 'a').write('') == parse(case)\n",
     "def hold(case):\n    return open('fixtures/limits.json', 'rb').read() == parse(case)\n"),
    ("prints", "property_does_io 4:5", "def hold(case):\n    print(case)\n    return parse(case) == 1\n",
     "def print(text):\n    return text\ndef hold(case):\n    print(case)\n    return parse(case) == 1\n"),
    ("starts a program, under another name",
     "property_does_io 5:5",
     "from subprocess import run as go\ndef hold(case):\n    go(['true'])\n    return parse(case) == 1\n",
     "from functools import reduce as go\ndef hold(case):\n    go(max, [1])\n    return parse(case) == 1\n"),
    ("writes through a path",
     "property_does_io 5:5",
     "from pathlib import Path\ndef hold(case):\n    (Path('fixtures') / 'a').write_text('')\n"
     "    return parse(case) == 1\n",
     "from pathlib import Path\ndef hold(case):\n    (Path('fixtures') / 'a').read_text()\n"
     "    return parse(case) == 1\n"),
]  # fmt: skip


@pytest.mark.parametrize(("expect", "bad", "good"), [row[1:] for row in PAIRS], ids=[row[0] for row in PAIRS])
def test_what_could_hold_for_a_wrong_candidate_is_refused_with_its_line(expect: str, bad: str, good: str) -> None:
    assert lint(HEAD + bad) == [tuple(expect.split())]
    assert lint(HEAD + good) == []


HONEST = {
    "a typed refusal": "try:\n        name = parse(case)\n    except Rejected as refusal:\n"
                       "        return refusal.code == case['code']\n    return name == case['name']",
    "a fake that is handed over": "asked = []\n    parse(case, asked.append)\n    return asked == case['asked']",
    "a list that is changed in place": "items = list(case)\n    parse(items)\n    return items == sorted(case)",
    "a function inside, handed over": "seen = []\n    def tell(x):\n        seen.append(x)\n    parse(case, tell)\n"
                                      "    return seen == case",
    "a count under a condition": "done = 0\n    for item in case:\n        if parse(item):\n            done += 1\n"
                                 "    return done == len(case)",
    "a flag from a handler": "refused = False\n    try:\n        parse(case)\n    except Rejected:\n"
                             "        refused = True\n    return refused is case['refused']",
    "a loop over answers": "for line in parse(case):\n        if line.isspace():\n            return False\n"
                           "    return True",
    "its own truth": "return parse(case)",
    "all of a comprehension": "return all(item in case for item in parse(case))",
    "map with a function": "return list(map(parse, case)) == case",
    "a module by its dotted name": "return src.parser.parse(case) == case",
    "getattr": "return getattr(src.parser, case['verb'])(1) == case['expect']",
    "a with block": "with parse(case) as inside:\n        found = inside.read()\n    return found == case",
    "match": "match parse(case):\n        case {'a': a}:\n            return a == 1\n        case _:\n"
             "            return False",
    "walrus": "return (found := parse(case)) and found == case",
    "an assertion and nothing else": "assert parse(case) == case\n    return True",
    "raise AssertionError": "if parse(case) != case:\n        raise AssertionError\n    return True",
    "a handler that notes": "broken = []\n    try:\n        parse(case)\n    except Exception as error:\n"
                            "        broken.append(error)\n    return not broken",
}


@pytest.mark.parametrize("body", HONEST.values(), ids=HONEST.keys())
def test_an_honest_property_is_let_alone(body: str) -> None:
    assert lint(HEAD + "def hold(case):\n    " + body + "\n") == []


def test_other_files_of_the_oracle_are_followed() -> None:
    bad = "from properties.helper import check\ndef hold(case):\n    return check(case)\n"
    asks = "from src.parser import parse\ndef check(case):\n    return parse(case) == 1\n"
    assert lint(bad, helper=asks) == []
    assert lint(bad, helper="def check(case):\n    return case == 1\n") == [("property_asks_nothing", "2:1")]
    assert lint("from properties import helper\ndef hold(case):\n    return helper.check(case)\n", helper=asks) == []


def test_input_and_output_in_a_file_that_the_property_imports_is_found_there() -> None:
    main = "from properties.helper import check\nfrom src.parser import parse\ndef hold(case):\n    return check(parse(case))\n"
    found = lint(main, helper="import os\ndef check(found):\n    os.system('true')\n    return found == 1\n")
    assert found == [("property_does_io", "properties/helper.py:3:5")]
    assert lint(main, helper="def check(found):\n    return found == 1\n") == []


def test_what_is_bound_by_an_import_is_left_to_the_run() -> None:
    assert lint("from properties.helper import hold\n", helper=HEAD + "def hold(case):\n    return parse(case)\n") == []


@pytest.mark.parametrize("text", ["x = " + "(" * 5000 + ")" * 5000, "x = 1\0", "def hold(case:\n", "x = 1\n", ""])
def test_what_cannot_be_loaded_or_has_no_hold_is_left_to_the_run(text: str) -> None:
    assert lint(text) == []


def test_every_rule_of_the_lint_of_properties_is_shown_here() -> None:
    shown = {row[1].split()[0] for row in PAIRS}
    assert shown | {"silence_unnamed", "assertion_weakened"} == {row.code for row in ROWS}
