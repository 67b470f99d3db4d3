"""Facts of the host and the way out: environment, process, `/proc`, sockets, native code, other programs."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from .pin_clock import sealed

if TYPE_CHECKING:
    from .pins import Attribution

# What a function of `os` says inside; the names are the same in `posix`.
_FACTS: dict[str, Any] = {
    "getpid": 2, "getppid": 1, "getpgrp": 2, "getloadavg": (0.0, 0.0, 0.0), "times": os.times_result((0.0,) * 5),
    "uname": os.uname_result(("Linux", "oracle", "0", "0", os.uname().machine))}
_OBSERVED = ("statvfs", "fstatvfs", "sysconf", "getlogin", "getuid", "geteuid", "getgid", "getegid", "getgroups",
             "sched_getaffinity", "getresuid", "getresgid", "getsid", "getpgid")
# Modules that are pinned already: importing one again, or running its source again, would undo that.
_ANEW = {"time": "clock", "datetime": "clock", "_datetime": "clock", "_pydatetime": "clock", "posix": "host",
         "os": "host", "random": "random", "_random": "random", "uuid": "uuid", "_uuid": "uuid"}
_NATIVE_MODULES = frozenset({"ctypes", "_ctypes", "cffi", "_cffi_backend", "_xxsubinterpreters", "_interpreters",
                             "_testcapi", "_testinternalcapi",
                             "_sqlite3", "_lsprof"})  # with a clock, and the one with dice, of its own
_EPOCH = {f"st_{name}time{unit}": zero for name in "amc" for unit, zero in (("", 0.0), ("_ns", 0))}
_NUMBERED: dict[tuple[int, int], int] = {}
_HOST_FOLDERS = ("/proc", "/sys", "/dev")
_LOOKUP_EVENTS = frozenset({"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo",
                            "socket.getservbyname"})
_ADDRESS_EVENTS = frozenset({"socket.connect", "socket.bind", "socket.sendto"})
_NATIVE_EVENTS = frozenset({"ctypes.dlopen", "ctypes.dlsym", "ctypes.cdata"})
_PROCESS_EVENTS = frozenset({"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty"})


def install(reads: Attribution, declared: frozenset[str], cpus: int) -> None:
    """Pins and watches the host of this process; `declared` are the variables that may be read."""
    _pin_facts(reads, cpus)
    _watch_environment(reads, declared)
    _pin_file_times()
    _keep_pinned_modules(reads)
    _watch_programs(reads)
    sys.addaudithook(_auditor(reads))


def _pin_facts(reads: Attribution, cpus: int) -> None:
    posix = sys.modules["posix"]
    for module in (os, posix):
        for name, value in _FACTS.items():
            setattr(module, name, _fact(reads, name, lambda *args, value=value: value))
        for name in _OBSERVED:
            setattr(module, name, _fact(reads, name, getattr(module, name)))
        setattr(module, "cpu_count", _fact(reads, "cpu_count", lambda: cpus))
    if "platform" in sys.modules:
        setattr(sys.modules["platform"], "_uname_cache", None)  # what it remembers is the host's
    nothing = resource.struct_rusage((0.0, 0.0, *(0,) * 14))
    resource.getrusage = _fact(reads, "getrusage", lambda who: nothing)  # time spent, and memory used so far


def _pin_file_times() -> None:
    """What `stat` and a listing say of the host: times, inodes, devices, block counts, the order of names.

    Inside, every file is from the epoch, is numbered as it is first asked for, and stands in the order of names.
    """
    posix = sys.modules["posix"]
    for name in ("stat", "lstat", "fstat"):
        pinned = _without_times(getattr(posix, name))
        setattr(os, name, pinned)
        setattr(posix, name, pinned)
    entry: Any = os.DirEntry
    entry.stat = _without_times(entry.stat)
    entry.inode = lambda self: self.stat(follow_symlinks=False).st_ino
    listed, scanned = posix.listdir, posix.scandir
    for module in (os, posix):
        setattr(module, "listdir", lambda path=".": sorted(listed(path)))
        setattr(module, "scandir", lambda path=".": Listing(scanned(path)))


class Listing:
    """Directory entries in the order of their names, with the face of the iterator that `os.scandir` gives."""

    def __init__(self, entries: Any) -> None:
        with entries:
            self._entries = iter(sorted(entries, key=lambda entry: entry.name))

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        return next(self._entries)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the listing."""
        self._entries = iter(())


