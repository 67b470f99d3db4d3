"""Nox sessions that any project can register from its noxfile; ours does the same.

Each session has one purpose and says so in its docstring, which `nox --list` prints. Sessions share one environment,
made from a hashed lock and named by the lock's hash: another lock is another environment, the same lock is reused.
Without a lock they use the interpreter that runs Nox. Knows nothing of scoring; `cli.py` does that. Needs only Nox, so
that a bare machine can start from it.

More names than eight because each session is one.
"""

from __future__ import annotations

import difflib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import nox

# What a session's programs may see of the caller's environment: where programs and caches are, how to print, how to
# reach an index. Anything else could change a result on one machine only.
PASSED_ON = frozenset(
    {"PATH", "HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "TERM", "COLUMNS", "NO_COLOR", "FORCE_COLOR", "CI"}
    | {"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"}
    | {"GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITLAB_CI"}
)
_COMPILE = (
    *("--quiet", "--generate-hashes", "--strip-extras", "--allow-unsafe"),
    *("--no-emit-index-url", "--no-emit-find-links", "--no-emit-trusted-host", "--no-emit-options"),
)

# The console script without its file: `-I` keeps the work tree, which may be under judgement, off the import path.
_CLI = "import sys; sys.path += filter(None, [sys.argv.pop(1)]); from oracle_rules.cli import main; sys.exit(main())"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a project's sessions work with: `register` documents each."""

    lock: str | None = None
    source: str = "requirements.in"
    project: bool = False
    arguments: Mapping[str, Sequence[str]] = field(default_factory=dict)


def score(session: nox.Session, options: Options) -> None:
    """Judge a patch against the oracle of its base; exits with the status of `oracle-rules score`."""
    given = session.posargs or options.arguments.get("score", ("--base", "HEAD", "--worktree"))
    python = _python(session, options)
    words = [python, "-I", "-c", _CLI, _beside(options), "score", *given]
    status = _status(words, clean_environment(os.environ))
    if status:
        # Nox knows only 0 and 1; the status of `score` is a contract with those who call it.
        raise SystemExit(status)


def explore(session: nox.Session, options: Options) -> None:
    """Draw fresh streams from locked domains for a while; offers what falsifies for promotion, touches no score."""
    given = session.posargs or options.arguments.get("explore", ("--worktree",))
    words = [_python(session, options), "-I", "-c", _CLI, _beside(options), "explore", *given]
    status = _status(words, clean_environment(os.environ))
    if status:
        raise SystemExit(status)


def tests(session: nox.Session, options: Options) -> None:
    """Run the tests, in random order."""
    _run(session, options, "pytest", *(session.posargs or options.arguments.get("tests", ())))


def lint(session: nox.Session, options: Options) -> None:
    """Check the sources with ruff."""
    _run(session, options, "ruff", "check", *(session.posargs or options.arguments.get("lint", (".",))))


def types(session: nox.Session, options: Options) -> None:
    """Check the types with mypy, strictly."""
    _run(session, options, "mypy", *(session.posargs or options.arguments.get("types", ())))


def bench(session: nox.Session, options: Options) -> None:
    """Measure what scoring costs, as ratios within one run."""
    _run(session, options, "bench", *(session.posargs or options.arguments.get("bench", ())))


def lock(session: nox.Session, options: Options) -> None:
    """Compile the lock anew and show what differs; `-- --write` keeps it, `-- --upgrade` takes newer versions."""
    if options.lock is None:
        session.error("no lock is registered; pass lock= to register()")
    given = list(session.posargs)
    keep = "--write" in given
    if keep:
        given.remove("--write")
    target = Path(options.lock)
    before = target.read_text("utf-8") if target.exists() else ""
    with tempfile.TemporaryDirectory() as folder:
        # Compiled beside a copy of the old lock, so that pins stay unless an upgrade is asked for.
        draft = Path(folder) / target.name
        draft.write_text(before, "utf-8")
        python = _python(session, options)
        words = [python, "-I", "-m", "piptools", "compile", *_COMPILE, *given]
        environment = {**clean_environment(os.environ), "CUSTOM_COMPILE_COMMAND": "nox -s lock -- --write"}
        _checked(session, [*words, "--output-file", str(draft), options.source], environment)
        after = draft.read_text("utf-8")
    if before == after:
        session.log(f"{target} is what {options.source} compiles to")
    elif keep:
        target.write_text(after, "utf-8")
        session.log(f"wrote {target}")
    else:
        lines = difflib.unified_diff(before.splitlines(), after.splitlines(), str(target), "compiled", lineterm="")
        session.error("\n".join((f"{target} differs; run: nox -s lock -- --write", *lines)))


SESSIONS: Mapping[str, Callable[[nox.Session, Options], None]] = {
    each.__name__: each for each in (score, explore, tests, lint, types, lock, bench)
}


def register(
    *sessions: str,
    prefix: str = "",
    lock: str | None = None,
    source: str = "requirements.in",
    project: bool = False,
    arguments: Mapping[str, Sequence[str]] | None = None,
    default: Iterable[str] = ("score",),
) -> None:
    """Registers sessions with Nox, to be called from a noxfile; without names, `score` alone.

    `prefix` goes before each session's name (Nox lets a later session of one name silently replace an earlier one).
    `lock` names a hashed lock to make the sessions' environment from (default: the interpreter that runs Nox), `source`
    what the lock is compiled from; with `project` the project itself is installed, editable. `arguments` are those of
    a session when none follow `--`; `default` sessions run when Nox is given no name. Raises ValueError for an unknown
    session.
    """
    options = Options(lock=lock, source=source, project=project, arguments=dict(arguments or {}))
    chosen = sessions or ("score",)
    unknown = sorted({*chosen, *options.arguments} - set(SESSIONS))
    if unknown:
        raise ValueError(f"no session named {', '.join(unknown)}; there are {', '.join(SESSIONS)}")
    for name in chosen:
        _register(prefix + name, SESSIONS[name], options, default=name in set(default))


def _register(name: str, body: Callable[[nox.Session, Options], None], options: Options, *, default: bool) -> None:
    def run(session: nox.Session) -> None:
        body(session, options)

    run.__name__, run.__doc__ = name, body.__doc__
    nox.session(name=name, venv_backend="none", default=default)(run)


def clean_environment(outer: Mapping[str, str]) -> dict[str, str]:
    """The environment of a session's programs: the named variables of the caller's, and a fixed locale."""
    passed = {name: value for name, value in outer.items() if name.upper() in PASSED_ON or name.startswith("PIP_")}
    return {**passed, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}


def _run(session: nox.Session, options: Options, module: str, *arguments: str) -> None:
    python = _python(session, options)
    _checked(session, [python, "-m", module, *arguments], clean_environment(os.environ))


def _checked(session: nox.Session, words: Sequence[str], environment: Mapping[str, str]) -> None:
    status = _status(words, environment)
    if status:
        session.error(f"{' '.join(words[1:5])} … ended with status {status}")


def _beside(options: Options) -> str:
    """Where the child finds us when nothing installs us for it: where the noxfile found us."""
    return "" if options.lock is not None else str(Path(__file__).resolve().parents[1])


def _status(words: Sequence[str], environment: Mapping[str, str]) -> int:
    return subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, check=False).returncode


