"""A workspace as users write it, its two file lists, and where packages end."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection

import pytest

from oracle_rules.label import Label, Pattern
from oracle_rules.loading import Candidate, Fixtures, Freeze, PropertyTest, load_workspace, targets
from tests.loading.trees import LOADS, load, refused, tree

GAMING = '''"""The oracle of this project: what is judged, and by what."""

load(
    "@oracle_rules//oracle_rules:defs.bzl",
    "oracle_candidate",
    "oracle_domain_lock",
    "oracle_fixtures",
    "oracle_freeze",
    "oracle_property_test",
    "oracle_suite",
)

oracle_candidate(
    name = "src",
    srcs = glob(["src/**/*.py"]),
)

oracle_fixtures(
    name = "fixtures",
    srcs = glob(
        ["fixtures/**"],
        exclude = ["fixtures/manifest.json"],
    ),
    manifest = "fixtures/manifest.json",
)

oracle_freeze(
    name = "freeze",
    ledger = "freeze.json",
)

oracle_domain_lock(
    name = "domain_lock",
    lock = "domain_lock.json",
)

oracle_property_test(
    name = "dedupe",
    candidate = ":src",
    fixtures = [":fixtures"],
    freeze = ":freeze",
    property = "properties/dedupe.py",
    seeds = "seeds/dedupe.json",
)

oracle_property_test(
    name = "header_name",
    candidate = ":src",
    domain_lock = ":domain_lock",
    fixtures = [":fixtures"],
    freeze = ":freeze",
    property = "properties/header_name.py",
    seeds = "seeds/header_name.json",
)

oracle_suite(
    name = "oracle",
    tests = [
        ":dedupe",
        ":header_name",
    ],
)
'''
GAMING_FILES = {
    "BUILD.bazel": GAMING,
    "CODEOWNERS": "",
    "WORKSPACE": "",
    "domain_lock.json": "{}",
    "fixtures/manifest.json": "{}",
    "fixtures/retry_exchange.json": "{}",
    "freeze.json": "{}",
    "properties/dedupe.py": "",
    "properties/header_name.py": "",
    "seeds/dedupe.json": "[]",
    "seeds/header_name.json": "[]",
    "src/__init__.py": "",
    "src/header.py": "",
    "src/deep/sorting.py": "",
    "src/data.txt": "",
    "tests/test_header.py": "",
}


def root(name: str) -> Label:
    return Label("", "", name)


def test_a_workspace_as_users_write_it() -> None:
    workspace = load(GAMING_FILES)
    assert list(workspace.targets.values()) == [
        Candidate(label=root("src"), srcs=("src/__init__.py", "src/deep/sorting.py", "src/header.py"), imports=(".",)),
        Fixtures(label=root("fixtures"), srcs=("fixtures/retry_exchange.json",), manifest="fixtures/manifest.json"),
        Freeze(label=root("freeze"), ledger="freeze.json"),
        targets.DomainLock(label=root("domain_lock"), lock="domain_lock.json"),
        PropertyTest(
            label=root("dedupe"),
            property="properties/dedupe.py",
            property_id="dedupe",
            candidate=root("src"),
            seeds="seeds/dedupe.json",
            fixtures=(root("fixtures"),),
            freeze=root("freeze"),
        ),
        PropertyTest(
            label=root("header_name"),
            property="properties/header_name.py",
            property_id="header_name",
            candidate=root("src"),
            seeds="seeds/header_name.json",
            fixtures=(root("fixtures"),),
            freeze=root("freeze"),
            domain_lock=root("domain_lock"),
        ),
        targets.Suite(label=root("oracle"), tests=(root("dedupe"), root("header_name"))),
    ]
    assert workspace.declared_files() == {"BUILD.bazel", "WORKSPACE"}
    assert [test.property_id for test in workspace.select([Pattern.parse("//...")])] == ["dedupe", "header_name"]


@pytest.mark.parametrize(
    "spelling",
    ["//oracle_rules:defs.bzl", "@//oracle_rules:defs.bzl", "@@oracle_rules//oracle_rules:defs.bzl"],
)
def test_every_spelling_of_our_rules_means_the_same(spelling: str) -> None:
    files = GAMING_FILES | {"BUILD.bazel": GAMING.replace("@oracle_rules//oracle_rules:defs.bzl", spelling)}
    assert load(files).targets == load(GAMING_FILES).targets


def test_our_own_defs_in_the_tree_is_not_what_is_evaluated() -> None:
    files = GAMING_FILES | {"oracle_rules/BUILD.bazel": "", "oracle_rules/defs.bzl": "fail('evaluated')"}
    workspace = load(files)
    assert workspace.targets == load(GAMING_FILES).targets
    assert workspace.declared_files() == {"BUILD.bazel", "WORKSPACE", "oracle_rules/BUILD.bazel"}
    other = {
        "BUILD.bazel": 'load("//tools:defs.bzl", "x")',
        "tools/BUILD.bazel": "",
        "tools/defs.bzl": "fail('evaluated')",
    }
    assert "evaluated" in refused(other).detail


def test_every_attribute_arrives() -> None:
    build = (
        LOADS
        + """
