"""What the documentation says is so: generated parts are current, commands parse, names and paths exist, links lead there."""

from __future__ import annotations

import argparse
import contextlib
import datetime
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from oracle_rules import cli
from oracle_rules.artifacts.domains.lock import parse_domain_lock
from oracle_rules.artifacts.fixtures import parse_manifest
from oracle_rules.artifacts.freezing.collection import Debt
from oracle_rules.artifacts.freezing.ledger import FreezeRow, parse_freeze
from oracle_rules.artifacts.profile import parse_profile
from oracle_rules.artifacts.seeds import parse_corpus
from oracle_rules.errors import UsageError
from oracle_rules.gate.codes import CATALOGUE
from oracle_rules.gate.decide import TABLE
from oracle_rules.gate.evidence import Evidence, Sight
from oracle_rules.loading import schema
from oracle_rules.protocol import verdict
from oracle_rules.record import Attributed, DebtLine, _attribution, _debt

from . import pages

PAGES = pages.texts()
ENTROPY_PREFIXES = ("entropy_", "fixture_", "freeze_", "seed_", "candidate_", "oracle_", "transport_", "property_")
# Words with such a prefix that are no reason codes: rules, our packages, variables of BUILD files.
WORKSPACE_MACROS = {"oracle_rules_offline", "oracle_rules_register"}
OTHER_NAMES = {*schema.RULES, *WORKSPACE_MACROS, "oracle_rules", "oracle_seams", "oracle_rules_toolchain", "property_id",
               "entropy_seed"}  # fmt: skip


def test_generated_parts_are_what_the_tables_say() -> None:
    generate = pages.load("generate")
    before = generate.read(pages.ROOT)
    assert {path for path, text in generate.generate(before).items() if text != before[path]} == set()


def test_a_stale_part_would_be_seen() -> None:
    generate = pages.load("generate")
    before = generate.read(pages.ROOT)
    before["docs/reason-codes.md"] = before["docs/reason-codes.md"].replace("`timeout`", "`time_out`")
    assert generate.generate(before)["docs/reason-codes.md"] != before["docs/reason-codes.md"]


def test_an_unknown_part_is_refused() -> None:
    with pytest.raises(ValueError, match="no part is called 'nothing'"):
        pages.load("generate").generate({"a.md": "<!-- generated: nothing -->\n<!-- end -->\n"})


def test_every_part_is_used_and_every_marker_is_closed() -> None:
    text = "\n".join(PAGES.values())
    used = re.findall(r"^<!-- generated: ([a-z-]+) -->$", text, re.MULTILINE)
    assert sorted(used) == sorted(pages.load("generate").PARTS)
    assert len(re.findall(r"^<!-- end -->$", text, re.MULTILINE)) == len(used)


def _parses(command: str) -> None:
    wanted = shlex.split(command, comments=True)[1:]
    with contextlib.redirect_stdout(io.StringIO()):
        cli.parser().parse_args(["x" if word in ("CODE", "LABEL") else word for word in wanted])


COMMANDS = sorted({command for text in PAGES.values() for command in pages.commands(text)})


def test_there_are_commands_to_check() -> None:
    assert {"oracle-rules score", "oracle-rules doctor", "oracle-rules why //:header_name"} <= set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_line_is_in_the_grammar(command: str) -> None:
    verb = command.split()[1]
    # A verb named alone in prose need not be complete.
    if len(command.split()) == 2 and not verb.startswith("-"):
        [verbs] = [each for each in cli.parser()._actions if isinstance(each, argparse._SubParsersAction)]
        assert verb in verbs.choices
    else:
        _parses(command)


def test_a_wrong_command_line_is_not() -> None:
    for command in ("oracle-rules scores", "oracle-rules score --bass main", "oracle-rules doctor --repository x"):
        with pytest.raises(UsageError):
            _parses(command)


def test_sessions_are_registered() -> None:
    noxfile = (pages.ROOT / "noxfile.py").read_text("utf-8")
    named = {name for text in PAGES.values() for name in re.findall(r"nox -s ([a-z]+)", text)}
    assert {"score", "tests"} <= named
    assert all(f'"{name}"' in noxfile for name in named)


def _targets() -> Iterator[tuple[str, str]]:
    for path, text in PAGES.items():
        for link in pages.links(text):
            yield path, link


@pytest.mark.parametrize(("page", "link"), sorted(set(_targets())))
def test_a_link_leads_somewhere(page: str, link: str) -> None:
    assert "://" not in link, "pages that are not ours move"
    place, _, anchor = link.partition("#")
    assert ((pages.ROOT / page).parent / place).resolve().exists()
    assert not anchor


