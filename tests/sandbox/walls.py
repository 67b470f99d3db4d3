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
from typing import Any, Self

import oracle_rules
from oracle_rules.errors import Malfunction
from oracle_rules.execution.sandbox import Bind, Ending, Limits, Link, Process, Spawner, Tmpfs
from oracle_rules.execution.sandbox.crossing import tree_of

PYTHON = "/usr/bin/python3"
STRANGER = 54321  # an ordinary uid that nobody has
# What stands before the interpreter of a driver, and whether it runs as an ordinary user.
# container: root that may not mount. nested: root of a user namespace that has no other id.
WAYS: dict[str, tuple[tuple[str, ...], bool]] = {
    "root": ((), False),
    "user": ((), True),
    "container": (("/usr/bin/setpriv", "--bounding-set=-sys_admin"), False),
    "nested": (("/usr/bin/unshare", "--user", "--map-root-user"), True),
    "small stack": (("/usr/bin/prlimit", "--stack=1048576:1048576"), True),
    "no more namespaces": (
        ("/usr/bin/unshare", "--user", "--map-root-user", "/bin/sh", "-c",
         'echo 0 >/proc/sys/user/max_user_namespaces; exec "$@"', "sh"),
        True,
    ),
    "no other id": (("/usr/bin/unshare", "--user", "--map-root-user"), False),
}  # fmt: skip
EVERYBODY = ("root", "user", "container", "nested") if os.geteuid() == 0 else ("user", "nested")
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
    """A spawner under one of WAYS. All but our own run a driver on a copy of the package that everybody can read."""

    def __init__(self, identity: str) -> None:
        self.identity = identity
        self._local: Spawner | None = None
        self._remote: subprocess.Popen[str] | None = None
        self._home = ""

    def __enter__(self) -> Self:
        prefix, ordinary = WAYS[self.identity]
        if not prefix and ordinary == (os.geteuid() != 0):
            self._local = Spawner().__enter__()
            return self
        self._home = copy_of_package()
        command, pipe = driver(self.identity, self._home), subprocess.PIPE
        self._remote = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd="/", **whom(self.identity))
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
        trees, ends = [tree_of(process) for process in processes], [tree_of(link) for link in links]
        answer = self.ask({"processes": trees, "links": ends, "wall_ms": wall_ms, "primary": primary})
        if isinstance(answer, dict):
            raise Malfunction(answer["malfunction"], remedy=answer["remedy"])
        return tuple(_ending(tree) for tree in answer)


def _ending(tree: dict[str, Any]) -> Ending:
    return Ending(**tree | {name: base64.b64decode(tree[name]) for name in ("stdout", "stderr", "result")})


def copy_of_package() -> str:
    """What a driver needs, where everybody can read it."""
    home = readable_folder()
    package, target = Path(oracle_rules.__file__).parent, Path(home, "oracle_rules")
    shutil.copytree(package / "execution" / "sandbox", target / "execution" / "sandbox")
    for name in ("__init__.py", "errors.py"):
        shutil.copy(package / name, target / name)
    (target / "execution" / "__init__.py").write_text("")
    shutil.copy(Path(__file__).with_name("driver.py"), home)
    return home


def whom(way: str) -> dict[str, Any]:
    """Arguments for `subprocess` that make an ordinary user with groups of root."""
    shed = WAYS[way][1] and os.geteuid() == 0
    return {"user": STRANGER, "group": STRANGER, "extra_groups": [27, STRANGER]} if shed else {}


def driver(way: str, home: str, *arguments: str) -> list[str]:
    """The command of a driver."""
    interpreter = PYTHON if whom(way) and not _reachable(sys.executable) else sys.executable
    return [*WAYS[way][0], interpreter, "-I", "-B", f"{home}/driver.py", home, *arguments]


def consult(way: str) -> dict[str, tuple[bool, str, str]]:
    """What the doctor says to somebody: name → ok, detail, remedy."""
    home = copy_of_package()
    try:
        done = subprocess.run(
            driver(way, home, "doctor"), capture_output=True, text=True, cwd="/", check=True, **whom(way)
        )
    finally:
        shutil.rmtree(home)
    return {probe["name"]: (probe["ok"], probe["detail"], probe["remedy"]) for probe in json.loads(done.stdout)}


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
