"""CODEOWNERS: vectors from the forge's documentation by hand, and patterns against a model written another way."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.gate.codeowners import SIZE_LIMIT, parse_codeowners, selects
from oracle_rules.gate.owners import is_person, oracle_files, owned, unowned
from oracle_rules.gate.paths import OraclePaths

from .trees import PATHS

# The sentences of GitHub's page "About code owners", as a file and what they say about paths.
DOCUMENTED = """\
# This is a comment.
*       @global-owner1 @global-owner2
*.js    @js-owner #This is an inline comment.
*.go docs@example.com
*.txt @octo-org/octocats
/build/logs/ @doctocat
docs/*  docs@example.com
apps/ @octocat
/docs/ @doctocat
/scripts/ @doctocat @octocat
**/logs @octocat
/apps/ @octocat
/apps/github
"""


@pytest.mark.parametrize(("path", "owners"), [
    ("README", "@global-owner1 @global-owner2"),
    ("deep/down/README", "@global-owner1 @global-owner2"),
    ("web/x.js", "@js-owner"),
    ("main.go", "docs@example.com"),
    ("notes.txt", "@octo-org/octocats"),
    ("docs/getting-started.md", "@doctocat"),
    ("docs/build-app/troubleshooting.md", "@doctocat"),
    ("deeply/nested/apps/x.md", "@octocat"),
    ("scripts/a/b", "@doctocat @octocat"),
    ("build/logs/x", "@octocat"),
    ("scripts/logs/x", "@octocat"),
    ("deeply/nested/logs/y/z", "@octocat"),
    ("apps/main", "@octocat"),
    ("apps/github/x", ""),
    ("apps/github", ""),
    ("apps/githubber/x", "@octocat"),
])  # fmt: skip
def test_the_documented_file(path: str, owners: str) -> None:
    rules = parse_codeowners(DOCUMENTED.encode(), path=".github/CODEOWNERS")
    assert (rules.forge, rules.skipped) == ("github", ())
    assert rules.owners(path) == tuple(owners.split())


@pytest.mark.parametrize(("pattern", "yes", "no"), [
    ("*", ["a", "a/b", ".x"], []),
    ("/*", ["a"], ["a/b"]),
    ("docs/*", ["docs/a.md"], ["docs/a/b.md", "x/docs/a.md", "docs"]),
    ("/docs/*.md", ["docs/a.md", "docs/x.md/inside"], ["docs/a/b.md", "x/docs/a.md"]),
    ("apps/", ["apps/a", "x/apps/a/b"], ["apps", "xapps/a"]),
    ("/apps/", ["apps/a", "apps/a/b"], ["x/apps/a", "apps"]),
    ("seeds", ["seeds", "seeds/a", "x/seeds/a"], ["seedsx", "xseeds/a"]),
    ("/seeds", ["seeds", "seeds/a"], ["x/seeds/a"]),
    ("src/seeds", ["src/seeds", "src/seeds/a"], ["x/src/seeds"]),
    ("**/logs", ["logs", "a/logs", "a/b/logs/c"], ["a/xlogs"]),
    ("a/**/b", ["a/b", "a/x/b", "a/x/y/b/c"], ["a/xb", "x/a/b"]),
    ("a/**", ["a/b", "a/b/c"], ["a", "x/a/b"]),
    ("**", ["a", "a/b"], []),
    ("*.json", ["a.json", "x/a.json", "a.json/b"], ["a.jso", "json"]),
    ("fixture?.json", ["fixture1.json"], ["fixture.json", "fixture12.json", "fixture/.json"]),
    ("a\\ b.md", ["a b.md", "x/a b.md"], ["a\\ b.md"]),
    ("a+(b).md", ["a+(b).md"], ["aab.md"]),
    ("/", [], ["a"]),
])  # fmt: skip
def test_what_a_pattern_selects(pattern: str, yes: list[str], no: list[str]) -> None:
    assert [path for path in yes + no if selects(pattern, path)] == yes


def model(pattern: list[str], path: list[str], *, below: bool) -> bool:
    """Component by component, by trying; `below`: what is left of the path may lie in the folder that was reached."""
    if not pattern:
        return not path or below
    if pattern[0] == "**":
        if len(pattern) == 1:
            return bool(path)
        return any(model(pattern[1:], path[index:], below=below) for index in range(len(path) + 1))
    return bool(path) and glob(pattern[0], path[0]) and model(pattern[1:], path[1:], below=below)


def glob(pattern: str, name: str) -> bool:
    if not pattern:
        return not name
    if pattern[0] == "*":
        return glob(pattern[1:], name) or bool(name) and glob(pattern, name[1:])
    return bool(name) and pattern[0] in ("?", name[0]) and glob(pattern[1:], name[1:])


def modelled(pattern: str, path: str) -> bool:
    """As gitignore says it: a slash anywhere but at the end roots the pattern, one at the end asks for a folder."""
    body = pattern.strip("/")
    if not body:
        return False
    parts = body.split("/")
    rooted = "/" in pattern[:-1]
    if not rooted:
        parts = ["**", *parts]
    if pattern.endswith("/"):
        parts = [*parts, "**"]
        return model(parts, path.split("/"), below=False)
    return model(parts, path.split("/"), below=parts[-1] != "*")


NAMES = st.sampled_from(["a", "b", "ab", "a.md", ".a"])
PATHS_OF = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
GLOBS = st.lists(st.sampled_from(["a", "b", "ab", "*", "**", "a*", "*.md", "?", "?b", "*a*"]), min_size=1, max_size=4)


@given(st.sampled_from(["", "/"]), GLOBS, st.sampled_from(["", "/"]), PATHS_OF)
@settings(max_examples=1500, deadline=None)
def test_patterns_against_the_model(head: str, parts: list[str], tail: str, path: str) -> None:
    pattern = head + "/".join(parts) + tail
    assert selects(pattern, path) == modelled(pattern, path), pattern


@given(st.lists(st.tuples(GLOBS.map("/".join), st.sampled_from(["", "@a", "@b @c"])), max_size=5), PATHS_OF)
@settings(max_examples=300, deadline=None)
def test_the_last_line_that_selects_decides(lines: list[tuple[str, str]], path: str) -> None:
    text = "\n".join(f"{pattern} {owners}" for pattern, owners in lines)
    found = [owners for pattern, owners in lines if modelled(pattern, path)]
    assert parse_codeowners(text.encode(), path="CODEOWNERS").owners(path) == tuple((found or [""])[-1].split())


@pytest.mark.parametrize(("line", "why"), [
    ("!seeds/ @a", "negated"), ("seeds/[ab] @a", "ranges"), ("\\#x @a", "escaped"), ("a***b @a", "stars"),
    ("seeds/ ada", "neither"), ("seeds/ @a @", "neither"), ("seeds/ @a, @b", "neither"), ("seeds/ @-a", "neither"),
])  # fmt: skip
def test_a_line_that_cannot_be_read_is_skipped_and_listed(line: str, why: str) -> None:
    rules = parse_codeowners(f"* @everybody\n{line}\n".encode(), path="CODEOWNERS")
    assert rules.owners("seeds/a") == ("@everybody",)
    ((number, said),) = rules.skipped
    assert number == 2 and why in said


def test_lines_are_read_whatever_ends_them_and_a_mark_may_open_them() -> None:
    rules = parse_codeowners(b"\xef\xbb\xbf* @a\r\n\r\n\tseeds/ \t@b # c @d\r\n", path="CODEOWNERS")
    assert (rules.owners("x"), rules.owners("seeds/x"), rules.skipped) == (("@a",), ("@b",), ())


def test_a_file_that_the_forge_would_not_load_protects_nothing() -> None:
    line = b"* @a\n"
    fits = parse_codeowners(line + b"#" * (SIZE_LIMIT - len(line) - 1), path="CODEOWNERS")
    over = parse_codeowners(line + b"#" * (SIZE_LIMIT - len(line)), path="CODEOWNERS")
    assert (fits.owners("x"), over.owners("x"), len(over.skipped)) == (("@a",), (), 1)


GITLAB = """\
* @default
[Oracle][2] @org/oracle
/seeds/
README.md @words
^[Docs] @writers
docs/
[Oracle]
/seeds/free.json @ada
"""


@pytest.mark.parametrize(("path", "owners"), [
    ("x", ["@default"]),
    ("seeds/a.json", ["@default", "@org/oracle"]),
    ("seeds/free.json", ["@ada", "@default"]),
    ("deep/README.md", ["@default", "@words"]),
    ("docs/x", ["@default"]),
    ("seeds", ["@default"]),
])  # fmt: skip
def test_sections_each_have_a_say_and_optional_ones_none(path: str, owners: list[str]) -> None:
    assert parse_codeowners(GITLAB.encode(), path="CODEOWNERS").owners(path) == tuple(owners)


def test_sections_are_lines_like_any_other_where_only_github_looks() -> None:
    rules = parse_codeowners(GITLAB.encode(), path=".github/CODEOWNERS")
    assert rules.forge == "github"
    assert [line for line, _ in rules.skipped] == [2, 5, 7]
    assert rules.owners("seeds/a.json") == ()


@pytest.mark.parametrize("owner", [
    "@ada", "@org/oracle-owners", "ada@example.org", "@abbott", "@robin", "@aidan", "@cicely", "@org/talbot", "@agentha"])
def test_a_person(owner: str) -> None:
    assert is_person(owner)


@pytest.mark.parametrize("owner", [
    "@dependabot[bot]", "@dependabot", "@org/bots", "@my-bot", "@Bot", "@org/ai-agents", "@github-actions",
    "bot@example.org", "merge.bot@example.org", "@copilot", "@renovate-bot", "@CI", "@claude",
    "49699333+dependabot[bot]@users.noreply.github.com"])
def test_no_person(owner: str) -> None:
    assert not is_person(owner)


TREE = ["BUILD.bazel", "noxfile.py", ".github/workflows/ci.yml", "src/header.py", "docs/x.md", "x.pyc", "CODEOWNERS"]


def test_what_needs_an_owner_is_what_is_declared_and_what_the_table_names() -> None:
    assert oracle_files(PATHS, TREE) == dict(sorted({
        **{path: lane for path, lane in [
            ("seeds/retry_date.json", "seed"), ("seeds/header_name.json", "seed"),
            ("oracles/header_name/8.json", "seed"), ("fixtures/exchange.json", "fixture"),
            ("fixtures/deep/raw.bin", "fixture"), ("fixtures/manifest.json", "fixture"), ("freeze.json", "freeze"),
            ("domain_lock.json", "generator"), ("properties/retry_date.py", "declaration"),
            ("properties/header_name.py", "declaration"), ("tests/support.py", "declaration"),
            ("BUILD.bazel", "declaration"), ("tools/rules.bzl", "declaration"), ("patch-gate.json", "harness"),
            ("scripts/score.sh", "harness"), ("deps.lock", "harness")]},
        "noxfile.py": "harness", ".github/workflows/ci.yml": "harness", "CODEOWNERS": "harness"}.items()))


SMALL = OraclePaths(base_sources=frozenset(), candidate_sources=frozenset(), source_roots=frozenset(),
                    seeds=frozenset({"seeds/a.json"}), ledgers=frozenset({"freeze.json"}))


@pytest.mark.parametrize(("text", "expected"), [
    ("* @ada", []),
    ("* @org/bots", ["freeze.json", "seeds/a.json"]),
    ("* @org/bots @ada", []),
    ("* @ada\n/seeds/", ["seeds/a.json"]),
    ("* @ada\n/seeds/ @my-bot", ["seeds/a.json"]),
    ("/seeds/ @ada", ["freeze.json"]),
    ("", ["freeze.json", "seeds/a.json"]),
    ("* @ada\n!x @ada", ["CODEOWNERS"]),
])  # fmt: skip
def test_each_oracle_path_needs_a_person(text: str, expected: list[str]) -> None:
    rules = parse_codeowners(text.encode(), path="CODEOWNERS")
    found = unowned(owned(oracle_files(SMALL, []), rules), rules)
    assert [finding.subject for finding in found] == expected
    assert {finding.code for finding in found} <= {"codeowners_missing"}


def test_without_a_file_there_is_one_finding_that_says_where_it_was_looked_for() -> None:
    (finding,) = unowned(owned(oracle_files(SMALL, []), None), None)
    assert finding.row == "codeowners-absent" and ".github/CODEOWNERS" in finding.detail
