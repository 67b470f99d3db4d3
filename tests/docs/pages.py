"""The documentation as texts, and what it mentions: commands, paths, links, words in code quotes.

Reads the repository and nothing else. Knows Markdown only as far as our own pages use it.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
_FENCE = re.compile(r"^```([a-z]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")
_GENERATED = re.compile(r"<!-- generated: .*?<!-- end -->\n?", re.DOTALL)
_INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


def load(name: str) -> Any:
    """A script of docs/, as a module."""
    key = f"docs_{name}"
    if key not in sys.modules:
        spec = importlib.util.spec_from_file_location(key, ROOT / "docs" / f"{name}.py")
        assert spec is not None and spec.loader is not None
        module: ModuleType = importlib.util.module_from_spec(spec)
        sys.modules[key] = module
        spec.loader.exec_module(module)
    return sys.modules[key]


def texts() -> dict[str, str]:
    """README.md and the pages of docs/, by path."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in found}


def fences(text: str) -> list[tuple[str, str]]:
    """(language, body) of each fenced block."""
    return _FENCE.findall(text)


def links(text: str) -> list[str]:
    """The targets of links outside fenced blocks."""
    return _LINK.findall(_FENCE.sub("", text))


def words(text: str) -> list[str]:
    """What stands in code quotes outside fenced blocks."""
    return _INLINE.findall(_FENCE.sub("", text))


def prose(text: str) -> str:
    """The text without its generated parts, which name what they like."""
    return _GENERATED.sub("", text)


def commands(text: str) -> list[str]:
    """Every command line of ours: in code quotes, and in shell blocks and transcripts."""
    found = [word for word in words(text) if word.startswith("oracle-rules ")]
    for language, body in fences(text):
        if language in ("sh", "console"):
            body = re.sub(r"\\\n\s*", "", body)
            prompts = [line.removeprefix("$ ") for line in body.splitlines() if language == "sh" or line[:2] == "$ "]
            found += [part.strip() for line in prompts for part in line.split("&&")
                      if part.strip().startswith("oracle-rules ")]
    return found
