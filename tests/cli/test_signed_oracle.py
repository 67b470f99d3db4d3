"""`oracle digest|sign|verify`, and a score that asks for signatures: real openssl keys, real files, real places."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from oracle_rules.trust.keys import parse_trust

from .kit import SOURCES, Ran, Repo, command, environment, make, oracle, workspace

ADA, BO = "Ada Lindqvist", "Bo Ek"
TODAY = ("--today", "2026-06-15")


def openssl(*words: str) -> str:
    """What the real openssl says."""
    return subprocess.run(["openssl", *words], capture_output=True, text=True, check=True).stdout


def new_key(place: Path) -> Path:
    """As docs/protect-the-oracle.md says it is made."""
    openssl("genpkey", "-algorithm", "ed25519", "-out", str(place))
    return place


@dataclass(frozen=True)
class Desk:
    """The caller's side: keys, a trust file for two people and their envelope over the oracle of the shared `main`."""

    top: Path
    repo: Repo
    cache: Path

    def trust(self, name: str = "trust.json", threshold: int = 2, **changes: Any) -> Path:
        """A trust file; `changes` are those of Bo's row."""
        rows = [{"name": person, "public_key": openssl("pkey", "-in", str(self.top / f"{person}.pem"), "-pubout"),
                 "valid_from": "2026-01-01", "valid_until": "2026-12-31", "revoked": False} for person in (ADA, BO)]
        rows[1] |= changes
        whole = {"schema": "oracle_rules/trust/v1", "role": "oracle", "threshold": threshold, "keys": rows}
        place = self.top / name
        place.write_text(json.dumps(whole))
        return place

    def key(self, person: str) -> str:
        return str(self.top / f"{person}.pem")

    def score(self, *words: str, cwd: Path | None = None) -> Ran:
        """Scores the honest patch."""
        given = ("score", "--base", "main", "--head", "good", "--cache-dir", str(self.cache), "--format", "json", *TODAY)
        return oracle(*given, *words, cwd=cwd or self.repo.top)

    def signed(self, *words: str, trust: Path | None = None, envelope: Path | None = None) -> Ran:
        """Scores and asks for signatures."""
        asked = ("--oracle-trust", str(trust or self.top / "trust.json"))
        return self.score(*asked, "--oracle-signature", str(envelope or self.top / "signed.json"), *words)


def sign(desk: Desk, *words: str, cwd: Path | None = None) -> str:
    """One run of `oracle sign` that has to work; the envelope."""
    ran = oracle("oracle", "sign", *words, cwd=cwd or desk.repo.top)
    assert ran.status == 0, ran.err
    return ran.out


