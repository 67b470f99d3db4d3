"""One Action in the execution root of a build tool: its inputs are files on disk, its outputs become files there.

The inputs are read by the names that the request gives; what else lies around, as in a build tool's own folder without
a sandbox, is not looked at. Where deciding and doing meet; prints nothing.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .digest import Digest
from .errors import IncompleteError, Malfunction
from .execution.libraries import find
from .execution.local import Executor
from .execution.sandbox import Spawner
from .execution.staging import Staging
from .execution.toolchain import prepared
from .protocol import canonical, layout, verdict
from .storage.memory import MemoryContent

# The roles whose files each kind of Action needs, and further folders of the toolchain's repository.
_NEEDS = {
    "judge": (layout.runtime("judge"), layout.runtime("cell")),
    "reach": (layout.runtime("judge"), layout.runtime("cell")),
    "generate": (layout.runtime("generate"), layout.GENERATOR),
    "suite": (layout.runtime("suite"), layout.SUITE),
}


def execute(root: Path, kind: str, request: str, policy: str) -> None:
    """Runs the Action and writes its outputs beside the request.

    Raises IncompleteError for an input that is missing, and Malfunction for what can't be run and for a result that
    hangs on the machine's speed or room: such a result may not be kept, and a build tool keeps whatever ends well.
    """
    content = MemoryContent()
    files = {path: content.put(_read(root, path)) for path in _inputs(root, kind, request, policy)}
    document = content.get(files[layout.TOOLCHAIN])
    assert document is not None
    images = (root / layout.PROGRAM).resolve().parent / layout.IMAGES
    image = prepared(images, document)
    with tempfile.TemporaryDirectory() as scratch, Staging(content, Path(scratch)) as staging, Spawner() as spawner:
        executor = Executor(content, staging, document, image.mounts(), _no_packages,
                            lambda found, target: find(found, target, Digest.of(document), images), spawner)
        made = executor.run((layout.PROGRAM, kind, request, policy), files, where=request)
    _check(made, request)
    home = (root / request).parent
    for name, data in made.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(data)


def _inputs(root: Path, kind: str, request: str, policy: str) -> Iterator[str]:
    yield from (layout.PROGRAM, layout.TOOLCHAIN, policy, request)
    for folder in _NEEDS[kind]:
        yield from _below(root, folder)
    asked = canonical.loads(_read(root, request))
    home = request.rpartition("/")[0]
    if kind == "generate":
        yield from sorted({each["path"] for each in asked.get("filters", ())})
        return
    yield from (*asked["oracle"], *asked["candidate"])
    yield from _below(root, f"{home}/{layout.CORPORA}")
    if asked["dependencies"]:
        yield f"{home}/{layout.PACKAGES}"


def _below(root: Path, folder: str) -> Iterator[str]:
    for path in sorted((root / folder).rglob("*")):
        if path.is_file():
            yield path.relative_to(root).as_posix()


def _read(root: Path, path: str) -> bytes:
    try:
        return (root / path).read_bytes()
    except OSError as error:
        raise IncompleteError(f"can't be read: {error.strerror}", where=path,
                              remedy="declare it as an input of the Action") from None


def _check(made: dict[str, bytes], request: str) -> None:
    """Refuses what another run may give otherwise."""
    for name, data in made.items():
        found: dict[str, Any] = canonical.loads(data)
        if name == layout.VERDICT and not verdict.cacheable(found):
            raise Malfunction(f"{found['reason']}: {found['detail']}", where=found["target"],
                              remedy="give it more time or room, or let a person freeze it")
        if name.startswith(layout.CORPORA) and (problem := found.get("problem")) is not None:
            raise Malfunction(problem["detail"], where=request, remedy="let a person mend the domain, or its filters")


def _no_packages(data: bytes) -> Path:
    raise Malfunction("third-party packages of a candidate can't be had in a build tool yet",
                      where=str(Digest.of(data)), remedy="score the target with `oracle-rules score`")
