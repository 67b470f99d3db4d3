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


def test_an_import_that_finds_no_candidate_says_what_there_is() -> None:
    """The most likely first mistake: `imports` of the declaration and the import of the property don't fit."""
    for source, place, name in (("from invoice.money import total\n", "1:1", "invoice.money"),
                                ("import json\nimport invoice\n", "2:1", "invoice")):
        text = source + "def hold(case):\n    return total(case) == 1\n"
        [found] = lint_property(PATH, {PATH: text.encode()}, candidate=frozenset({"src", "lib"}), fixtures=FIXTURES)
        assert (found.code, found.row) == ("property_asks_nothing", "imports-no-candidate")
        assert found.subject == f"{PATH}:{place}"
        assert f"`{name}` is no module of the candidate, which has lib, src" in found.detail
    # What the standard library and other oracle files hold is no mistake, and then nothing is asked at all.
    assert lint("import json\nfrom properties.help import x\ndef hold(case):\n    return json.loads(case) == x\n",
                help="x = 1\n") == [("property_asks_nothing", "3:1")]
    assert lint("from src.a import f\ndef hold(case):\n    return f(case) == 1\n") == []


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


OPAQUE = {
    "twice": "def hold(case):\n    return parse(case) == 1\ndef hold(case):\n    return True\n",
    "a lambda": "hold = lambda case: parse(case) == 1\n",
    "after it": "def hold(case):\n    return parse(case) == 1\nhold = bool\n",
    "decorated": "def yes(f):\n    return lambda case: True\n@yes\ndef hold(case):\n    return parse(case) == 1\n",
    "under a condition": "if parse:\n    def hold(case):\n        return parse(case) == 1\n",
    "imported": "from properties.helper import hold\n",
}


@pytest.mark.parametrize("text", OPAQUE.values(), ids=OPAQUE.keys())
def test_hold_is_one_plain_function(text: str) -> None:
    assert [code for code, _ in lint(HEAD + text, helper=HEAD + "def hold(case):\n    return parse(case)\n")] == [
        "property_opaque"]


BAD = {
    "a generator is always true": ("property_cannot_fail", "assert (parse(c) == c for c in case)\n    return True"),
    "an exception group": ("property_cannot_fail", "try:\n        assert parse(case) == 1\n    except* Exception:\n"
                                                   "        pass\n    return True"),
    "an answer before the answer": ("property_cannot_fail", "parse(case)\n    return True\n    return parse(case) == 1"),
    "either or": ("property_cannot_fail", "return parse(case) == 1 or parse(case) != 1"),
    "only ever true": ("property_cannot_fail", "ok = True\n    if parse(case) != 1:\n        ok = True\n    return ok"),
    "builtins.Exception": ("property_cannot_fail", "import builtins\n    try:\n        return parse(case) == 1\n"
                                                   "    except builtins.Exception:\n        return True"),
    "another name for it": ("property_cannot_fail", "E = Exception\n    try:\n        return parse(case) == 1\n"
                                                    "    except E:\n        return True"),
    "suppress on a stack": ("property_cannot_fail", "from contextlib import ExitStack, suppress as quiet\n"
                            "    with ExitStack() as stack:\n        stack.enter_context(quiet(Exception))\n"
                            "        return parse(case) == 1\n    return parse(case) == 2"),
    "a manager of its own": ("property_cannot_fail", "class Quiet:\n        def __enter__(self): ...\n"
                             "        def __exit__(self, *about):\n            return True\n    with Quiet():\n"
                             "        assert parse(case) == 1\n    return parse(case) == 2"),
    "under if False": ("property_cannot_fail", "parse(case)\n    if False:\n        return False\n    return True"),
    "under not __debug__": ("property_cannot_fail", "parse(case)\n    if not __debug__:\n        return False\n"
                                                    "    return True"),
    "a length in a name": ("property_cannot_fail", "n = len(parse(case))\n    return n >= 0"),
    "walrus and itself": ("property_no_invariant", "return (found := parse(case)) == found"),
    "a loop over nothing": ("property_cannot_fail", "parse(case)\n    for _ in []:\n        return False\n    return True"),
}


@pytest.mark.parametrize(("code", "body"), BAD.values(), ids=BAD.keys())
def test_no_disguise_makes_a_check(code: str, body: str) -> None:
    assert code in [found for found, _ in lint(HEAD + "def hold(case):\n    " + body + "\n")]


def test_a_helper_that_only_answers_true_is_no_check() -> None:
    text = "def check(found):\n    return {}\ndef hold(case):\n    return check(parse(case))\n"
    assert [code for code, _ in lint(HEAD + text.format("True"))] == ["property_cannot_fail"]
    assert lint(HEAD + text.format("found == 1")) == []


HANDED = {
    "checks in a tuple": "def one(got, want):\n    assert got == want\nCHECKS = (one,)\ndef hold(case):\n"
                         "    for check in CHECKS:\n        check(parse(case), 1)\n    return True\n",
    "checks in a dict": "def one(got):\n    assert got == 1\nCHECKS = {'a': one}\ndef hold(case):\n"
                        "    CHECKS['a'](parse(case))\n    return True\n",
    "partial": "from functools import partial\ndef one(want, got):\n    assert got == want\ndef hold(case):\n"
               "    partial(one, 1)(parse(case))\n    return True\n",
    "a registry": "RULES = []\ndef rule(f):\n    RULES.append(f)\n    return f\n@rule\ndef one(got):\n"
                  "    assert got == 1\ndef hold(case):\n    for each in RULES:\n        each(parse(case))\n"
                  "    return True\n",
    "unittest": "from unittest import TestCase\ndef hold(case):\n    TestCase().assertEqual(parse(case), 1)\n"
                "    return True\n",
    "a failure that is looked at afterwards": "def hold(case):\n    book = parse(case)\n    try:\n        book.move()\n"
                                              "    except Exception:\n        pass\n    return book.total == 0\n",
    "a class of its own": "class Log:\n    def __init__(self):\n        self.seen = []\n    def add(self, item):\n"
                          "        self.seen.append(item)\ndef hold(case):\n    log = Log()\n    parse(case, log)\n"
                          "    return log.seen == case\n",
}


@pytest.mark.parametrize("text", HANDED.values(), ids=HANDED.keys())
def test_an_honest_check_may_be_handed_around(text: str) -> None:
    assert lint(HEAD + text) == []


def test_the_candidate_may_come_by_way_of_an_oracle_file_or_a_star() -> None:
    body = "def hold(case):\n    return parse(case) == 1\n"
    assert lint("from properties.helper import parse\n" + body, helper=HEAD) == []
    assert lint("from src.parser import *\n" + body) == []
    assert [code for code, _ in lint("from properties.helper import parse\n" + body, helper="def parse(x): return x\n")
            ] == ["property_asks_nothing"]


@pytest.mark.parametrize("text", ["x = " + "(" * 5000 + ")" * 5000, "x = 1\0", "def hold(case:\n", "x = 1\n", ""])
def test_what_cannot_be_loaded_or_has_no_hold_is_left_to_the_run(text: str) -> None:
    assert lint(text) == []


def test_every_rule_of_the_lint_of_properties_is_shown_here() -> None:
    shown = {row[1].split()[0] for row in PAIRS} | {"property_opaque"}
    assert shown | {"silence_unnamed", "assertion_weakened"} == {row.code for row in ROWS}
