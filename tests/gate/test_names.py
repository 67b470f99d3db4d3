"""Skeletons, odd names and patterns, against spellings written by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.gate.names import matches, odd, skeleton


@pytest.mark.parametrize(
    "spelled",
    [
        "PROPERTIES/Retry_Date.PY",
        "\u0440roperties/retry_date.py",  # Cyrillic er
        "pr\u03bfperties/retry_date.py",  # Greek omicron
        "\uff50roperties/retry_date.py",  # full width
        "prop\u200berties/retry_date.py",  # zero width space
        "properties/retry\u00ad_date.py",  # soft hyphen
        "properties\u2215retry_date.py",  # division slash
        "properties /retry_date.py. ",
        "properties/retry_d\u0430t\u0435.\u0440\u0443",
        "\u1d18roperties/retry_date.py".replace("\u1d18", "\u0420"),  # capital er, folds to small er
        "properties/retry_date.p\ufe0fy",  # variation selector
        "propert\u0456es/retry_date.py",
        "propert\u0131es/retry_date.py",  # dotless i
        "propert\u0130es/retry_date.py",  # dotted capital I
        "propertie\u017f/retry_date.py",  # long s
        "\U0001d429roperties/retry_date.py",  # mathematical bold
    ],
)
def test_look_alikes_share_a_skeleton(spelled: str) -> None:
    assert spelled != "properties/retry_date.py"
    assert skeleton(spelled) == skeleton("properties/retry_date.py")


@pytest.mark.parametrize(
    "spelled", ["property/retry_date.py", "properties/retry_dates.py", "properties/retry-date.py", "próperties/x"]
)
def test_other_names_have_another_skeleton(spelled: str) -> None:
    assert skeleton(spelled) != skeleton("properties/retry_date.py")


@given(st.text(max_size=12))
@settings(max_examples=200, deadline=None)
def test_skeletons_are_stable(text: str) -> None:
    assert skeleton(skeleton(text)) == skeleton(text)


@given(st.text("abcdefghijklmnopqrstuvwxyz0123456789_-/.", min_size=1, max_size=20))
@settings(max_examples=100, deadline=None)
def test_plain_names_are_their_own_skeleton(text: str) -> None:
    trimmed = "/".join(part.rstrip(".") or part for part in text.split("/"))
    assert skeleton(text) == trimmed


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("a\u200bb", "invisible character U+200B"),
        ("a\u202eb", "invisible character U+202E"),
        ("a\u2066b", "invisible character U+2066"),
        ("\ufeffa", "invisible character U+FEFF"),
        ("a\u3164", "invisible character U+3164"),
        ("a\x07b", "control character"),
        ("a\nb", "control character"),
        ("a\x85b", "invisible character U+0085"),
        ("a\u00a0b", "space character U+00A0"),
        ("a/b./c", "ends with a dot or a space"),
        ("a/b /c", "ends with a dot or a space"),
        ("a.", "ends with a dot or a space"),
        ("a\udcff", "not UTF-8"),
        ("a\\b", "backslash"),
        ("a//b", "not normalised"),
        ("a/../b", "not normalised"),
        ("x/.GIT/config", "take for .git"),
        ("x/.g\u0456t/config", "take for .git"),
        ("git~1/config", "take for .git"),
        ("é" * 128, "more than 255 bytes"),
    ],
)
def test_odd_names(path: str, reason: str) -> None:
    assert reason in (odd(path) or "")


@pytest.mark.parametrize("path", ["a b/c.py", "données/été.txt", "日本/語.py", ".gitignore", "a..b", "-x", "é" * 127])
def test_plain_names_are_not_odd(path: str) -> None:
    assert odd(path) is None


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("**/conftest.py", "conftest.py", True),
        ("**/conftest.py", "a/b/conftest.py", True),
        ("**/conftest.py", "xconftest.py", False),
        ("**/conftest.py", "conftest.py/x", False),
        ("**/*.pth", "a/x.pth", True),
        ("**/*.pth", "a/x.pthx", False),
        ("requirements*.in", "requirements-dev.in", True),
        ("requirements*.in", "a/requirements.in", False),
        ("requirements*.in", "requirements/a.in", False),
        (".ci/**", ".ci", True),
        (".ci/**", ".ci/a/b", True),
        (".ci/**", ".cix/a", False),
        ("**/__pycache__/**", "a/__pycache__/b.pyc", True),
        ("**/*.pyc", "a\nb.pyc", True),
        ("a.b", "axb", False),
    ],
)
def test_patterns(pattern: str, path: str, expected: bool) -> None:
    assert matches((pattern,), path) is expected
    assert matches(("no/such", pattern), path) is expected
    assert matches((), path) is False
