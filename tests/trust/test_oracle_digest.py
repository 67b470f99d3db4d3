"""The digest of an oracle: what it hangs on, and what it does not."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.digest import Digest
from oracle_rules.inventory import oracle_files
from oracle_rules.loading import load_workspace
from oracle_rules.scm import Mode, memory_tree
from oracle_rules.scm.objects import ObjectFormat
from oracle_rules.trust.oracle import OracleFile, document, oracle_digest

BUILD = """
load("//oracle_rules:defs.bzl", "oracle_candidate", "oracle_domain_lock", "oracle_fixtures", "oracle_freeze")
load("//oracle_rules:defs.bzl", "oracle_profile", "oracle_property_test")
load("//tools:names.bzl", "NAME")
oracle_candidate(name = "src", srcs = glob(["src/**"]), requirements = "requirements.lock")
oracle_fixtures(name = "fixtures", srcs = glob(["fixtures/*.txt"]), manifest = "fixtures/manifest.json")
oracle_freeze(name = "freeze", ledger = "freeze.json")
oracle_domain_lock(name = "domains", lock = "domain_lock.json")
oracle_profile(name = "profile", profile = "profile.json")
oracle_property_test(name = NAME, candidate = ":src", property = "p.py", seeds = "s.json", deps = ["d.py"])
"""
# Path -> the group that the document has to name.
GROUPS = {
    "BUILD.bazel": "declarations", "tools/BUILD.bazel": "declarations", "tools/names.bzl": "declarations",
    "WORKSPACE": "declarations", "other/WORKSPACE": "declarations", ".bazelignore": "declarations",
    "p.py": "properties", "d.py": "supports", "s.json": "seeds", "fixtures/a.txt": "fixtures",
    "fixtures/manifest.json": "manifests", "freeze.json": "ledgers", "domain_lock.json": "domain_locks",
    "profile.json": "profiles", "requirements.lock": "locks", "oracles/p.json": "journals",
}  # fmt: skip
OTHERS = ("src/a.py", "README.md", "other/BUILD.bazel", "fixtures/notes.md", "seeds/unused.json")
FILES = {path: f"# {path}\n".encode() for path in (*GROUPS, *OTHERS)} | {
    "BUILD.bazel": BUILD.encode(), "tools/names.bzl": b'NAME = "p"\n', ".bazelignore": b"third_party\n",
}  # fmt: skip


def rows(files: dict[str, bytes], modes: dict[str, Mode] | None = None, algorithm: ObjectFormat = "sha1",
         ) -> tuple[OracleFile, ...]:
    """The inventory of a tree of these files."""
    tree = memory_tree(files, modes, algorithm=algorithm)
    return oracle_files(tree, load_workspace(tree))


WHOLE = oracle_digest(rows(FILES))


def test_the_document_lists_every_kind_of_oracle_file_and_nothing_else() -> None:
    found = document(rows(FILES))
    assert found["schema"] == "oracle_rules/oracle/v1"
    assert [row["path"] for row in found["files"]] == sorted(GROUPS)
    for row in found["files"]:
        data = FILES[row["path"]]
        assert row == {"path": row["path"], "group": GROUPS[row["path"]], "kind": "file",
                       "sha256": hashlib.sha256(data).hexdigest(), "size_bytes": len(data)}


def test_the_digest_is_that_of_the_document_as_json_writes_it() -> None:
    text = json.dumps(document(rows(FILES)), sort_keys=True, separators=(",", ":")) + "\n"
    assert Digest(hashlib.sha256(text.encode()).hexdigest(), len(text)) == WHOLE


def test_the_object_format_has_no_say() -> None:
    assert oracle_digest(rows(FILES, algorithm="sha256")) == WHOLE


@pytest.mark.parametrize("path", OTHERS)
def test_what_is_not_oracle_has_no_say(path: str) -> None:
    changed = {**FILES, path: b"other"}
    without = {name: data for name, data in FILES.items() if name != path}
    assert oracle_digest(rows(changed)) == oracle_digest(rows(without)) == WHOLE


@pytest.mark.parametrize("path", sorted(GROUPS))
def test_each_byte_and_the_mode_of_each_oracle_file_has(path: str) -> None:
    found = {WHOLE, oracle_digest(rows({**FILES, path: FILES[path] + b"\n"}))}
    found.add(oracle_digest(rows(FILES, {path: Mode.EXECUTABLE})))
    assert len(found) == 3


@pytest.mark.parametrize(
    "path", ["new/BUILD.bazel", "src/WORKSPACE", "src/MODULE.bazel", "fixtures/b.txt", "oracles/q/8.json", "MODULE.bazel"]
)
def test_a_file_that_becomes_oracle_by_being_there_changes_the_digest(path: str) -> None:
    """A new package, a nested repository, a fixture that a glob selects, a journal: each changes what is judged."""
    assert oracle_digest(rows({**FILES, path: b""})) != WHOLE


@pytest.mark.parametrize("path", ["fixtures/a.txt", "oracles/p.json", "other/WORKSPACE"])
def test_a_file_that_leaves_changes_the_digest(path: str) -> None:
    assert oracle_digest(rows({name: data for name, data in FILES.items() if name != path})) != WHOLE


def test_a_link_in_place_of_a_file_is_absent() -> None:
    """Loading over another tree may leave a declared path without a file; nothing follows the link."""
    tree = memory_tree(FILES)
    linked = memory_tree({**FILES, "s.json": b"README.md"}, {"s.json": Mode.LINK})
    [row] = [row for row in oracle_files(linked, load_workspace(tree)) if row.path == "s.json"]
    assert (row.kind, row.digest) == ("absent", None)
    assert {"path": "s.json", "group": "seeds", "kind": "absent"} in document(oracle_files(linked, load_workspace(tree)))[
        "files"
    ]


DIGESTS = st.binary(max_size=4).map(Digest.of)
HELD = st.tuples(st.sampled_from(["file", "executable"]), DIGESTS) | st.just(("absent", None))
ORACLES = st.dictionaries(st.text(min_size=1, max_size=3), st.tuples(st.sampled_from(["seeds", "locks"]), HELD), max_size=4)


def listed(files: dict[str, tuple[str, tuple[str, Digest | None]]]) -> list[OracleFile]:
    return [OracleFile(path=path, group=group, kind=kind, digest=digest)
            for path, (group, (kind, digest)) in files.items()]


@given(first=ORACLES, second=ORACLES, shuffle=st.randoms(use_true_random=False))
def test_equal_digests_are_equal_oracles(
    first: dict[str, tuple[str, tuple[str, Digest | None]]], second: dict[str, tuple[str, tuple[str, Digest | None]]],
    shuffle: object,
) -> None:
    mixed = listed(first)
    swap: Callable[[list[OracleFile]], None] = shuffle.shuffle  # type: ignore[attr-defined]
    swap(mixed)
    assert oracle_digest(mixed) == oracle_digest(listed(first))
    assert (oracle_digest(listed(first)) == oracle_digest(listed(second))) == (first == second)


@pytest.mark.parametrize("kind", ["file", "absent"])
def test_a_contradiction_is_no_oracle(kind: str) -> None:
    row = OracleFile(path="a", group="seeds", kind=kind, digest=Digest.of(b"") if kind == "absent" else None)
    with pytest.raises(ValueError, match="a: a file has a digest"):
        document([row])
    good = OracleFile(path="a", group="seeds", kind="file", digest=Digest.of(b""))
    with pytest.raises(ValueError, match="twice"):
        document([good, good])
    assert len(document([good])["files"]) == 1
