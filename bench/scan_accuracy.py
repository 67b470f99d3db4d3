"""How right `scan` is: precision and recall over a sample whose sites were labelled by hand.

    python bench/scan_accuracy.py [--json FILE] [--show]

Each file of `tests/entropy/sample/` holds sites, marked at the end of their line: `# hit: KIND[, KIND]` for what makes
an answer depend on the moment, the machine or chance, `# none` for what only looks like it. A hit on an unmarked line
counts as wrong. The labels say what is true, not what the scanner can see; what it misses is printed by `--show`.
"""

from __future__ import annotations

import argparse
import io
import json
import tokenize
from collections import Counter
from pathlib import Path
from typing import Any

from oracle_rules.entropy.scan import scan_source

SAMPLE = Path(__file__).resolve().parent.parent / "tests" / "entropy" / "sample"


def labels(text: str) -> dict[int, list[str]]:
    """The kinds that are true of each labelled line; an empty list for `none`."""
    found = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        words = token.string.removeprefix("# ")
        if token.type == tokenize.COMMENT and (words == "none" or words.startswith("hit: ")):
            found[token.start[0]] = [] if words == "none" else words.removeprefix("hit: ").split(", ")
    return found


def compare() -> tuple[dict[str, Counter[str]], list[str]]:
    """For each kind how many sites were found, missed and wrongly found; and a line for each disagreement."""
    kinds: dict[str, Counter[str]] = {}
    told = []
    for path in sorted(SAMPLE.glob("*.py")):
        text = path.read_text(encoding="utf-8")
        true = labels(text)
        seen: dict[int, Counter[str]] = {}
        for hit in scan_source(text, path.name).hits:
            seen.setdefault(hit.span.line, Counter())[hit.rule.kind] += 1
        for line in sorted(true.keys() | seen.keys()):
            wanted, got = Counter(true.get(line, [])), seen.get(line, Counter())
            for kind in wanted | got:
                row = kinds.setdefault(kind, Counter())
                row["found"] += min(wanted[kind], got[kind])
                row["missed"] += max(wanted[kind] - got[kind], 0)
                row["wrong"] += max(got[kind] - wanted[kind], 0)
                if wanted[kind] != got[kind]:
                    state = "missed" if wanted[kind] > got[kind] else "wrong"
                    told.append(f"{state} {kind} {path.name}:{line}: {text.splitlines()[line - 1].strip()}")
    return kinds, told


def sites() -> tuple[int, int]:
    """How many sites are labelled as hits and as none."""
    every = [kinds for path in SAMPLE.glob("*.py") for kinds in labels(path.read_text(encoding="utf-8")).values()]
    return sum(map(len, every)), sum(not kinds for kinds in every)


def measure() -> dict[str, Any]:
    """The numbers that the documentation draws."""
    kinds, told = compare()
    total: Counter[str] = sum(kinds.values(), Counter())
    hits, none = sites()
    rows = {kind: _row(kinds[kind]) for kind in sorted(kinds)}
    return {"hits": hits, "none": none, "all": _row(total), "kinds": rows, "disagreements": told}


def _row(counted: Counter[str]) -> dict[str, Any]:
    found, missed, wrong = (counted[name] for name in ("found", "missed", "wrong"))
    return {"found": found, "missed": missed, "wrong": wrong,
            "precision": round(found / (found + wrong), 3) if found + wrong else 1.0,
            "recall": round(found / (found + missed), 3) if found + missed else 1.0}


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description="Precision and recall of scan over the labelled sample.")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the numbers in this file, beside the others")
    parser.add_argument("--show", action="store_true", help="print each site on which label and scanner differ")
    options = parser.parse_args()
    found = measure()
    for kind, row in {**found["kinds"], "all": found["all"]}.items():
        print(f"{kind:<13} found {row['found']:>3}  missed {row['missed']:>2}  wrong {row['wrong']:>2}  "
              f"precision {row['precision']:.2f}  recall {row['recall']:.2f}")
    print(f"{found['hits']} sites are hits, {found['none']} are none")
    if options.show:
        print("\n".join(found["disagreements"]))
    if options.json:
        kept = json.loads(options.json.read_text(encoding="utf-8")) if options.json.exists() else {}
        kept["accuracy"] = found
        options.json.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
