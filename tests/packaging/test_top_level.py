"""What a stranger and a release meet at the top of the repository."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_fragments_are_named_by_kind_and_say_something() -> None:
    found = [path for path in (ROOT / "changelog.d").iterdir() if path.name != "README.md"]
    assert found
    for path in found:
        assert re.fullmatch(r"[a-z0-9-]+\.(added|changed|fixed|removed|security)\.md", path.name), path.name
        text = path.read_text("utf-8")
        assert text.strip().endswith(".") and text.endswith("\n"), path.name


def test_the_ci_script_can_run() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    subprocess.run(["bash", "-n", str(script)], check=True)
    text = script.read_text("utf-8")
    assert "set -euo pipefail" in text
    assert "--require-hashes" in text
    assert re.search(r"nox -s tests$", text, re.MULTILINE)


def test_bazel_finds_our_name() -> None:
    assert 'workspace(name = "oracle_rules")' in (ROOT / "WORKSPACE").read_text("utf-8")


def test_the_licence_is_there() -> None:
    assert "Apache License\n                           Version 2.0" in (ROOT / "LICENSE").read_text("utf-8")