@pytest.fixture(scope="module")
def desk(repo: Repo, cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """No test may change what is here already."""
    found = Desk(tmp_path_factory.mktemp("desk"), repo, cache)
    for person in (ADA, BO, "stranger"):
        new_key(found.top / f"{person}.pem")
    found.trust()
    (found.top / "first.json").write_text(sign(found, "--base", "main", "--key", found.key(ADA)))
    both = sign(found, "--base", "main", "--key", found.key(BO), "--add-to", str(found.top / "first.json"))
    (found.top / "signed.json").write_text(both)
    return found


def reason(ran: Ran) -> dict[str, Any]:
    """The one reason of a score that was not believed."""
    assert ran.status == 7 and ran.record["decision"] == "untrusted" and ran.record["bit"] == 0
    assert ran.record["targets"] == [] and ran.record["oracle"]["signed_by"] == []
    [found] = ran.record["reasons"]
    assert isinstance(found, dict)
    return found


def test_the_digest_is_that_of_the_document(desk: Desk) -> None:
    shown = oracle("oracle", "digest", "--base", "main", "--format", "json", cwd=desk.repo.top).out
    digest = oracle("oracle", "digest", "--base", "main", cwd=desk.repo.top).out
    assert digest == f"{hashlib.sha256(shown.encode()).hexdigest()}/{len(shown)}\n"
    assert {row["path"] for row in json.loads(shown)["files"]} == workspace().keys() - SOURCES.keys()
    for branch, same in (("good", True), ("red", True), ("edited", False)):
        assert (oracle("oracle", "digest", "--base", branch, cwd=desk.repo.top).out == digest) is same
    record = desk.score().record["oracle"]["digest"]
    assert f"{record['hash']}/{record['size_bytes']}\n" == digest


def test_signed_by_enough_people_it_judges(desk: Desk) -> None:
    ran = desk.signed()
    assert ran.status == 0 and ran.record["oracle"]["signed_by"] == [ADA, BO]
    plain = desk.score().record
    assert [t["action"] for t in ran.record["targets"]] == [t["action"] for t in plain["targets"]]
    assert plain["oracle"] == {**ran.record["oracle"], "signed_by": []}
    assert f"(base, signed by {ADA}, {BO})" in oracle(
        "score", "--base", "main", "--head", "good", "--cache-dir", str(desk.cache), *TODAY, "--oracle-trust",
        str(desk.top / "trust.json"), "--oracle-signature", str(desk.top / "signed.json"), cwd=desk.repo.top).out


def test_the_repro_command_asks_again_and_names_no_path(desk: Desk) -> None:
    record = desk.signed().record
    assert str(desk.top) not in json.dumps(record)
    line = record["repro"].replace("$ORACLE_TRUST", str(desk.top / "trust.json"))
    words = shlex.split(line.replace("$ORACLE_SIGNATURE", str(desk.top / "signed.json")))
    again = oracle(*words[1:], "--cache-dir", str(desk.cache), "--format", "json", *TODAY, cwd=desk.repo.top)
    assert again.status == 0 and again.record["oracle"] == record["oracle"]


def test_openssl_verifies_what_we_sign_and_we_verify_what_openssl_signs(desk: Desk, tmp_path: Path) -> None:
    import base64

    envelope = json.loads((desk.top / "signed.json").read_text())
    payload = base64.b64decode(envelope["payload"])
    message = tmp_path / "message"
    message.write_bytes(b"DSSEv1 28 application/vnd.in-toto+json %d %b" % (len(payload), payload))
    for person, row in zip((ADA, BO), envelope["signatures"], strict=True):
        (tmp_path / "sig").write_bytes(base64.b64decode(row["sig"]))
        said = openssl("pkeyutl", "-verify", "-rawin", "-inkey", desk.key(person), "-in", str(message), "-sigfile",
                       str(tmp_path / "sig"))
        assert "Verified Successfully" in said
        openssl("pkeyutl", "-sign", "-rawin", "-inkey", desk.key(person), "-in", str(message), "-out",
                str(tmp_path / "made"))
        row["sig"] = base64.b64encode((tmp_path / "made").read_bytes()).decode()
    (tmp_path / "by-openssl.json").write_text(json.dumps(envelope))
    assert desk.signed(envelope=tmp_path / "by-openssl.json").record["oracle"]["signed_by"] == [ADA, BO]


def test_without_a_signature_nothing_is_scored(desk: Desk) -> None:
    ran = desk.score("--oracle-trust", str(desk.top / "trust.json"))
    assert reason(ran)["code"] == "oracle_unsigned" and reason(ran)["row"] == "signature-absent"
    said = oracle("gate", "--base", "main", "--head", "good", "--oracle-trust", str(desk.top / "trust.json"), *TODAY,
                  cwd=desk.repo.top)
    assert said.status == 7 and "oracle_unsigned" in said.out


def test_a_signature_without_a_trust_file_is_no_question(desk: Desk) -> None:
    ran = desk.score("--oracle-signature", str(desk.top / "signed.json"))
    assert ran.status == 2 and "--oracle-trust" in ran.err


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"revoked": True}, f"not counted: {BO} (revoked)"),
        ({"valid_until": "2026-06-14"}, f"not counted: {BO} (not valid after 2026-06-14)"),
        ({"valid_from": "2026-06-16"}, f"not counted: {BO} (not valid before 2026-06-16)"),
        ({"valid_until": "2026-06-15"}, None),
    ],
)
def test_the_day_and_the_list_of_the_caller_decide(desk: Desk, changes: dict[str, Any], told: str | None) -> None:
    name = "-".join(map(str, *changes.items()))
    ran = desk.signed(trust=desk.trust(f"{name}.json", **changes))
    if told is None:
        assert ran.status == 0
    else:
        assert reason(ran)["code"] == "oracle_signature_invalid" and told in reason(ran)["detail"]


