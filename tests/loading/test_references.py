"""Labels that lead to files and targets, directly and through aliases, filegroups and other packages."""

from __future__ import annotations

import pytest

from oracle_rules.errors import IncompleteError, UsageError
from oracle_rules.label import Label, Pattern
from oracle_rules.loading import Candidate, Fixtures, PropertyTest
from tests.loading.trees import LOADS, NEEDED, SOURCES, load, refused

FILES = {name: "" for name in ("a.py", "b.py", "c.py", "sub/d.py")}


def srcs(written: str, more: str = "", files: dict[str, str] | None = None) -> tuple[str, ...]:
    build = LOADS + f'oracle_candidate(name = "it", srcs = {written})\n' + more
    target = load({"BUILD.bazel": build} | FILES | (files or {})).targets[Label("", "", "it")]
    assert isinstance(target, Candidate)
    return target.srcs


GROUPS = """
filegroup(name = "ab", srcs = ["a.py", "b.py"], visibility = ["//visibility:private"])
filegroup(name = "abc", srcs = [":ab", ":see", "b.py"])
filegroup(name = "none")
alias(name = "see", actual = "c.py")
alias(name = "also", actual = ":really")
alias(name = "really", actual = "//:ab")
"""


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('["b.py", "a.py"]', "a.py b.py"),
        ('[":a.py", "//:b.py", "sub/d.py", ":sub/d.py"]', "a.py b.py sub/d.py"),
        ('[":ab"]', "a.py b.py"),
        ('["ab", "//:abc"]', "a.py b.py c.py"),
        ('[":see"]', "c.py"),
        ('[":also"]', "a.py b.py"),
        ('[":none"]', ""),
        ("[]", ""),
        ('glob(["*.py"], exclude = ["b.py"]) + [":see"]', "a.py c.py"),
        ('["@//:a.py"]', "a.py"),
    ],
)
def test_files_by_every_kind_of_label(written: str, expected: str) -> None:
    assert srcs(written, GROUPS) == tuple(expected.split())


OTHER = 'filegroup(name = "g", srcs = ["held.py"])\nexports_files(["out.py"])\n'
OTHERS = {"pkg/BUILD.bazel": OTHER, "pkg/held.py": "", "pkg/out.py": "", "pkg/own.py": "", "pkg/deep/x.py": ""}


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('["//pkg:g"]', "pkg/held.py"),
        ('["//pkg:out.py"]', "pkg/out.py"),
        # A rule of the package names it: what Bazel calls an implicit export; visibility is not enforced.
        ('["//pkg:held.py"]', "pkg/held.py"),
    ],
)
def test_files_of_another_package(written: str, expected: str) -> None:
    assert srcs(written, files=OTHERS) == tuple(expected.split())


def test_a_file_that_its_package_does_not_export() -> None:
    files = {"BUILD.bazel": LOADS + 'oracle_candidate(\n    name = "it",\n    srcs = ["//pkg:own.py"],\n)\n'} | OTHERS
    error = refused(files)
    assert error.where == "BUILD.bazel:4:13"
    assert "does not export" in error.detail
    assert error.remedy == 'add exports_files(["own.py"]) to pkg/BUILD.bazel'
    files["pkg/BUILD.bazel"] += 'exports_files(["own.py"])\n'
    assert load(files)


def test_a_target_wins_over_a_file_of_its_name() -> None:
    assert srcs('["a.py"]', 'filegroup(name = "a.py", srcs = ["b.py"])\n') == ("b.py",)


def test_one_file_may_come_through_a_group_of_one() -> None:
    build = LOADS + 'oracle_freeze(name = "f", ledger = ":g")\nfilegroup(name = "g", srcs = ["a.py"])\n'
    assert "a.py" in str(load({"BUILD.bazel": build} | FILES).targets)
    error = refused({"BUILD.bazel": build.replace('["a.py"]', '["a.py", "b.py"]')} | FILES)
    assert error.where == "BUILD.bazel:2:36"
    assert "stands for 2" in error.detail


def test_targets_through_aliases_and_packages() -> None:
    build = (
        LOADS
        + 'alias(name = "code", actual = "//lib:alias")\n'
        + 'oracle_fixtures(name = "f", srcs = [], manifest = "m.json")\n'
        + 'alias(name = "g", actual = ":f")\n'
        + 'oracle_property_test(name = "t", property = "p.py", candidate = ":code", seeds = "s.json", '
        + 'fixtures = ["f", ":g", "//:f"])\n'
    )
    lib = LOADS + 'oracle_candidate(name = "src", srcs = [])\nalias(name = "alias", actual = ":src")\n'
    found = load({"BUILD.bazel": build, "lib/BUILD.bazel": lib, "m.json": ""} | SOURCES)
    test = found.targets[Label("", "", "t")]
    assert isinstance(test, PropertyTest)
    assert test.candidate == Label("", "lib", "src")
    assert test.fixtures == (Label("", "", "f"),)
    assert isinstance(found.targets[test.fixtures[0]], Fixtures)


