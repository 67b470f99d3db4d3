"""Draws the generated parts of README.md and docs/*.md from the tables that the code itself decides by.

    python docs/generate.py            writes them
    python docs/generate.py --check    says which differ, exit 1

A page holds `<!-- generated: NAME -->` … `<!-- end -->`; what stands between the two comes from the function of that
name below. Everything but `main` is pure: texts in, texts out. Knows nothing of what the prose around a part says.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from oracle_rules import cli  # noqa: E402  - found beside this folder, installed or not
from oracle_rules.analysis import policy  # noqa: E402
from oracle_rules.errors import Exit  # noqa: E402
from oracle_rules.execution.sandbox import syscalls  # noqa: E402
from oracle_rules.execution.sandbox.steps import INNER, OUTER  # noqa: E402
from oracle_rules.gate.codes import CATALOGUE  # noqa: E402
from oracle_rules.gate.decide import TABLE  # noqa: E402
from oracle_rules.gate.tables import ROWS  # noqa: E402
from oracle_rules.loading import schema  # noqa: E402
from oracle_rules.protocol import verdict  # noqa: E402
from oracle_rules.runner.generate import ALPHABETS  # noqa: E402

_PART = re.compile(r"(<!-- generated: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)

_EXITS = {
    Exit.ACCEPT: "Every property that was asked held.",
    Exit.FALSIFIED: "A property does not hold, or the candidate broke off.",
    Exit.USAGE: "The command, a declaration or a revision is wrong.",
    Exit.INCOMPLETE: "An oracle artifact of base is missing, empty or malformed, or a property is broken.",
    Exit.REFUSED: "The gate refused the patch, or an answer hangs on ambient entropy.",
    Exit.MALFUNCTION: "Scoring itself failed. Nothing is known of the patch and nothing was cached.",
    Exit.NOTHING: "No property was left to ask.",
    Exit.UNTRUSTED: "A replay gave other bytes than the stored verdict.",
}

# The rooms of the repository, in the order in which a reader wants them.
_TREE = (
    ("oracle_rules/", "the tool"),
    ("oracle_rules/loading/", "BUILD.bazel to targets"),
    ("oracle_rules/artifacts/", "seeds, fixtures, freeze ledger, domain lock, and their laws"),
    ("oracle_rules/gate/", "what a patch may not touch, and the decision, as tables"),
    ("oracle_rules/analysis/", "targets and trees to Actions: the key"),
    ("oracle_rules/reapi/", "the messages of the Remote Execution API, byte for byte"),
    ("oracle_rules/scm/", "git objects, read without a checkout"),
    ("oracle_rules/execution/", "the sandbox, the toolchain, third-party packages"),
    ("oracle_rules/storage/", "the cache on disk"),
    ("oracle_rules/protocol/", "canonical JSON and the verdict"),
    ("oracle_rules/runner/", "what runs inside: judge, cell, wire, pins"),
    ("oracle_rules/commands/", "the verbs of the command line"),
    ("oracle_seams/", "FakeClock, FakeTransport and Seams, for properties and for your own code"),
    ("examples/", "standalone workspaces to copy from"),
    ("properties/", "this repository's own properties; the oracle of patches to oracle_rules"),
    ("seeds/", "their cases"),
    ("bench/", "what scoring costs"),
    ("tests/", "one folder per room; `tests/sabotage/` tries to cheat"),
    ("docs/", "one page per task"),
)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; a bar within a cell is escaped."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _rules(_texts: Mapping[str, str]) -> str:
    """Every rule of ours with its attributes."""
    return "\n\n".join(_rule(rule) for rule in schema.RULES.values())


def _rule(rule: schema.Rule) -> str:
    rows = [(_code("name"), "a string", "required", "the target's name")]
    for each in rule.attributes.values():
        rows.append((_code(each.name), _kind(each), _default(each), each.doc))
    return f"### {rule.name}\n\n{rule.doc}\n\n" + table(("Attribute", "Value", "Default", "Meaning"), rows)


def _kind(each: schema.Attribute) -> str:
    text = each.kind.value
    if each.rules:
        text += " of rule " + " or ".join(map(_code, each.rules))
    if each.choices:
        text += ": " + ", ".join(map(_code, each.choices))
    if each.most:
        text += f" from {each.least} to {each.most}"
    return text


def _default(each: schema.Attribute) -> str:
    if each.mandatory:
        return "required"
    if each.default is None:
        return "none"
    shown = list(each.default) if isinstance(each.default, tuple) else each.default
    return _code("{}" if each.kind is schema.Kind.STRING_MAP else json.dumps(shown) if shown is not False else "False")


def _native_rules(_texts: Mapping[str, str]) -> str:
    """The native rules that are read."""
    rows = [(_code(rule.name), ", ".join(map(_code, rule.attributes)), rule.doc)
            for rule in schema.NATIVE_RULES.values()]
    return table(("Rule", "Attributes", "Meaning"), rows)


def _refused_attributes(_texts: Mapping[str, str]) -> str:
    """Attributes of Bazel's tests that are refused."""
    return table(("Attribute", "Why", "Do instead"),
                 [(_code(name), why, do) for name, (why, do) in schema.REFUSED.items()])


