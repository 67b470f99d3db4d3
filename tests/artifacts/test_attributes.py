"""Which paths git would convert, by our reading of `.gitattributes` and by git's own, which is the other implementation."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oracle_rules.artifacts.attributes import Attributes, conversion
from oracle_rules.artifacts.fixture_forms import check_conversion
from tests.cli.kit import GIT

PATHS = ("fixtures/a.json", "fixtures/deep/b c.bin", "fixtures/deep/x.json", "a.json", "fixtures/[x].json", "fixtures/\u00e9.txt")
NAMES = ("text", "crlf", "eol", "filter", "ident", "working-tree-encoding")


@pytest.fixture(scope="module")
def top(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("attributes")
    subprocess.run(["git", "init", "-q"], cwd=place, env=GIT, check=True)
    (place / "fixtures" / "deep").mkdir(parents=True)
    return place


def by_git(top: Path, files: dict[str, str]) -> dict[str, bool]:
    """Whether git would convert each path, from what it says of the attributes by themselves."""
    for old in top.rglob(".gitattributes"):
        old.unlink()
    for path, text in files.items():
        (top / path).write_bytes(text.encode())
    shown = subprocess.run(["git", "check-attr", "-z", *NAMES, "--", *PATHS], cwd=top, env=GIT, check=True, capture_output=True)
    parts = shown.stdout.decode().split("\0")[:-1]
    state = {(path, name): value for path, name, value in zip(parts[::3], parts[1::3], parts[2::3])}
    found = {}
    for path in PATHS:
        has = {name: state[path, name] for name in NAMES}
        # convert.c: text, or crlf in its place; eol only says something where neither forbids it.
        lines = has["text"] if has["text"] != "unspecified" else has["crlf"]
        if lines == "unspecified":
            lines = has["eol"]
        found[path] = any(value not in ("unspecified", "unset") for value in (lines, has["filter"], has["ident"], has["working-tree-encoding"]))
    return found


def by_us(files: dict[str, str]) -> dict[str, bool]:
    read = [Attributes.parse(text.encode(), path=path) for path, text in files.items()]
    return {path: conversion(path, read) is not None for path in PATHS}


CASES: list[dict[str, str]] = [{".gitattributes": text} for text in (
    "", "* text=auto\n", "* text=auto\nfixtures/** -text\n", "* -text\n* text\n", "*.json text eol=lf\n", "*.json eol=crlf\n",
    "*.json eol=crlf -text\n", "*.json binary\n*.json eol=lf\n", "* binary\n*.json -binary\n", "* text=auto\n*.json !text\n",
    "* text=auto\n*.json binary\n", "*.json text binary\n", "*.json binary text\n", "fixtures/ text\n", "fixtures text\n", "/a.json text\n",
    "a.json text\n", "fixtures/*.json text\n", "fixtures/**/x.json text\n", "fixtures/** text\n", "**/deep/* text\n", "**/x.json text\n",
    "deep/* text\n", "fixtures/*/x.json text\n", "fixtures/d?ep/* text\n", "fixtures/[a-c].json text\n", "fixtures/[!b].json text\n",
    "fixtures/[^a].json text\n", "fixtures/[[:alpha:]].json text\n", "fixtures/\\[x\\].json text\n", "[x].json text\n", "fixtures/[ text\n",
    '"fixtures/deep/b c.bin" text\n', '"fixtures/\\303\\251.txt" text\n', "fixtures/\u00e9.txt text\n", "!*.json text\n", "# * text\n",
    "  *.json\ttext \r\n", "*.json filter=lfs diff=lfs merge=lfs -text\n", "*.json ident\n", "*.json -ident -filter\n",
    "*.txt working-tree-encoding=UTF-16\n", "[attr]mine text eol=lf\n*.json mine\n", "[attr]mine -text\n* text\n*.json mine\n",
    "[attr]mine text\n*.json -mine\n", "[attr]a b\n[attr]b text\n*.json a\n", "*.json crlf\n", "*.json -crlf\n", "*.json crlf=input\n",
    "*.json -crlf eol=lf\n", "*.json crlf -text\n", "*.json te*xt\n", "*.json\n", "*** text\n", "fixtures/a** text\n", "*/a.json text\n", "\\*.json text\n",
)] + [
    {".gitattributes": "* text\n", "fixtures/.gitattributes": "* -text\n"},
    {".gitattributes": "* -text\n", "fixtures/deep/.gitattributes": "x.json text\n"},
    {"fixtures/.gitattributes": "/a.json text\ndeep/x.json text\n"},
    {"fixtures/.gitattributes": "fixtures/a.json text\n/deep text\n"},
    {"fixtures/.gitattributes": "[attr]mine text\n*.json mine\n"},
    {".gitattributes": "[attr]mine text\n", "fixtures/deep/.gitattributes": "* mine\n"},
]  # fmt: skip


@pytest.mark.parametrize("files", CASES, ids=lambda files: ascii("|".join(files.values()))[:50])
def test_our_reading_is_gits(top: Path, files: dict[str, str]) -> None:
    assert by_us(files) == by_git(top, files)


PIECES = st.lists(st.sampled_from(["*", "**", "?", "/", "a", ".json", "fixtures", "deep", "x", "[a-x]", "[!x]", "\\"]), min_size=1, max_size=5)
LINE = st.tuples(PIECES.map("".join), st.lists(st.sampled_from(
    ["text", "-text", "!text", "text=auto", "eol=lf", "binary", "-binary", "ident", "-ident", "crlf", "-crlf"]), min_size=1, max_size=3))
FILE = st.lists(LINE.map(lambda row: f"{row[0]} {' '.join(row[1])}\n"), max_size=4).map("".join)


@given(FILE, FILE)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_our_reading_is_gits_for_any_lines(top: Path, above: str, below: str) -> None:
    files = {".gitattributes": above, "fixtures/.gitattributes": below}
    assert by_us(files) == by_git(top, files)


def test_the_violation_names_the_line_and_the_line_that_mends_it() -> None:
    files = {".gitattributes": b"# ours\n* text=auto\n"}
    [first, second] = check_conversion(["fixtures/b c.bin", "fixtures/a.json", "fixtures/a.json"], files)
    assert (first.code, first.subject) == ("fixture_converted", "fixtures/a.json")
    assert first.detail.endswith("text=auto at .gitattributes:2") and "`/fixtures/a.json -text` to .gitattributes" in first.remedy
    assert '`"fixtures/b c.bin" -text`' in second.remedy
    mended = files[".gitattributes"] + b'/fixtures/a.json -text\n"fixtures/b c.bin" -text\n'
    assert check_conversion(["fixtures/b c.bin", "fixtures/a.json"], {".gitattributes": mended}) == ()
    assert check_conversion(["fixtures/a.json"], {}) == ()
