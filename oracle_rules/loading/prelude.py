"""What a BUILD or .bzl file finds defined, as Starlark text and lists of names.

Starlark functions cannot cross into Python callables (they are not data), so whatever may be handed one is written in
Starlark here and hands on only names. Rules and providers that a workspace defines for itself are read past: calling
one declares a foreign target. Knows nothing of files.
"""

from __future__ import annotations

from oracle_rules.loading.schema import FOREIGN_RULES, NATIVE_RULES

# Supplied by the evaluator as Python callables.
BUILD_CALLS = (
    "alias",
    "existing_rule",
    "existing_rules",
    "exports_files",
    "filegroup",
    "glob",
    "licenses",
    "package",
    "package_group",
    "package_name",
    "package_relative_label",
    "repository_name",
    "repo_name",
    "module_name",
    "module_version",
    "select",
    "subpackages",
    "test_suite",
)

# fmt: off
_PROVIDERS = (
    "AnalysisFailureInfo", "AnalysisTestResultInfo", "CcInfo", "CcToolchainConfigInfo", "DebugPackageInfo",
    "DefaultInfo", "ExecutionInfo", "FeatureFlagInfo", "InstrumentedFilesInfo", "JavaInfo", "JavaPluginInfo",
    "OutputGroupInfo", "PackageSpecificationInfo", "PlatformInfo", "ProtoInfo", "PyInfo", "PyRuntimeInfo",
    "RunEnvironmentInfo", "ToolchainInfo", "ToolchainTypeInfo",
)
# fmt: on
# fmt: off
_DEFINERS = (
    "analysis_test_transition", "aspect", "configuration_field", "exec_group", "exec_transition",
    "materializer_rule", "module_extension", "repository_rule", "subrule", "tag_class", "transition",
)
# fmt: on
_MODULES = ("apple_common", "cc_common", "coverage_common", "java_common", "proto", "py_internal")
# fmt: off
_ATTRIBUTES = (
    "bool", "int", "int_list", "label", "label_keyed_string_dict", "label_list", "label_list_dict", "output",
    "output_list", "string", "string_dict", "string_keyed_label_dict", "string_list", "string_list_dict",
)
# fmt: on

BUILD_NAMES = (*BUILD_CALLS, *FOREIGN_RULES, "depset", "print")
BZL_NAMES = (
    *("Label", "attr", "config", "config_common", "depset", "macro", "native", "platform_common", "print", "provider"),
    *("rule", "select", "testing", "visibility"),
    *_PROVIDERS,
    *_DEFINERS,
    *_MODULES,
)

_TEXT = """
def foreign(*args, **kwargs):
    foreign_target(kwargs.get("name"))

def print(*args, **kwargs):
    pass

def depset(direct = None, order = "default", transitive = None):
    items = list(direct or [])
    for part in transitive or []:
        items = items + part.to_list()
    return struct(to_list = lambda: items)

def _instance(*args, **kwargs):
    return struct(**kwargs)

def provider(*args, **kwargs):
    if kwargs.get("init") != None:
        return (_instance, _instance)
    return _instance

def rule(*args, **kwargs):
    return foreign

def macro(**kwargs):
    implementation = kwargs["implementation"]
    attrs = kwargs.get("attrs") or {}
    def call(**given):
        for name in attrs:
            if given.get(name) == None and attrs[name] != None:
                given[name] = attrs[name].default
        given.setdefault("visibility", None)
        implementation(**given)
    return call

def _attribute(*args, **kwargs):
    return struct(default = kwargs.get("default"))

def _nothing(*args, **kwargs):
    return None
"""


def text() -> str:
    """The whole prelude; `foreign_target`, `Label`, `visibility` and BUILD_CALLS must already be defined beside it."""
    native = ", ".join(f"{name} = {name}" for name in (*BUILD_CALLS, *FOREIGN_RULES))
    fields = ", ".join(f"{name} = _attribute" for name in _ATTRIBUTES)
    settings = ", ".join(f"{name} = _nothing" for name in ("bool", "exec", "int", "none", "string", "target"))
    lists = ", ".join(f"{name} = _nothing" for name in ("string_list", "string_set"))
    platforms = ", ".join(f"{name} = _instance" for name in ("PlatformInfo", "TemplateVariableInfo", "ToolchainInfo"))
    lines = [
        _TEXT,
        f"native = struct({native})",
        f"attr = struct({fields})",
        f"config = struct({settings}, {lists})",
        "config_common = struct(FeatureFlagInfo = _instance, toolchain_type = _nothing)",
        f"platform_common = struct({platforms})",
        "testing = struct(ExecutionInfo = _instance, TestEnvironment = _instance, analysis_test = foreign)",
        *(f"{name} = _instance" for name in _PROVIDERS),
        *(f"{name} = rule" for name in _DEFINERS),
        *(f"{name} = struct()" for name in _MODULES),
    ]
    return "\n".join(lines) + "\n"


def known_names() -> set[str]:
    """Every name that may be meant by one that is not defined."""
    return {*BUILD_NAMES, *BZL_NAMES, *NATIVE_RULES, "struct", "json", "len", "range", "sorted", "dict", "list"}
