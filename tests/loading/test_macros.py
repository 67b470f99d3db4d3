"""Macros in .bzl files, rules of other rule sets, and what both find defined."""

from __future__ import annotations

import pytest

from oracle_rules.label import Label
from oracle_rules.loading import Candidate, PropertyTest
from tests.loading.trees import LOADS, NEEDED, SOURCES, load, refused


def labels(files: dict[str, str]) -> list[str]:
    return [str(label) for label in load(files).targets]


def test_a_macro_through_two_files() -> None:
    files = {
        "app/BUILD.bazel": 'load("//tools:suites.bzl", many = "properties")\nmany(["a", "b"], deps = ["h.py"])\n',
        "tools/BUILD.bazel": "",
        "tools/suites.bzl": 'load(":one.bzl", "property")\n'
        "def properties(names, **kwargs):\n"
        "    for name in names:\n"
        "        property(name, **kwargs)\n"
        '    native.filegroup(name = "all", srcs = native.glob(["*.py"]))\n',
        "tools/one.bzl": LOADS + "def property(name, deps = []):\n"
        "    if not native.existing_rule('src'):\n"
        "        oracle_candidate(name = 'src', srcs = native.glob(['src/*.py']))\n"
        "    oracle_property_test(\n"
        "        name = name,\n"
        "        property = name + '.py',\n"
        "        candidate = ':src',\n"
        "        seeds = '%s/%s.json' % (native.package_name(), name) if False else name + '.json',\n"
        "        deps = deps,\n"
        "    )\n",
    }
    files |= {f"app/{name}": "" for name in ("a.py", "a.json", "b.py", "b.json", "h.py", "src/s.py")}
    workspace = load(files)
    assert [str(label) for label in workspace.targets] == ["//app:src", "//app:a", "//app:b"]
    test = workspace.targets[Label("", "app", "b")]
    assert isinstance(test, PropertyTest)
    assert (test.property, test.seeds, test.deps) == ("app/b.py", "app/b.json", ("app/h.py",))
    assert workspace.declared_files() == {"app/BUILD.bazel", "tools/BUILD.bazel", "tools/suites.bzl", "tools/one.bzl"}


def test_a_macro_that_is_not_loaded_is_not_evaluated() -> None:
    files = {"BUILD": "", "m.bzl": "fail('evaluated')"}
    assert load(files).declared_files() == {"BUILD"}
    assert "evaluated" in refused(files | {"BUILD": 'load(":m.bzl", "x")'}).detail


FOREIGN = """
load("@rules_python//python:defs.bzl", "PyInfo", library = "py_library", test = "py_test")
load("@@bazel_skylib//lib:paths.bzl", "paths")
package(default_visibility = ["//visibility:public"], features = ["x"])
licenses(["notice"])
package_group(name = "friends", packages = ["//..."])
library(name = "lib", srcs = glob(["*.py"]), deps = ["@pypi//requests", ":" + "x"], data = select({"//:on": [], "//c": []}) if False else [])
test(name = "test", srcs = ["t.py"], main = "t.py", size = "small", flaky = True)
test()
test(name = "lib", imports = [len])
genrule(name = "gen", outs = ["o.py"], cmd = "touch $@", tools = [":lib"])
sh_test(name = "shell", srcs = ["a.sh"])
config_setting(name = "on", values = {"define": "x=1"})
print("loaded", glob)
"""


def test_a_build_file_full_of_other_rules_still_loads() -> None:
    build = (
        LOADS
        + FOREIGN
        + NEEDED
        + 'oracle_property_test(name = "t", property = "p.py", candidate = ":src", seeds = "s.json")\n'
    )
    assert labels({"BUILD.bazel": build} | SOURCES) == ["//:src", "//:t"]


