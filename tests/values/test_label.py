"""Labels and target patterns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.label import Label, Pattern

LABELS = [
    ("//a/b:c", "x", ("", "a/b", "c")),
    ("//a/b", "x", ("", "a/b", "b")),
    ("//:c", "x", ("", "", "c")),
    ("//a:b/c.py", "x", ("", "a", "b/c.py")),
    (":c", "a/b", ("", "a/b", "c")),
    ("c", "a/b", ("", "a/b", "c")),
    ("c/d.py", "", ("", "", "c/d.py")),
    ("@r//a:b", "x", ("r", "a", "b")),
    ("@@r+1.0~x//a:b", "x", ("r+1.0~x", "a", "b")),
    ("@r", "x", ("r", "", "r")),
    ("@//a:b", "x", ("", "a", "b")),
    ("//a:..b", "x", ("", "a", "..b")),
    ("//a.b-c_d:e=f,g", "x", ("", "a.b-c_d", "e=f,g")),
]


@pytest.mark.parametrize(("text", "package", "parts"), LABELS)
def test_a_label_is_read(text: str, package: str, parts: tuple[str, str, str]) -> None:
    assert Label.parse(text, package) == Label(*parts)


WRONG = [
    *(
        "",
        ":",
        "//",
        "//a:",
        "//a//b",
        "//a/:b",
        "///a",
        "//a/../b",
        "//./a",
        "/a",
        "a/",
        "a//b",
        "../a",
        "a/./b",
        "a:b",
    ),
    *(
        "//a:b:c",
        "//a:/b",
        "//a:b/",
        "//a:b//c",
        "//...",
        "//a/.../b:c",
        "//é:a",
        "//a\\b:c",
        "//a:b\n",
        "//a\n:b",
        "a\tb",
    ),
    *("@@@r//a:b", "@r@s//a:b", "@a b//a:b", "@", "@@", "@r:a", "::a", "//a:.", "//a:..", "a\x00"),
]


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_label(text: str) -> None:
    with pytest.raises(ValueError, match="invalid|label"):
        Label.parse(text, "p")


def test_the_path_of_a_source_file() -> None:
    assert Label("", "a/b", "c/d.py").path == "a/b/c/d.py"
    assert Label("", "", "c.py").path == "c.py"


PARTS = st.text(alphabet="abAB01_-+.=,@~", min_size=1, max_size=6).filter(lambda part: part.strip("."))
FOLDERS = st.lists(PARTS, max_size=3).map("/".join)
NAMES = st.lists(PARTS, min_size=1, max_size=3).map("/".join)
REPOSITORIES = st.one_of(st.just(""), st.text(alphabet="ab_.+~-", min_size=1, max_size=5))


@given(REPOSITORIES, FOLDERS, NAMES, FOLDERS)
def test_what_is_written_reads_back(repository: str, package: str, name: str, here: str) -> None:
    label = Label(repository, package, name)
    assert Label.parse(str(label), here) == label


@given(FOLDERS, NAMES)
def test_every_relative_spelling_means_the_same(package: str, name: str) -> None:
    label = Label("", package, name)
    assert Label.parse(":" + name, package) == label
    if not name.startswith("@"):
        assert Label.parse(name, package) == label
    assert Label.parse(f"@//{package}:{name}", "elsewhere") == label


@given(st.text(alphabet="@/:.ab \n*é", max_size=12), FOLDERS)
def test_any_text_is_a_label_or_a_value_error(text: str, package: str) -> None:
    try:
        label = Label.parse(text, package)
    except ValueError:
        return
    assert Label.parse(str(label)) == label
    assert ".." not in label.path.split("/")
    assert "" not in label.path.split("/")


PATTERNS = [
    ("//...", "//:a //a:a //a/b:c"),
    ("//...:all", "//:a //a:a //a/b:c"),
    ("//a/...", "//a:a //a/b:c"),
    ("//a/...:*", "//a:a //a/b:c"),
    ("//a", "//a:a"),
    ("//a:a", "//a:a"),
    ("//a:all", "//a:a"),
    ("//a:*", "//a:a"),
    ("//:all", "//:a"),
    ("//:a", "//:a"),
    ("//a/b:c", "//a/b:c"),
    ("//a/b", ""),
]
UNIVERSE = ["//:a", "//a:a", "//a/b:c", "//ab:d", "@r//a:a", "@r//:a"]


@pytest.mark.parametrize(("text", "expected"), PATTERNS)
def test_what_a_pattern_selects(text: str, expected: str) -> None:
    pattern = Pattern.parse(text)
    found = [label for label in UNIVERSE if pattern.matches(Label.parse(label))]
    assert [label for label in found if label != "//ab:d"] == expected.split()
    assert ("//ab:d" in found) is text.startswith("//...")


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "a",
            ":a",
            "...",
            "@r//...",
            "//",
            "//a:",
            "///...",
            "//a//...",
            "//a/.../b",
            "//a/...:x",
            "//.../...",
            "//../...",
        ),
        *("//a/..", "//a/./...", "//....", "//a:b:c", "//a\n:all", "//é/..."),
    ],
)
def test_what_is_no_pattern(text: str) -> None:
    with pytest.raises(ValueError, match="pattern|invalid|follow"):
        Pattern.parse(text)


@given(FOLDERS, NAMES, FOLDERS)
def test_a_recursive_pattern_is_a_prefix_of_components(package: str, name: str, folder: str) -> None:
    pattern = Pattern.parse(f"//{folder}/..." if folder else "//...")
    wanted = folder.split("/") if folder else []
    assert pattern.matches(Label("", package, name)) is (package.split("/")[: len(wanted)] == wanted or not wanted)


@given(FOLDERS, NAMES)
def test_an_exact_pattern_selects_its_label_alone(package: str, name: str) -> None:
    pattern = Pattern.parse(f"//{package}:{name}")
    if name not in ("all", "*"):
        assert pattern.matches(Label("", package, name))
        assert not pattern.matches(Label("", package, name + "x"))
        assert not pattern.matches(Label("r", package, name))