USER = 'oracle_candidate(name = "c", srcs = [":a"])\n'
CYCLES = [
    ('alias(name = "a", actual = ":a")\n', "BUILD.bazel:2:28", "alias cycle: //:a -> //:a"),
    (
        'alias(name = "a", actual = ":b")\nalias(name = "b", actual = ":c")\nalias(name = "c", actual = ":b")\n',
        "BUILD.bazel:2:28",
        "alias cycle: //:b -> //:c -> //:b",
    ),
    (
        'filegroup(name = "a", srcs = [":b"])\nfilegroup(name = "b", srcs = [\n    "a.py",\n    ":a",\n])\n' + USER,
        "BUILD.bazel:5:5",
        "filegroup cycle: //:a -> //:b -> //:a",
    ),
    (
        'filegroup(name = "a", srcs = [":b"])\nalias(name = "b", actual = ":a")\n' + USER,
        "BUILD.bazel:2:31",
        "filegroup cycle: //:a -> //:a",
    ),
    (
        'oracle_suite(name = "a", tests = [":b"])\noracle_suite(name = "b", tests = [":a"])\n',
        "BUILD.bazel:3:35",
        "oracle_suite cycle: //:a -> //:b -> //:a",
    ),
]


@pytest.mark.parametrize(("build", "where", "detail"), CYCLES)
def test_cycles_are_named(build: str, where: str, detail: str) -> None:
    error = refused({"BUILD.bazel": LOADS + build} | FILES)
    assert isinstance(error, UsageError)
    assert (error.where, error.detail.partition(", in")[0]) == (where, detail)


def test_a_cycle_that_nothing_follows_is_no_matter_for_files() -> None:
    assert srcs('["a.py"]', 'filegroup(name = "x", srcs = [":y"])\nfilegroup(name = "y", srcs = [":x"])\n') == ("a.py",)


def test_a_long_chain_and_a_wide_lattice_of_groups() -> None:
    size = 3000
    chain = "".join(f'filegroup(name = "g{n}", srcs = [":g{n + 1}", ":g{n + 1}"])\n' for n in range(size))
    assert srcs('[":g0"]', chain + f'filegroup(name = "g{size}", srcs = ["a.py"])\n') == ("a.py",)
    aliases = "".join(f'alias(name = "l{n}", actual = ":l{n + 1}")\n' for n in range(300))
    assert srcs('[":l0"]', aliases + 'alias(name = "l300", actual = "a.py")\n') == ("a.py",)


MISSING = [
    ('candidate = ":scr"', "BUILD.bazel:4:88", UsageError, "no target or file ':scr' in package '//'", ":src"),
    ('candidate = "//:srcs"', "BUILD.bazel:4:88", UsageError, "no target or file '//:srcs'", ":src"),
    ('candidate = "//lib:src"', "BUILD.bazel:4:88", UsageError, "no package '//lib'", "BUILD.bazel"),
    (
        'candidate = "s.json"',
        "BUILD.bazel:4:88",
        UsageError,
        "needs an oracle_candidate, 's.json' is a file",
        "oracle_ca",
    ),
    (
        'candidate = ":odd"',
        "BUILD.bazel:4:88",
        UsageError,
        "':odd' is a target of another rule set",
        "oracle_candidate",
    ),
    ('candidate = "@other//:src"', "BUILD.bazel:4:88", UsageError, "another repository", "this workspace"),
    ('candidate = "a//b"', "BUILD.bazel:4:88", UsageError, "invalid target name", "correct"),
    ('candidate = ":src", deps = ["q.py"]', "BUILD.bazel:4:104", IncompleteError, "'q.py'", "p.py"),
    ('candidate = ":src", deps = [":src"]', "BUILD.bazel:4:104", UsageError, "needs files", "filegroup"),
    ('candidate = ":src", freeze = ":src"', "BUILD.bazel:4:105", UsageError, "needs an oracle_freeze", "oracle_freeze"),
    ('candidate = ":src", deps = ["sub/x.py"]', "BUILD.bazel:4:104", UsageError, "into package '//sub'", "//sub:x.py"),
    ('candidate = ":src", deps = ["//:sub/x.py"]', "BUILD.bazel:4:104", UsageError, "into package", "//sub:x.py"),
]


