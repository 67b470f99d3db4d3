"""Names made to be misread, links that lead away, and sources that collide, each beside honest neighbours."""

from __future__ import annotations

import pytest

from oracle_rules.gate.paths import OraclePaths

from .trees import LINK, PATHS, added, one, removed, rewritten, with_sources


@pytest.mark.parametrize(
    "path",
    [
        "\u0440roperties/retry_date.py",
        "Properties/new.py",
        "SEEDS/retry_date.json",
        "seeds/Retry_Date.json",
        "\uff53eeds/x.json",
        "seeds\u2215retry_date.json",
        "FREEZE.json",
        "freeze.json\u200b",
        "freeze.json.",
        "freeze.json ",
        "properties/retry_date\u202e.py",
        "fixtures/\udcff",
        "docs/\udcff.txt",
        "Tests/test_new.py",
        "CONFTEST.py",
        "tests/\u0441onftest.py",
        "build.bazel",
        ".GitHub/workflows/x.yml",
        "Sitecustomize.py",
        "properties/retry_date.so",
        "properties/retry_date.cpython-311-x86_64-linux-gnu.so",
        "properties/Retry_date/deep/x.txt",
        "properties.py",
        "tests/support/__init__.py",
        "tests/Support.pyd",
        "x/.git/config",
    ],
)
def test_names_made_to_be_misread_are_collisions(path: str) -> None:
    finding = one(added(path))
    assert finding is not None
    assert finding.code == "path_collision"
    assert finding.edits_oracle
    assert one(removed(path)) is None or path.startswith(("properties/", "seeds/", "fixtures/"))


@pytest.mark.parametrize(
    "path", ["docs/build", "build/out.txt", "src/données.txt", "docs/freeze.json", "property/x.py", "tests/supports.py"]
)
def test_names_that_are_merely_near_are_ordinary(path: str) -> None:
    assert one(added(path)) is None


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("src/forms.json", "../seeds/retry_date.json"),
        ("src/forms.json", "/etc/passwd"),
        ("src/forms.json", "../../outside"),
        ("src/forms.json", "absent.py"),
        ("src/forms.json", "deep/../../seeds/retry_date.json"),
        ("src/forms.json", "deep/../header.py"),
        ("src/loop", "."),
        ("src/deep/loop", ".."),
        ("src/up", ".."),
        ("src/seeds", "../seeds"),
        ("src/self.py", "self.py"),
        ("src/empty", ""),
        ("src/odd", "a\nb"),
        ("src", "elsewhere"),
        ("src/forms.json", None),
    ],
)
def test_a_link_that_leaves_the_sources(link: str, target: str | None) -> None:
    finding = one(added(link, LINK), with_sources("src/self.py"), target)
    assert finding is not None
    assert (finding.code, finding.lane) == ("candidate_symlink", "candidate")
    assert not finding.edits_oracle


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("src/alias.py", "header.py"),
        ("src/alias.py", "./deep/money.py"),
        ("src/deep/alias.py", "../header.py"),
        ("src/money", "deep/"),
        ("docs/latest", "/anywhere"),
        ("tests/data", "../seeds"),
    ],
)
def test_a_link_that_stays_or_is_not_under_judgement(link: str, target: str) -> None:
    assert one(added(link, LINK), PATHS, target) is None


@pytest.mark.parametrize("path", ["src/Header.py", "src/HEADER.PY", "src/Deep/other.py", "src/\ufb01x.py"])
def test_sources_that_differ_by_case_or_normalisation_collide(path: str) -> None:
    finding = one(added(path), with_sources(path, "src/fix.py"))
    assert finding is not None
    assert (finding.code, finding.lane, finding.edits_oracle) == ("path_collision", "candidate", False)


def test_a_source_that_becomes_a_link_is_asked_where_it_leads() -> None:
    edit = rewritten("src/retry.py", LINK)
    away, stays = one(edit, PATHS, "../seeds/retry_date.json"), one(edit, PATHS, "header.py")
    assert away is not None
    assert away.code == "candidate_symlink"
    assert "leads to '../seeds/retry_date.json'" in away.detail
    assert stays is None


def test_a_link_to_a_folder_of_sources_that_also_holds_oracle_files() -> None:
    fields = {name: getattr(PATHS, name) for name in OraclePaths.__dataclass_fields__}
    shared = OraclePaths(**fields | {"seeds": frozenset({"src/deep/cases.json"})})
    leads = one(added("src/money", LINK), shared, "deep")
    assert leads is not None
    assert leads.code == "candidate_symlink"
    assert one(added("src/money", LINK), PATHS, "deep") is None
