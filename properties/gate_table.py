"""What a patch does to each path, held against the gate's table: one code a forbidden path, none for honest work; a
person may do what the table says."""

from oracle_rules.gate.author import Author
from oracle_rules.gate.paths import OraclePaths
from oracle_rules.gate.review import review, summarise
from oracle_rules.scm.compare import Change
from oracle_rules.scm.tree import Entry, Mode

OLD, NEW = "1" * 40, "2" * 40
SOURCES = {"src/a.py", "src/b.py", "src/sub/c.py"}
DECLARED = {
    "seeds": {"seeds/a.json"},
    "fixtures": {"fixtures/x.json"},
    "manifests": {"fixtures/manifest.json"},
    "ledgers": {"freeze.json"},
    "domain_locks": {"domain_lock.json"},
    "properties": {"properties/a.py"},
    "declarations": {"BUILD.bazel"},
}


def side(path, word):
    """One side of a change: absent, or a mode with `+` for other content."""
    if word is None:
        return None
    return Entry(path=path, mode=Mode(word.rstrip("+")), oid=NEW if word.endswith("+") else OLD)


def hold(case):
    changes = [Change(path=path, before=side(path, before), after=side(path, after))
               for path, before, after in case["changes"]]
    added = {path for path, before, after in case["changes"] if path.startswith("src/") and after}
    gone = {path for path, before, after in case["changes"] if after is None}
    paths = OraclePaths(
        base_sources=frozenset(SOURCES), candidate_sources=frozenset(SOURCES | added) - gone,
        source_roots=frozenset({"src"}), **{name: frozenset(group) for name, group in DECLARED.items()})
    word = case.get("author", "agent")
    author = Author(word)
    found = review(changes, paths, case.get("links", {}), author)
    if [[finding.subject, finding.code, finding.lane] for finding in found] != case["found"]:
        return False
    if list(review(list(reversed(changes)), paths, case.get("links", {}), author)) != list(found):
        return False
    summary = summarise(found)
    edits = [path for path, _, lane in case["found"] if lane != "candidate" and word == "agent"]
    if not edits:
        return summary is None
    shown = [path.encode("ascii", "backslashreplace").decode() for path in edits]
    return summary.code == "oracle_edit_forbidden" and all(path in summary.detail for path in shown)
