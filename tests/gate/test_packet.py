"""The merge packet: its order, its digests by hand, what it bounds, and that nothing in a patch can hide or break out."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.asking.merge import Merge
from oracle_rules.gate.author import Author
from oracle_rules.gate.packet import MOST_FILES, document
from oracle_rules.protocol import canonical
from oracle_rules.report.packet_markdown import LIMIT, packet_markdown
from oracle_rules.report.packet_text import packet_text
from oracle_rules.scm import Mode

from .sides import BUILD, DOMAIN, NEW, OLD, PROPERTY, fixture, frozen, gated, ledger, workspace


def packet(before: Mapping[str, bytes], after: Mapping[str, bytes], author: Author = Author.HUMAN, *,
           need_people: bool = False, modes: Mapping[str, Mode] | None = None) -> dict[str, Any]:
    questions = gated(before, after, author, modes)
    assert questions.gated is not None
    merge = Merge(questions._subject, questions.gated, questions.findings, author=author, need_people=need_people)
    return document(merge.packet([], today=None))


CHANGED: dict[str, Any] = {
    "domain_lock.json": json.dumps({"p": DOMAIN | {"max_size": 9}}),
    "fixtures/manifest.json": json.dumps({"a.json": fixture(NEW, purpose="since May")}), "fixtures/a.json": NEW,
    "freeze.json": ledger(frozen(expires="2026-01-15")), "seeds/p.json": "[1, 2, 3]", "noxfile.py": "import nox\n",
    "src/a.py": "def f():\n    return 2\n", "aaa.txt": "first of all\n",
}  # fmt: skip


@pytest.mark.parametrize("author", Author)
def test_the_order_is_fixed(author: Author) -> None:
    found = packet(workspace(), workspace(**CHANGED), author)
    assert [(each["kind"], each["path"]) for each in found["core"]] == [
        ("domain lock", "domain_lock.json"), ("fixture manifest", "fixtures/manifest.json"),
        ("freeze ledger", "freeze.json")]
    assert all(each["change"]["lines"] for each in found["core"])
    assert [each["path"] for each in found["rest"]["files"]] == ["seeds/p.json", "fixtures/a.json", "noxfile.py"]
    assert [each["path"] for each in found["production"]["files"]] == ["src/a.py", "aaa.txt"]
    sections = ["== core", "== oracle", "== fingerprints", "== findings", "== allowed", "== owners", "== production"]
    shown = [each for each in sections if each in packet_text(found)]
    assert shown == [each for each in sections if each != ("== findings" if author is Author.HUMAN else "== allowed")]
    for text, names in ((packet_text(found), shown), (packet_markdown(found), [
            "### What says what is evidence", "### Oracle", "### Fingerprints", "### Production", "### Owners",
            "### Again"])):
        places = [text.index(name) for name in names]
        assert places == sorted(places)
        files = [text.index(path) for path in ("domain_lock.json", "manifest.json", "freeze.json", "seeds/p.json")]
        assert files == sorted(files)
        assert text.rindex("src/a.py") > files[-1]


def test_what_did_not_change_is_said_to_be_unchanged() -> None:
    found = packet(workspace(), workspace(**{"src/a.py": ""}), Author.AGENT)
    assert [each["change"] for each in found["core"]] == [None, None, None]
    assert (found["decision"], found["exit"], found["findings"], found["rest"]["files"]) == (
        "clear", 0, {"rows": [], "cut": 0}, [])
    assert "domain lock domain_lock.json: unchanged" in packet_text(found)
    assert "it has not been judged" in packet_text(found) and "it has not been judged" in packet_markdown(found)
    assert all(each["before"] == each["after"] for each in found["fingerprints"]["rows"])


def sha(data: bytes | str) -> str:
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def fingerprint(**domain: Any) -> str:
    """As the page on artifacts says it: SHA-256 of the sorted JSON with its name, and a line feed."""
    return sha(json.dumps({"p": DOMAIN | domain}, sort_keys=True, separators=(",", ":")) + "\n")


def test_fingerprints_are_those_of_the_bytes() -> None:
    before, after = workspace(), workspace(**CHANGED)
    rows = {(each["kind"], each["subject"]): (each["before"], each["after"])
            for each in packet(before, after)["fingerprints"]["rows"]}
    for kind, path in (("domain_locks", "domain_lock.json"), ("manifests", "fixtures/manifest.json"),
                       ("fixtures", "fixtures/a.json"), ("ledgers", "freeze.json"), ("seeds", "seeds/p.json"),
                       ("seeds", "seeds/z.json")):
        assert rows.pop((kind, path)) == (sha(before[path]), sha(after[path]))
    assert rows.pop(("domain", "domain_lock.json:p")) == (fingerprint(), fingerprint(max_size=9))
    whole = rows.pop(("oracle", ""))
    assert whole[0] != whole[1] and rows == {}


def test_a_new_corpus_has_no_digest_before_and_an_unreadable_lock_no_domains() -> None:
    other = 'oracle_property_test(name = "q", property = "properties/q.py", candidate = ":src", seeds = "seeds/q.json")'
    found = packet(workspace(), workspace(**{"BUILD.bazel": BUILD + other, "seeds/q.json": "[1]", "properties/q.py": PROPERTY,
                                             "domain_lock.json": "{"}))
    rows = {(each["kind"], each["subject"]): (each["before"], each["after"]) for each in found["fingerprints"]["rows"]}
    assert rows["seeds", "seeds/q.json"] == (None, sha("[1]"))
    assert rows["domain", "domain_lock.json:p"] == (fingerprint(), None)
    assert (found["decision"], found["exit"]) == ("refused", 4)


def test_declarations_that_cannot_be_read_are_shown_with_bases() -> None:
    found = packet(workspace(), workspace(**{"BUILD.bazel": "oops("}))
    assert [each["code"] for each in found["findings"]["rows"]] == ["artifact_malformed"]
    assert [each["path"] for each in found["rest"]["files"]] == ["BUILD.bazel"]


def test_links_submodules_and_bytes_that_are_no_text() -> None:
    after = workspace(**{"src/link.py": "a.py", "lib": "0" * 40, "src/data.bin": b"\0\1", "src/mode.py": ""})
    modes = {"src/link.py": Mode.LINK, "lib": Mode.GITLINK}
    found = packet(workspace(**{"src/mode.py": ""}), after, Author.AGENT, modes=modes | {"src/mode.py": Mode.EXECUTABLE})
    files = {each["path"]: each for part in ("rest", "production") for each in found[part]["files"]}
    assert files["src/link.py"]["lines"][-2:] == ["+a.py", "\\ no line feed at the end"]
    assert files["lib"]["after"]["oid"] == "0" * 40
    assert (files["src/data.bin"]["form"], files["src/data.bin"]["after"]["sha256"]) == ("binary", sha(b"\0\1"))
    assert (files["src/mode.py"]["form"], files["src/mode.py"]["after"]["mode"]) == ("same", "100755")
    assert "not text" in packet_text(found)


def test_a_flood_is_bounded_and_counted() -> None:
    more = {f"src/a{number:04}.py": "x = 1\n" * 300 for number in range(MOST_FILES + 50)}
    found = packet(workspace(), workspace(**more, **{"seeds/p.json": json.dumps(list(range(3000)))}), Author.AGENT)
    assert (len(found["production"]["files"]), found["production"]["cut"]) == (MOST_FILES, 50)
    assert sum(len(each["lines"]) for each in found["production"]["files"]) <= 2000
    assert all(len(each["lines"]) + each["cut_lines"] == 301 for each in found["production"]["files"])
    assert "... and 50 more files" in packet_text(found)
    said = packet_markdown(found)
    assert len(said.encode()) <= LIMIT
    assert "more entries under \"Production\" do not fit" in said or "50 more are not in the packet" in said
    assert "seeds/p.json" in said and "seed_rewritten" in said and "domain_lock.json" in said


def outside(text: str) -> str:
    """What of a comment is not code: fences and spans taken out by the rules of CommonMark, written here."""
    kept, fence = [], ""
    for line in text.split("\n"):
        ticks = re.match(r"`{3,}", line)
        if fence:
            if ticks and len(ticks[0]) >= len(fence) and not line.strip("`"):
                fence = ""
        elif ticks and "`" not in line[len(ticks[0]):]:
            fence = ticks[0]
        else:
            kept.append(re.sub(r"(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)", "", line))
    assert not fence
    return "\n".join(kept)


HOSTILE = st.text(st.sampled_from("`@<>[]()!*_#|\\\n\t\u202e\u200b\x1b\u2028 ax"), max_size=30)


@given(st.lists(HOSTILE, min_size=3, max_size=3), st.integers(8_000, 20_000), st.integers(0, 300))
@settings(max_examples=30, deadline=None)
def test_nothing_of_a_patch_stands_outside_of_code_and_the_size_holds(
    texts: list[str], limit: int, repeated: int
) -> None:
    name = "src/" + (texts[0].replace("\n", "").replace("/", "") or "x") + ".txt"
    after = workspace(**{name: texts[1] * (repeated + 1), "seeds/p.json": json.dumps([1, 2, texts[2]]),
                         "fixtures/manifest.json": json.dumps({"a.json": fixture(purpose=texts[2] + "x" * repeated)}),
                         "properties/p.py": PROPERTY + f"# {texts[1]!a}\n"})
    for author in Author:
        found = packet(workspace(), after, author)
        text, said = packet_text(found), packet_markdown(found, limit=limit)
        assert len(said.encode()) <= limit
        assert not set("@<>|\x1b\u202e\u200b\u2028") & set(outside(said)), outside(said)
        assert not set("\x1b\u202e\u200b\u2028") & set(text)
        assert canonical.dumps(found) == canonical.dumps(packet(workspace(), after, author))


@pytest.mark.parametrize(("text", "unowned", "expected"), [
    (None, True, ["codeowners_missing"]),
    ("* @ada\n", False, []),
    ("* @org/bots\n", True, ["codeowners_missing"] * 10),
    ("* @ada\n/seeds/\n", True, ["codeowners_missing"] * 2),
])  # fmt: skip
def test_codeowners_is_shown_always_and_decides_when_asked(text: str | None, unowned: bool, expected: list[str]) -> None:
    base = workspace(**({} if text is None else {"CODEOWNERS": text}))
    after = base | {"src/a.py": b""}
    shown, asked = packet(base, after), packet(base, after, need_people=True)
    assert (shown["findings"]["rows"], shown["exit"]) == ([], 0)
    assert [each["code"] for each in asked["findings"]["rows"]] == expected
    assert asked["exit"] == (4 if expected else 0)
    assert bool(shown["protection"]["unowned"]) == unowned
    assert "owners ==" in packet_text(shown)


def test_it_is_the_file_of_base_that_counts_and_the_first_place_that_has_one() -> None:
    base = workspace(**{".github/CODEOWNERS": "* @ada\n", "CODEOWNERS": "/seeds/ @my-bot\n"})
    found = packet(base, base | {".github/CODEOWNERS": b"* @my-bot\n"}, Author.AGENT, need_people=True)
    assert found["protection"]["codeowners"] == ".github/CODEOWNERS"
    assert (found["protection"]["others"], found["protection"]["unowned"]) == (["CODEOWNERS"], 0)
    assert [each["code"] for each in found["findings"]["rows"]] == [
        "oracle_edit_forbidden", "codeowners_changed"]


def test_old_and_new_bytes_are_both_there() -> None:
    found = packet(workspace(), workspace(**{"fixtures/a.json": NEW}), Author.AGENT)
    (file,) = found["rest"]["files"]
    assert (file["before"]["sha256"], file["after"]["sha256"]) == (sha(OLD), sha(NEW))
    assert file["lines"] == ["@@ -1 +1 @@", '-{"most":9}', '+{"most":10}']


@pytest.mark.parametrize("form", [packet_text, packet_markdown])
def test_a_lawful_step_is_not_told_with_the_reason_against_others(form: Callable[[dict[str, Any]], str]) -> None:
    after = workspace(**{"seeds/p.json": "[1, 2, 3]"})
    told = form(packet(workspace(), after))
    assert "held to the laws of the seed lane" in told and "case 2 is new: 3" in told
    assert "a committed case is evidence" not in told and "rewritten" not in told
    agents = form(packet(workspace(), after, Author.AGENT))
    assert "a committed case is evidence" in agents and "held to the laws" not in agents


def test_an_edit_of_the_oracle_comes_first_as_in_a_score() -> None:
    after = workspace(**{"seeds/p.json": "[1, 3]", "BUILD.bazel": BUILD + "# more\n"})
    found = packet(workspace(), after, Author.AGENT)
    rows = found["findings"]["rows"]
    assert [each["code"] for each in rows] == ["oracle_edit_forbidden", "build_changed", "seed_rewritten"]
    assert rows[0]["detail"] == "BUILD.bazel, seeds/p.json"
    for told in (packet_text(found), packet_markdown(found)):
        assert told.index("oracle_edit_forbidden") < told.index("build_changed") < told.index("seed_rewritten")
    # A person's broken law is no edit of the oracle by an agent.
    assert [each["code"] for each in packet(workspace(), after)["findings"]["rows"]] == ["seed_rewritten"]


def test_a_case_that_is_there_twice_is_refused_and_nowhere_called_new() -> None:
    found = packet(workspace(), workspace(**{"seeds/p.json": "[1, 2, 1]"}))
    assert [each["row"] for each in found["findings"]["rows"]] == ["seed-duplicate"]
    assert found["allowed"]["rows"] == []


def test_ids_of_git_are_told_from_digests() -> None:
    told = packet_text(packet(workspace(), workspace(**{"seeds/p.json": "[1, 2, 3]"})))
    assert re.search(r"git object [0-9a-f]{12} to [0-9a-f]{12}", told)
    assert f"sha256:{sha('[1, 2]')}" in told


def test_the_packet_says_whose_oracle_it_is() -> None:
    found = packet(workspace(), workspace(**{"src/a.py": ""}))
    assert "oracle    " not in packet_text(found) and ", oracle " not in packet_markdown(found)
    found["oracle"] = found["oracle"] | {"source": "separate", "signed_by": ["Ada\x1b"]}
    for told in (packet_text(found), packet_markdown(found)):
        assert "bbbbbbbbbbbb of another repository, signed by Ada" in told and "\x1b" not in told
