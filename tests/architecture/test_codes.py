"""Reason codes and exit codes are closed sets: whatever any module can emit is in the catalogue, and documented."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from oracle_rules import cli, errors
from oracle_rules.errors import Exit, OracleError
from oracle_rules.gate.codes import CATALOGUE
from oracle_rules.protocol import verdict

from .sources import Module, modules

CODE = re.compile(r"[a-z]+(?:_[a-z]+)+\Z")
# Functions whose positional argument is a code, and which one: they are where the judge writes a verdict's reason.
EMITTERS = {"fail": 0, "Violation": 0, "NotData": 0, "lookup": 0}


def keywords(module: Module) -> Iterator[tuple[str, int]]:
    """Every text that is given as `code=…` or `reason=…`."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg in ("code", "reason") and isinstance(keyword.value, ast.Constant):
                    if isinstance(keyword.value.value, str) and keyword.value.value:
                        yield keyword.value.value, node.lineno
            name = ast.unparse(node.func).rpartition(".")[2]
            place = EMITTERS.get(name)
            if place is not None and len(node.args) > place and isinstance(node.args[place], ast.Constant):
                value = node.args[place].value  # type: ignore[attr-defined]
                if isinstance(value, str) and CODE.match(value):
                    yield value, node.lineno


def returned(module: Module) -> Iterator[tuple[str, int]]:
    """Codes that the judge's functions answer as the first of two."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
            for item in node.value.elts[:2]:
                if isinstance(item, ast.Constant) and isinstance(item.value, str) and CODE.match(item.value):
                    yield item.value, node.lineno


def test_every_code_that_is_written_anywhere_is_in_the_catalogue() -> None:
    found = {}
    for module in modules().values():
        for code, line in keywords(module):
            found[code] = f"{module.path}:{line}"
        if module.name in ("oracle_rules.runner.judge", "oracle_rules.protocol.verdict"):
            found |= {code: f"{module.path}:{line}" for code, line in returned(module)}
    assert len(found) > 20
    assert {code: place for code, place in found.items() if code not in CATALOGUE} == {}


def test_every_code_of_an_exception_is_in_the_catalogue() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, OracleError)]
    assert len(kinds) == 7
    for kind in kinds:
        assert CATALOGUE[kind.code].exit is kind.exit_code, kind


def test_every_code_of_a_verdict_is_in_the_catalogue() -> None:
    codes = [*verdict._KINDS.values(), *verdict._LIMITS]
    assert [code for code in codes if code not in CATALOGUE] == []


def test_every_code_is_explained_and_leads_to_an_exit_that_is_documented() -> None:
    shown = cli.parser().format_help()
    for row in CATALOGUE.values():
        assert CODE.match(row.code) or row.code in ("usage", "malfunction", "untrusted", "timeout")
        assert row.meaning.endswith(".") and row.remedy.endswith(".") and row.lane
        assert row.exit is not Exit.ACCEPT
    numbers = {int(number) for number in re.findall(r"\b(\d+)\s[a-z]", shown.partition("exit codes of score:")[2])}
    assert numbers == {int(code) for code in Exit} | {cli.INTERRUPTED, cli.BROKEN_PIPE}


def test_an_unknown_code_would_be_seen() -> None:
    module = modules()["oracle_rules.cli"]
    made = Module(module.name, module.path, "", ast.parse("raise Malfunction('x', code='blob_mislaid')"))
    assert [code for code, _ in keywords(made)] == ["blob_mislaid"] and "blob_mislaid" not in CATALOGUE
