"""What one machine brings to a score: cache, toolchain, staging, executors. The only room that builds them together.

Nothing is started or described before it is needed, so that a refusal and a replay from cache pay for neither.
"""

from __future__ import annotations

import os
import queue
from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, closing, contextmanager
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from .analysis.actions import Host, Plan
from .digest import Digest
from .errors import Malfunction, OracleError
from .execution import runtime
from .execution.local import Executor
from .execution.staging import Staging
from .protocol import layout
from .reapi.messages import ActionResult
from .storage.local import LocalCache, open_local

if TYPE_CHECKING:
    from .execution.toolchain import Toolchain

DEFAULT_CAP = 2 << 30


def default_cache_root() -> Path:
    """`$XDG_CACHE_HOME/oracle_rules`, or below `~/.cache`."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if base.startswith("/") else Path.home() / ".cache") / "oracle_rules"


class Worker:
    """A local cache and the means to execute on this machine; use as a context manager."""

    def __init__(self, cache_root: Path, *, cap_bytes: int = DEFAULT_CAP, jobs: int | None = None) -> None:
        self.cache_root = cache_root
        self.cache: LocalCache = open_local(cache_root, cap_bytes=cap_bytes)
        self.jobs = jobs or len(os.sched_getaffinity(0))
        self._stack = ExitStack()
        # Sandboxes that are up, and what takes them down; they serve one call after the other.
        self._up = ExitStack()
        self._executors: list[Executor] = []
        self._stored: set[Digest] = set()
        self._libraries: dict[tuple[str, tuple[tuple[str, Digest], ...]], Path] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._take_down()
        self._stack.close()

    @cached_property
    def _toolchain(self) -> Toolchain:
        from .execution.toolchain import describe
        return describe(cache_root=self.cache_root)

    @cached_property
    def host(self) -> Host:
        """This machine's contribution to every key."""
        return Host(toolchain=self._toolchain.data, program=runtime.program(), runtime=runtime.runtime(),
                    generator=runtime.generator(), suite=runtime.suite)

    @cached_property
    def versions(self) -> dict[str, str]:
        """What the draw of a seed hangs on beside its domain: the versions of Hypothesis, Python and Unicode."""
        document = self._toolchain.document
        return {"hypothesis": runtime.hypothesis_version(), "python": document["version"],
                "unicode": document["unicode"]}

    @cached_property
    def _staging(self) -> Staging:
        return self._stack.enter_context(Staging(self.cache.content, self.cache_root / "scratch"))

    def pex(self, lock: bytes, where: str) -> bytes:
        """The candidate's locked third-party packages as one PEX."""
        from .execution.deps import build_pex
        built = build_pex(lock, self._toolchain, self.cache_root, where=where)
        return built.path.read_bytes()

    def _unpack(self, data: bytes) -> Path:
        from .execution.deps import unpack
        digest = Digest.of(data)
        place = self.cache_root / "scratch" / f"{digest.hash}.pex"
        if not place.exists():
            temporary = place.with_suffix(f".{os.getpid()}")
            temporary.write_bytes(data)
            temporary.replace(place)
        return unpack(place, digest, self._toolchain, self.cache_root)

    def _library(self, files: Mapping[str, Digest], target: str) -> Path:
        from .execution.libraries import lay_down
        known = (target, tuple(files.items()))
        if known not in self._libraries:
            self._libraries[known] = lay_down(files, self._staging.blob, target, self._toolchain, self.cache_root)
        return self._libraries[known]

    @contextmanager
    def _executor(self) -> Iterator[Executor]:
        from .execution.sandbox import Spawner
        from .execution.toolchain import image
        with Spawner() as spawner:
            mounts = image(self._toolchain, self.cache_root).mounts()
            yield Executor(self.cache.content, self._staging, self.host.toolchain, mounts, self._unpack, self._library,
                           spawner)

    def lookup(self, action: Digest) -> ActionResult | None:
        """A stored result whose blobs are all here."""
        return self.cache.actions.get(action)

    def store_inputs(self, plan: Plan) -> None:
        """Puts the whole input tree where a replay finds it by the Action's digest alone.

        Blobs that are there already are read once, so that a damaged one is replaced before something relies on it.
        """
        wanted = [digest for digest in plan.blobs if digest not in self._stored]
        self.cache.content.put_many(
            [plan.blobs[digest] for digest in wanted if self.cache.content.get(digest) is None])
        self._stored.update(wanted)

    def execute(self, actions: list[Digest]) -> Iterator[tuple[Digest, ActionResult]]:
        """Runs the Actions, `jobs` at a time, and gives each result as it comes; raises for the first that fails."""
        with closing(self.attempt(actions)) as attempts:
            for action, result in attempts:
                if isinstance(result, OracleError):
                    raise result
                yield action, result

    def attempt(self, actions: list[Digest]) -> Generator[tuple[Digest, ActionResult | OracleError]]:
        """The same, with our failures as values: one Action that can't be run takes no other with it."""
        if not actions:
            return
        idle: queue.SimpleQueue[Executor] = queue.SimpleQueue()
        count = min(self.jobs, len(actions))
        while len(self._executors) < count:
            self._executors.append(self._up.enter_context(self._executor()))
        for executor in self._executors[:count]:
            idle.put(executor)
        with ThreadPoolExecutor(count) as pool:
            futures = {pool.submit(_run, idle, action): action for action in actions}
            try:
                for future in as_completed(futures):
                    yield futures[future], future.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                # Once its sandbox is gone, a thread has nothing to wait for.
                self._take_down()
                raise

    def _take_down(self) -> None:
        """Ends every sandbox; the next call brings up new ones."""
        self._executors.clear()
        self._up.close()

    def output(self, result: ActionResult, name: str) -> tuple[Digest, bytes]:
        """One output of one of our Actions, by its name in the target's folder; Malfunction when it is not there."""
        for item in result.output_files:
            if layout.name(item.path) == name:
                data = self.cache.content.get(item.digest)
                if data is not None:
                    return item.digest, data
        raise Malfunction(f"the result has no output {name}", remedy="score again")


def toolchain_files(images: Path) -> dict[str, bytes]:
    """What every Action of this machine may have as inputs, by path; lays the toolchain's image down below a folder."""
    from .analysis.policy import policy
    from .execution.libraries import lay_down
    from .execution.local import GENERATE_AT, SUITE_AT
    from .execution.toolchain import describe, image
    toolchain = describe(cache_root=images)
    image(toolchain, images)
    files = {layout.PROGRAM: runtime.program(), layout.TOOLCHAIN: toolchain.data, layout.POLICY: policy().data}
    folders = {layout.GENERATOR: runtime.generator(), layout.SUITE: runtime.suite(),
               **{layout.runtime(role): found for role, found in runtime.runtime().items()}}
    for folder, target in ((layout.GENERATOR, GENERATE_AT), (layout.SUITE, SUITE_AT)):
        blobs = {Digest.of(data): data for data in folders[folder].values()}
        inside = dict(sorted((path, Digest.of(data)) for path, data in folders[folder].items()))
        lay_down(inside, blobs.__getitem__, target, toolchain, images)
    return files | {f"{folder}/{path}": data for folder, found in folders.items() for path, data in found.items()}


def _run(idle: queue.SimpleQueue[Executor], action: Digest) -> ActionResult | OracleError:
    executor = idle.get()
    try:
        return executor.execute(action)
    except OracleError as error:
        return error
    finally:
        idle.put(executor)
