"""The reports: SARIF by the structure that version 2.1.0 demands, annotations by GitHub's escaping, JSON as documented.

The demands on SARIF are written out by hand from the specification's text (sections 3.13 to 3.49), not from our code:
required properties, types, ranges of regions, and that indices and ids point at what they name.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oracle_rules.entropy.hit import Hit, Rule, Span, Use
from oracle_rules.entropy.judge import ROLES, Finding, Inventory, of_paths
from oracle_rules.entropy.rules import BY_ID, RULES
from oracle_rules.entropy.scan import scan_source
from oracle_rules.entropy.source import parse
from oracle_rules.lint import assertions, silences
from oracle_rules.lint.patch import weakened_in
from oracle_rules.protocol import canonical
from oracle_rules.report import github, sarif, scan_json, scan_text

SOURCE = "import time, random\nx = [time.time(),\n  random.random()]\ny = (\n"
GOOD = SOURCE.replace("y = (\n", "def f(s: set):\n    return list(s)\n")
EVERY = (*RULES, *silences.RULES, *assertions.RULES)
TEXT = st.text(st.characters(exclude_categories=[]), max_size=12)


def findings(*ranges: tuple[str, str]) -> Inventory:
    return of_paths([scan_source(text, path) for path, text in ranges])


INVENTORY = findings(("src/ä b.py", GOOD), ("src/bad,1:2.py", SOURCE), ("src/other.py", GOOD), ("src/same.py", GOOD + GOOD))


@st.composite
def inventories(draw: st.DrawFn) -> Inventory:
    made = []
    for _ in range(draw(st.sampled_from([0, 1, 3, 25]))):
        line, column = draw(st.integers(1, 9)), draw(st.integers(1, 9))
        span = Span(line=line, column=column, end_line=line + draw(st.integers(0, 2)), end_column=column + 3)
        hit = Hit(path=draw(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=9)), span=span,
                  rule=draw(st.sampled_from(EVERY)), expression=draw(TEXT), name=draw(TEXT), scope=draw(TEXT),
                  form=draw(TEXT), use=draw(st.sampled_from(list(Use))), before=draw(st.none() | TEXT))
        made.append(Finding(hit=hit, role=draw(st.sampled_from(list(ROLES.values())))))
    return Inventory(files=3, findings=tuple(made), head=draw(st.sampled_from(["", "a" * 40])))


# SARIF 2.1.0: object -> property -> (required, check).
def _text(value: Any) -> bool:
    return isinstance(value, str)


def _message(value: Any) -> bool:  # section 3.11: a message needs text or an id
    return isinstance(value, dict) and set(value) <= {"text", "markdown", "id", "arguments", "properties"} and (
        _text(value.get("text")) or _text(value.get("id")))


def _positive(value: Any) -> bool:
    return type(value) is int and value >= 1


LEVELS = ("none", "note", "warning", "error")  # 3.27.10
DEMANDS: dict[str, dict[str, tuple[bool, Any]]] = {
    "log": {"version": (True, "2.1.0".__eq__), "$schema": (False, _text), "runs": (True, list)},
    "run": {"tool": (True, dict), "results": (False, list), "originalUriBaseIds": (False, dict),
            "columnKind": (False, ("utf16CodeUnits", "unicodeCodePoints").__contains__)},
    "driver": {"name": (True, _text), "version": (False, _text), "rules": (False, list),
               "semanticVersion": (False, re.compile(r"\d+\.\d+\.\d+([-+].*)?\Z").match)},
    "rule": {"id": (True, _text), "name": (False, _text), "shortDescription": (False, _message),
             "fullDescription": (False, _message), "help": (False, _message), "properties": (False, dict),
             "defaultConfiguration": (False, lambda value: set(value) == {"level"} and value["level"] in LEVELS)},
    "result": {"ruleId": (False, _text), "ruleIndex": (False, lambda value: type(value) is int and value >= 0),
               "level": (False, LEVELS.__contains__), "message": (True, _message), "locations": (False, list),
               "partialFingerprints": (False, lambda value: all(map(_text, (*value, *value.values())))),
               "baselineState": (False, ("new", "unchanged", "updated", "absent").__contains__),
               "properties": (False, dict)},
    "region": {"startLine": (False, _positive), "startColumn": (False, _positive), "endLine": (False, _positive),
               "endColumn": (False, _positive), "snippet": (False, lambda value: _text(value["text"]))},
    "artifactLocation": {"uri": (False, re.compile(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+\Z").match),
                         "uriBaseId": (False, _text)},
}  # fmt: skip


def hold(kind: str, value: Any) -> None:
    demands = DEMANDS[kind]
    assert set(value) <= set(demands), (kind, set(value) - set(demands))
    for name, (required, check) in demands.items():
        assert not required or name in value, (kind, name)
        if name in value:
            assert isinstance(value[name], check) if isinstance(check, type) else check(value[name]), (kind, name, value)


def check_sarif(document: Any, inventory: Inventory) -> None:
    hold("log", document)
    [run] = document["runs"]
    hold("run", run)
    assert set(run["tool"]) == {"driver"}
    driver = run["tool"]["driver"]
    hold("driver", driver)
    for rule in driver["rules"]:
        hold("rule", rule)
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(set(ids)) == len(ids) and set(ids) >= set(BY_ID)
    assert len(run["results"]) == len(inventory.findings)
    prints = [result["partialFingerprints"]["oracleRulesIdentity/v1"] for result in run["results"]]
    assert len(set(prints)) == len(prints)
    for result, finding in zip(run["results"], inventory.findings, strict=True):
        hold("result", result)
        assert ids[result["ruleIndex"]] == result["ruleId"] == finding.hit.rule.id  # 3.27.6
        [location] = result["locations"]
        physical = location["physicalLocation"]
        assert set(location) == {"physicalLocation"} and set(physical) == {"artifactLocation", "region"}
        hold("artifactLocation", physical["artifactLocation"])
        assert physical["artifactLocation"]["uriBaseId"] in run["originalUriBaseIds"]  # 3.4.4
        region = physical["region"]
        hold("region", region)
        start, end = (region["startLine"], region["startColumn"]), (region["endLine"], region["endColumn"])
        assert start <= end  # 3.30.5 to 3.30.8: the end is not before the start


@pytest.mark.parametrize("inventory", [INVENTORY, Inventory(files=0, findings=())])
def test_sarif_is_what_the_specification_demands(inventory: Inventory) -> None:
    check_sarif(json.loads(canonical.dumps(sarif.document(inventory, version="1.2.3"))), inventory)


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(inventories())
def test_sarif_holds_for_every_inventory(inventory: Inventory) -> None:
    check_sarif(sarif.document(inventory, version="1.2.3"), inventory)


def test_the_check_of_sarif_can_fail() -> None:
    document = sarif.document(INVENTORY, version="1.2.3")
    document["runs"][0]["results"][0]["ruleIndex"] = 0  # another rule's
    with pytest.raises(AssertionError):
        check_sarif(document, INVENTORY)
    document = sarif.document(INVENTORY, version="1.2.3")
    del document["runs"][0]["results"][0]["message"]
    with pytest.raises(AssertionError):
        check_sarif(document, INVENTORY)


def test_a_fingerprint_outlives_moved_lines() -> None:
    def prints(text: str) -> list[Any]:
        document = sarif.document(findings(("a.py", text)), version="1.2.3")
        return [result["partialFingerprints"] for result in document["runs"][0]["results"]]

    assert prints(GOOD) == prints("\n\n# moved\n" + GOOD) != prints(GOOD.replace("f(s", "g(s"))


def test_a_uri_escapes_what_rfc_3986_reserves() -> None:
    assert sarif.uri("a b/ä:%.py") == "a%20b/%C3%A4%3A%25.py"
    assert sarif.uri("\udcff.py") == "%FF.py"


# GitHub: what a runner reads back, by the rules that it unescapes with.
COMMAND = re.compile(r"::(?P<level>error|notice) (?P<fields>[^:]*)::(?P<data>.*)\Z", re.DOTALL)


def unescape(text: str, more: bool) -> str:
    table = {"%0D": "\r", "%0A": "\n", "%25": "%"} | ({"%3A": ":", "%2C": ","} if more else {})
    return re.sub("%0D|%0A|%25|%3A|%2C" if more else "%0D|%0A|%25", lambda found: table[found[0]], text)


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(inventories())
def test_every_annotation_is_one_line_and_reads_back(inventory: Inventory) -> None:
    lines = github.commands(inventory).split("\n")[:-1]
    shown = []
    for line in lines:
        parsed = COMMAND.match(line)
        assert parsed is not None and "\r" not in line, line
        fields = dict(item.split("=", 1) for item in parsed["fields"].split(","))
        if "file" in fields:
            shown.append((parsed["level"], unescape(fields["file"], True), int(fields["line"])))
            assert ("col" in fields) == (fields["line"] == fields["endLine"])
    for level, decides, most in (("error", True, 10), ("notice", False, 9)):
        every = [("error" if decides else "notice", each.hit.path, each.hit.span.line) for each in inventory.findings
                 if each.refuses is decides]
        assert [each for each in shown if each[0] == level] == every[:most]
        cut = len(every) - most
        assert any(f"{cut} more like these were cut" in line for line in lines) == (cut > 0)


def test_an_annotation_by_hand() -> None:
    [line] = github.commands(findings(("a,b:c%.py", "import time\ntime.time()\n"))).splitlines()
    assert line == (
        "::error file=a%2Cb%3Ac%25.py,line=2,endLine=2,col=1,endColumn=10,title=clock-read%3A becomes a fixture or seam::"
        "time.time, called at import, reads the machine's clock. Instead: take the instant as an argument, or `now` from "
        "Seams; FakeClock in the property.")


# JSON and text.


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(inventories())
def test_json_is_canonical_and_counts_itself(inventory: Inventory) -> None:
    document = scan_json.document(inventory)
    assert json.loads(json.dumps(document)) == document
    assert document["summary"]["findings"] == len(document["findings"]) == (
        sum(document["summary"][name] for name in ("fixture", "never", "silence", "assertion")))
    assert document["summary"]["refusing"] == sum(each["refuses"] for each in document["findings"])
    assert (document["summary"]["refusing"] > 0) is inventory.refuses


def test_every_key_of_the_document_is_documented() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "scan.md").read_text("utf-8")
    document = scan_json.document(INVENTORY)
    for key in (*document, *document["summary"], *document["findings"][0]):
        assert f"`{key}`" in page or key == "schema", key


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(inventories())
def test_text_has_no_character_that_steers_a_terminal(inventory: Inventory) -> None:
    text = scan_text.text(inventory, colour=False)
    assert all(char.isprintable() or char == "\n" for char in text)


# How each rule reads. Sentences are written out by hand: what a reader has to be told is no business of the code.
PAIRS = (
    ("def test_a():\n    assert found == 3\n", "def test_a():\n    pass\n"),
    ("def test_a():\n    assert found == 3\n", "def test_a():\n    assert found is not None\n"),
    ("def test_a():\n    assert found == 3\n", "def test_a():\n    return\n    assert found == 3\n"),
    ("import pytest\n@pytest.mark.parametrize('n', [1, 2])\ndef test_a(n):\n    pass\n",
     "import pytest\n@pytest.mark.parametrize('n', [1])\ndef test_a(n):\n    pass\n"),
)
SILENT = """import pytest
@pytest.mark.skip
def test_a():
    pytest.xfail("x")
