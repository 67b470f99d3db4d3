"""The table of entropy, the roles of files, and how right and how fast the scanner was."""

from __future__ import annotations

import json
from collections.abc import Mapping

from oracle_rules.entropy.hit import Category
from oracle_rules.entropy.judge import ROLES
from oracle_rules.entropy.rules import RULES

from .markdown import code as _code
from .markdown import table

_SHOWN = 8  # names of a row that are written out


def _entropy_rules(_texts: Mapping[str, str]) -> str:
    """The table of the inventory, by category."""
    parts = []
    for category in Category:
        rows = []
        for rule in RULES:
            if rule.category is category:
                names = [name.replace("builtins.", "").replace("?.", "….") for name in rule.names]
                more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
                rows.append((_code(rule.id), rule.kind, ", ".join(map(_code, names[:_SHOWN])) + more, rule.says,
                             rule.seam, _code(rule.code)))
        head = ("Rule", "Kind", "Names", "What it does", "Instead", "Code")
        parts.append(f"### {category.value.capitalize()}\n\n{table(head, rows)}")
    return "\n\n".join(parts)


def _scan_roles(_texts: Mapping[str, str]) -> str:
    """Which hits decide."""
    return table(("File", "Findings", "Refuses", "Why"), [
        (row.name, "new hits" if row.only_new else "every hit", "yes" if "*" in row.refuses else ", ".join(row.refuses) or "no", row.why)
        for row in ROLES.values()])


def _scan_accuracy(texts: Mapping[str, str]) -> str:
    """Precision and recall over the labelled sample, as `bench/scan_accuracy.py` wrote them."""
    found = json.loads(texts["docs/scan.json"])["accuracy"]
    rows = [(kind, str(row["found"]), str(row["missed"]), str(row["wrong"]), f"{row['precision']:.2f}",
             f"{row['recall']:.2f}") for kind, row in {**found["kinds"], "**all**": found["all"]}.items()]
    told = "\n".join(f"- {line.partition(': ')[0]}: `{line.partition(': ')[2]}`" for line in found["disagreements"])
    return (f"{found['hits']} sites are labelled as hits, {found['none']} as none.\n\n"
            + table(("Kind", "Found", "Missed", "Wrong", "Precision", "Recall"), rows)
            + f"\n\nWhere label and scanner differ:\n\n{told}")


def _scan_speed(texts: Mapping[str, str]) -> str:
    """Times of one run of `bench/scan_speed.py`."""
    found = json.loads(texts["docs/scan.json"])["speed"]
    words = {"scan": "`oracle-rules scan`, all rules", "parse": "`ast.parse` of the same files, nothing else",
             "ruff": "`ruff check`, its standard rules", "ruff_entropy": "`ruff check` with DTZ, S311, PLC0208, NPY002"}
    rows = [(words[name], f"{took:.1f} s", f"{found['bytes'] / took / 1e6:.1f} MB/s", f"{found['scan_over'][name]:.1f}")
            for name, took in found["seconds"].items()]
    size = f"{found['files']} files, {found['bytes'] / 1e6:.1f} MB."
    return size + "\n\n" + table(("What", "Time", "Speed", "scan takes so many times as long"), rows)


PARTS = (_entropy_rules, _scan_roles, _scan_accuracy, _scan_speed)