def test_one_signature_is_not_two(desk: Desk, tmp_path: Path) -> None:
    assert reason(desk.signed(envelope=desk.top / "first.json"))["row"] == "too-few-people"
    found = json.loads((desk.top / "first.json").read_text())
    found["signatures"] = [{**found["signatures"][0], "keyid": name} for name in ("a", "b")]
    (tmp_path / "twice.json").write_text(json.dumps(found))
    assert reason(desk.signed(envelope=tmp_path / "twice.json"))["row"] == "too-few-people"
    again = sign(desk, "--base", "main", "--key", desk.key(ADA), "--add-to", str(desk.top / "first.json"))
    assert len(json.loads(again)["signatures"]) == 1


def test_a_right_envelope_about_another_oracle(desk: Desk, tmp_path: Path) -> None:
    """Replayed from another revision, or another repository."""
    other = workspace() | {"seeds/clean.json": '[{"in": "b", "out": "b"}]'}
    repo = make(tmp_path / "other", other)
    first = sign(desk, "--key", desk.key(ADA), cwd=repo.top)
    (tmp_path / "one.json").write_text(first)
    (tmp_path / "two.json").write_text(sign(desk, "--key", desk.key(BO), "--add-to", str(tmp_path / "one.json"),
                                            cwd=repo.top))
    assert reason(desk.signed(envelope=tmp_path / "two.json"))["code"] == "oracle_digest_mismatch"
    signed_there = desk.score("--oracle", f"{repo.top}@main", "--oracle-trust", str(desk.top / "trust.json"),
                              "--oracle-signature", str(tmp_path / "two.json"))
    assert signed_there.status == 0 and signed_there.record["oracle"]["signed_by"] == [ADA, BO]
    assert signed_there.record["oracle"]["source"] == "separate"
    refused = oracle("oracle", "sign", "--base", "main", "--key", desk.key(BO), "--add-to", str(tmp_path / "one.json"),
                     cwd=desk.repo.top)
    assert refused.status == 2 and "is about" in refused.err and refused.out == ""


def test_a_statement_may_have_a_last_day(desk: Desk, tmp_path: Path) -> None:
    place = tmp_path / "short.json"
    place.write_text(sign(desk, "--base", "main", "--key", desk.key(ADA), "--expires", "2026-06-14"))
    trust = desk.trust("one.json", threshold=1)
    assert reason(desk.signed(trust=trust, envelope=place))["code"] == "oracle_signature_expired"
    assert desk.signed("--today", "2026-06-14", trust=trust, envelope=place).status == 0
    for words in (("--expires", "soon"), ("--expires", "2026-12-31", "--add-to", str(place))):
        assert oracle("oracle", "sign", "--key", desk.key(ADA), *words, cwd=desk.repo.top).status == 2


@pytest.mark.parametrize("data", [b"", b"{}", b"x" * (300 << 10), b'{"payload": "", "payloadType": "", "signatures": []}'])
def test_nonsense_in_place_of_an_envelope(desk: Desk, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "e.json").write_bytes(data)
    assert reason(desk.signed(envelope=tmp_path / "e.json"))["code"] == "oracle_signature_invalid"


def test_verify_says_who_signed(desk: Desk) -> None:
    words = ("oracle", "verify", "--base", "main", "--trust", str(desk.top / "trust.json"), *TODAY)
    ran = oracle(*words, str(desk.top / "signed.json"), cwd=desk.repo.top)
    digest = oracle("oracle", "digest", "--base", "main", cwd=desk.repo.top).out.strip()
    assert (ran.status, ran.out) == (0, f"{digest} is signed by {ADA}, {BO}\n")
    ran = oracle(*words, str(desk.top / "first.json"), cwd=desk.repo.top)
    assert ran.status == 7 and ran.out.startswith("oracle_signature_invalid: 1 of the 2") and ran.err
    elsewhere = (*words[:2], "--oracle", f"{desk.repo.top}@main", *words[4:], str(desk.top / "signed.json"))
    assert oracle(*elsewhere, cwd=desk.top).status == 0