ROOMS = tuple(sorted(path.name for path in pages.ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")))
# Folders of ours that are also what a user's workspace is shown with; paths there are of his.
EXAMPLE_ROOMS = ("properties", "seeds", "fixtures")


def test_every_path_that_is_mentioned_exists() -> None:
    missing = []
    for page, text in PAGES.items():
        for word in pages.words(pages.prose(text)):
            room = word.partition("/")[0]
            if "/" in word and room in ROOMS and room not in EXAMPLE_ROOMS and re.fullmatch(r"[\w./-]+", word):
                if not (pages.ROOT / word).exists() and not re.search(r"/v\d$", word):  # a schema's name
                    missing.append((page, word))
    assert not missing


def test_nothing_of_this_machine_is_mentioned() -> None:
    for page, text in PAGES.items():
        assert not re.search(r"/(?:work\b|root\b|tmp/(?!cache\b)\w|home/\w)", text), page
        assert str(Path.home()) not in text or str(Path.home()) == "/", page


def test_every_reason_code_that_is_mentioned_exists() -> None:
    rows = {row for row, _ in verdict.ROWS} | {row.row for row in TABLE}
    attributes = {name for rule in schema.RULES.values() for name in rule.attributes}
    unknown = set()
    for page, text in PAGES.items():
        for word in pages.words(text):
            if re.fullmatch(r"[a-z]+(_[a-z]+)+", word) and word.startswith(ENTROPY_PREFIXES):
                if word not in {*CATALOGUE, *rows, *attributes, *OTHER_NAMES}:
                    unknown.add((page, word))
    assert not unknown


def test_the_catalogue_is_complete_on_its_page() -> None:
    text = PAGES["docs/reason-codes.md"]
    assert all(f'<a id="{code}"></a>`{code}`' in text for code in CATALOGUE)


def test_exit_codes_in_prose_are_those_of_the_table() -> None:
    for text in PAGES.values():
        for code, number in re.findall(r"`([a-z_]+)` \(exit (\d)\)", text):
            assert int(CATALOGUE[code].exit) == int(number), code


def test_attributes_in_declarations_exist() -> None:
    for page, text in PAGES.items():
        for language, body in pages.fences(text):
            for rule, arguments in re.findall(r"^(oracle_\w+)\((.*?)\)$", body, re.DOTALL | re.MULTILINE):
                if language in ("starlark", "sh") and rule not in WORKSPACE_MACROS:
                    names = set(re.findall(r"(\w+) = ", arguments)) - {"name"}
                    assert names <= set(schema.RULES[rule].attributes), (page, rule, names)


def test_allow_has_a_row_for_each_kind() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \|", PAGES["docs/write-a-property.md"], re.MULTILINE)
    assert sorted(kind for kind, _ in rows) == sorted(schema.ENTROPY_KINDS)
    assert all(verdict._KINDS[kind] == code for kind, code in rows)


def _json(page: str) -> list[bytes]:
    return [body.encode() for language, body in pages.fences(PAGES[page]) if language == "json"]


def test_artifacts_on_the_page_are_read_as_such() -> None:
    seeds, manifest, ledger = _json("docs/artifacts.md")
    assert len(parse_corpus(seeds, path="seeds/header_name.json")) == 2
    assert [row.path for row in parse_manifest(manifest, path="fixtures/manifest.json").rows] == ["fixtures/poll.json"]
    assert parse_freeze(ledger, path="freeze.json").frozen_properties == {"asleep"}
    locks = [parse_domain_lock(data, path="domain_lock.json", source=lambda path: b"") for data in
             _json("docs/domain-lock.md")]
    assert [row.property_id for lock in locks for row in lock.domains] == ["parse_headers", "price"]


def test_the_profile_on_the_page_is_one() -> None:
    found = [parse_profile(data, path="patch-gate.json") for data in _json("docs/profiles.md")]
    assert [profile.env.get("APP_SEED") for profile in found] == ["20260830", None]
    assert [(profile.seed, profile.tz, profile.cache_dir) for profile in found] == [(20260830, "UTC", "tmp")] * 2


def test_what_is_said_of_parts_of_the_record_is_what_they_have() -> None:
    def documented(page: str, part: str) -> list[str]:
        table = PAGES[page].partition(f"| Field of `{part}` | Is |\n|---|---|\n")[2].partition("\n\n")[0]
        return [name for name in re.findall(r"^\| `([\w[\].]+)` \|", table, re.MULTILINE) if "[]" not in name]

    row = FreezeRow(id="F", property_id="p", nodeid=None, kind="order-dependent", seam="", order="", skew="",
                    evidence="", owner="", last_green=None, last_green_revision="", expires=None,
                    agent_may_extend=False)
    line = Debt(id="F", thing="p", kind="order-dependent", owner="", expires=None, days_left=None, long=False)
    owed = DebtLine(row=row, line=line, today=datetime.date(2026, 1, 1), label=None, run=None, problem=None)
    assert documented("docs/frozen-lane.md", "debt") == list(_debt(owed))
    seen = Evidence(candidate=Sight(kind="held"), parent=Sight(kind="held"), base=Sight(kind="held"))
    told = Attributed(change="kept", row=None, evidence=seen, parent=None, base=None, varied=())
    assert documented("docs/attribution.md", "attribution") == list(_attribution(told))


def test_every_class_of_cheat_has_a_row() -> None:
    from tests.sabotage.cases import CASES

    listed: list[str] = []
    for row in re.findall(r"^\| ([A-F]\d[^|]*) \|", PAGES["docs/threat-model.md"], re.MULTILINE):
        for part in row.split(", "):
            first, _, last = part.partition("–")
            letter, low = first[0], int(first[1:])
            listed += [f"{letter}{number}" for number in range(low, int(last[1:]) + 1 if last else low + 1)]
    assert len(listed) == len(set(listed))
    assert {case.kind for case in CASES} == set(listed)


def test_pages_are_short() -> None:
    for page, text in PAGES.items():
        lines = pages.prose(text).splitlines()
        assert len(lines) <= 200, page
        assert all(len(line) <= 120 or line.startswith("|") for line in lines), page
