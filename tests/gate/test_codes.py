"""The catalogue is closed: every code that any part of the tree names is in it, and every entry says what to do."""

from __future__ import annotations

import importlib
import pathlib
import pkgutil
import re

import pytest

import oracle_rules.gate.reasons
from oracle_rules.artifacts import fixtures
from oracle_rules.errors import (
    Exit,
    IncompleteError,
    Malfunction,
    NothingError,
    OracleError,
    UntrustedError,
    UsageError,
)
from oracle_rules.gate.codes import CATALOGUE, explain, lookup

# The words that are published elsewhere: whoever reads records relies on them.
PUBLISHED = """
    property_failed import_failed candidate_raised candidate_exited candidate_crashed transcript_incomplete
    protocol_violation candidate_comparison harness_read output_limit memory_limit process_limit timeout oracle_error
    transport_unpinned transport_drift entropy_clock entropy_random entropy_uuid entropy_urandom entropy_network
    entropy_env entropy_host entropy_hash entropy_native oracle_incomplete oracle_edit_forbidden
    candidate_overlaps_oracle property_broken seed_removed seed_rewritten seed_appended fixture_rewritten
    fixture_missing fixture_hash_mismatch fixture_unmanifested fixture_agent_rewritable manifest_changed freeze_changed
    freeze_still_collected freeze_expired domain_changed journal_changed oracle_symlink path_collision
    submodule_forbidden mode_changed attributes_forbidden build_changed config_changed lock_changed codeowners_changed
    bytecode_forbidden candidate_symlink property_changed
"""


@pytest.mark.parametrize("code", PUBLISHED.split())
def test_published_codes_are_there(code: str) -> None:
    assert lookup(code).code == code


@pytest.mark.parametrize("error", [UsageError, IncompleteError, NothingError, UntrustedError, Malfunction, OracleError])
def test_errors_and_catalogue_agree_on_the_exit(error: type[OracleError]) -> None:
    assert lookup(error.code).exit is error.exit_code


@pytest.mark.parametrize("code", sorted(CATALOGUE))
def test_entries_are_whole(code: str) -> None:
    row = CATALOGUE[code]
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", code)
    assert row.exit is not Exit.ACCEPT
    assert re.fullmatch(r"[A-Z][^.]*(\. ?[^.]*)*\.", row.meaning)
    assert row.remedy.endswith(".")
    text = explain(code)
    assert text.startswith(f"{code}: {row.meaning}")
    assert f"exit {int(row.exit)} " in text
    assert row.remedy in text


def test_every_code_that_the_laws_of_artifacts_give_is_in_the_catalogue() -> None:
    folder = pathlib.Path(fixtures.__file__).parent
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py")))
    named = set(re.findall(r'code="([a-z_]+)"', text))
    assert len(named) >= 9
    assert named <= CATALOGUE.keys()


def test_no_code_is_listed_twice() -> None:
    """A mapping would swallow the second; the count of the source's rows would not."""
    reasons = [importlib.import_module(f"oracle_rules.gate.reasons.{found.name}")
               for found in pkgutil.iter_modules(oracle_rules.gate.reasons.__path__)]
    groups = [value for module in reasons for value in vars(module).values() if isinstance(value, tuple)]
    assert sum(len(group) for group in groups) == len(CATALOGUE)


def test_an_unknown_code_is_our_fault_here_and_a_key_error_for_who_asks() -> None:
    with pytest.raises(Malfunction, match="no_such_code"):
        lookup("no_such_code")
    with pytest.raises(KeyError):
        explain("no_such_code")
