"""Asks an interpreter what it is: the facts that no file shows.

Starts the (trusted) interpreter once, isolated and with an empty environment. Knows nothing of digests or images.
"""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oracle_rules.errors import Malfunction, UsageError

MINIMUM = (3, 11)

# Runs inside the interpreter. Facts that are the same on every worker with this build go into "document", places on
# this host into "places". Only integers and text: canonical JSON has one spelling for them.
_SCRIPT = r"""
import json, os, sys, unicodedata
flags, number, floats = sys.hash_info, sys.int_info, sys.float_info
try:
    libc = os.confstr("CS_GNU_LIBC_VERSION") or ""
except (ValueError, OSError):
    libc = ""
document = {
    "implementation": sys.implementation.name,
    "version": "%d.%d.%d" % sys.version_info[:3],
    "release": "%s%d" % sys.version_info[3:],
    "build": " ".join(sys.version.split()),
    "cache_tag": sys.implementation.cache_tag,
    "abi_flags": getattr(sys, "abiflags", ""),
    "machine": os.uname().machine,
    "system": os.uname().sysname,
    "libc": {"name": libc.partition(" ")[0], "version": libc.partition(" ")[2]},
    "unicode": unicodedata.unidata_version,
    "hash": {"algorithm": flags.algorithm, "width": flags.width, "hash_bits": flags.hash_bits,
             "seed_bits": flags.seed_bits, "modulus": str(flags.modulus), "cutoff": flags.cutoff},
    "float": {"radix": floats.radix, "digits": floats.mant_dig, "max_exponent": floats.max_exp,
              "min_exponent": floats.min_exp, "rounds": floats.rounds, "repr": sys.float_repr_style},
    "int": {"bits_per_digit": number.bits_per_digit, "size_of_digit": number.sizeof_digit,
            "max_text_digits": number.default_max_str_digits},
    "byte_order": sys.byteorder,
    "max_size": str(sys.maxsize),
}
dynload = [folder for folder in sys.path if os.path.basename(folder) == "lib-dynload"]
places = {
    "executable": os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable),
    "stdlib": os.path.dirname(os.path.realpath(os.__file__)),
    "extensions": os.path.realpath(dynload[0]) if dynload else "",
    "version": list(sys.version_info[:2]),
}
print(json.dumps({"document": document, "places": places}))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What an interpreter said: `document` is the same on every host, the paths are this host's."""

    document: dict[str, Any]
    executable: Path
    stdlib: Path
    extensions: Path | None
    version: tuple[int, int]


def ask(interpreter: Path) -> Facts:
    """Starts the interpreter and returns its facts.

    Raises UsageError for a Python that is too old or not CPython on Linux with glibc, Malfunction if it can't run.
    """
    answer = _run(interpreter)
    document, places = answer["document"], answer["places"]
    found = (places["version"][0], places["version"][1])
    if document["implementation"] != "cpython" or found < MINIMUM:
        raise UsageError(
            f"{document['implementation']} {document['version']} is not CPython {MINIMUM[0]}.{MINIMUM[1]} or newer",
            where=str(interpreter),
            remedy="install a newer CPython and name it with --python",
        )
    system, libc = document["system"], document["libc"]["name"] or "unknown"
    if (system, libc) != ("Linux", "glibc"):
        raise UsageError(
            f"the interpreter runs on {system} with the C library {libc!r}",
            where=str(interpreter),
            remedy="use a CPython for Linux that is linked to glibc",
        )
    return Facts(
        document=document,
        executable=Path(places["executable"]),
        stdlib=Path(places["stdlib"]),
        extensions=Path(places["extensions"]) if places["extensions"] else None,
        version=found,
    )


def _run(interpreter: Path) -> dict[str, Any]:
    remedy = "check that the interpreter starts with an empty environment: env -i PYTHON -I -c pass"
    try:
        done = subprocess.run(
            [os.fspath(interpreter), "-I", "-S", "-B", "-c", _SCRIPT],
            env={"LC_ALL": "C.UTF-8"},
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Malfunction(f"the interpreter does not start: {error}", where=str(interpreter), remedy=remedy) from None
    try:
        answer = json.loads(done.stdout) if done.returncode == 0 else None
    except ValueError:
        answer = None
    if not isinstance(answer, dict) or set(answer) != {"document", "places"}:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["nothing"]
        detail = f"the interpreter ended with status {done.returncode} and said: {said[0]}"
        raise Malfunction(detail, where=str(interpreter), remedy=remedy)
    return answer
