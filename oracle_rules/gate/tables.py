"""The gate's rules, as rows in order: the first row that selects a change is the row of that change.

Data only. The last row selects everything, so that each change has exactly one row; a row without a code finds nothing.
Everything about the order that is not obvious stands beside the row. Read by `review.py`, by the docs and by tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from .library import TOOL_FILES

_ALL = (
    "seeds", "journals", "fixtures", "manifests", "ledgers", "domain_locks",
    "properties", "supports", "declarations", "profiles", "harness", "locks",
)  # fmt: skip
OWNER = "leave it as it is in base; a person changes it in a commit of its own"
NOBODY = "take it out of the patch; neither agents nor people may do this to an oracle"

REFUSED, REMOVABLE, REVIEW, JUDGED = "refused", "removable", "review", "judged"
# What a row means for a person. The lanes' words send the change to the laws of that lane, `lanes.py`.
PERSON = MappingProxyType({
    REFUSED: "nobody may do this",
    REMOVABLE: "nobody may add or change it; taking it away is allowed and shown in the merge packet",
    REVIEW: "allowed, and shown in the merge packet",
    "seed": "held to the laws of the seed lane",
    "fixture": "held to the laws of the fixture lane",
    "freeze": "held to the laws of the freeze lane",
    "generator": "held to the laws of the generator lane",
    JUDGED: "no edit of the oracle",
})  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """`kind` and `when` are words of `predicates.KINDS` and `change.WHEN`. `code` None: nothing is found.

    `lane` empty: the lane of the artifact that the path belongs to. `person` says what the row means when a person made
    the change, a word of PERSON; for an agent every row with a code refuses.
    """

    name: str
    kind: str
    when: str = "any"
    groups: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    code: str | None
    lane: str = ""
    why: str
    remedy: str = OWNER
    person: str = REFUSED


def _declared(name: str, groups: tuple[str, ...], when: str, code: str, person: str, why: str) -> Row:
    return Row(name=name, kind="declared", when=when, groups=groups, code=code, person=person, why=why)


def _home(name: str, groups: tuple[str, ...], when: str, code: str, person: str, why: str) -> Row:
    return Row(name=name, kind="home", when=when, groups=groups, code=code, person=person, why=why)


def _named(name: str, code: str, lane: str, person: str, why: str, *patterns: str) -> Row:
    return Row(name=name, kind="named", patterns=patterns, code=code, lane=lane, person=person, why=why)


_SHAPE = (
    Row(name="oracle-link", kind="declared", when="link", groups=_ALL, code="oracle_symlink",
        why="a link in place of an oracle file lets its target decide what the oracle says"),
    # Before everything else that could select a gitlink: what is in a submodule is in neither tree.
    Row(name="submodule", kind="always", when="gitlink", code="submodule_forbidden", lane="harness",
        person=REMOVABLE,
        why="the content of a submodule is not in the tree that is judged"),
    Row(name="oracle-folder-replaced", kind="above", when="present", code="oracle_symlink",
        why="a file or link in place of a folder takes away the oracle files below it"),
    Row(name="oracle-file-became-folder", kind="below", when="present", code="oracle_symlink",
        why="a folder stands where an oracle file was"),
    _declared("oracle-mode", _ALL, "mode", "mode_changed", REVIEW, "the mode of an oracle file is part of the oracle"),
)  # fmt: skip

_DECLARED = (
    _declared("seed-file-removed", ("seeds",), "removed", "seed_removed", "seed",
              "a corpus without cases holds for everything"),
    _declared("seed-added", ("seeds",), "added", "seed_appended", "seed", "only people add cases"),
    _declared("seed-file-changed", ("seeds",), "any", "seed_rewritten", "seed",
              "a committed case is evidence and stays"),
    _declared("fixture-file-removed", ("fixtures",), "removed", "fixture_missing", "fixture",
              "a property reads this fixture"),
    _declared("fixture-file-changed", ("fixtures",), "any", "fixture_rewritten", "fixture",
              "fixtures are locked byte by byte"),
    _declared("manifest", ("manifests",), "any", "manifest_changed", "fixture",
              "the manifest says what fixtures may be"),
    _declared("ledger", ("ledgers",), "any", "freeze_changed", "freeze", "the ledger decides what is not evidence"),
    _declared("domain-lock", ("domain_locks",), "any", "domain_changed", "generator",
              "the lock decides what is generated"),
    _declared("journal", ("journals",), "any", "journal_changed", REVIEW, "journals are the record of what was found"),
    _declared("property", ("properties",), "any", "property_changed", REVIEW, "the property is the question itself"),
    _declared("support", ("supports",), "any", "property_changed", REVIEW, "properties import this file"),
    _declared("declaration", ("declarations",), "any", "build_changed", REVIEW,
              "it declares what is judged and by what"),
    _declared("profile", ("profiles",), "any", "config_changed", REVIEW, "the profile pins the environment"),
    _declared("harness", ("harness",), "any", "config_changed", REVIEW, "it is declared as part of the harness"),
    _declared("lock", ("locks",), "any", "lock_changed", REVIEW, "it pins what the judge and the candidate run with"),
)

# Before the folders and the patterns: a name that is made to be misread is reported as that, wherever it stands.
_DECEPTION = (
    Row(name="odd-name", kind="odd", when="present", code="path_collision", lane="harness",
        why="people and systems read this name differently", remedy="give the file a plain name"),
    Row(name="look-alike", kind="look_alike", when="present", code="path_collision",
        why="it reads like an oracle path and is another", remedy="give the file a name of its own"),
    Row(name="module-shadow", kind="shadow", when="present", code="path_collision", lane="declaration",
        why="an import of the oracle's module could load it", remedy="give the file a name of its own"),
)  # fmt: skip

_HOMES = (
    _home("seed-folder-new", ("seeds",), "added", "seed_appended", "seed", "only people add corpora"),
    _home("seed-folder", ("seeds",), "any", "seed_rewritten", "seed", "the folder belongs to the oracle"),
    _home("fixture-folder", ("fixtures", "manifests"), "any", "fixture_unmanifested", "fixture",
          "base's manifest has no such row"),
    _home("journal-folder", ("journals",), "any", "journal_changed", REVIEW, "only people and the hunt write journals"),
    _home("property-folder", ("properties",), "any", "property_changed", REVIEW, "the folder belongs to the oracle"),
)

_NAMED = (
    _named("submodule-file", "submodule_forbidden", "harness", REMOVABLE,
           "it brings other repositories in", "**/.gitmodules"),
    _named("attributes", "attributes_forbidden", "harness", REVIEW, "git attributes act on files of the oracle",
           "**/.gitattributes", "**/.lfsconfig"),
    _named("build-files", "build_changed", "declaration", REVIEW, "it declares targets, or what the build may see",
           "**/BUILD", "**/BUILD.bazel", "**/*.bzl", "**/WORKSPACE", "**/WORKSPACE.bazel", "**/WORKSPACE.bzlmod",
           "**/MODULE.bazel", "**/*.MODULE.bazel", "**/MODULE.bazel.lock", "**/REPO.bazel", "**/VENDOR.bazel",
           "**/.bazelrc", "**/.bazelversion", "**/.bazelignore"),
    _named("codeowners", "codeowners_changed", "harness", REVIEW, "it says whose review the oracle needs",
           "CODEOWNERS", ".github/CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"),
    _named("bytecode", "bytecode_forbidden", "harness", REMOVABLE,
           "bytecode runs in place of the source that people read", "**/*.pyc", "**/*.pyo", "**/__pycache__/**"),
    _named("startup", "config_changed", "harness", REVIEW, "the interpreter runs it before anything else",
           "**/sitecustomize.*", "**/sitecustomize/**", "**/usercustomize.*", "**/usercustomize/**", "**/*.pth",
           "**/*._pth", "**/pyvenv.cfg", ".python-version"),
    _named("installed-metadata", "config_changed", "harness", REVIEW,
           "its entry points load plugins into the test runner",
           "**/*.dist-info/**", "**/*.egg-info/**", "**/*.egg-link"),
    _named("test-configuration", "config_changed", "harness", REVIEW, "it configures the test runner or its plugins",
           "**/conftest.py", "**/conftest/**", "**/pytest.ini", "**/.pytest.ini", "**/pytest.toml", "**/.pytest.toml",
           "**/tox.ini", "**/tox.toml", "**/setup.cfg", "**/setup.py", "**/pyproject.toml", "**/.coveragerc"),
    _named("examples", "config_changed", "harness", REMOVABLE,
           "the generator obeys what is planted there", "**/.hypothesis/**"),
    _named("sessions", "config_changed", "harness", REVIEW, "it is the command that scores",
           "**/noxfile.py", "**/noxfile/**"),
    _named("environments", "config_changed", "harness", REVIEW, "it is, or it chooses, the environment that scores",
           "**/.nox/**", "**/.venv/**", "**/venv/**", "**/.tox/**", "**/.direnv/**", "**/.envrc", "**/.tool-versions",
           "**/mise.toml", "**/.mise.toml", "**/uv.toml", "**/poetry.toml", "**/pip.conf", "**/.pypirc"),
    _named("pins", "lock_changed", "harness", REVIEW, "it pins what the judge and the candidate run with",
           "requirements*.in", "requirements*.lock", "requirements*.txt", "requirements/*.txt", "requirements/*.in",
           "requirements/*.lock", "constraints*.txt",
           "pylock*.toml", "poetry.lock", "uv.lock", "pdm.lock", "Pipfile", "Pipfile.lock"),
    _named("pipeline", "config_changed", "harness", REVIEW, "it is what continuous integration runs",
           ".github", ".github/workflows/**", ".github/actions/**", ".gitlab-ci.yml", ".gitlab-ci.yaml", ".ci/**",
           ".gitlab", ".gitlab/ci/**", ".circleci/**", ".buildkite/**", ".travis.yml", "azure-pipelines.yml",
           "bitbucket-pipelines.yml", "Jenkinsfile", ".pre-commit-config.yaml"),
    Row(name="journals", kind="named_outside", patterns=("oracles/**",), code="journal_changed", lane="seed",
        person=REVIEW, why="only people and the hunt write journals"),
    Row(name="tool-shadow", kind="named_outside", lane="harness", code="config_changed", person=REVIEW,
        patterns=(*TOOL_FILES, "**/oracle_rules/**", "**/oracle_seams/**", "nox/**", "pytest/**", "_pytest/**",
                  "pluggy/**", "hypothesis/**", "pex/**"),
        why="run from the workspace, the tools would import it in place of themselves"),
    Row(name="library-shadow", kind="library", when="present", code="config_changed", lane="harness",
        why="run from the workspace, the tools would import it in place of the standard library",
        remedy="give the module a name of its own, or put it among the candidate's sources"),
    # The two exceptions are ordinary names of scripts and folders, however close to Bazel's files.
    Row(name="reads-like-named", kind="reads_like_named", when="present", patterns=("**/build", "**/workspace"),
        code="path_collision", lane="harness", why="some systems take it for a file that the table names",
        remedy="give the file a name of its own"),
)  # fmt: skip

_CANDIDATE = (
    Row(name="candidate-link", kind="escapes", when="present", code="candidate_symlink", lane="candidate",
        why="what it leads to is not under judgement", remedy="link to a candidate source, or copy the file"),
    Row(name="candidate-collision", kind="collides", when="present", code="path_collision", lane="candidate",
        why="which of the two is imported depends on the file system", remedy="give the file a name of its own"),
    Row(name="candidate-compiled", kind="compiled", when="present", code="bytecode_forbidden", lane="candidate",
        why="compiled code outranks the source that people read", remedy="leave the source only"),
    Row(name="candidate-source", kind="source", code=None, person=JUDGED, why="this is what is judged"),
    Row(name="ignored", kind="always", code=None, person=JUDGED, why="not an oracle path, and not under judgement"),
)  # fmt: skip

ROWS: tuple[Row, ...] = _SHAPE + _DECLARED + _DECEPTION + _HOMES + _NAMED + _CANDIDATE
NAMED_PATTERNS: tuple[str, ...] = tuple(pattern for row in ROWS if row.kind == "named" for pattern in row.patterns)
