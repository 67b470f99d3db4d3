"""What the tests of this room share: a process to fill in, and a sandbox as seen by root and by an ordinary user."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import oracle_rules
from oracle_rules.errors import Malfunction
from oracle_rules.execution.sandbox import Bind, Ending, Limits, Link, Process, Spawner, Tmpfs
from oracle_rules.execution.sandbox.request import tree_of

PYTHON = "/usr/bin/python3"
STRANGER = 54321  # an ordinary uid that nobody has
IDENTITIES = ("root", "user") if os.geteuid() == 0 else ("user",)

LIMITS: dict[str, int] = {
    "wall_ms": 15_000, "cpu_seconds": 5, "memory_bytes": 256 << 20, "processes": 8, "file_bytes": 8 << 20,
    "open_files": 64, "output_bytes": 1 << 16,
}  # fmt: skip
ENV = {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "TZ": "UTC"}


def program(code: str, *, name: str = "p", argv: tuple[str, ...] = (), limits: dict[str, int] | None = None,
            binds: tuple[Bind, ...] = (), env: dict[str, str] | None = None, **fields: Any) -> Process:  # fmt: skip
    """A process that runs `code` under the system's Python."""
    given: dict[str, Any] = {
        "cwd": "/tmp",
        "tmpfs": (Tmpfs(target="/tmp", size_bytes=1 << 20, inodes=64),),
        "links": (("/lib", "usr/lib"), ("/lib64", "usr/lib64"), ("/bin", "usr/bin")),
    }
    return Process(
        name=name, argv=argv or (PYTHON, "-s", "-S", "-B", "-c", code), env=tuple((env or ENV).items()),
        binds=(Bind(source="/usr", target="/usr"), *binds), limits=Limits(**{**LIMITS, **(limits or {})}),
        **{**given, **fields},
    )  # fmt: skip


class Somebody:
    """A spawner under an identity. An ordinary user gets a copy of the package where he can read it."""

    def __init__(self, identity: str) -> None:
        self.identity = identity
        self._local: Spawner | None = None
        self._remote: subprocess.Popen[str] | None = None
        self._home = ""

    def __enter__(self) -> Somebody:
        if self.identity == "root" or os.geteuid() != 0:
            self._local = Spawner().__enter__()
            return self
        self._home = readable_folder()
        package = Path(oracle_rules.__file__).parent
        target = Path(self._home, "oracle_rules")
        shutil.copytree(package / "execution" / "sandbox", target / "execution" / "sandbox")
        for name in ("__init__.py", "errors.py"):
            shutil.copy(package / name, target / name)
        (target / "execution" / "__init__.py").write_text("")
        shutil.copy(Path(__file__).with_name("driver.py"), self._home)
        interpreter = sys.executable if _reachable(sys.executable) else PYTHON
        self._remote = subprocess.Popen(
            [interpreter, "-I", "-B", f"{self._home}/driver.py", self._home],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, user=STRANGER, group=STRANGER,
            extra_groups=[27, STRANGER], cwd="/",
        )  # fmt: skip
        return self

    def __exit__(self, *_: object) -> None:
        if self._local is not None:
            self._local.close()
        if self._remote is not None:
            assert self._remote.stdin is not None
            self._remote.stdin.close()
            self._remote.wait(20)
            assert self._remote.stdout is not None
            self._remote.stdout.close()
            shutil.rmtree(self._home)

    def ask(self, request: object) -> Any:
        """One request to the other identity's driver."""
        assert self._remote is not None
        assert self._remote.stdin is not None
        assert self._remote.stdout is not None
        self._remote.stdin.write(json.dumps(request) + "\n")
        self._remote.stdin.flush()
        return json.loads(self._remote.stdout.readline())

    def run(self, *processes: Process, links: Sequence[Link] = (), wall_ms: int = 15_000,
            primary: str | None = None) -> tuple[Ending, ...]:  # fmt: skip
        """`Spawner.run`, whoever we are."""
        if self._local is not None:
            return self._local.run(processes, links, wall_ms=wall_ms, primary=primary)
        answer = self.ask({"processes": [tree_of(process) for process in processes],
                           "links": [tree_of(link) for link in links], "wall_ms": wall_ms, "primary": primary})  # fmt: skip
        if isinstance(answer, dict):
            raise Malfunction(answer["malfunction"], remedy=answer["remedy"])
        binary = ("stdout", "stderr", "result")
        return tuple(
            Ending(**{key: base64.b64decode(value) if key in binary else value for key, value in tree.items()})
            for tree in answer
        )


def _reachable(path: str) -> bool:
    """Whether an ordinary user could run it."""
    probe = subprocess.run(["/usr/bin/test", "-x", path], user=STRANGER, group=STRANGER, extra_groups=[], check=False)
    return probe.returncode == 0


def readable_folder() -> str:
    """A fresh folder that everybody can read (pytest's own are private to their user)."""
    folder = tempfile.mkdtemp(prefix="wall-", dir="/tmp")
    os.chmod(folder, 0o755)
    return folder


def marked(marker: str) -> list[int]:
    """Processes of this host that carry `marker` in their command line, ourselves excluded."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                if marker.encode() in Path("/proc", name, "cmdline").read_bytes():
                    found.append(int(name))
            except OSError:
                continue
    return found