@pytest.mark.parametrize(("written", "where", "kind", "detail", "remedy"), MISSING)
def test_what_is_missing_or_wrong(written: str, where: str, kind: type[Exception], detail: str, remedy: str) -> None:
    prefix = 'oracle_property_test(name = "t", property = "p.py", seeds = "s.json", '
    files = {"BUILD.bazel": LOADS + NEEDED + f'{prefix}     {written})\ngenrule(name = "odd")\n'} | SOURCES
    files |= {"sub/BUILD": 'exports_files(["x.py"])\n', "sub/x.py": ""}
    error = refused(files)
    assert type(error) is kind
    assert error.where == where
    assert detail in error.detail
    assert remedy in error.remedy
    good = files["BUILD.bazel"].replace(written, 'candidate = ":src", deps = ["//sub:x.py"]')
    assert load(files | {"BUILD.bazel": good})


@pytest.mark.parametrize("attribute", ["property", "seeds"])
def test_a_missing_artifact_is_an_incomplete_oracle(attribute: str) -> None:
    values = {"property": "p.py", "seeds": "s.json"} | {attribute: "p.jsn"}
    build = "".join(f'    {name} = "{value}",\n' for name, value in values.items())
    build = LOADS + NEEDED + f'oracle_property_test(\n    name = "t",\n    candidate = ":src",\n{build})\n'
    error = refused({"BUILD.bazel": build} | SOURCES)
    assert isinstance(error, IncompleteError)
    line = 7 if attribute == "property" else 8
    column = len(f"    {attribute} = ") + 1
    assert error.where == f"BUILD.bazel:{line}:{column}"
    assert error.exit_code == 3
    assert "s.json" in error.remedy or "p.py" in error.remedy


@pytest.mark.parametrize("through_group", [False, True])
@pytest.mark.parametrize(("written", "kind"), [
    ('oracle_fixtures(name = "f", srcs = [{}], manifest = "s.json")', IncompleteError),
    ('oracle_property_test(name = "t", property = "p.py", seeds = "s.json", candidate = ":src", deps = [{}])',
     IncompleteError),
    ('oracle_property_test(name = "t", property = {}, seeds = "s.json", candidate = ":src")', IncompleteError),
    ('oracle_freeze(name = "f", ledger = {})', IncompleteError),
    ('oracle_domain_lock(name = "f", lock = {})', IncompleteError),
    ('oracle_profile(name = "f", profile = {})', IncompleteError),
    ('oracle_candidate(name = "f", srcs = [], requirements = {})', IncompleteError),
    ('oracle_candidate(name = "f", srcs = [{}])', UsageError),  # no oracle file: the declaration is wrong
])  # fmt: skip
def test_every_oracle_file_that_is_missing_is_an_incomplete_oracle(
    written: str, kind: type[Exception], through_group: bool
) -> None:
    group = 'filegroup(name = "group", srcs = ["gone.py"])\n' if through_group else ""
    build = LOADS + NEEDED + group + written.format('":group"' if through_group else '"gone.py"') + "\n"
    assert type(refused({"BUILD.bazel": build} | SOURCES)) is kind
    assert load({"BUILD.bazel": build, "gone.py": ""} | SOURCES)


def test_a_finding_inside_a_group_points_into_the_group() -> None:
    build = LOADS + 'oracle_candidate(name = "c", srcs = ["//lib:all"])\n'
    lib = 'filegroup(\n    name = "all",\n    srcs = [\n        "a.py",\n        "aa.py",\n    ],\n)\n'
    error = refused({"BUILD.bazel": build, "lib/BUILD.bazel": lib, "lib/a.py": "", "lib/a_b.py": ""})
    assert error.where == "lib/BUILD.bazel:5:9"
    assert "aa.py" in error.detail


def test_a_native_suite_leaves_out_what_is_not_ours() -> None:
    build = (
        LOADS
        + NEEDED
        + 'oracle_property_test(name = "t", property = "p.py", candidate = ":src", seeds = "s.json")\n'
        + 'py_test(name = "other")\n'
        + 'test_suite(name = "all", tests = [":t", ":other", "//far:away", "@else//:where"])\n'
    )
    found = load({"BUILD.bazel": build} | SOURCES).select([Pattern.parse("//:all")])
    assert [test.label.name for test in found] == ["t"]
    strict = build.replace("test_suite(", "oracle_suite(")
    assert refused({"BUILD.bazel": strict} | SOURCES).where == "BUILD.bazel:6:43"
