"""The rules under Bazel say what the table of our own engine says, and refuse what it refuses."""

from __future__ import annotations

import ast

import pytest

from oracle_rules.loading.schema import ENTROPY_KINDS, REFUSED, RULES

from .kit import REPOSITORY, Bazel

PRIVATE = REPOSITORY / "oracle_rules" / "private"
# An attribute that every rule of Bazel has; it is ours in the table because it means something to our engine.
EVERYWHERE = {"tags"}


def declared() -> dict[str, dict[str, str]]:
    """Each rule's attributes with their docs, read from the .bzl files, whose syntax is Python's."""
    found: dict[str, dict[str, str]] = {}
    for path in PRIVATE.glob("*.bzl"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "rule":
                [attributes] = [word.value for word in node.value.keywords if word.arg == "attrs"]
                assert isinstance(attributes, ast.Dict)
                found[ast.unparse(node.targets[0])] = {
                    ast.literal_eval(name): _doc(value) for name, value in zip(attributes.keys, attributes.values, strict=True)
                    if name is not None}  # fmt: skip
    return found


def _doc(value: ast.expr) -> str:
    assert isinstance(value, ast.Call)
    return str(next(ast.literal_eval(word.value) for word in value.keywords if word.arg == "doc"))


def constant(path: str, name: str) -> object:
    tree = ast.parse((PRIVATE / path).read_text("utf-8"))
    return next(ast.literal_eval(node.value) for node in tree.body
                if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name)


def test_the_rules_and_their_attributes_are_those_of_the_table() -> None:
    found = declared()
    assert set(found) - {"oracle_worker"} | {"oracle_suite"} == set(RULES)
    for name, attributes in found.items():
        if name in RULES:
            table = {each.name: each.doc for each in RULES[name].attributes.values() if each.name not in EVERYWHERE}
            assert attributes == table, name


def test_the_words_are_those_of_the_table() -> None:
    assert constant("property_test.bzl", "_KINDS") == list(ENTROPY_KINDS)
    refused = constant("property_test.bzl", "_REFUSED")
    assert refused == {name: f"{why}; {instead}" for name, (why, instead) in REFUSED.items()}


HEAD = 'load("@oracle_rules//oracle_rules:defs.bzl", "oracle_candidate", "oracle_profile", "oracle_property_test")\n'
GOOD = ('oracle_candidate(name = "src", srcs = ["a.py"])\n'
        'oracle_property_test(name = "x", candidate = ":src", property = "p.py", seeds = "s.json"{more})\n')  # fmt: skip
WRONG = {
    ", flaky = True": "flaky is refused: a bit that depends on luck is no bit",
    ', timeout = "long"': "timeout is refused: Bazel's size classes say nothing about a property",
    ", timeout_seconds = 0": "timeout_seconds = 0 is out of range; give 1 to 3600",
    ', allow = ["time"]': 'allow has "time"; there are clock,',
    ', deps = ["a.py"]': "p/a.py is oracle and candidate at once",
    ', env = {"A": "ä"}': "has a letter beyond plain ASCII",
}


@pytest.fixture(scope="module")
def bazel(tmp_path_factory: pytest.TempPathFactory) -> Bazel:
    """A package for each mistake, so that one command tells of all of them."""
    home = tmp_path_factory.mktemp("rules")
    top = home / "rules"
    packages = {"good": GOOD.replace("{more}", ""), **{f"wrong{number}": GOOD.replace("{more}", more)
                                                        for number, more in enumerate(WRONG)}}
    workspace = (REPOSITORY / "examples" / "monorepo" / "WORKSPACE").read_text("utf-8").replace("../..", str(REPOSITORY))
    for name, text in packages.items():
        place = top / name
        place.mkdir(parents=True)
        (place / "BUILD.bazel").write_text(HEAD + text, "utf-8")
        for path, content in (("a.py", ""), ("p.py", "def hold(case):\n    return True\n"), ("s.json", "[1]\n")):
            (place / path).write_text(content)
    (top / "WORKSPACE").write_text(workspace)
    return Bazel(top, home)


def test_a_mistake_is_told_with_what_to_do(bazel: Bazel) -> None:
    done = bazel.run("build", "--nobuild", "--keep_going", "//...")
    assert done.status == 1
    for number, (more, said) in enumerate(WRONG.items()):
        told = said.replace("p/a.py", f"wrong{number}/a.py")
        assert any(f"wrong{number}:x" in line and told in line for line in done.text.splitlines()), (more, done.text)
    assert "good" not in "".join(line for line in done.text.splitlines() if "rror" in line)