def test_a_foreign_target_is_an_error_only_where_it_is_needed() -> None:
    build = LOADS + FOREIGN + 'oracle_candidate(name = "c", srcs = %s)\nalias(name = "also", actual = ":lib")\n'
    assert labels({"BUILD.bazel": build % "[]"}) == ["//:c"]
    for label in (":lib", ":gen", ":also"):
        error = refused({"BUILD.bazel": build % f'["{label}"]'})
        assert error.where == "BUILD.bazel:16:38"
        assert "needs files" in error.detail
        assert "another rule set" in error.detail


def test_our_target_wins_over_a_foreign_macro_of_that_name() -> None:
    for order in (0, 1):
        lines = ['x(name = "c")', 'oracle_candidate(name = "c", srcs = [])'][:: 1 if order else -1]
        assert labels({"BUILD": LOADS + 'load("@r//:x.bzl", "x")\n' + "\n".join(lines)}) == ["//:c"]


def test_our_rules_under_a_strange_name_do_not_silently_vanish() -> None:
    build = (
        'load("@rules_oracle//oracle_rules:defs.bzl", "x", mine = "oracle_candidate")\nmine(name = "c", srcs = [])\n'
    )
    error = refused({"BUILD": build})
    assert error.where == "BUILD:1:1"
    assert "oracle_candidate is loaded from a repository we do not know" in error.detail
    assert error.remedy == 'load "@oracle_rules//oracle_rules:defs.bzl"'
    assert load({"BUILD": build.replace("oracle_candidate", "candidate")}).targets == {}


def test_what_is_wrong_about_a_foreign_load_is_said() -> None:
    assert refused({"BUILD": 'load("@r//:x.bzl", "not a name")'}).where == "BUILD:1:1"
    assert refused({"BUILD": 'load("@r//:x.bzl", "for")'}).where == "BUILD:1:1"
    assert refused({"BUILD": 'load("@r:x.bzl", "x")'}).where == "BUILD:1:1"
    error = refused({"BUILD": 'load("@r//:x.bzl", "paths")\nx = paths.join("a", "b")\n'})
    assert error.where == "BUILD:2:5"
    assert "another rule set" in error.remedy
    assert load({"BUILD": 'load("@r//:x.bzl", "x", y = "z")'})


RULES_OF_THEIR_OWN = '''"""Rules of this workspace."""
load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")

ThingInfo = provider(doc = "d", fields = {"a": "b"})
RawInfo, _new_raw = provider(fields = ["a"], init = lambda a: {"a": a})
_DEFAULT = struct(a = 1, b = depset([1], transitive = [depset([2, 3])]))
_MODE = transition(implementation = lambda settings, attr: {}, inputs = [], outputs = [])

def _thing_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name)
    return [DefaultInfo(files = depset([out])), ThingInfo(a = 1), OutputGroupInfo(), CcInfo(), cc_common.x(),
            testing.ExecutionInfo({}), platform_common.ToolchainInfo(), PyInfo(), coverage_common.y, java_common.z]

thing = rule(
    implementation = _thing_impl,
    attrs = {
        "deps": attr.label_list(providers = [ThingInfo], aspects = [aspect(implementation = _thing_impl)]),
        "mode": attr.string(default = "x", values = ["x", "y"]),
        "n": attr.int(default = len(_DEFAULT.b.to_list())),
    },
    cfg = _MODE,
    toolchains = [config_common.toolchain_type("//:t", mandatory = False)],
    build_setting = config.string(flag = True),
)
things = repository_rule(implementation = _thing_impl)
extension = module_extension(implementation = _thing_impl, tag_classes = {"x": tag_class(attrs = {})})
visibility("public")
_LABEL = Label("//:x")
_JSON = json.decode(json.encode({"a": [1]}))
'''


def test_rules_of_the_workspaces_own_are_read_past() -> None:
    build = LOADS + 'load(":rules.bzl", "thing", "ThingInfo")\nthing(name = "c", deps = [len])\n' + NEEDED
    assert labels({"BUILD": build, "rules.bzl": RULES_OF_THEIR_OWN}) == ["//:src"]