def _without_times(original: Callable[..., os.stat_result]) -> Callable[..., os.stat_result]:
    seen = _NUMBERED

    def safe(*args: Any, **kwargs: Any) -> os.stat_result:
        found = original(*args, **kwargs)
        folder = found.st_mode & 0o170000 == 0o040000
        size, number = 0 if folder else found.st_size, seen.setdefault((found.st_dev, found.st_ino), len(seen) + 1)
        return os.stat_result((found.st_mode, number, 1, 1, found.st_uid, found.st_gid, size, 0, 0, 0), {
            "st_blksize": 4096, "st_blocks": (size + 511) // 512, "st_rdev": found.st_rdev, **_EPOCH})
    read = sealed(safe)

    def stat(*args: Any, **kwargs: Any) -> Any:
        return read(*map(_plain_path, args), **{name: _plain_option(value) for name, value in kwargs.items()})
    stat.__name__ = original.__name__
    return stat


def _plain_path(value: Any) -> Any:
    """A path, descriptor or directory entry that runs no code of its own."""
    if type(value) in (str, bytes, int, os.DirEntry):
        return value
    if isinstance(value, int):
        return int.__int__(value)
    path = os.fspath(value)
    return str.__str__(path) if isinstance(path, str) else bytes.__getitem__(path, slice(None))


def _plain_option(value: Any) -> Any:
    return value if value is None or type(value) in (int, bool) else _plain_path(value)


def _keep_pinned_modules(reads: Attribution) -> None:
    """A builtin module that is made anew would have its own clock: it is the pinned one, and the request is told."""
    imp: Any = sys.modules["_imp"]
    builtin, dynamic = imp.create_builtin, imp.create_dynamic
    pinned = {name: sys.modules[name] for name in ("time", "posix") if name in sys.modules}

    def safe(name: str) -> Any:
        return pinned[name] if name in pinned else builtin(SimpleNamespace(name=name))

    made_or_kept = sealed(safe)

    def create_builtin(spec: Any) -> Any:
        name = str.__str__(spec.name)  # read once: what the importer sees is what was looked at
        if name in pinned:
            reads.read(_ANEW[name], f"import of {name} anew")
        return made_or_kept(name)

    def create_dynamic(spec: Any, *file: Any) -> Any:
        made = dynamic(spec, *file)
        for name in ("RAND_bytes", "RAND_pseudo_bytes"):  # a generator of its own, seeded by the kernel
            if hasattr(made, name):
                setattr(made, name, os.urandom)
        return made

    imp.create_builtin, imp.create_dynamic = create_builtin, create_dynamic


def _watch_programs(reads: Attribution) -> None:
    """Starting a program below `subprocess` raises no event of its own."""
    import _posixsubprocess
    module: Any = _posixsubprocess
    start = sealed(module.fork_exec)

    def fork_exec(*args: Any) -> Any:
        reads.read("host", "a program started")
        return start(*args)

    module.fork_exec = fork_exec


def _fact(reads: Attribution, name: str, value: Callable[..., Any]) -> Callable[..., Any]:
    def read(*args: Any) -> Any:
        reads.read("host", f"os.{name}", direct=True)
        return value(*args)
    read.__name__ = name
    return read


def _watch_environment(reads: Attribution, declared: frozenset[str]) -> None:
    base: Any = type(os.environ)
    written: set[Any] = set(declared) | {name.encode() for name in declared}

    class Environment(base):  # type: ignore[misc]
        """The environment, which says who looked for what."""

        def __getitem__(self, key: Any) -> Any:
            if key not in written:
                reads.read("env", f"os.environ[{str(key)[:40]!r}]", direct=True)
            return base.__getitem__(self, key)

        def __setitem__(self, key: Any, value: Any) -> None:
            written.add(key)
            base.__setitem__(self, key, value)

        def __iter__(self) -> Iterator[Any]:
            reads.read("env", "iteration over os.environ", direct=True)
            return iter(base.__iter__(self))

        def __len__(self) -> int:
            reads.read("env", "len(os.environ)", direct=True)
            return int(base.__len__(self))

    os.environ.__class__ = Environment
    os.environb.__class__ = Environment


def _auditor(reads: Attribution) -> Callable[[str, tuple[Any, ...]], None]:
    """Watches what can't be replaced: imports, sockets, native code, opening /proc, starting programs."""
    anew = {str(getattr(sys.modules[name], "__file__", "")): name for name in _ANEW if name in sys.modules}
    anew.pop("", None)

    def audit(event: str, args: tuple[Any, ...]) -> None:
        if event == "open":
            path = os.fsdecode(args[0]) if isinstance(args[0], (str, bytes)) else ""
            if path.startswith(_HOST_FOLDERS) and path != "/dev/null":
                reads.read("host", f"open {path[:60]}")
        elif event == "import":
            if args[0] in _ANEW:
                reads.read(_ANEW[args[0]], f"import of {args[0]} anew")
            elif args[0] in _NATIVE_MODULES:
                reads.read("native", f"import of {args[0]}", imports=True)
        elif event == "exec":
            name = anew.get(getattr(args[0], "co_filename", ""))
            if name is not None:
                reads.read(_ANEW[name], f"{name} run anew", imports=True)
        elif event == "socket.__new__":
            if args[1] != 1:  # AF_UNIX reaches nobody: each run has a network namespace of its own.
                reads.read("network", "socket")
        elif event in _LOOKUP_EVENTS:
            reads.read("network", event)
        elif event in _ADDRESS_EVENTS:
            if not isinstance(args[-1], (str, bytes)):  # the address of an AF_UNIX socket
                reads.read("network", event)
        elif event == "socket.gethostname":
            reads.read("host", event)
        elif event in _NATIVE_EVENTS:
            reads.read("native", event)
        elif event in _PROCESS_EVENTS:
            reads.read("host", event)
    return audit