oracle_candidate(name = "src", srcs = glob(["src/*"]), imports = ["src", "."], requirements = "r.lock")
oracle_profile(name = "fast", profile = "fast.json", visibility = ["//visibility:public"])
oracle_toolchain(name = "python", toolchain = "python.json")
oracle_toolchain(name = "bare")
oracle_property_test(
    name = "p",
    property = "p.py",
    property_id = "area/p-1",
    candidate = "//app:src",
    seeds = ":s.json",
    profile = "fast",
    deps = ["b.py", ":a.py", "a.py"],
    timeout_seconds = 3,
    fresh_cell = True,
    allow = ["clock", "env"],
    env = {"Z": "1", "A": "2"},
    tags = ["manual", "slow"],
    size = "small",
    testonly = 1,
)
"""
    )
    names = ["src/a.py", "r.lock", "fast.json", "python.json", "p.py", "s.json", "a.py", "b.py"]
    found = load({"app/BUILD.bazel": build} | {f"app/{name}": "" for name in names}).targets
    package = dict.fromkeys(["src", "fast", "python", "bare", "p"])
    labels = {name: Label("", "app", name) for name in package}
    assert list(found.values()) == [
        Candidate(label=labels["src"], srcs=("app/src/a.py",), imports=("src", "."), requirements="app/r.lock"),
        targets.Profile(label=labels["fast"], profile="app/fast.json"),
        targets.Toolchain(label=labels["python"], toolchain="app/python.json"),
        targets.Toolchain(label=labels["bare"], toolchain=None),
        PropertyTest(
            label=labels["p"],
            property="app/p.py",
            property_id="area/p-1",
            candidate=labels["src"],
            seeds="app/s.json",
            profile=labels["fast"],
            deps=("app/a.py", "app/b.py"),
            timeout_seconds=3,
            fresh_cell=True,
            allow=("clock", "env"),
            env=(("A", "2"), ("Z", "1")),
            tags=("manual", "slow"),
        ),
    ]
    candidate = found[labels["src"]]
    assert isinstance(candidate, Candidate)
    assert candidate.import_roots == ("app/src", "app")


def test_values_are_frozen() -> None:
    target = load(GAMING_FILES).targets[root("freeze")]
    with pytest.raises(dataclasses.FrozenInstanceError):
        target.ledger = "x"  # type: ignore[union-attr,misc]
    with pytest.raises(TypeError):
        load(GAMING_FILES).targets[root("x")] = target  # type: ignore[index]


def srcs(files: dict[str, str], universe: Collection[str] | None = None, name: str = "//:src") -> tuple[str, ...]:
    target = load(files, universe).targets[Label.parse(name)]
    assert isinstance(target, Candidate)
    return target.srcs


CANDIDATE = {"BUILD.bazel": LOADS + 'oracle_candidate(name = "src", srcs = glob(["src/**"]))\n', "src/a.py": ""}


def test_the_candidates_files_are_seen_through_the_trusted_declarations() -> None:
    assert srcs(CANDIDATE) == ("src/a.py",)
    # What the other tree adds in build files, ignore files and repositories does not move a boundary.
    theirs = [
        "BUILD.bazel",
        "src/b.py",
        "src/c/BUILD.bazel",
        "src/c/d.py",
        "src/e/WORKSPACE",
        "src/e/f.py",
        ".bazelignore",
    ]
    assert srcs(CANDIDATE, theirs) == ("src/b.py", "src/c/BUILD.bazel", "src/c/d.py", "src/e/WORKSPACE", "src/e/f.py")
    assert srcs(CANDIDATE, []) == ()


def test_a_file_named_outright_may_be_gone_from_the_other_tree() -> None:
    files = CANDIDATE | {"BUILD.bazel": LOADS + 'oracle_candidate(name = "src", srcs = ["src/a.py"])\n'}
    assert srcs(files, []) == ("src/a.py",)
    del files["src/a.py"]
    assert "src/a.py" in refused(files).detail


def test_glob_stops_at_packages() -> None:
    files = CANDIDATE | {"src/sub/BUILD": "", "src/sub/b.py": "", "src/c/d.py": ""}
    assert srcs(files) == ("src/a.py", "src/c/d.py")
    # Positive control: without the build file the folder belongs to the package above.
    del files["src/sub/BUILD"]
    assert srcs(files) == ("src/a.py", "src/c/d.py", "src/sub/b.py")


@pytest.mark.parametrize("marker", ["WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel", "REPO.bazel"])
def test_a_nested_repository_is_not_part_of_the_workspace(marker: str) -> None:
    files = CANDIDATE | {"src/x/BUILD.bazel": "fail('read')", "src/x/y/BUILD.bazel": "fail('read')", "src/x/z.py": ""}
    assert srcs(files | {f"src/x/{marker}": ""}) == ("src/a.py",)
    assert refused(files).where == "src/x/BUILD.bazel:1:1"
    assert srcs(CANDIDATE | {marker: ""}) == ("src/a.py",)


@pytest.mark.parametrize("line", ["src/x", "src/x/", "  src/x  "])
def test_an_ignored_folder_is_not_part_of_the_workspace(line: str) -> None:
    files = CANDIDATE | {"src/x/BUILD.bazel": "fail('read')", "src/x/z.py": "", "src/xy.py": ""}
    ignored = files | {".bazelignore": f"# comment\n\n{line}\n"}
    assert srcs(ignored) == ("src/a.py", "src/xy.py")
    assert ".bazelignore" in load(ignored).declared_files()
    assert refused(files | {".bazelignore": f"#{line}\n"}).where == "src/x/BUILD.bazel:1:1"


def test_build_bazel_wins_over_build() -> None:
    files = {"BUILD": "fail('read')", "BUILD.bazel": "", "x/BUILD": LOADS + 'oracle_candidate(name = "c", srcs = [])'}
    workspace = load(files)
    assert workspace.declared_files() == {"BUILD.bazel", "x/BUILD"}
    assert list(workspace.targets) == [Label("", "x", "c")]


def test_packages_come_in_order_and_targets_as_they_are_written() -> None:
    build = LOADS + 'oracle_candidate(name = "z", srcs = [])\noracle_candidate(name = "a", srcs = [])\n'
    found = load({"b/BUILD": build, "BUILD": build, "a/BUILD": build})
    assert [str(label) for label in found.targets] == ["//:z", "//:a", "//a:z", "//a:a", "//b:z", "//b:a"]


def test_a_tree_without_build_files_declares_nothing() -> None:
    assert not load({"a.py": ""}).targets
    assert not load({}).targets


@pytest.mark.parametrize(
    "name", ["src/é.py", "src/a b.py", "src/a:b.py", "src/@x.py", "src/\\.py", "src/\udcff.py", "src/\x01"]
)
def test_strange_names_pass_through_glob_unchanged(name: str) -> None:
    assert srcs(CANDIDATE | {name: ""}) == tuple(sorted(["src/a.py", name]))


def test_a_name_that_starts_with_an_at_sign_is_a_file() -> None:
    files = {"BUILD": LOADS + 'oracle_candidate(name = "src", srcs = glob(["@*"]))', "@x.py": ""}
    assert srcs(files) == ("@x.py",)


def test_two_names_that_look_alike_to_starlark_stay_two() -> None:
    twin = "src/\U0010fcff.py"
    assert srcs(CANDIDATE | {"src/\udcff.py": "", twin: ""}) == tuple(sorted(["src/a.py", "src/\udcff.py", twin]))


def test_loading_the_same_tree_twice_gives_equal_values() -> None:
    first, second = load_workspace(tree(GAMING_FILES)), load_workspace(tree(GAMING_FILES))
    assert first == second


NAMED = {
    "BUILD.bazel": LOADS + 'load("@acme//tools:m.bzl", "m")\nm(name = "c", srcs = ["@acme//:a.py", "@acme//lib:g"])\n',
    "tools/BUILD": "",
    "tools/m.bzl": LOADS + "def m(**kwargs):\n    oracle_candidate(**kwargs)\n",
    "lib/BUILD": 'filegroup(name = "g", srcs = ["b.py"])\n',
    "lib/b.py": "",
    "a.py": "",
}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("WORKSPACE", '# ours\nworkspace(name = "acme")\n'),
        ("WORKSPACE.bazel", "workspace(\n    name = 'acme',\n)\n"),
        ("MODULE.bazel", 'module(\n    name = "other",\n    version = "1",\n    repo_name = "acme",\n)\n'),
        ("MODULE.bazel", 'module(name = "acme", version = "1.0")\n'),
    ],
)
def test_the_workspaces_own_name_is_no_foreign_repository(path: str, text: str) -> None:
    assert srcs(NAMED | {path: text}, name="//:c") == ("a.py", "lib/b.py")
    # Control: under another name the macro is foreign, and whatever it would declare is not ours.
    assert not load(NAMED | {path: text.replace("acme", "acme_2")}).targets


def test_a_target_knows_where_it_was_declared() -> None:
    workspace = load(GAMING_FILES)
    lines = GAMING.split("\n")
    for label in workspace.targets:
        path, line, column = workspace.where(label).split(":")
        assert (path, column) == ("BUILD.bazel", "1")
        assert lines[int(line) - 1].startswith("oracle_")
        assert f'name = "{label.name}"' in lines[int(line)]
    with pytest.raises(KeyError):
        workspace.where(root("absent"))
