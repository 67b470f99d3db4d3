"""The declared fixtures of a tree, read and held against all their laws. Reads trees; writes and prints nothing.

`score` and `gate` ask it about base, `oracle-rules fixtures` about the work tree, so that both give the same answers.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from .. import relpath
from ..artifacts.fixture_forms import ATTRIBUTES, check_conversion, check_forms, line_endings
from ..artifacts.fixture_rows import Wish, renew
from ..artifacts.fixtures import Manifest, check_fixtures, parse_manifest
from ..artifacts.violation import Violation
from ..digest import Digest
from ..errors import IncompleteError, UsageError
from ..gate.codes import lookup
from ..gate.finding import Finding
from ..gate.review import from_violations
from ..loading import load_workspace
from ..loading.targets import Fixtures
from ..scm import Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Fixtures that were read: the files that stand by every law, by path, and what breaks one."""

    files: Mapping[str, bytes] = field(repr=False)
    violations: tuple[Violation, ...]


def read_fixtures(tree: Tree, target: Fixtures) -> Held:
    """Reads what a target declares; raises IncompleteError for a manifest that can't be read."""
    data = _read(tree, target.manifest)
    held = hold_laws(tree, parse_manifest(data, path=target.manifest), target.srcs)
    return replace(held, files={**held.files, target.manifest: data or b""})


def hold_laws(tree: Tree, manifest: Manifest, paths: Iterable[str]) -> Held:
    """Holds those of the paths that the tree has against the manifest and the tree's attributes."""
    files = tree.read_many(path for path in paths if _plain(tree, path))
    hashes = {row.path: row.sha256 for row in manifest.rows}
    why = {path: cause for path, held in files.items()
           if (cause := line_endings(held, hashes.get(path, ""))) is not None}
    checked = check_fixtures(manifest, {path: Digest.of(held) for path, held in files.items()}, why=why)
    standing = {path: files[path] for path in checked.files}
    broken = [*checked.violations, *check_forms(manifest, standing), *check_conversion(files, _attributes(tree, files))]
    bad = {violation.subject for violation in broken}
    return Held(files={path: held for path, held in standing.items() if path not in bad},
                violations=tuple(sorted(broken)))


def check_tree(tree: Tree) -> tuple[int, tuple[Finding, ...]]:
    """How many fixtures a tree declares, and what is wrong with them; each finding once."""
    found: dict[Finding, None] = {}
    paths = set[str]()
    for target in _declared(tree):
        paths.update(target.srcs)
        try:
            found.update(dict.fromkeys(from_violations(read_fixtures(tree, target).violations)))
        except IncompleteError as error:
            found[Finding(code=error.code, lane=lookup(error.code).lane, subject=error.where, detail=error.detail,
                          row="oracle-incomplete", remedy=error.remedy, edits_oracle=False)] = None
    return len(paths), tuple(found)


def converted(base: Tree, judged: Tree, paths: Iterable[str]) -> tuple[Finding, ...]:
    """Fixtures whose bytes differ between the two sides by their line endings alone: git did that, not a person."""
    changed = [path for path in sorted(paths) if _plain(base, path) and _plain(judged, path)
               and base.entries[path].oid != judged.entries[path].oid]
    before, after = base.read_many(changed), judged.read_many(changed)
    code = lookup("fixture_hash_mismatch")
    found = []
    for path in changed:
        here, there = Digest.of(after[path]).hash, Digest.of(before[path]).hash
        cause = line_endings(after[path], there)
        if cause is not None:
            found.append(Finding(
                code=code.code, lane=code.lane, subject=path, row="fixture-line-endings", edits_oracle=False,
                detail=f"is {here[:12]} here and {there[:12]} in base; {cause}",
                remedy="take it from git as it is: " + shlex.join(["rm", path]) + " && "
                       + shlex.join(["git", "-c", "core.autocrlf=false", "-c", "core.eol=lf", "checkout", "--", path])))
    return tuple(found)


def renewed(tree: Tree, path: str, wish: Wish) -> tuple[str, bytes] | Violation:
    """The manifest nearest to a file with a row for the file as the tree has it, or the law that forbids it.

    Raises UsageError for a file that no target declares, IncompleteError for a manifest that can't be read.
    """
    targets = [target for target in _declared(tree) if path in target.srcs]
    if not targets:
        raise UsageError("is not declared as a fixture", where=path,
                         remedy="name it in srcs of an oracle_fixtures target; no link and nothing ignored can be one")
    manifest = max((target.manifest for target in targets), key=lambda found: len(relpath.parent(found)))
    data = _read(tree, manifest)
    answer = renew(b"{}\n" if data is None else data, manifest=manifest, path=path, contents=tree.read(path), wish=wish)
    return answer if isinstance(answer, Violation) else (manifest, answer)


def _declared(tree: Tree) -> list[Fixtures]:
    targets = load_workspace(tree).targets
    return [target for _, target in sorted(targets.items()) if isinstance(target, Fixtures)]


def _attributes(tree: Tree, paths: Iterable[str]) -> dict[str, bytes]:
    """The attribute files above these paths."""
    names = {relpath.join(folder, ATTRIBUTES) for path in paths for folder in relpath.ancestors(path)}
    return tree.read_many(sorted(name for name in names if _plain(tree, name)))


def _plain(tree: Tree, path: str) -> bool:
    return path in tree.entries and tree.entries[path].mode.is_plain


def _read(tree: Tree, path: str) -> bytes | None:
    return tree.read(path) if _plain(tree, path) else None
