"""The rules of oracle_rules and the native rules we read, as data: attributes, types, defaults, what they mean.

Checks, resolution and the reference page are drawn from this table. Knows nothing of Starlark or of files.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Any

ENTROPY_KINDS = ("clock", "comparison", "env", "hash", "host", "native", "network", "random", "urandom", "uuid")


# fmt: off
_COMMON = frozenset({
    "applicable_licenses", "aspect_hints", "compatible_with", "deprecation", "distribs", "exec_compatible_with",
    "exec_properties", "features", "generator_function", "generator_location", "generator_name", "licenses",
    "package_metadata", "restricted_to", "tags", "target_compatible_with", "testonly", "toolchains", "visibility",
})
# fmt: on
_COMMON_TEST = frozenset({"size"})
_COMMON_NATIVE = frozenset({"data", "output_group", "output_licenses", "path", "srcs"})


class Kind(enum.Enum):
    """What an attribute holds."""

    STRING = "a string"
    STRINGS = "a list of strings"
    STRING_MAP = "a dictionary of strings"
    INTEGER = "an integer"
    BOOLEAN = "True or False"
    FILE = "the label of one file"
    FILES = "a list of labels of files"
    TARGET = "the label of a target"
    TARGETS = "a list of labels of targets"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """One attribute of a rule.

    `rules` are the rules a label may lead to (empty: any), `choices` the only strings allowed (empty: any), `least`
    and `most` bound an integer.
    """

    name: str
    kind: Kind
    doc: str
    mandatory: bool = False
    default: Any = None
    rules: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule and its own attributes; those in `ignored` are allowed beside them and have no effect."""

    name: str
    doc: str
    attributes: dict[str, Attribute] = field(default_factory=dict)
    test: bool = False
    ours: bool = True

    @property
    def ignored(self) -> frozenset[str]:
        """Attributes that Bazel allows on such a rule and that mean nothing here."""
        return _COMMON | (_COMMON_TEST if self.test else frozenset()) | (frozenset() if self.ours else _COMMON_NATIVE)


def _rule(name: str, doc: str, *attributes: Attribute, test: bool = False, ours: bool = True) -> Rule:
    return Rule(name=name, doc=doc, attributes={each.name: each for each in attributes}, test=test, ours=ours)


def _file(name: str, doc: str, *, mandatory: bool = True) -> Attribute:
    return Attribute(name=name, kind=Kind.FILE, doc=doc, mandatory=mandatory)


def _files(name: str, doc: str, *, mandatory: bool = False) -> Attribute:
    return Attribute(name=name, kind=Kind.FILES, doc=doc, mandatory=mandatory, default=())


def _target(name: str, rule: str, doc: str, *, mandatory: bool = False) -> Attribute:
    return Attribute(name=name, kind=Kind.TARGET, doc=doc, mandatory=mandatory, rules=(rule,))


def _text(name: str, doc: str) -> Attribute:
    return Attribute(name=name, kind=Kind.STRING, doc=doc)


def _number(name: str, doc: str, *, least: int) -> Attribute:
    """A number that Bazel's integers, which are signed and of 32 bits, can hold."""
    return Attribute(name=name, kind=Kind.INTEGER, doc=doc, least=least, most=2**31 - 1)


_TAGS = Attribute(name="tags", kind=Kind.STRINGS, default=(), doc="free words; `manual` keeps it out of wildcards")

_PROFILE = _rule(
    "oracle_profile",
    "A determinism profile: a file, attributes, or both, each setting in one of the two places.",
    _file("profile", "JSON file with the settings", mandatory=False),
    _number("seed", "keys the stream that stands in for random bytes", least=0),
    _number("max_examples", "how many cases each domain lock under the profile draws", least=1),
    _text("tz", "`UTC` or a POSIX rule such as `CET-1CEST,M3.5.0,M10.5.0/3`"),
    _number("hash_seed", "the order of sets of text", least=0),
    _text("cache_dir", "a writable folder below `/tmp`"),
    _text("clock", "the instant that Python's clocks show, ISO 8601 with an offset"),
    Attribute(name="env", kind=Kind.STRING_MAP, default=(), doc="further variables; those of the target win"),
)

