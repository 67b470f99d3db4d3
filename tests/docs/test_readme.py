"""The README's snippet and transcript, and the fields of the record, against real runs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from oracle_rules.protocol import canonical

from . import pages

README = (pages.ROOT / "README.md").read_text("utf-8")


def masked(text: str) -> str:
    """Digests of Actions, which hang on this machine's interpreter, taken out."""
    return re.sub(r"\b[0-9a-f]{64}/\d+", "DIGEST", text)


def test_the_transcript_is_what_a_run_shows() -> None:
    shown = (pages.ROOT / "docs" / "transcript.txt").read_text("utf-8")
    assert masked(pages.load("transcript").transcript(README)) == masked(shown)
    assert [word for word in ("ACCEPT", "REJECT", "REFUSED") if word in shown] == ["ACCEPT", "REJECT", "REFUSED"]


class Demo:
    """The README's workspace, in a folder of its own."""

    def __init__(self, scratch: Path) -> None:
        self._script = pages.load("transcript")
        self._variables = self._script.environment(scratch)
        self._script.shell(self._script.snippets(README)["workspace"], scratch, self._variables)
        self.folder = scratch / "demo"

    def run(self, command: str, status: int) -> str:
        """What a command line prints, which has to end with this status."""
        printed: str = self._script.shell(command, self.folder, self._variables, expected=(status,))
        return printed

    def record(self, status: int) -> dict[str, Any]:
        """The record of a score."""
        found: dict[str, Any] = json.loads(self.run("oracle-rules score --format json", status))
        return found


@pytest.fixture
def demo(tmp_path: Path) -> Demo:
    return Demo(tmp_path)


def test_the_workspace_is_accepted_and_a_broken_source_is_rejected(demo: Demo) -> None:
    assert demo.record(0)["decision"] == "accept"
    source = demo.folder / "src" / "header.py"
    honest = source.read_text("utf-8")
    source.write_text(honest.replace(".strip()", ""), "utf-8")
    found = demo.record(1)
    assert (found["decision"], found["targets"][0]["counterexample"]["index"]) == ("reject", 1)
    assert [reason["code"] for reason in found["reasons"]] == ["property_failed"]
    assert demo.run("oracle-rules why //:header_name", 0).count("src/header.py") == 1
    replayed = json.loads(demo.run("oracle-rules replay //:header_name 2>/dev/null", 1))
    source.write_text(honest, "utf-8")
    _check_fields("verdict/v1", set(replayed))
    _check_fields("record/v1", _fields(found))
    assert demo.record(0)["summary"]["cached"] == 1


def test_the_cache_holds_what_its_page_says(demo: Demo) -> None:
    demo.run("oracle-rules score", 0)
    page = pages.texts()["docs/cache-and-replay.md"]
    cache = demo.folder.parent / "cache" / "oracle_rules"
    [history] = (cache / "history").iterdir()
    inputs = json.loads(history.read_text("utf-8"))[0]["inputs"]
    head, _, tail = page.partition("| Folder | Holds |")
    rows = [row.replace("…/NAME", "k8-fastbuild/bin/header_name") for row in
            re.findall(r"^\| `([^`|]+)` \|", head, re.MULTILINE)]
    used = {row: sum(path.startswith(row) for path in inputs) for row in rows}
    folder = "bazel-out/k8-fastbuild/bin/header_name.oracle"
    # This candidate locks no packages, and no case is drawn.
    assert {row for row, count in used.items() if not count} == {f"{folder}/deps.pex", f"{folder}/corpora/"}
    rest = {path for path in inputs if not path.startswith(tuple(rows))}
    assert rest == {"properties/header_name.py", "seeds/header_name.json", "src/header.py"}
    folders = {cell.strip("`/") for row in re.findall(r"^\| (`[^|]+`) \|", tail, re.MULTILINE) for cell in row.split(", ")}
    assert {path.name for path in cache.iterdir() if path.is_dir()} <= folders


def _fields(value: Any, prefix: str = "") -> set[str]:
    """The dotted names of every field, a case's own content left out."""
    if prefix.endswith("counterexample.case."):
        return set()
    found: set[str] = set()
    if isinstance(value, dict):
        for name, inner in value.items():
            found |= {prefix + name} | _fields(inner, f"{prefix}{name}.")
    elif isinstance(value, list):
        for inner in value:
            found |= _fields(inner, prefix.removesuffix(".") + "[].")
    return found


