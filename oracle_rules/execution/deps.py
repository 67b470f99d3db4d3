"""The candidate's third-party packages: from a hashed lock to one PEX, from the PEX to a read-only folder.

The PEX is what the key names: built from the same lock, toolchain and Pex it has the same bytes, wherever and by
whomever it is built. The sandbox gets it laid out, since a PEX that unpacks itself would write a hidden cache. Nothing
of a package runs here: only wheels are taken, `.pth` files and scripts are left behind. Knows nothing of Actions.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from oracle_rules.digest import Digest
from oracle_rules.errors import Malfunction, OracleError, UntrustedError, UsageError
from oracle_rules.protocol import canonical

from . import lockfile
from .deps_layout import lay_out
from .toolchain import Toolchain
from .toolchain.bytecode import compile_folder
from .toolchain.tree import materialise

PLACE = "/deps"  # where the folder is bound in the sandbox, appended to sys.path

_FLOOR = (2, 91, 2)  # older ones let the caller's environment into a build
_TIMEOUT = 900
_LAYOUT = 1
_NETWORK = "check the network and the index in pip's configuration, then run again"

# How a machine reaches its index. It cannot change what is built: the lock's hashes decide that.
_PASSED_ON = frozenset(
    {"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"}
    | {"PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX", "PIP_CONFIG_FILE", "PIP_TRUSTED_HOST"}
    | {"PIP_CERT", "PIP_CLIENT_CERT", "PIP_PROXY", "HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pex:
    """A PEX on this host's disk, and the digest of its bytes."""

    path: Path
    digest: Digest


def build_pex(
    lock: bytes,
    toolchain: Toolchain,
    cache_root: Path,
    *,
    where: str = "requirements.lock",
    environment: Mapping[str, str] | None = None,
) -> Pex:
    """The PEX of this lock for this toolchain, from the cache or built with the Pex that is installed beside us.

    `environment` (default: the process's) tells only how to reach the index. Raises UsageError for a lock that is not
    pinned and hashed throughout, UntrustedError when the index serves other bytes, Malfunction when it serves none.
    """
    lockfile.parse(lock, where=where)
    version = _pex_version()
    key = canonical.dumps(
        {
            "schema": "oracle_rules/pex/v1",
            "lock": Digest.of(lock).as_json(),
            "toolchain": toolchain.digest.as_json(),
            "pex": version,
        }
    )
    words = os.environ if environment is None else environment
    folder = cache_root / "pex" / Digest.of(key).hash
    materialise(folder, lambda content: _build(lock, toolchain, content, _clean(words), where))
    return Pex(path=folder / "deps.pex", digest=Digest.parse((folder / "digest").read_text("ascii")))


def unpack(pex: Path, digest: Digest, toolchain: Toolchain, cache_root: Path) -> Path:
    """The packages of this PEX in one read-only folder, to be bound at `PLACE` and appended to `sys.path`.

    Raises UsageError when two packages hold different files of one name, UntrustedError when the bytes are not those of
    the digest or reach outside, Malfunction for a PEX that can't be read.
    """
    key = canonical.dumps(
        {
            "schema": "oracle_rules/deps/v1",
            "layout": _LAYOUT,
            "pex": digest.as_json(),
            "toolchain": toolchain.digest.as_json(),
        }
    )

    def build(folder: Path) -> None:
        lay_out(pex, digest, folder)
        compile_folder(toolchain.interpreter, folder, PLACE)

    return materialise(cache_root / "deps" / Digest.of(key).hash, build)


def _pex_version() -> str:
    remedy = "install oracle_rules with its requirements, which hold pex"
    try:
        version = importlib.metadata.version("pex")
    except importlib.metadata.PackageNotFoundError:
        raise Malfunction("pex is not installed beside oracle_rules", where=sys.executable, remedy=remedy) from None
    if tuple(int(part) for part in re.findall(r"\d+", version)[:3]) < _FLOOR:
        floor = ".".join(map(str, _FLOOR))
        raise Malfunction(f"pex {version} is older than {floor}", where=sys.executable, remedy=remedy)
    return version


def _clean(environment: Mapping[str, str]) -> dict[str, str]:
    passed = {name: value for name, value in environment.items() if name.upper() in _PASSED_ON}
    # PEX_IGNORE_RCFILES is the one setting of Pex's own, and it shuts the others out.
    return {**passed, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC", "PEX_IGNORE_RCFILES": "1"}


def _build(lock: bytes, toolchain: Toolchain, content: Path, environment: dict[str, str], where: str) -> None:
    with tempfile.TemporaryDirectory(dir=content.parent) as work:
        requirements, made = Path(work) / "requirements.txt", content / "deps.pex"
        requirements.write_bytes(lock)
        arguments = [
            *("--requirement", str(requirements), "--output-file", str(made), "--python", str(toolchain.interpreter)),
            *("--wheel", "--no-build"),  # no package's build code ever runs
            *(
                "--no-compile",
                "--no-use-system-time",
                "--python-shebang",
                "/python/bin/python3",
            ),  # the same bytes always
            *("--use-pip-config", "--disable-cache", "--retries", "2", "--timeout", "30"),
        ]
        done = _run_pex(arguments, Path(work), environment)
    if done.returncode != 0 or not made.is_file():
        raise _failure(done.stderr.decode("utf-8", "replace"), done.returncode, where)
    made.chmod(0o644)
    (content / "digest").write_text(str(Digest.of(made.read_bytes())), "ascii")


def _run_pex(arguments: list[str], work: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            [sys.executable, "-I", "-m", "pex", *arguments],
            env={**environment, "TMPDIR": str(work)},
            cwd=work,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        detail = f"no packages after {_TIMEOUT} seconds"
        raise Malfunction(detail, where="pex", remedy=_NETWORK) from None
    except OSError as error:
        raise Malfunction(f"pex does not start: {error}", where=sys.executable) from None


def _failure(said: str, status: int, where: str) -> OracleError:
    # An index address may hold a password; an error ends up in records.
    text = re.sub(r"://[^/@\s]*@", "://", said)
    if "DO NOT MATCH THE HASHES" in text:
        names = re.findall(r"^(?:pip:)?\s+(\S+==\S+) from ", text, re.MULTILINE)
        return UntrustedError(
            f"the index serves other bytes than the lock names for {', '.join(names) or 'a package'}",
            where=where,
            remedy="find out who changed the package; compile the lock anew only if the change is meant",
        )
    if "--require-hashes mode" in text:
        return UsageError("a package in the lock needs one that is not in it", where=where, remedy=lockfile.COMPILE)
    errors = re.findall(r"ERROR: (.*)$", text, re.MULTILINE) or text.strip().splitlines()[-1:] or ["nothing"]
    remedy = _NETWORK
    if "No matching distribution" in text and "connection broken" not in text:
        remedy = "pin a version with a wheel for this interpreter and machine (no source is built), or " + _NETWORK
    return Malfunction(f"pex ended with status {status}: {errors[-1][:300]}", where=where, remedy=remedy)