_PROPERTY_TEST = _rule(
    "oracle_property_test",
    "Judges one property over its cases, or one pytest suite, against the candidate.",
    _file("property", "Python file that defines `hold(case)`; goes with `seeds`", mandatory=False),
    Attribute(name="property_id", kind=Kind.STRING, doc="name in ledgers and locks; the target's name when absent"),
    _target("candidate", "oracle_candidate", "whose sources are judged", mandatory=True),
    _file("seeds", "JSON file with the committed cases; goes with `property`", mandatory=False),
    _text("selector", "tests of a pytest file, `tests/test_x.py::test_y`, in place of `property` and `seeds`"),
    Attribute(
        name="nodeids",
        kind=Kind.STRINGS,
        default=(),
        doc="the exact ids that the selector has to collect, as pytest prints them; the selector when absent",
    ),
    Attribute(
        name="fixtures", kind=Kind.TARGETS, default=(), rules=("oracle_fixtures",), doc="fixtures the property may read"
    ),
    _target("freeze", "oracle_freeze", "ledger of frozen properties"),
    _target("domain_lock", "oracle_domain_lock", "locked domain that further cases are drawn from"),
    _file("journal", "journal of seeds that hit, `oracles/<property_id>.json` of the package", mandatory=False),
    _target("profile", "oracle_profile", "what the environment is pinned to; the standard profile when absent"),
    _files("deps", "further Python files of the oracle that the property imports"),
    Attribute(
        name="timeout_seconds",
        kind=Kind.INTEGER,
        default=20,
        least=1,
        most=3600,
        doc="wall clock for the whole target; part of the key",
    ),
    Attribute(name="fresh_cell", kind=Kind.BOOLEAN, default=False, doc="a new cell for every case"),
    Attribute(
        name="allow",
        kind=Kind.STRINGS,
        default=(),
        choices=ENTROPY_KINDS,
        doc="kinds of ambient entropy that do not refuse the bit",
    ),
    Attribute(name="env", kind=Kind.STRING_MAP, default=(), doc="environment variables the candidate sees"),
    _TAGS,
    test=True,
)

RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        _rule(
            "oracle_candidate",
            "The sources under judgement.",
            _files("srcs", "files of the candidate", mandatory=True),
            Attribute(
                name="imports",
                kind=Kind.STRINGS,
                default=(".",),
                doc="folders, relative to the package, that Python imports from",
            ),
            _file("requirements", "lock file of the candidate's third-party packages", mandatory=False),
        ),
        _rule(
            "oracle_fixtures",
            "Files that properties read, with their manifest.",
            _files("srcs", "the fixture files, without the manifest", mandatory=True),
            _file("manifest", "JSON file with one row per fixture"),
        ),
        _rule("oracle_freeze", "A freeze ledger.", _file("ledger", "JSON file with the frozen rows")),
        _rule("oracle_domain_lock", "A domain lock.", _file("lock", "JSON file with one domain per property")),
        _PROFILE,
        _rule(
            "oracle_toolchain",
            "A pinned toolchain; accepted and recorded.",
            _file("toolchain", "JSON file that describes the interpreter", mandatory=False),
        ),
        _PROPERTY_TEST,
        _rule(
            "oracle_suite",
            "A named list of property tests.",
            Attribute(
                name="tests",
                kind=Kind.TARGETS,
                mandatory=True,
                rules=("oracle_property_test", "oracle_suite", "test_suite"),
                doc="property tests and other suites",
            ),
            _TAGS,
        ),
    )
}

NATIVE_RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        _rule("filegroup", "Names a list of files.", _files("srcs", "files and filegroups"), ours=False),
        _rule(
            "alias",
            "Another name for a target or file.",
            Attribute(name="actual", kind=Kind.TARGET, mandatory=True, doc="what it stands for"),
            ours=False,
        ),
        _rule(
            "test_suite",
            "Bazel's own suite; tests that are not property tests are left out.",
            Attribute(name="tests", kind=Kind.TARGETS, doc="tests; every test of the package when absent"),
            _TAGS,
            ours=False,
        ),
    )
}

REFUSED = {
    "flaky": ("a bit that depends on luck is no bit", "make the property deterministic or freeze it in the ledger"),
    "timeout": ("Bazel's size classes say nothing about a property", "use timeout_seconds = <whole seconds>"),
    "shard_count": ("one target is one verdict", "split the property into several targets"),
    "env_inherit": ("an inherited variable differs from worker to worker", 'give its value: env = {"NAME": "value"}'),
    "local": ("every property runs in the sandbox", "remove the attribute"),
    "args": ("a property takes no arguments", "put the values into its cases"),
}

# Rules that Bazel defines (or defined) without a load. They are not ours, so they are read past.
# fmt: off
FOREIGN_RULES = (
    "cc_binary", "cc_import", "cc_library", "cc_shared_library", "cc_test", "cc_toolchain", "cc_toolchain_suite",
    "config_setting", "constraint_setting", "constraint_value", "environment", "environment_group", "genquery",
    "genrule", "java_binary", "java_import", "java_library", "java_plugin", "java_test", "java_toolchain",
    "label_flag", "label_setting", "objc_import", "objc_library", "platform", "proto_lang_toolchain",
    "proto_library", "py_binary", "py_library", "py_runtime", "py_test", "sh_binary", "sh_library", "sh_test",
    "toolchain", "toolchain_type", "xcode_config", "xcode_version",
)
# fmt: on