def test_files_of_the_candidate_are_not_the_callers(desk: Desk, tmp_path: Path) -> None:
    """Neither a file in the work tree nor any link in it may decide what is trusted."""
    repo = make(tmp_path / "code")
    trust, envelope = desk.top / "trust.json", desk.top / "signed.json"
    words = ("score", "--base", "main", "--head", "good", "--cache-dir", str(desk.cache), "--format", "json", *TODAY)

    def score(trust_at: Path | str, envelope_at: Path | str = envelope) -> Ran:
        return oracle(*words, "--oracle-trust", str(trust_at), "--oracle-signature", str(envelope_at), cwd=repo.top)

    (repo.top / "trust.json").write_bytes(trust.read_bytes())
    (repo.top / "signed.json").write_bytes(envelope.read_bytes())
    (repo.top / "sub").mkdir()
    (repo.top / "sub" / "link.json").symlink_to(trust)
    (repo.top / "hop").symlink_to(desk.top)
    (tmp_path / "in").symlink_to(repo.top / "sub")
    (tmp_path / "over").symlink_to(repo.top / "hop")
    (tmp_path / "outside").symlink_to(desk.top)
    inside = ("trust.json", "./sub/../trust.json", repo.top / ".git" / "config", "sub/link.json", "hop/trust.json",
              tmp_path / "in" / "link.json", tmp_path / "over" / "trust.json", "../code/trust.json")
    for place in inside:
        ran = score(place)
        assert ran.status == 2 and "lies in the repository" in ran.err, (place, ran.err)
    assert score(trust, "signed.json").status == 2
    (tmp_path / "near.json").write_bytes(trust.read_bytes())
    for place in (trust, tmp_path / "outside" / "trust.json", "../near.json"):
        assert score(place).status == 0, place


def test_who_may_write_the_oracle_does_not_say_whose_signatures_count(desk: Desk, tmp_path: Path) -> None:
    repo = make(tmp_path / "apart", workspace())
    (repo.top / "trust.json").write_bytes((desk.top / "trust.json").read_bytes())
    (repo.top / "signed.json").write_bytes((desk.top / "signed.json").read_bytes())
    words = ("--oracle", f"{repo.top}@main", "--oracle-signature", str(repo.top / "signed.json"), "--oracle-trust")
    ran = desk.score(*words, str(repo.top / "trust.json"))
    assert ran.status == 2 and "lies in the repository" in ran.err
    assert desk.score(*words, str(desk.top / "trust.json")).status == 0


@pytest.mark.parametrize("kind", ["absent", "folder", "pipe", "loop", "group", "others", "locked", "rsa", "inside"])
def test_a_key_file_that_is_not_taken(desk: Desk, tmp_path: Path, kind: str) -> None:
    place = new_key(tmp_path / "key.pem")
    assert place.stat().st_mode & 0o777 == 0o600
    changes: dict[str, Callable[[], Any]] = {
        "absent": place.unlink,
        "folder": lambda: (place.unlink(), place.mkdir()),
        "pipe": lambda: (place.unlink(), os.mkfifo(place, 0o600)),
        "loop": lambda: (place.unlink(), place.symlink_to(place)),
        "group": lambda: place.chmod(0o640),
        "others": lambda: place.chmod(0o602),
        "locked": lambda: place.write_text(openssl("pkey", "-in", str(place), "-aes256", "-passout", "pass:x")),
        "rsa": lambda: openssl("genpkey", "-algorithm", "rsa", "-quiet", "-out", str(place)),
        "inside": lambda: None,
    }
    changes[kind]()
    cwd = make(tmp_path / "repo").top if kind == "inside" else desk.repo.top
    if kind == "inside":
        place = place.rename(cwd / "key.pem")
    ran = oracle("oracle", "sign", "--key", str(place), cwd=cwd)
    assert ran.status == 2 and ran.out == "" and "key.pem" in ran.err, ran.err
    if kind in ("group", "others"):
        assert "chmod 600" in ran.err
        place.chmod(0o600)
        assert sign(desk, "--key", str(place))


