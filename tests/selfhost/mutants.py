"""One small textual mutation for each of our own properties: what a plausible wrong patch to us might look like.

Data only. `old` stands exactly once in the file. Each mutant leaves the module importable, and is such that only cases
of the property tell it from the original. Knows nothing of how mutants are scored.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """A wrong patch to one module, and the property that must notice."""

    name: str
    property_id: str
    path: str
    old: str
    new: str


def _mutant(name: str, property_id: str, path: str, old: str, new: str) -> Mutant:
    return Mutant(name=name, property_id=property_id, path=path if path.startswith("oracle_seams/") else f"oracle_rules/{path}", old=old, new=new)


MUTANTS = (
    _mutant("escapes-off", "canonical_bytes", "protocol/canonical.py", "ensure_ascii=True", "ensure_ascii=False"),
    _mutant("keys-in-file-order", "canonical_layouts", "protocol/canonical.py",
            "sorted(value, key=_sort_key)", "list(value)"),
    _mutant("last-key-wins", "canonical_refusals", "protocol/canonical.py",
            "object_pairs_hook=_unique", "object_pairs_hook=dict"),
    _mutant("surrogates-refused", "canonical_any_text", "protocol/canonical.py",
            '"surrogatepass"', '"strict"'),
    _mutant("size-in-characters", "digest_vectors", "digest.py", "len(data))", "len(data.hex()))"),
    _mutant("any-digit", "digest_text", "digest.py", "not size.isascii() or not size.isdigit()", "not size.isdigit()"),
    _mutant("dots-in-names", "label_grammar", "label.py", 'part in ("", ".", "..")', 'part in ("", ".")'),
    _mutant("relative-from-root", "label_any_text", "label.py",
            'folder, name = package, rest.removeprefix(":")', 'folder, name = "", rest.removeprefix(":")'),
    _mutant("prefix-is-below", "target_patterns", "label.py",
            'label.package.startswith(self.package + "/")', "label.package.startswith(self.package)"),
    _mutant("component-in-characters", "tree_paths", "relpath.py",
            'len(part.encode("utf-8")) > 255', "len(part) > 255"),
    _mutant("star-takes-dots", "glob_selection", "loading/globs.py",
            'name.startswith(".") and not pattern.startswith(".")', "False"),
    _mutant("text-order", "input_trees", "reapi/directory.py",
            'object.__setattr__(self, "files", tuple(sorted(self.files, key=lambda node: utf8(node.name))))',
            'object.__setattr__(self, "files", tuple(sorted(self.files, key=lambda node: node.name.lower())))'),
    _mutant("digest-unchecked", "tree_walk", "reapi/tree.py", "if found != digest:", "if False:"),
    _mutant("fields-swapped", "remote_messages", "reapi/action.py",
            "wire.blob(9, self.salt)", "wire.blob(8, self.salt)"),
    _mutant("longest-spelling", "remote_refusals", "reapi/wire.py", "if byte == 0 and shift:", "if False:"),
    _mutant("empty-corpus", "seed_corpora", "artifacts/seeds.py", "if not encoded:", "if False:"),
    _mutant("hash-prefix", "fixture_manifests", "artifacts/fixtures.py",
            "elif digest.hash != row.sha256:", "elif digest.hash[:2] != row.sha256[:2]:"),
    _mutant("first-word-wins", "fixture_forms", "artifacts/attributes.py",
            "for said in reversed(list(file.of(path))):", "for said in list(file.of(path)):"),
    _mutant("day-too-late", "freeze_ledgers", "artifacts/freezing/laws.py", "row.expires < today", "row.expires <= today"),
    _mutant("seed-not-hashed", "domain_locks", "artifacts/domains/lock.py",
            "form = dict(self.short) if", "form = dict(self.short[:5]) if"),
    _mutant("open-end-is-narrow", "domain_order", "artifacts/domains/order.py",
            "allows=lambda locked, live: live is None or locked is not None and _key(live) <= _key(locked)),",
            "allows=lambda locked, live: live is None or locked is not None),"),
    _mutant("columns-from-zero", "json_places", "artifacts/positions.py",
            'offset - text.rfind("\\n", 0, offset)', 'offset - text.rfind("\\n", 0, offset) - 1'),
    _mutant("mode-is-nothing", "gate_table", "gate/tables.py",
            '_declared("oracle-mode", _ALL, "mode", "mode_changed"', '_declared("oracle-mode", (), "mode", "mode_changed"'),
    _mutant("nothing-is-a-pass", "decision_table", "gate/decide.py",
            'Weight(row="nothing", sign="", decision="nothing", exit=Exit.NOTHING, bit=0',
            'Weight(row="nothing", sign="", decision="accept", exit=Exit.ACCEPT, bit=1'),
    _mutant("short-is-enough", "verdict_table", "protocol/verdict.py",
            'if seen["held"] != request["planned"] or', 'if seen["held"] > request["planned"] or'),
    _mutant("network-by-word", "sandbox_policy", "analysis/policy.py", '"network": "none"', '"network": "host"'),
    _mutant("contradiction-unseen", "sandbox_policy", "artifacts/profile.py",
            "if name in found and found[name][0] != value:", "if False:"),
    _mutant("home-unpinned", "sandbox_policy", "artifacts/variables.py",
            'Pin(name="HOME", value="/tmp"', 'Pin(name="HOMES", value="/tmp"'),
    _mutant("new-inputs-silent", "input_history", "history.py", "sorted({*before, *after})", "sorted(before)"),
    _mutant("red-is-usage", "reason_codes", "gate/codes.py",
            "groups = [(Exit.REFUSED, module.ROWS)", "groups = [(Exit.USAGE, module.ROWS)"),
    _mutant("people-may-do-all", "gate_table", "gate/author.py",
            "if author is not Author.HUMAN or edit.row.person == REFUSED:", "if author is not Author.HUMAN:"),
    _mutant("last-dots-matter", "deceptive_names", "gate/names.py",
            'part.rstrip(". ") or part', "part"),
    _mutant("toolchain-not-in-key", "action_keys", "analysis/actions.py", 'layout.TOOLCHAIN: host.toolchain, ', ""),
    _mutant("ticks-first", "fake_clock", "oracle_seams/clock.py",
            "seen = self._now\n        self._now += self._tick", "self._now += self._tick\n        seen = self._now"),
    _mutant("any-body", "fake_transport", "oracle_seams/transport.py", "if sent != expected:", "if False:"),
    _mutant("silent-violation", "fake_transport", "oracle_seams/transport.py",
            "_violations.append((code, detail))", "pass"),
    _mutant("oracle-in-the-cell", "action_keys", "analysis/actions.py",
            '"candidate": sorted(about.candidate)', '"candidate": sorted({**about.candidate, **about.oracle})'),
)  # fmt: skip