def _codes(_texts: Mapping[str, str]) -> str:
    """The catalogue of reason codes, by exit code."""
    parts = []
    for number in sorted({row.exit for row in CATALOGUE.values()}):
        rows = [(f'<a id="{row.code}"></a>`{row.code}`', row.lane, row.meaning, row.remedy)
                for row in CATALOGUE.values() if row.exit is number]
        parts.append(f"### Exit {int(number)}: {number.name.lower()}\n\n"
                     + table(("Code", "Lane", "Meaning", "What to do"), rows))
    return "\n\n".join(parts)


def _exits(_texts: Mapping[str, str]) -> str:
    """The exit codes of score."""
    return table(("Exit", "Name", "Meaning"), [(str(int(code)), code.name.lower(), _EXITS[code]) for code in Exit])


def _verdict_rows(_texts: Mapping[str, str]) -> str:
    """The rows by which one target's verdict is made."""
    return table(("Row", "When"), [(_code(row), text) for row, text in verdict.ROWS])


def _decision_rows(_texts: Mapping[str, str]) -> str:
    """The rows by which findings and verdicts become one decision."""
    return table(("Row", "Decision", "Exit", "Bit", "Why"),
                 [(_code(row.row), _code(row.decision), str(int(row.exit)), "none" if row.bit is None else str(row.bit),
                   row.why) for row in TABLE])


def _gate_rows(_texts: Mapping[str, str]) -> str:
    """The rows of the gate."""
    rows = []
    for row in ROWS:
        about = ", ".join(map(_code, row.patterns)) or ", ".join(row.groups) or row.kind.replace("_", " ")
        rows.append((_code(row.name), row.when, about, _code(row.code or "") or "nothing", row.why))
    return table(("Row", "When", "Paths", "Code", "Why"), rows)


def _sandbox_steps(_texts: Mapping[str, str]) -> str:
    """The steps that make a sandbox, in order."""
    modes = {"root shed user": "anybody"}
    rows = [(_code(step.name), modes.get(step.modes, step.modes.replace(" ", " or ")), step.remedy)
            for step in (*OUTER, *INNER)]
    return table(("Step", "When started as", "If this host refuses"), rows)


def _denied_calls(_texts: Mapping[str, str]) -> str:
    """The system calls that the filter refuses."""
    kinds = {"eperm": "refused with EPERM", "enosys": "answered ENOSYS", "empty": "answered with nothing in it",
             "arg": "decided by an argument"}
    rows = [(text, ", ".join(sorted(_code(name) for name, row in syscalls.ROWS.items() if row[2] == kind)))
            for kind, text in kinds.items()]
    return table(("Answer", "Calls"), rows)