def test_a_symbolic_macro_declares_what_its_implementation_declares() -> None:
    macro = (
        LOADS
        + "def _impl(name, visibility, srcs, count):\n"
        + "    for n in range(count):\n"
        + '        oracle_candidate(name = "%s_%d" % (name, n), srcs = srcs, visibility = visibility)\n'
        + "mine = macro(implementation = _impl, attrs = {"
        + '"srcs": attr.label_list(mandatory = True), "count": attr.int(default = 2)})\n'
    )
    build = 'load(":m.bzl", "mine")\nmine(name = "a", srcs = ["x.py"])\nmine(name = "b", srcs = [], count = 1)\n'
    assert labels({"BUILD": build, "m.bzl": macro, "x.py": ""}) == ["//:a_0", "//:a_1", "//:b_0"]


@pytest.mark.parametrize(
    "call", ['oracle_candidate(name = "a", srcs = [])', "native.glob([])", "native.package_name()"]
)
def test_targets_are_declared_by_build_files_only(call: str) -> None:
    error = refused({"BUILD": 'load(":m.bzl", "x")\n', "m.bzl": LOADS + f"x = {call}\n"})
    assert error.where == "m.bzl:2:5"
    assert "while a .bzl file is loaded" in error.detail
    assert "macro" in error.remedy
    assert load({"BUILD": 'load(":m.bzl", "x")\nx()\n', "m.bzl": LOADS + f"def x():\n    {call}\n"})


def test_select_takes_the_default_and_adds_up() -> None:
    build = (
        LOADS
        + 'oracle_candidate(name = "c", srcs = ["a.py"] + select({"//:w": ["w.py"], "//conditions:default": ["b.py"]})'
        + ' + select({"//conditions:default": []}))\n'
    )
    target = load({"BUILD": build, "a.py": "", "b.py": ""}).targets[Label("", "", "c")]
    assert isinstance(target, Candidate)
    assert target.srcs == ("a.py", "b.py")


def test_what_a_package_can_ask_about_itself() -> None:
    macro = (
        LOADS
        + "def check():\n"
        + '    native.filegroup(name = "f")\n'
        + "    found = [native.package_name(), native.repository_name(), sorted(native.existing_rules()),\n"
        + '        native.existing_rule("f")["kind"], native.existing_rule("g"), native.subpackages(include = ["**"]),\n'
        + '        native.package_relative_label(":x"), native.glob(["*.t", "sub/*.t"])]\n'
        + "    fail(repr(found))\n"
    )
    files = {"a/b/BUILD": 'load("//:m.bzl", "check")\ncheck()\n', "BUILD": "", "m.bzl": macro}
    files |= {
        "a/b/c/BUILD": "",
        "a/b/c/d/BUILD": "",
        "a/b/e/f/BUILD": "",
        "a/b/x.t": "",
        "a/b/sub/y.t": "",
        "a/b/c/z.t": "",
    }
    expected = '["a/b", "@", ["f"], "filegroup", None, ["c", "e/f"], "//a/b:x", ["sub/y.t", "x.t"]]'
    assert f"fail: {expected}" in refused(files).detail


def test_a_symbol_that_a_file_loads_is_not_its_own() -> None:
    files = {"BUILD": 'load(":m.bzl", "oracle_candidate")\n', "m.bzl": LOADS + "own = 1\n"}
    assert "no symbol 'oracle_candidate'" in refused(files).detail
    assert load(files | {"BUILD": 'load(":m.bzl", "own")\n'})


def test_a_file_may_use_a_name_of_ours_for_itself() -> None:
    build = (
        LOADS
        + 'load("@rules_python//:x.bzl", "py_library")\nglob_of = glob\nselect = 3\npy_library(name = "x")\n'
        + NEEDED
    )
    assert labels({"BUILD": build}) == ["//:src"]


def test_a_build_file_may_end_in_any_expression() -> None:
    for text in ("glob", "[glob]", '{"a": print}', "len  # no line feed at the end", "x = 1\n\n# end", "(1,\n)"):
        assert load({"BUILD": text}).targets == {}