def _check_fields(schema: str, fields: set[str]) -> None:
    """The page's table of this document has exactly these fields."""
    page = pages.texts()["docs/record.md"]
    part = next(text for text in page.split("| Field | Is |") if f"| `oracle_rules/{schema}` |" in text)
    rows = [cell for row in re.findall(r"^\| (`[^|]+`) \|", part, re.MULTILINE) for cell in row.split(", ")]
    assert sorted(cell.strip("`") for cell in rows) == sorted(fields)


WRITE = pages.fences(pages.texts()["docs/write-a-property.md"])
FIRST = "class Rejected(ValueError):\n    pass\n\n\ndef parse_name(line):\n    name, colon, _ = line.partition(':')\n" \
        "    if not colon:\n        raise Rejected(line)\n    return name.strip().lower()\n"
POLL = "def poll(clock, transport):\n    status, body = transport.fetch('https://example.org/', b'')\n" \
       "    while status == 503:\n        clock.sleep(2)\n" \
       "        status, body = transport.fetch('https://example.org/', b'')\n    return status\n"


def test_the_properties_of_the_page_hold(demo: Demo) -> None:
    """With a candidate that is what the prose around them supposes; and not with one that is not."""
    properties = [body for language, body in WRITE if language == "python"]
    assert len(properties) == 2
    row = {"url": "https://example.org/", "request_body": "", "response_body": ""}
    exchanges = canonical.dumps([{**row, "response_status": 503}, {**row, "response_status": 200}]).decode()
    files = {
        "src/header.py": FIRST + "\n\ndef name(line):\n    return parse_name(line)\n", "src/poll.py": POLL,
        "properties/one.py": properties[0], "properties/two.py": properties[1], "fixtures/poll.json": exchanges,
        "seeds/one.json": '[{"line": "A: b", "name": "a"}, {"line": "none", "name": null}]',
        "seeds/two.json": '[{"status": 200}]',
        "fixtures/manifest.json": json.dumps({"poll.json": {
            "sha256": _sha256(exchanges), "origin": "human: test", "purpose": "one retry"}}),
        "BUILD.bazel": (demo.folder / "BUILD.bazel").read_text("utf-8") + "".join((
            'load("//oracle_rules:defs.bzl", "oracle_fixtures")\n',
            'oracle_fixtures(name = "fixtures", srcs = ["fixtures/poll.json"], manifest = "fixtures/manifest.json")\n',
            'oracle_property_test(name = "one", candidate = ":src", property = "properties/one.py", ',
            'seeds = "seeds/one.json")\n',
            'oracle_property_test(name = "two", candidate = ":src", property = "properties/two.py", ',
            'seeds = "seeds/two.json", fixtures = [":fixtures"])\n')),
    }
    for path, text in files.items():
        (demo.folder / path).parent.mkdir(exist_ok=True)
        (demo.folder / path).write_text(text, "utf-8")
    demo.run("git add . && git -c user.name=me -c user.email=me@example.org commit -q -m more", 0)
    assert demo.record(0)["properties"] == ["header_name", "one", "two"]
    (demo.folder / "src" / "poll.py").write_text(POLL.replace("sleep(2)", "sleep(3)"), "utf-8")
    assert demo.record(1)["properties"] == ["header_name", "one"]


def _sha256(text: str) -> str:
    import hashlib
    return hashlib.sha256(text.encode()).hexdigest()


def test_the_noxfile_of_the_page_registers_score(tmp_path: Path) -> None:
    [snippet] = [body for language, body in pages.fences(pages.texts()["docs/getting-started.md"])
                 if language == "python"]
    (tmp_path / "noxfile.py").write_text(snippet, "utf-8")
    script = pages.load("transcript")
    nox = f"PYTHONPATH='{pages.ROOT}' '{script.sys.executable}' -m nox --list"
    listed = script.shell(nox, tmp_path, {**script.environment(tmp_path)})
    assert "* score" in listed and "tests" not in listed.replace(str(tmp_path), "")
