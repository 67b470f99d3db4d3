"""What the tests run in other processes: `python -m tests.storage.programs NAME ROOT …` from the top of the repository.

Each prints what it saw on standard output, flushed, for the test to judge.
"""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
import time
from pathlib import Path

from oracle_rules.digest import EMPTY, Digest
from oracle_rules.errors import OracleError
from oracle_rules.reapi.messages import ActionResult, OutputFile
from oracle_rules.storage.completeness import Complete
from oracle_rules.storage.disk import open_disk
from oracle_rules.storage.local import open_local
from oracle_rules.storage.verifying import Verifying

TOP = Path(__file__).resolve().parents[2]


def command(name: str, root: Path, *arguments: object) -> list[str]:
    """The command line that runs one of these."""
    return [sys.executable, "-m", "tests.storage.programs", name, str(root), *map(str, arguments)]


def start(name: str, root: Path, *arguments: object, before: tuple[str, ...] = ()) -> subprocess.Popen[str]:
    """Starts one of these, behind the words of another command if given."""
    words = [*before, *command(name, root, *arguments)]
    return subprocess.Popen(words, cwd=TOP, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def run(name: str, root: Path, *arguments: object, before: tuple[str, ...] = ()) -> str:
    """Runs one of these to its end and gives what it printed."""
    process = start(name, root, *arguments, before=before)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0, output
    return output


def blob(number: int) -> bytes:
    """A blob that every process can make again: mostly small, one in eight larger."""
    return b"%d\n" % number * (20_000 if number % 8 == 0 else 10)


def result(number: int) -> tuple[Digest, ActionResult]:
    """A key, and a result that names two blobs."""
    output = OutputFile(path="o", digest=Digest.of(blob(number)), is_executable=False)
    found = ActionResult(output_files=(output,), exit_code=number % 3, stdout_digest=Digest.of(blob(number + 1)))
    return Digest.of(b"action %d" % number), found


def hammer(root: Path, seed: int, rounds: int, cap: int, keep: float) -> None:
    """Puts, gets, discards and asks at random; prints what should not have happened."""
    rng = random.Random(seed)
    disk = open_disk(root, cap_bytes=cap, keep_seconds=keep)
    content = Verifying(disk.content)
    actions = Complete(disk.actions, content, read_up_to=1 << 20)
    hits = 0
    for _ in range(rounds):
        number = rng.randrange(24)
        data, (action, expected) = blob(number), result(number)
        choice = rng.randrange(6)
        if choice == 0:
            begun = time.monotonic()
            content.put(data)
            gone = content.get(Digest.of(data)) != data
            if gone and time.monotonic() - begun < keep / 2:
                print("a blob just put is not there", flush=True)
        elif choice == 1 and content.get(Digest.of(data)) not in (None, data):
            print("a blob with wrong bytes", flush=True)
        elif choice == 2:
            begun = time.monotonic()
            content.put_many([data, blob(number + 1)])
            actions.put(action, expected)
            gone = actions.get(action) != expected
            if gone and time.monotonic() - begun < keep / 2:
                print("a result just put is not there", flush=True)
        elif choice == 3:
            found = actions.get(action)
            hits += found is not None
            if found not in (None, expected):
                print("a wrong result", flush=True)
        elif choice == 4 and not keep:
            content.discard(Digest.of(data))
        elif choice == 5:
            content.find_missing([Digest.of(blob(other)) for other in range(24)])
    print("hits", hits, flush=True)


def put_for_ever(root: Path, seed: int) -> None:
    """Puts large blobs and results until killed; says when the first are there."""
    cache = open_local(root, cap_bytes=1 << 30)
    rng = random.Random(seed)
    for count in itertools.count():
        data = rng.randbytes(300_000)
        output = OutputFile(path="o", digest=cache.content.put(data), is_executable=False)
        found = ActionResult(output_files=(output,), exit_code=0, stdout_digest=EMPTY)
        cache.actions.put(Digest.of(data[:100]), found)
        if count == 0:
            print("begun", flush=True)


def write_and_read(root: Path) -> None:
    """Tries every kind of access; prints each outcome."""
    cache = open_local(root, cap_bytes=1 << 30)
    print("get", cache.content.get(Digest.of(b"kept")))
    print("missing", len(cache.content.find_missing([Digest.of(b"kept"), Digest.of(b"new")])))
    print("path", cache.content.path(Digest.of(b"kept")) is not None)
    found = cache.actions.get(Digest.of(b"action"))
    print("result", None if found is None else found.exit_code)
    for name, write in (
        ("put", lambda: cache.content.put(b"new")),
        ("put again", lambda: cache.content.put(b"kept")),
        ("put result", lambda: cache.actions.put(Digest.of(b"x"), ActionResult(output_files=(), exit_code=0))),
    ):
        try:
            write()
            print(name, "done")
        except OracleError as error:
            print(name, error.code, int(error.exit_code), bool(error.remedy))
    cache.content.discard(Digest.of(b"kept"))
    cache.actions.discard(Digest.of(b"action"))


def fill(root: Path) -> None:
    """Fills the file system that the root is on; prints how it ended and whether what was there is still whole."""
    cache = open_local(root, cap_bytes=1 << 30)
    rng = random.Random(1)
    kept: list[tuple[Digest, bytes]] = []
    for _ in range(1000):
        data = rng.randbytes(50_000)
        try:
            kept.append((cache.content.put(data), data))
        except OracleError as error:
            print("ended", error.code, int(error.exit_code), error.remedy)
            break
    print("put", len(kept))
    print("whole", all(cache.content.get(digest) == data for digest, data in kept))
    refused = cache.content.find_missing([Digest.of(data)])
    print("refused is missing", len(refused))
    print("left over", [name for name in os.listdir(root / "tmp") if name != "sweep"])
    for digest, _ in kept[:2]:
        cache.content.discard(digest)
    print("put after room was made", cache.content.put(data) == Digest.of(data))


def with_umask(root: Path, umask: str) -> None:
    """Writes one of everything under that umask."""
    os.umask(int(umask, 8))
    cache = open_local(root, cap_bytes=1 << 30)
    digest = cache.content.put(b"data")
    cache.actions.put(digest, ActionResult(output_files=(), exit_code=0))
    print(cache.content.get(digest), cache.actions.get(digest) is not None)


def main(name: str, root: Path, *words: str) -> None:
    """Runs the program of that name."""
    if name == "hammer":
        seed, rounds, cap, keep = words
        hammer(root, int(seed), int(rounds), int(cap), float(keep))
    elif name == "put_for_ever":
        put_for_ever(root, int(words[0]))
    elif name == "write_and_read":
        write_and_read(root)
    elif name == "fill":
        fill(root)
    elif name == "with_umask":
        with_umask(root, words[0])
    else:
        sys.exit(f"no program {name!r}")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:])
