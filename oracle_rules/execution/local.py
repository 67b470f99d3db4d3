"""Executes one Action on this machine, from its digest and a content store alone.

Judge and reach: two sandboxes, the judge with `judge/` of the input root, the cell with `cell/`, and one socket. The
verdict is made here from what the judge observed and how both ended; what a candidate printed is never read for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..digest import Digest
from ..errors import Malfunction
from ..protocol import canonical, corpus, reach, suite, verdict
from ..reapi.messages import Action, ActionResult, Command, OutputFile
from ..storage.interface import ContentStore
from .sandbox import Bind, Ending, Limits, Link, Process, Spawner, Tmpfs
from .staging import Staging

# Not -I: an isolated interpreter ignores PYTHONHASHSEED, and then sets have another order in every run. What else -I
# keeps away is not there: the environment holds what the Action names, and no policy or target may name a PYTHON*.
INTERPRETER = ("/python/bin/python3", "-P", "-s", "-S", "-B")
_START = "_oracle_runtime/runner/start.py"
_RESULT_BYTES = {"judge": 16 << 20, "generate": 64 << 20, "suite": 64 << 20}
# What each kind of Action gives, in the order in which it gives it.
OUTPUTS = {"judge": ("verdict.json",), "generate": ("corpus.json",), "suite": ("verdict.json", "arguments.json"),
           "reach": ("verdict.json", "reach.json")}


class Executor:
    """Runs Actions in one live spawner, one at a time; give each thread its own."""

    def __init__(self, content: ContentStore, staging: Staging, toolchain: bytes,
                 mounts: Sequence[tuple[Path, str]], unpack: Any, spawner: Spawner) -> None:
        self._content = content
        self._staging = staging
        self._toolchain = Digest.of(toolchain)
        self._mounts = tuple(Bind(source=str(host), target=target) for host, target in mounts)
        self._unpack = unpack
        self._spawner = spawner

    def execute(self, digest: Digest) -> ActionResult:
        """The result of the Action: its outputs, exit code 0. Raises Malfunction when we fail, never a verdict."""
        action = Action.decode(self._staging.blob(digest))
        command = Command.decode(self._staging.blob(action.command_digest))
        kind = command.arguments[-1] if command.arguments[:2] == ("oracle-rules", "execute") else ""
        if kind not in OUTPUTS:
            raise Malfunction(f"the Action {digest} is none of ours", where=" ".join(command.arguments)[:80])
        root = self._staging.directory(action.input_root_digest)
        files = {node.name: node.digest for node in root.files}
        folders = {node.name: node.digest for node in root.directories}
        if files.get("toolchain.json") != self._toolchain:
            raise Malfunction("the Action is for another toolchain than this machine's", where=str(digest),
                              remedy="run it with the interpreter that toolchain.json of its inputs describes")
        policy = canonical.loads(self._staging.blob(files["policy.json"]))
        environment = tuple(command.environment)
        seconds = int(action.timeout_seconds or 60)
        run = {"judge": self._judge, "generate": self._generate, "suite": self._suite, "reach": self._apart}[kind]
        made = dict(zip(OUTPUTS[kind], run(folders, policy, environment, seconds), strict=True))
        return ActionResult(exit_code=0, output_files=tuple(
            OutputFile(path=path, digest=self._content.put(data), is_executable=False)
            for path, data in sorted(made.items())))

    def _generate(self, folders: dict[str, Digest], policy: dict[str, Any], environment: Any,
                  seconds: int) -> tuple[bytes, ...]:
        inside = self._children(folders["generate"])
        filters = (self._bind(inside["oracle"], "/oracle"),) if "oracle" in inside else ()
        binds = (*self._mounts, *filters, self._bind(inside["request"], "/request"),
                 # Below a site-packages folder Hypothesis does not look for constants.
                 self._bind(inside["runtime"], "/generate/site-packages/oracle"),
                 self._bind(inside["site-packages"], "/generate/packages/site-packages"))
        process = self._process("generate", (), binds, "/request", policy, environment, seconds,
                                "/generate/site-packages/oracle")
        ending = self._spawner.run((process,), wall_ms=seconds * 1000)[0]
        if ending.how in corpus.LIMITS or ending.result_overflow:
            how = "output_limit" if ending.result_overflow else ending.how
            return (canonical.dumps(corpus.failed(f"the drawing ended at a limit: {how}", limit=how)),)
        if (ending.how, ending.code) != ("exited", 0) or not ending.result:
            if filters:
                said = f"the drawing {ending.how} with {ending.code}, which a filter brought about: {_tail(ending)}"
                return (canonical.dumps(corpus.failed(said)),)
            raise Malfunction(f"the generator {ending.how} with {ending.code}: {_tail(ending)}", where="generate",
                              remedy="see the text; a domain that can't be drawn from has to be widened by a person")
        return (canonical.dumps(canonical.loads(ending.result)),)

    def _judge(self, folders: dict[str, Digest], policy: dict[str, Any], environment: Any,
               seconds: int) -> tuple[bytes, ...]:
        return (self._apart(folders, policy, environment, seconds)[0],)

    def _apart(self, folders: dict[str, Digest], policy: dict[str, Any], environment: Any,
               seconds: int) -> tuple[bytes, bytes]:
        """The verdict, and which lines were run, where the request asks for them."""
        judge, cell = self._children(folders["judge"]), self._children(folders["cell"])
        request = canonical.loads(self._staging.folder(judge["request"]).joinpath("request.json").read_bytes())
        judge_binds = (*self._mounts, self._bind(judge["runtime"], "/runtime"), self._bind(judge["oracle"], "/oracle"),
                       self._bind(judge["request"], "/request"))
        cell_binds = [*self._mounts, self._bind(cell["runtime"], "/runtime")]
        if "candidate" in cell:
            cell_binds.append(self._bind(cell["candidate"], "/candidate"))
        packages = {node.name: node.digest for node in self._staging.directory(folders["cell"]).files}
        if "deps.pex" in packages:
            unpacked = self._unpack(self._staging.blob(packages["deps.pex"]))
            cell_binds.append(Bind(source=str(unpacked), target="/deps"))
        numbers: list[int | None] = list(range(request["planned"])) if request["fresh_cell"] else [None]
        runs = []
        for number in numbers:
            rest = () if number is None else (str(number),)
            pair = (self._process("judge", rest, judge_binds, "/oracle", policy, environment, seconds, "/runtime"),
                    self._process("cell", (), tuple(cell_binds), "/tmp", policy, environment, seconds, "/runtime"))
            endings = self._spawner.run(pair, (Link(a="judge", b="cell"),), wall_ms=seconds * 1000, primary="judge")
            runs.append(_observed(endings, number))
            if runs[-1][0] is None or runs[-1][0]["code"] is not None:
                break
        seen = _together([run[0] for run in runs])
        decided = verdict.decide(request, seen, runs[-1][1], runs[-1][2], seconds)
        return canonical.dumps(verdict.parse(decided)), reach.document([run[0] for run in runs])

    def _suite(self, folders: dict[str, Digest], policy: dict[str, Any], environment: Any,
               seconds: int) -> tuple[bytes, ...]:
        """One process for tests and candidate, once for each seed; what it wrote is judged here."""
        inside = self._children(folders["suite"])
        request = canonical.loads(self._staging.folder(inside["request"]).joinpath("request.json").read_bytes())
        # Below a site-packages folder Hypothesis does not look for constants: the candidate's move no stream.
        places = {"runtime": "/suite/site-packages/oracle", "site-packages": "/packages/site-packages",
                  "oracle": "/oracle", "request": "/request", "candidate": "/candidate/site-packages"}
        binds = [*self._mounts, *(self._bind(inside[name], place) for name, place in places.items() if name in inside)]
        packages = {node.name: node.digest for node in self._staging.directory(folders["suite"]).files}
        if "deps.pex" in packages:
            unpacked = self._unpack(self._staging.blob(packages["deps.pex"]))
            binds.append(Bind(source=str(unpacked), target="/deps/site-packages"))
        runs: list[suite.Seen] = []
        for seed in request["suite"]["seeds"]:
            process = self._process("suite", (str(seed),), tuple(binds), "/oracle", policy, environment, seconds,
                                    places["runtime"])
            ending = self._spawner.run((process,), wall_ms=seconds * 1000)[0]
            if ending.how == "exited" and not ending.result:
                raise Malfunction(f"the suite's process {ending.how} with {ending.code}: {_tail(ending)}",
                                  where="suite",
                                  remedy="this is a fault of ours; please report it with the repro command")
            how = "output_limit" if ending.result_overflow else ending.how
            runs.append(suite.Seen.of(request, ending.result, (how, ending.code), _tail(ending)))
            if not runs[-1].held:
                break
        last = runs[-1]
        decided = verdict.decide(request, last.observation, last.ending, "exited", seconds)
        return canonical.dumps(verdict.parse(decided)), suite.arguments(runs)

    def _children(self, root: Digest) -> dict[str, Digest]:
        return {node.name: node.digest for node in self._staging.directory(root).directories}

    def _bind(self, root: Digest, target: str) -> Bind:
        return Bind(source=str(self._staging.folder(root)), target=target)

    def _process(self, role: str, rest: tuple[str, ...], binds: tuple[Bind, ...], cwd: str, policy: dict[str, Any],
                 environment: Any, seconds: int, runtime: str) -> Process:
        given = policy["limits"]
        limits = Limits(wall_ms=seconds * 1000, cpu_seconds=given["cpu_seconds"], memory_bytes=given["memory_bytes"],
                        processes=given["processes"], file_bytes=given["file_bytes"], open_files=given["open_files"],
                        output_bytes=given["output_bytes"])
        return Process(
            name=role, argv=(*INTERPRETER, f"{runtime}/{_START}", role, *rest), env=environment, cwd=cwd, binds=binds,
            tmpfs=(Tmpfs(target="/tmp", size_bytes=given["tmp_bytes"], inodes=given["tmp_files"]),), limits=limits,
            hostname=policy["hostname"], result_bytes=_RESULT_BYTES.get(role, 0), deny=tuple(policy["denied"]))


def _observed(endings: tuple[Ending, ...], number: int | None) -> tuple[dict[str, Any] | None, tuple[str, int], str]:
    """What the judge saw, how the cell ended, how the judge ended."""
    judge, cell = endings
    seen = None
    if (judge.how, judge.code) == ("exited", 0) and judge.result and not judge.result_overflow:
        seen = canonical.loads(judge.result)
    elif judge.how == "exited":
        # A judge that a signal ended was brought down by what it was sent: that is the candidate's, never our excuse.
        raise Malfunction(f"the judge {judge.how} with {judge.code}: {_tail(judge)}", where="judge",
                          remedy="this is a fault of ours; please report it with the repro command")
    if seen is not None and number is not None and seen["counterexample"] is not None:
        seen["counterexample"]["index"] = number
    return seen, (cell.how, cell.code), judge.how


def _together(observations: list[dict[str, Any] | None]) -> dict[str, Any] | None:
    """One observation of runs with a cell for each case."""
    last = observations[-1]
    if last is None or len(observations) == 1:
        return last
    whole = [seen for seen in observations if seen is not None]
    notes = sorted({tuple(note) for seen in whole for note in seen["notes"]})
    return {**last, "held": sum(seen["held"] for seen in whole), "planned": sum(seen["planned"] for seen in whole),
            "notes": [list(note) for note in notes]}


def _tail(ending: Ending) -> str:
    return ending.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2][-300:]