def _python(session: nox.Session, options: Options) -> str:
    """The interpreter of the sessions' environment, which is made first if the lock has none yet."""
    if options.lock is None:
        return sys.executable
    parts = [sys.version, os.path.realpath(sys.executable), os.getcwd(), Path(options.lock).read_text("utf-8")]
    if options.project:
        parts.append(Path("pyproject.toml").read_text("utf-8"))
    key = hashlib.sha256("\0".join(parts).encode("utf-8")).hexdigest()[:16]
    home = Path(session.cache_dir).parent / f"locked-{key}"
    python = str(home / "bin" / "python")
    with _alone(home.parent / "locked.lock"):
        if not (home / "complete").exists():
            session.log(f"{options.lock} is new here: making {home}")
            for old in home.parent.glob("locked-*"):
                shutil.rmtree(old)
            _make(session, home, python, options)
            (home / "complete").touch()
    return python


def _make(session: nox.Session, home: Path, python: str, options: Options) -> None:
    environment = clean_environment(os.environ)
    # Nox brings virtualenv, which needs no ensurepip: a distribution's bare Python will do.
    pip = [python, "-I", "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-deps"]
    steps = [
        [sys.executable, "-P", "-m", "virtualenv", "--quiet", "--no-download", str(home)],
        [*pip, "--require-hashes", "--only-binary", ":all:", "--requirement", str(options.lock)],
    ]
    if options.project:
        steps.append([*pip, "--no-build-isolation", "--editable", "."])
    for words in steps:
        done = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if done.returncode:  # what installers say is of use only then
            sys.stderr.write((done.stdout + done.stderr).decode("utf-8", "replace"))
            session.error(f"{' '.join(words[1:5])} … ended with status {done.returncode}")


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield
