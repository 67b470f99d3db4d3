"""Runs one pytest suite together with the candidate, in one process: what it writes down is judged outside.

The candidate lies below a `site-packages` folder, where Hypothesis looks for no constants, and behind the oracle on the
path, so that none of its modules stands in for a helper of the tests. No plugin is loaded but Hypothesis's own and
ours; no configuration, cache, database or variable of anybody has a say. What candidate code could still do here is
told in the page about suites: it shares the process.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from typing import Any

from ..protocol import canonical, typed
from . import pins
from .transcript import Transcript

ORACLE, CANDIDATE, PACKAGES, DEPENDENCIES = "/oracle", "/candidate/site-packages", "/packages", "/deps"
CORPORA = "/request/corpora"
# Each of them, or a prefix, would change what Hypothesis or pytest does.
_FOREIGN = ("CI", "GITHUB_", "GITLAB_", "BUILDKITE", "TEAMCITY_", "TF_BUILD", "TOX", "PYTEST_", "HYPOTHESIS_")
_OURS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "HYPOTHESIS_NO_PLUGINS": "1",
         "HYPOTHESIS_STORAGE_DIRECTORY": "/tmp/hypothesis"}
_ARGUMENTS = ("-c", "/dev/null", "--rootdir", ORACLE, "--confcutdir", ORACLE, "--import-mode=importlib",
              "--assert=plain", "--capture=no", "--strict-markers", "--maxfail=0", "-p", "_hypothesis_pytestplugin",
              "-p", "no:cacheprovider", "-p", "no:terminal", "-p", "no:faulthandler", "-p", "no:junitxml")


class OracleFinder:
    """Finds the oracle's files by their full names, before anything else is asked.

    A folder of the oracle without `__init__.py` is only a part of a namespace: a package of the patch that is called so
    would take its place, and bring modules of its own for those that the tests mean.
    """

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """A spec for a file of the oracle; None for all else, and for what the standard library or pytest has."""
        top = name.partition(".")[0]
        if top in sys.stdlib_module_names or os.path.exists(f"{PACKAGES}/site-packages/{top}"):
            return None
        place = f"{ORACLE}/{name.replace('.', '/')}"
        if os.path.isfile(f"{place}/__init__.py"):
            return importlib.util.spec_from_file_location(name, f"{place}/__init__.py",
                                                          submodule_search_locations=[place])
        return importlib.util.spec_from_file_location(name, f"{place}.py") if os.path.isfile(f"{place}.py") else None


def _given() -> list[dict[str, Any]]:
    """The realised cases, each with node id and arguments."""
    found: list[dict[str, Any]] = []
    for name in sorted(os.listdir(CORPORA)) if os.path.isdir(CORPORA) else ():
        with open(f"{CORPORA}/{name}", "rb") as stream:
            found += [typed.decode(case) for case in canonical.loads(stream.read())["cases"]]
    return found


def main(result: int, seed: int) -> None:
    """Reads what is staged, runs the suite with this seed, writes the transcript."""
    with open("/request/request.json", "rb") as stream:
        request = canonical.loads(stream.read())
    with open("/request/policy.json", "rb") as stream:
        policy = canonical.loads(stream.read())
    for name in [name for name in os.environ if name.startswith(_FOREIGN)]:
        del os.environ[name]
    os.environ.update(_OURS)
    sys.path += [f"{PACKAGES}/site-packages", ORACLE, f"{DEPENDENCIES}/site-packages"]
    given = _given()
    transcript = Transcript(result)
    options = {"clock_ns": policy["clock_ns"], "entropy": policy["entropy"], "cpus": policy["cpus"],
               "environment": sorted({*policy["environment"], *request["environment"], *_OURS})}
    pins.install(options, transcript.note, candidate=ORACLE, dependencies=PACKAGES)
    import pytest

    from .suite_plugin import Watcher
    # Last on the path, and only now: nothing of the patch takes the place of a module of ours, or of a locked one.
    sys.path += [CANDIDATE if root == "." else f"{CANDIDATE}/{root}" for root in request["imports"]]
    sys.meta_path.insert(0, OracleFinder())
    transcript.say("start")  # after what is ours: without this line, the failure is ours
    watcher = Watcher(transcript, seed=seed, most=request["suite"]["max_examples"], given=given)
    code = int(pytest.main([*_ARGUMENTS, request["suite"]["selector"]], plugins=[watcher]))
    transcript.say("end", code)
    os._exit(0)
