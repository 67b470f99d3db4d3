"""Commands, pages, the tree, and what was measured or recorded."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Mapping

from oracle_rules import cli

from .markdown import code as _code
from .markdown import table

# The rooms of the repository, in the order in which a reader wants them.
_TREE = (
    ("oracle_rules/", "the tool"),
    ("oracle_rules/loading/", "BUILD.bazel to targets"),
    ("oracle_rules/artifacts/", "seeds, fixtures, freeze ledger, domain lock, journals, and their laws"),
    ("oracle_rules/lint/", "properties that say nothing, silences, weakened asserts"),
    ("oracle_rules/gate/", "what a patch may not touch, and the decision, as tables"),
    ("oracle_rules/entropy/", "what in a source hangs on the moment, the machine or chance"),
    ("oracle_rules/shrinking/", "which cases are simpler than one that fails"),
    ("oracle_rules/mutation/", "small faults in sources, to see which a property lets through"),
    ("oracle_rules/analysis/", "targets and trees to Actions: the key"),
    ("oracle_rules/reapi/", "the messages of the Remote Execution API, byte for byte"),
    ("oracle_rules/scm/", "git objects, read without a checkout"),
    ("oracle_rules/execution/", "the sandbox, the toolchain, third-party packages"),
    ("oracle_rules/storage/", "the cache on disk"),
    ("oracle_rules/protocol/", "canonical JSON and the verdict"),
    ("oracle_rules/runner/", "what runs inside: judge, cell, wire, pins"),
    ("oracle_rules/asking/", "what base asks of a patch, and what a person's patch proposes"),
    ("oracle_rules/scoring/", "from questions to verdicts: planned, judged, replayed, attributed"),
    ("oracle_rules/keeping/", "the files of people, as the verbs for people rewrite them"),
    ("oracle_rules/trust/", "the oracle's digest and its signatures"),
    ("oracle_rules/commands/", "the verbs of the command line"),
    ("oracle_seams/", "FakeClock, FakeTransport and Seams, for properties and for your own code"),
    ("examples/", "standalone workspaces to copy from"),
    ("properties/", "this repository's own properties; the oracle of patches to oracle_rules"),
    ("seeds/", "their cases"),
    ("bench/", "what scoring costs"),
    ("tests/", "one folder per room; `tests/sabotage/` tries to cheat"),
    ("docs/", "one page per task"),
)


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


PARTS = (_commands, _transcript, _tree, _pages, _decisions, _performance)
