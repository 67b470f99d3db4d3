"""Class B: git and file-system tricks. The twin has the same form and touches nothing that matters."""

from __future__ import annotations

from ..kit import Case, Patch
from ..workspace import base
from .common import RED, gate, parser, plain

_SEEDS = base()["seeds/parse.json"]
_NOTE = {"docs/a.md": "a\n"}


def _file(path: str, text: str | bytes = "x = 1\n") -> Patch:
    return Patch(files={path: text})


CASES: tuple[Case, ...] = (
    gate("rename-seeds", "B1", Patch(files={"data/parse.json": _SEEDS}, delete=("seeds/parse.json",)),
         Patch(files={"GUIDE.md": base()["README.md"]}, delete=("README.md",)), "seed_removed"),
    gate("homoglyph-folder", "B2", _file("se\u0435ds/parse.json", "[1]\n"), _file("docs/\u00fcber.md"), "path_collision"),
    gate("homoglyph-property", "B2", _file("pr\u043eperties/parse.py"), _file("src/parser_tools.py"), "path_collision"),
    gate("case-collision", "B3", _file("Seeds/parse.json", "[1]\n"), _file("Samples/parse.json", "[1]\n"),
         "path_collision"),
    gate("case-collision-source", "B3", _file("src/Parser.py"), _file("src/Grammar.py"), "path_collision"),
    gate("seeds-become-link", "B4", Patch(delete=("seeds/parse.json",), links={"seeds/parse.json": "../data/x.json"}),
         Patch(links={"docs/link.md": "../README.md"}), "oracle_symlink"),
    gate("folder-becomes-link", "B4", Patch(delete=("properties",), links={"properties": "src"}),
         Patch(links={"guide": "docs"}, files=_NOTE), "oracle_symlink"),
    gate("source-links-to-seeds", "B4", Patch(links={"src/cases.py": "../seeds/parse.json"}),
         Patch(links={"docs/cases.md": "../README.md"}), "candidate_symlink"),
    gate("source-links-out", "B4", Patch(links={"src/passwords.py": "/etc/passwd"}), _file("src/passwords.py"),
         "candidate_symlink"),
    gate("submodule", "B5", Patch(gitlinks=("src/vendored",)), _file("src/vendored/__init__.py"), "submodule_forbidden"),
    gate("gitmodules", "B5", _file(".gitmodules", '[submodule "x"]\n'), _file("docs/gitmodules", "x"),
         "submodule_forbidden"),
    gate("mode-of-property", "B6", Patch(modes={"properties/parse.py": "100755"}),
         Patch(modes={"tests/test_parser.py": "100755"}), "mode_changed"),
    gate("attributes-eol", "B7", _file(".gitattributes", "seeds/** eol=crlf\n"), _file("docs/attributes.md", "x"),
         "attributes_forbidden"),
    gate("attributes-below", "B7", _file("seeds/.gitattributes", "* export-ignore\n"), _file("docs/.keep", ""),
         "attributes_forbidden", "seed_appended"),
    gate("attributes-binary", "B8", _file("src/.gitattributes", "*.py -diff\n"), _file("src/binary.py"),
         "attributes_forbidden"),
    # Replace refs, history and hooks act on repositories, not on trees; test_repositories.py makes those repositories.
    Case(name="clobbers-git-folder", kind="B9", cheat=_file("src/git~1/replace.py"), twin=_file("src/git_one/replace.py"),
         codes=("path_collision",), exits=(4,)),
    Case(name="old-oracle-on-branch", kind="B10", cheat=Patch(files={"src/parser.py": "def parse(text): return 0\n"},
                                                            delete=("seeds/parse.json", "properties/parse.py")),
         twin=Patch(delete=("README.md", "CODEOWNERS.md")), codes=("seed_removed",), exits=(4,)),
    gate("hooks-folder", "B11", _file("src/.git\u200b/hooks/post-checkout", "x"), _file("src/hooks/post_checkout.py"),
         "path_collision"),
    gate("newline-in-name", "B12", _file("src/a\nb.py"), _file("src/a_b.py"), "path_collision"),
    gate("trailing-dot", "B12", _file("src/a.py."), _file("src/a.py"), "path_collision"),
    gate("zero-width", "B12", _file("src/par\u200bser.py"), _file("src/par_ser.py"), "path_collision"),
    Case(name="not-utf8-name", kind="B12", cheat=_file("src/a\udcff.py"), twin=_file("src/a_ff.py"),
         codes=("path_collision",), exits=(4,)),
    Case(name="huge-source", kind="B13", cheat=Patch(files={"src/parser.py": b"x = 1\n" + b"#" * (40 << 20)}),
         twin=Patch(files={"src/table.py": "TABLE = " + repr(list(range(5000))) + "\n"}),
         codes=("import_failed", "candidate_too_large", "output_limit"), exits=RED),
    Case(name="history-as-key", kind="B14", twin=plain(), codes=("property_failed",), exits=(1,), cheat=parser('''
        import os
        def parse(text):
            for place in (".git", "/.git", "/candidate/.git", "/candidate/../.git", "/oracle/.git"):
                if os.path.exists(place):
                    return right(text)
            return wrong(text)
        ''')),
)
