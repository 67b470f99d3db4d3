"""Real Nox over real noxfiles: ours, and one of a project that registers our sessions."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from oracle_rules import nox_sessions

ROOT = Path(__file__).resolve().parents[2]


def nox(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "nox", *words],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1", **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def project(folder: Path, call: str) -> Path:
    """A project whose noxfile makes this call, with one test that looks at its environment."""
    head = f"import sys; sys.path.insert(0, {str(ROOT)!r})\nfrom oracle_rules.nox_sessions import register\n"
    (folder / "noxfile.py").write_text(head + call + "\n")
    (folder / "test_it.py").write_text(
        "import os\ndef test_it():\n    assert 'PATH' in os.environ and os.environ['LANG'] == 'C.UTF-8'\n"
        "    assert 'A_SECRET' not in os.environ and 'PYTHONPATH' not in os.environ\n"
    )
    return folder


def sessions(folder: Path) -> dict[str, str]:
    """What `nox --list` shows: name to description."""
    shown = nox(folder, "--list").stdout
    return dict(re.findall(r"^[*-] (\S+)(?: -> (.*))?$", shown, re.MULTILINE))


def test_each_session_of_ours_says_what_it_is_for() -> None:
    listed = sessions(ROOT)
    assert {"score", "tests", "lint", "types", "lock", "bench"} <= set(listed)
    for name, text in listed.items():
        assert text, f"{name} has no docstring"
        assert text == (nox_sessions.SESSIONS[name].__doc__ or "").splitlines()[0]
        assert re.match(r"[A-Z].*\.\Z", text), text


def test_score_is_what_runs_when_nothing_is_named() -> None:
    listed = nox(ROOT, "--list").stdout
    assert re.findall(r"^\* (\S+)", listed, re.MULTILINE) == ["score"]


def test_a_project_registers_sessions_under_its_own_names(tmp_path: Path) -> None:
    folder = project(
        tmp_path, "register('tests', 'score', prefix='oracle-', arguments={'tests': ['-q', 'test_it.py']})"
    )
    assert list(sessions(folder)) == ["oracle-tests", "oracle-score"]
    done = nox(folder, "-s", "oracle-tests", A_SECRET="x", PYTHONPATH=str(tmp_path))
    assert "1 passed" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0
    failing = nox(folder, "-s", "oracle-tests", "--", "no_such_file.py")
    assert failing.returncode == 1
    assert "pytest no_such_file.py" in failing.stderr


def test_an_unknown_session_is_refused() -> None:
    with pytest.raises(ValueError, match="no session named brew; there are score"):
        nox_sessions.register("brew")
    with pytest.raises(ValueError, match="no session named brew"):
        nox_sessions.register("score", arguments={"brew": []})


def test_an_environment_lives_as_long_as_its_lock(tmp_path: Path) -> None:
    wanted = {"pytest", "iniconfig", "packaging", "pluggy", "pygments"}
    blocks = re.split(r"^(?=[a-z0-9])", (ROOT / "requirements.lock").read_text("utf-8"), flags=re.MULTILINE)
    lock = tmp_path / "some.lock"
    lock.write_text("".join(block for block in blocks if block.partition("==")[0] in wanted))
    folder = project(
        tmp_path, "register('tests', lock='some.lock', arguments={'tests': ['-q', '-p', 'no:cacheprovider']})"
    )

    def environments() -> list[Path]:
        return sorted((folder / ".nox").glob("locked-*"))

    first = nox(folder, "-s", "tests")
    assert (first.returncode, "some.lock is new here" in first.stderr) == (0, True), first.stdout + first.stderr
    (made,) = environments()
    (made / "mark").touch()
    second = nox(folder, "-s", "tests")
    assert (second.returncode, "is new here" in second.stderr) == (0, False)
    assert (made / "mark").exists()
    with lock.open("a") as stream:
        stream.write("# another lock\n")
    third = nox(folder, "-s", "tests")
    assert (third.returncode, "some.lock is new here" in third.stderr) == (0, True)
    (rebuilt,) = environments()
    assert rebuilt != made
    lock.write_text("pytest==9.2.0\n")
    unhashed = nox(folder, "-s", "tests")
    assert unhashed.returncode == 1
    assert "hash" in unhashed.stderr.lower()


def test_the_environment_of_programs_is_named_not_inherited() -> None:
    outer = {"PATH": "/bin", "HOME": "/h", "PYTHONHASHSEED": "1", "LC_ALL": "de_DE", "PIP_INDEX_URL": "x", "TZ": "Asia/Tokyo",
             "https_proxy": "p", "LD_PRELOAD": "x", "PEX_ROOT": "x", "GIT_DIR": "x"}  # fmt: skip
    assert nox_sessions.clean_environment(outer) == {
        "PATH": "/bin",
        "HOME": "/h",
        "PIP_INDEX_URL": "x",
        "https_proxy": "p",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "PYTHONUTF8": "1",
    }


def test_score_ends_with_the_status_of_score(tmp_path: Path) -> None:
    folder = project(tmp_path, "register(arguments={'score': ['--base', 'no-such-revision']})")
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "first"]):
        names = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(
            ["git", *names, *words], cwd=folder, check=True, env={**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null"}
        )
    done = nox(folder, "-s", "score")
    assert "no-such-revision" in done.stderr
    assert (done.returncode, done.stdout) == (2, "")  # Nox alone would say 1
    empty = nox(folder, "-s", "score", "--", "--base", "HEAD", "--worktree")
    assert (empty.returncode, "nothing_to_score" in empty.stderr) == (6, True)
