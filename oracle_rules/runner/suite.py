"""Runs one pytest suite together with the candidate, in one process: what it writes down is judged outside.

The candidate lies below a `site-packages` folder, where Hypothesis looks for no constants, and behind the oracle on the
path, so that none of its modules stands in for a helper of the tests. No plugin is loaded but Hypothesis's own and
ours; no configuration, cache, database or variable of anybody has a say. What candidate code could still do here is
told in the page about suites: it shares the process.
"""

from __future__ import annotations

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
    roots = [CANDIDATE if root == "." else f"{CANDIDATE}/{root}" for root in request["imports"]]
    sys.path += [f"{PACKAGES}/site-packages", ORACLE, *roots, f"{DEPENDENCIES}/site-packages"]
    given = _given()
    transcript = Transcript(result)
    options = {"clock_ns": policy["clock_ns"], "entropy": policy["entropy"], "cpus": policy["cpus"],
               "environment": sorted({*policy["environment"], *request["environment"], *_OURS})}
    pins.install(options, transcript.note, candidate=ORACLE, dependencies=PACKAGES)
    import pytest

    from .suite_plugin import Watcher
    transcript.say("start")  # after what is ours: without this line, the failure is ours
    watcher = Watcher(transcript, seed=seed, most=request["suite"]["max_examples"], given=given)
    code = int(pytest.main([*_ARGUMENTS, request["suite"]["selector"]], plugins=[watcher]))
    transcript.say("end", code)
    os._exit(0)
