"""JSON is in canonical form or differs from a known place on; a git attribute converts a path or leaves it alone."""

from oracle_rules.artifacts.attributes import Attributes, conversion
from oracle_rules.artifacts.fixture_forms import not_canonical


def hold(case):
    if "json" in case:
        found = not_canonical(case["json"].encode("utf-8"))
        return (None if found is None else [found.line, found.column]) == case["at"]
    files = [Attributes.parse(text.encode("utf-8"), path=path) for path, text in case["attributes"].items()]
    found = conversion(case["path"], files)
    return (None if found is None else [found.file, found.line, found.reason, found.undo]) == case["by"]