def _limits(_texts: Mapping[str, str]) -> str:
    """The standard limits of a profile."""
    given = policy.policy().document["limits"]
    return table(("Limit", "Standard value"), [(_code(name), str(value)) for name, value in given.items()])


def _pinned_variables(_texts: Mapping[str, str]) -> str:
    """The variables that every process gets."""
    return table(("Variable", "Value"), [(_code(name), _code(value))
                                         for name, value in sorted(policy.policy().environment.items())])


def _policy_document(_texts: Mapping[str, str]) -> str:
    """The standard policy, as it stands in every Action."""
    return "```json\n" + json.dumps(policy.policy().document, indent=1) + "\n```"


def _alphabets(_texts: Mapping[str, str]) -> str:
    """The names of alphabets that a domain lock may use."""
    return table(("Name", "Characters"), [(_code(name), str(len(text))) for name, text in ALPHABETS.items()])


def _commands(_texts: Mapping[str, str]) -> str:
    """The verbs of the command line."""
    actions = [each for each in cli.parser()._actions if isinstance(each, argparse._SubParsersAction)]
    rows = [(_code(f"oracle-rules {each.dest}"), each.help or "") for each in actions[0]._choices_actions]
    return table(("Command", "Does"), rows)


def _transcript(texts: Mapping[str, str]) -> str:
    """What `docs/transcript.py` saw."""
    return "```console\n" + texts["docs/transcript.txt"].rstrip("\n") + "\n```"


def _tree(_texts: Mapping[str, str]) -> str:
    """The rooms of the repository."""
    return table(("Folder", "What"), [(f"[{path}]({path})", what) for path, what in _TREE])


def _pages(texts: Mapping[str, str]) -> str:
    """The pages of docs/, by their first sentence."""
    rows = []
    for path in sorted(texts):
        if re.fullmatch(r"docs/[a-z-]+\.md", path):
            title = re.search(r"^# (.+)$", texts[path], re.MULTILINE)
            assert title is not None, f"{path} has no title"
            rows.append((f"[{path.removeprefix('docs/')}]({path})", title[1]))
    return table(("Page", "About"), rows)


def _decisions(texts: Mapping[str, str]) -> str:
    """The pages of docs/decisions/."""
    rows = [(f"[{text.partition(chr(10))[0].removeprefix('# ')}]({path.removeprefix('docs/decisions/')})",)
            for path, text in sorted(texts.items())
            if path.startswith("docs/decisions/") and not path.endswith("README.md")]
    return "\n".join(f"- {row[0]}" for row in rows)


def _performance(texts: Mapping[str, str]) -> str:
    """The numbers of one run of the bench."""
    found = json.loads(texts["docs/performance.json"])
    words = {"pytest": "`pytest` on the same property and cases, one process",
             "cold": "`oracle-rules score`, verdict not in the cache, one process",
             "replayed": "`oracle-rules score`, verdict from the cache, one process",
             "action": "one more target in a running score"}
    rows = [(words[name], f"{row['median_s'] * 1000:.0f} ms", f"{row['min_s'] * 1000:.0f} to "
             f"{row['max_s'] * 1000:.0f} ms", f"{1 / row['pytest_over_this']:.2f}") for name, row in found.items()]
    return table(("What", "Median", "Range", "Against pytest"), rows)


PARTS: Mapping[str, Callable[[Mapping[str, str]], str]] = {
    each.__name__[1:].replace("_", "-"): each
    for each in (_rules, _native_rules, _refused_attributes, _codes, _exits, _verdict_rows, _decision_rows, _gate_rows,
                 _sandbox_steps, _denied_calls, _limits, _pinned_variables, _policy_document, _alphabets, _commands,
                 _transcript, _tree, _pages, _decisions, _performance)
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
