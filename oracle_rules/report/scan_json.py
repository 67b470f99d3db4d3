"""An inventory for programs: the document `oracle_rules/scan/v1`. Values in, JSON values out."""

from __future__ import annotations

from typing import Any

from ..entropy.hit import Category
from ..entropy.judge import Finding, Inventory

KINDS = ("silence", "assertion")  # what is of no category, counted by kind
SCHEMA = "oracle_rules/scan/v1"


def document(found: Inventory) -> dict[str, Any]:
    """The whole inventory. Keys are always all there; what does not apply is null."""
    return {
        "schema": SCHEMA, "base": found.base or None, "head": found.head or None, "parent": found.parent or None,
        "files": found.files, "findings": [_finding(each) for each in found.findings],
        "summary": {"findings": len(found.findings), "refusing": sum(each.refuses for each in found.findings),
                    **{category.name.lower(): found.count(category) for category in Category},
                    **{kind: found.of_kind(kind) for kind in KINDS}},
    }  # fmt: skip


def _finding(finding: Finding) -> dict[str, Any]:
    hit, rule = finding.hit, finding.hit.rule
    return {
        "path": hit.path, "line": hit.span.line, "column": hit.span.column, "end_line": hit.span.end_line,
        "end_column": hit.span.end_column, "rule": rule.id, "code": rule.code, "kind": rule.kind,
        "category": rule.category.value if rule.category else None, "expression": hit.expression,
        "name": hit.name or None, "scope": hit.scope,
        "use": hit.use.value, "role": finding.role.name, "refuses": finding.refuses, "says": rule.says,
        "seam": rule.seam, "before": hit.before,
    }  # fmt: skip