def test_an_oracle_that_is_not_whole_is_not_signed(desk: Desk, tmp_path: Path) -> None:
    """A group of fixtures may name a file that is nowhere when sources may be elsewhere."""
    files = workspace()
    files["BUILD.bazel"] = files["BUILD.bazel"].replace('srcs = ["fixtures/limits.json"]', 'srcs = [":group"]')
    files["BUILD.bazel"] += 'filegroup(name = "group", srcs = ["fixtures/limits.json", "fixtures/gone.json"])\n'
    repo = make(tmp_path / "repo", files)
    ran = oracle("oracle", "sign", "--key", desk.key(ADA), cwd=repo.top)
    assert ran.status == 3 and "fixtures/gone.json" in ran.err
    assert '"kind":"absent"' in oracle("oracle", "digest", "--format", "json", cwd=repo.top).out
    repo.commit({"fixtures/gone.json": "{}"})
    assert sign(desk, "--key", desk.key(ADA), cwd=repo.top)


def test_the_commands_of_the_page_work_in_its_order(desk: Desk, tmp_path: Path) -> None:
    """What docs/protect-the-oracle.md shows, run as it stands there, with the keys that it makes."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "protect-the-oracle.md").read_text("utf-8")
    lines = [line[2:] for line in page.partition("## Ask for signatures")[2].splitlines() if line.startswith("$ ")]
    repo = make(tmp_path / "repo")
    repo.git("branch", "candidate", "good")
    program = f"oracle-rules() {{ {shlex.join(command())} \"$@\"; }}\n"
    env = environment(XDG_CACHE_HOME=str(tmp_path / "cache"))

    def run(line: str) -> str:
        done = subprocess.run(["bash", "-c", program + line], cwd=repo.top, env=env, capture_output=True, text=True,
                              check=False)
        assert done.returncode == 0, (line, done.stderr)
        return done.stdout

    made = {name: run("; ".join(lines[:2]).replace("ada.pem", f"{name}.pem")) for name in ("ada", "bo")}
    trust = json.loads(page.partition("```json\n")[2].partition("```")[0])
    assert parse_trust(json.dumps(trust).encode(), path="the page").threshold == 2
    for row, public in zip(trust["keys"], made.values(), strict=True):
        row["public_key"] = public
    (tmp_path / "trust.json").write_text(json.dumps(trust))
    shown = [run(f"{line} --today 2026-06-15" if " verify " in line or " score " in line else line)
             for line in lines[2:]]
    assert shown[3].endswith(" is signed by Ada Lindqvist, Bo Ek\n") and "\nACCEPT " in shown[4]


@pytest.mark.parametrize(
    "words",
    [(), ("digest", "--base", "main", "--oracle", ".@main"), ("sign",), ("verify", "x"), ("digest", "--base", "absent"),
     ("digest", "--oracle", "https://example.org/o@main")],
)  # fmt: skip
def test_questions_that_are_none(desk: Desk, words: tuple[str, ...]) -> None:
    ran = oracle("oracle", *words, cwd=desk.repo.top)
    assert ran.status == 2 and ran.out == "" and ran.err.startswith("oracle-rules: usage: ")


def test_a_broken_envelope_is_called_by_its_file_where_one_was_named(desk: Desk, tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    words = ("oracle", "verify", "--base", "main", "--trust", str(desk.top / "trust.json"), *TODAY)
    ran = oracle(*words, str(broken), cwd=desk.repo.top)
    assert ran.status == 7 and f"{broken}:1:2" in ran.out
    # A record names no path of a machine.
    assert "oracle signature:1:2" in reason(desk.signed(envelope=broken))["detail"]
