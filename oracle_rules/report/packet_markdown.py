"""A merge packet as a comment on a pull request: Markdown of bounded size that says what it leaves out.

A forge refuses a comment of more than 65,536 characters, and one that is refused shows nothing. So room is given out in
the order of what a reviewer can't do without: the head and the end, then findings, the core's diffs, the rest of the
oracle, fingerprints, and production last; what doesn't fit is replaced by its size. Text of the patch stands in code
only, behind fences longer than any in it, so that it can't break out, mention anybody or draw anything.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from ..gate.visible import visible
from .packet_text import NOTHING, SHORT, digests, oracle, protection

# GitHub's limit is in characters; bytes of UTF-8 are never fewer.
LIMIT = 65_536
# In which order room is given out, and what part of the whole a section may take before the next one is asked.
_SHARES = {"findings": 0.3, "core": 0.5, "rest": 0.3, "allowed": 0.1, "fingerprints": 0.1, "production": 1.0}
_TITLES = {"core": "What says what is evidence", "rest": "Oracle", "fingerprints": "Fingerprints",
           "findings": "Findings", "allowed": "Allowed", "production": "Production"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """One entry: a line of its own, or with a fence below it that can be shortened."""

    intro: str
    lines: tuple[str, ...] = ()

    def fitted(self, room: int) -> str | None:
        """As much of it as fits, or None when not even its first lines do."""
        whole = self.intro + (_fence(self.lines) if self.lines else "")
        if _size(whole) <= room:
            return whole
        sizes = list(accumulate(_size(line) + 1 for line in self.lines))
        spare = room - _size(self.intro + _fence(("", _more(len(self.lines))))) - 2 * _run("\n".join(self.lines))
        count = bisect_right(sizes, spare)
        if count < min(4, len(self.lines)) or not self.lines:
            return None
        return self.intro + _fence((*self.lines[:count], _more(len(self.lines) - count)))


def packet_markdown(packet: dict[str, Any], *, limit: int = LIMIT) -> str:
    """The comment; its UTF-8 has at most `limit` bytes, which must leave room for a head and an end (8,000)."""
    head, end = _head(packet), _end(packet)
    room = limit - _size(head) - _size(end) - sum(_size(_heading(name) + _left(name, 10**9)) for name in _TITLES)
    kept: dict[str, str] = {}
    for name, share in _SHARES.items():
        kept[name] = _section(name, _blocks(packet, name), min(room, int(share * limit)))
        room -= _size(kept[name])
    return head + "".join(kept[name] for name in _TITLES) + end


def _section(name: str, blocks: Sequence[_Block], room: int) -> str:
    """The heading, what fits of the blocks in their order, and how many of them don't."""
    texts: list[str] = []
    for block in blocks:
        text = block.fitted(room)
        if text is None:
            break
        room -= _size(text)
        texts.append(text)
    cut = len(blocks) - len(texts)
    return _heading(name) + "".join(texts) + (_left(name, cut) if cut else "") if blocks else ""


def _heading(name: str) -> str:
    return f"\n### {_TITLES[name]}\n\n"


def _left(name: str, cut: int) -> str:
    return f"\n*{cut} more entries under \"{_TITLES[name]}\" do not fit into this comment; the command shows them.*\n"


def _head(packet: dict[str, Any]) -> str:
    count = len(packet["findings"]["rows"]) + packet["findings"]["cut"]
    says = f"**{packet['decision']}**, {count} findings" if count else f"**clear**: {NOTHING}"
    whose = "".join(f", oracle {_code(line)}" for line in oracle(packet))
    return (f"## Merge packet\n\n{says}\n\nBase {_code(packet['base'][:SHORT])}, candidate "
            f"{_code(packet['candidate'][:SHORT])}, author {_code(packet['author'])}{whose}.\n")


def _end(packet: dict[str, Any]) -> str:
    owners = "".join(f"- {_code(line)}\n" for line in list(protection(packet))[:8])
    return f"\n### Owners\n\n{owners}\n### Again\n\n{_fence((_short(packet['repro'], 1000),), 'sh')}"


def _blocks(packet: dict[str, Any], name: str) -> list[_Block]:
    found, cut = _BLOCKS[name](packet)
    return [*found, *([_Block(intro=f"\n*{cut} more are not in the packet.*\n")] if cut else [])]


def _core(packet: dict[str, Any]) -> tuple[list[_Block], int]:
    return [_Block(intro=f"- {each['kind']} {_code(each['path'])}: unchanged\n") if each["change"] is None
            else _file(each["change"], f"{each['kind']} ") for each in packet["core"]], 0


def _files(name: str) -> Callable[[dict[str, Any]], tuple[list[_Block], int]]:
    return lambda packet: ([_file(each) for each in packet[name]["files"]], packet[name]["cut"])


def _file(each: dict[str, Any], kind: str = "") -> _Block:
    said = f"{visible(each['detail'])} [{each['row']}, by a person: {each['person']}]"
    lines = [digests(each), said, *each["lines"], *([_more(each["cut_lines"])] if each["cut_lines"] else [])]
    return _Block(intro=f"\n{kind}{_code(each['path'])}\n\n", lines=tuple(lines))


def _findings(packet: dict[str, Any]) -> tuple[list[_Block], int]:
    return [_Block(intro=f"- {_code(each['code'])} {_code(each['subject'] or 'the patch')}: {_code(each['detail'])} "
                         f"({_code(each['row'])}). {_code(each['remedy'])}\n")
            for each in packet["findings"]["rows"]], packet["findings"]["cut"]


def _allowed(packet: dict[str, Any]) -> tuple[list[_Block], int]:
    return [_Block(intro=f"- {_code(each['row'])} {_code(each['path'])}: {_code(each['detail'])}\n")
            for each in packet["allowed"]["rows"]], packet["allowed"]["cut"]


def _fingerprints(packet: dict[str, Any]) -> tuple[list[_Block], int]:
    changed = [each for each in packet["fingerprints"]["rows"] if each["before"] != each["after"]]
    rows = [_Block(intro=f"- {each['kind']} {_code(each['subject'] or 'as a whole')}: "
                         f"{_code(each['before'] or 'none')} became {_code(each['after'] or 'none')}\n")
            for each in changed]
    same = len(packet["fingerprints"]["rows"]) - len(changed)
    return [*rows, _Block(intro=f"- {same} unchanged\n")], packet["fingerprints"]["cut"]


_BLOCKS: dict[str, Callable[[dict[str, Any]], tuple[list[_Block], int]]] = {
    "core": _core, "rest": _files("rest"), "fingerprints": _fingerprints, "findings": _findings,
    "allowed": _allowed, "production": _files("production"),
}


def _code(text: str) -> str:
    """A code span that its text can't end: longer than any run of backticks in it. Nothing for an empty text."""
    shown = _short(visible(text).replace("\t", " "))
    if not shown.strip():
        return ""
    ticks = "`" * (_run(shown) + 1)
    space = " " if "`" in (shown[0], shown[-1]) else ""
    return f"{ticks}{space}{shown}{space}{ticks}"


def _fence(lines: Sequence[str], language: str = "diff") -> str:
    text = "\n".join(lines)
    ticks = "`" * max(3, _run(text) + 1)
    return f"{ticks}{language}\n{text}\n{ticks}\n"


def _run(text: str) -> int:
    """The longest run of backticks."""
    return max((len(run) for run in re.findall("`+", text)), default=0)


def _more(count: int) -> str:
    return f"... and {count} more lines"


def _short(text: str, most: int = 400) -> str:
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