__test__ = False
"""
READS = {
    "assertion-removed": "the assertion `found == 3` is gone; nothing is claimed of the same thing",
    "assertion-loosened": "`found is not None` says less than `found == 3`, which stood there",
    "assertion-muted": "`found == 3` stands where it can no longer fail",
    "assertion-fewer-cases": "this parametrised test lost cases: `2`",
    "silence-skip": "pytest.mark.skip, bound at import, skips a test",
    "silence-xfail": "pytest.xfail expects a failure",
    "silence-collection": "__test__, bound at import, leaves tests out of the collection",
}


def about_tests() -> dict[str, Hit]:
    weaker = [hit for before, after in PAIRS
              for hit in weakened_in([("test_a.py", before.encode(), after.encode())])["test_a.py"]]
    assert len(weaker) == len(PAIRS)
    return {hit.rule.id: hit for hit in (*weaker, *silences.silences(parse(SILENT, "test_a.py")))}


def told(hit: Hit) -> Inventory:
    return Inventory(files=1, findings=(Finding(hit=hit, role=ROLES["test"]),))


def test_silences_and_assertions_say_what_was_and_what_is() -> None:
    hits = about_tests()
    assert {name: scan_text.says(hit) for name, hit in hits.items()} == READS
    assert hits.keys() == {rule.id for rule in (*silences.RULES, *assertions.RULES)}


@pytest.mark.parametrize("rule", READS)
def test_what_is_no_entropy_gets_no_advice_about_entropy(rule: str) -> None:
    hit = about_tests()[rule]
    [first, second, *_] = scan_text.text(told(hit), colour=False).splitlines()
    assert f"{rule}: {READS[rule]}" in first and second.strip() == hit.rule.seam
    [line] = github.commands(told(hit)).splitlines()
    assert line.endswith(f"::{READS[rule]}. Instead: {hit.rule.seam}.")
    [run] = sarif.document(told(hit), version="1.2.3")["runs"]
    assert run["results"][0]["message"]["text"].startswith(f"{READS[rule]}. ")
    shown = json.dumps([scan_text.text(told(hit), colour=False).splitlines()[:2], line, run["results"],
                        [row for row in run["tool"]["driver"]["rules"] if row["id"] == rule]])
    assert "must not run" not in shown and "becomes a fixture" not in shown
    document = scan_json.document(told(hit))
    assert document["findings"][0]["category"] is None and document["summary"][hit.rule.kind] == 1


@pytest.mark.parametrize("use", list(Use))
@pytest.mark.parametrize("rule", EVERY, ids=lambda rule: rule.id)
def test_every_rule_is_a_whole_sentence_in_every_format(rule: Rule, use: Use) -> None:
    span = Span(line=1, column=1, end_line=1, end_column=4)
    hit = Hit(path="a.py", span=span, rule=rule, expression="f()", name="m.f", scope="g", form="x", use=use, before="b")
    [run] = sarif.document(told(hit), version="1")["runs"]
    for text in (scan_text.says(hit), run["results"][0]["message"]["text"], github.commands(told(hit)).strip()):
        assert not any(bad in text for bad in ("{", "  ", ": :", ":::", ",.", ", .", "called.", "bound at import."))
    assert "entropy" not in rule.code or rule.category is not None and rule.category.value in (
        scan_text.text(told(hit), colour=False).splitlines()[1])
