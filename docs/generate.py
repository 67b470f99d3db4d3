"""Draws the generated parts of README.md and docs/*.md from the tables that the code itself decides by.

    python docs/generate.py            writes them
    python docs/generate.py --check    says which differ, exit 1

A page holds `<!-- generated: NAME -->` … `<!-- end -->`; what stands between the two comes from the function of that
name in `parts/`. Everything but `main` is pure: texts in, texts out. Knows nothing of what the prose around a part says.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

from parts import (  # noqa: E402  - found beside this file, installed or not
    deciding,
    domains,
    freezing,
    journals,
    lanes,
    lint,
    pages,
    rules,
    sandbox,
    scan,
)

_PART = re.compile(r"(<!-- generated: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)

PARTS: Mapping[str, Callable[[Mapping[str, str]], str]] = {
    each.__name__[1:].replace("_", "-"): each
    for module in (rules, deciding, domains, lanes, lint, freezing, journals, sandbox, pages, scan) for each in module.PARTS
}


def generate(texts: Mapping[str, str]) -> dict[str, str]:
    """Every Markdown page with its generated parts as they have to be.

    `texts` holds README.md and everything that is text below docs/, by path.
    """
    return {path: _filled(text, texts) for path, text in texts.items() if path.endswith(".md")}


def _filled(text: str, texts: Mapping[str, str]) -> str:
    def fill(found: re.Match[str]) -> str:
        if found[2] not in PARTS:
            raise ValueError(f"no part is called {found[2]!r}; there are {', '.join(PARTS)}")
        return f"{found[1]}\n{PARTS[found[2]](texts)}\n\n{found[3]}"
    return _PART.sub(fill, text)


def read(root: Path) -> dict[str, str]:
    """The texts that `generate` works on."""
    return {path.relative_to(root).as_posix(): path.read_text("utf-8")
            for path in (root / "README.md", *(root / "docs").rglob("*")) if path.suffix in (".md", ".txt", ".json")}


def main() -> int:
    """Writes or checks."""
    parser = argparse.ArgumentParser(description="Draw the generated parts of the documentation.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when something differs")
    options = parser.parse_args()
    before = read(ROOT)
    stale = {path: text for path, text in generate(before).items() if text != before[path]}
    for path, text in stale.items():
        print(f"{path} {'differs' if options.check else 'written'}")
        if not options.check:
            (ROOT / path).write_text(text, "utf-8")
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
