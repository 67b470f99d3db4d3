"""`REPO@REV` as text, and the repository that is exactly the folder it names."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.errors import UsageError
from oracle_rules.scm import Repository, split_address

from .kit import Repo

PATHS = st.text(st.sampled_from("ab@/. :%é-"), min_size=1, max_size=12)
REVISIONS = st.text(st.sampled_from("ab/~^0."), min_size=1, max_size=6)


@given(path=PATHS, revision=REVISIONS)
def test_the_last_at_sign_divides(path: str, revision: str) -> None:
    place, found = split_address(f"./{path}@{revision}")
    assert (place, found) == (Path(f"./{path}"), revision)


@given(path=PATHS)
def test_a_file_url_is_what_the_path_is(path: str) -> None:
    from urllib.parse import quote

    absolute = Path("/srv/" + path)
    assert split_address(f"file://{quote(str(absolute))}@main") == (absolute, "main")
    assert split_address(f"FILE://LocalHost{quote(str(absolute))}@main") == (absolute, "main")


@pytest.mark.parametrize(
    "address",
    ["http://x/y@m", "HTTPS://x@m", "git+ssh://x/y@m", "ssh://u@h/p@m", "u@h:p@m", "h:p@m", "C:p@m", "ext::sh@m", "a:@m"],
)
def test_what_git_would_look_for_elsewhere_is_refused_with_the_way_out(address: str) -> None:
    with pytest.raises(UsageError) as caught:
        split_address(address)
    assert "not on this machine" in caught.value.detail and "git clone --mirror" in caught.value.remedy
    assert address.rpartition("@")[0] in caught.value.remedy


@pytest.mark.parametrize("address", ["./h:p@m", "/srv/h:p@m", "a/b:c@m"])
def test_a_colon_after_a_slash_is_a_path(address: str) -> None:
    assert str(split_address(address)[0]) == str(Path(address.removesuffix("@m")))


@pytest.mark.parametrize(
    "address", ["", "@", "a", "a@", "@m", "a\0b@m", "file://h/p@m", "file://p@m", "file:///a%2@m", "file:///a%00@m",
                "file:///a?b@m", "file:///a#b@m"]  # fmt: skip
)
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(UsageError) as caught:
        split_address(address)
    assert caught.value.remedy


def test_exactly_the_folder_and_none_above_it(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "top")
    commit = repo.commit({"sub/a": b"1"})
    repo.git("clone", "-q", "--bare", str(repo.top), str(tmp_path / "bare.git"))
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    for place in (repo.top, repo.top / ".git", tmp_path / "bare.git", tmp_path / "linked"):
        with Repository.at(place) as found:
            assert found.resolve("main") == commit
            assert any(place.resolve() == folder for folder in found.folders)
    with Repository.discover(repo.top / "sub") as found:
        assert found.top == repo.top
    for place in (repo.top / "sub", tmp_path, repo.top / "sub" / "a", tmp_path / "absent"):
        with pytest.raises(UsageError):
            Repository.at(place)


def test_one_is_closed_with_the_other(tmp_path: Path) -> None:
    repos = [Repo(tmp_path / name) for name in ("a", "b")]
    for repo in repos:
        repo.commit({"x": b"1"})
    first, second = (Repository.at(repo.top) for repo in repos)
    tree = second.tree("main")
    first.close_with(second)
    assert tree.read("x") == b"1"
    first.close()
    with pytest.raises(ValueError, match="closed"):
        tree.read("x")
