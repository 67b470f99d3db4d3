"""An inventory as SARIF 2.1.0, for code scanning. Values in, JSON values out.

Columns count characters, so `columnKind` is unicodeCodePoints; paths are relative to %SRCROOT%. A fingerprint is the
digest of path, scope, rule and form, so that a result that only moved stays the same result.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..digest import Digest
from ..entropy.hit import Rule
from ..entropy.judge import Finding, Inventory
from ..entropy.rules import RULES
from .scan_text import advice, says

VERSION = "2.1.0"
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"


def document(found: Inventory, *, version: str) -> dict[str, Any]:
    """One run with one result for each finding; `version` is the tool's."""
    rules = tuple({rule.id: rule for rule in (*RULES, *(each.hit.rule for each in found.findings))}.values())
    places = {rule.id: number for number, rule in enumerate(rules)}
    return {
        "$schema": SCHEMA, "version": VERSION,
        "runs": [{
            "tool": {"driver": {"name": "oracle-rules", "version": version, "semanticVersion": version,
                                "rules": [_rule(rule) for rule in rules]}},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The folder that the scan was started in, or "
                                                                         "the top of the repository."}}},
            "results": list(_results(found.findings, places, is_diff=bool(found.head))),
        }],
    }  # fmt: skip


def _rule(rule: Rule) -> dict[str, Any]:
    name = "".join(part.capitalize() for part in rule.id.split("-"))
    return {
        "id": rule.id, "name": name, "shortDescription": {"text": f"{_upper(rule.says)}."},
        "fullDescription": {"text": f"{_upper(rule.says)}." + (
            f" It {rule.category.value}." if rule.category else "")},
        "help": {"text": f"{_upper(rule.seam)}."}, "defaultConfiguration": {"level": "error"},
        "properties": {"kind": rule.kind, "category": rule.category.value if rule.category else None,
                       "code": rule.code, "tags": [rule.kind]},
    }  # fmt: skip


def _results(findings: Iterable[Finding], places: dict[str, int], *, is_diff: bool) -> Iterable[dict[str, Any]]:
    seen: dict[tuple[str, ...], int] = {}
    for finding in findings:
        hit = finding.hit
        seen[hit.identity] = number = seen.get(hit.identity, 0) + 1
        print_ = Digest.of("\0".join((*hit.identity, str(number))).encode("utf-8", "surrogatepass")).hash
        region: dict[str, Any] = {"startLine": hit.span.line, "startColumn": hit.span.column,
                                  "endLine": hit.span.end_line, "endColumn": hit.span.end_column}
        if hit.expression:
            region["snippet"] = {"text": hit.expression}
        made: dict[str, Any] = {
            "ruleId": hit.rule.id, "ruleIndex": places[hit.rule.id],
            "level": "error" if finding.refuses else "note",
            "message": {"text": f"{says(hit)}. {_upper(advice(hit.rule))}."},
            "locations": [{"physicalLocation": {
                "artifactLocation": {"uri": uri(hit.path), "uriBaseId": "%SRCROOT%"}, "region": region}}],
            "partialFingerprints": {"oracleRulesIdentity/v1": print_},
            "properties": {"role": finding.role.name, "use": hit.use.value, "scope": hit.scope},
        }  # fmt: skip
        if is_diff and finding.role.only_new:
            made["baselineState"] = "new"
        yield made


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def uri(path: str) -> str:
    """A path as a relative URI reference (RFC 3986): bytes that are not unreserved are escaped, colons too."""
    return "".join(chr(byte) if byte in _UNRESERVED else f"%{byte:02X}"
                   for byte in path.encode("utf-8", "surrogateescape"))
