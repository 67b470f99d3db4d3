"""The lines of an attribution for a person: the row in words, what each side showed, and how to see it again."""

from __future__ import annotations

from typing import Any

from .printable import printable


def blame(target: dict[str, Any]) -> list[str]:
    """Lines about a red target of the record; none where nobody asked who is to blame."""
    found = target["attribution"]
    if found is None or found["row"] is None:
        return []
    lines = [f"blame: {found['blame']} [{found['row']}]: {printable(found['why'])}"]
    if found["problem"]:
        lines.append(f"  not judged: {printable(found['problem'])}")
    lines += [_side(name, found[name]) for name in ("parent", "base") if found[name] is not None]
    return lines + _variations(found["variations"])


def _side(name: str, run: dict[str, Any]) -> str:
    return f"  {name} {_shown(run)}: {run['repro']}"


def _shown(run: dict[str, Any] | None) -> str:
    """The bit of a run in words."""
    if run is None:
        return "was not judged"
    if run["bit"] == 1:
        return "holds"
    example = run["counterexample"]
    case = "" if example is None else f", case {example['index']}"
    return f"is red ({run['reason']}{case})"


def _variations(varied: list[dict[str, Any]]) -> list[str]:
    """One line for each side that flipped under a variation, and one for all that changed nothing."""
    lines = [f"  {side} {_shown(each[side])} under {each['name']}: {each[side]['repro']}"
             for each in varied for side in each["flipped"]]
    same = [each["name"] for each in varied if each["counts"] and not each["flipped"]]
    void = [each["name"] for each in varied if not each["counts"]]
    if same:
        lines.append(f"  the same under {', '.join(same)}")
    return lines + ([f"  no verdict to compare under {', '.join(void)}"] if void else [])
