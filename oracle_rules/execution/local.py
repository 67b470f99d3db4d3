"""Executes one Action on this machine, from its digest and a content store alone.

Judge and reach: two sandboxes, the judge with `judge/` of the input root, the cell with `cell/`, and one socket. The
verdict is made here from what the judge observed and how both ended; what a candidate printed is never read for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..digest import Digest
from ..errors import Malfunction
from ..protocol import canonical, corpus, layout, reach, suite, verdict
from ..reapi.messages import Action, ActionResult, Command, OutputFile
from ..storage.interface import ContentStore
from .sandbox import Bind, Ending, Limits, Link, Process, Spawner, Tmpfs
from .staging import Staging

# Not -I: an isolated interpreter ignores PYTHONHASHSEED, and then sets have another order in every run. What else -I
# keeps away is not there: the environment holds what the Action names, and no policy or target may name a PYTHON*.
INTERPRETER = ("/python/bin/python3", "-P", "-s", "-S", "-B")
_START = "_oracle_runtime/runner/start.py"
_RESULT_BYTES = {"judge": 16 << 20, "generate": 64 << 20, "suite": 64 << 20}
# Where the libraries of a generator and of a suite are bound.
GENERATE_AT, SUITE_AT = "/generate/packages/site-packages", "/packages/site-packages"
# Gives a folder with these files and their bytecode, to be bound there; None where there is none.
Library = Callable[[Mapping[str, Digest], str], Path | None]
# Drawing is bounded by counts; this bounds what no count does.
GENERATE_SECONDS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What one Action asks: its inputs by path, the folder of its target, and the two documents that say what to do."""

    files: Mapping[str, Digest]
    home: str
    policy_path: str
    request: dict[str, Any]
    policy: dict[str, Any]

    def own(self, name: str) -> Digest:
        """A file in the folder of the target."""
        return self.named([f"{self.home}/{name}"])[f"{self.home}/{name}"]

    def named(self, paths: Sequence[str]) -> dict[str, Digest]:
        """Inputs by their paths. Raises Malfunction for one that is none."""
        for path in paths:
            if path not in self.files:
                raise Malfunction("is no input of the Action", where=path)
        return {path: self.files[path] for path in paths}

    def below(self, root: str) -> dict[str, Digest]:
        """What lies below a folder, by its path there."""
        return layout.below(self.files, root)

    @property
    def corpora(self) -> dict[str, Digest]:
        """The drawn or given corpora by their names, in the order in which they are asked."""
        return dict(sorted(self.below(f"{self.home}/{layout.CORPORA}").items()))

    @property
    def told(self) -> dict[str, Digest]:
        """What the judge, or the suite's process, finds in its folder of requests."""
        corpora = {f"{layout.CORPORA}/{name}": digest for name, digest in self.corpora.items()}
        return {"request.json": self.own(layout.REQUEST), "policy.json": self.files[self.policy_path], **corpora}

    @property
    def environment(self) -> tuple[tuple[str, str], ...]:
        """The variables of every process."""
        found: dict[str, str] = {**self.policy["environment"], **self.request.get("environment", {})}
        return tuple(sorted(found.items()))

    @property
    def seconds(self) -> int:
        """How long it may take."""
        return int(self.request["timeout_seconds"])


class Executor:
    """Runs Actions in one live spawner, one at a time; give each thread its own."""

    def __init__(self, content: ContentStore, staging: Staging, toolchain: bytes,
                 mounts: Sequence[tuple[Path, str]], unpack: Callable[[bytes], Path], library: Library,
                 spawner: Spawner) -> None:
        self._content = content
        self._staging = staging
        self._toolchain = Digest.of(toolchain)
        self._mounts = tuple(Bind(source=str(host), target=target) for host, target in mounts)
        self._unpack = unpack
        self._library = library
        self._spawner = spawner

    def execute(self, digest: Digest) -> ActionResult:
        """The result of the Action: its outputs, exit code 0. Raises Malfunction when we fail, never a verdict."""
        action = Action.decode(self._staging.blob(digest))
        command = Command.decode(self._staging.blob(action.command_digest))
        files = self._staging.files(action.input_root_digest)
        made = self.run(command.arguments, files, where=str(digest))
        outputs = command.output_files or command.output_paths
        home = command.arguments[2].rpartition("/")[0]
        if sorted(outputs) != sorted(f"{home}/{name}" for name in made):
            raise Malfunction(f"the Action wants other outputs than {', '.join(made)}", where=str(digest))
        return ActionResult(exit_code=0, output_files=tuple(
            OutputFile(path=f"{home}/{name}", digest=self._content.put(data), is_executable=False)
            for name, data in sorted(made.items())))

    def run(self, arguments: Sequence[str], files: Mapping[str, Digest], *, where: str) -> dict[str, bytes]:
        """What a command line over these inputs gives, by name in the folder of the target."""
        kinds = {"judge": self._judge, "generate": self._generate, "suite": self._suite, "reach": self._reach}
        if len(arguments) != 4 or arguments[0] != layout.PROGRAM or arguments[1] not in kinds:
            raise Malfunction("the Action is none of ours", where=" ".join(arguments)[:80] or where)
        _, kind, request, policy = arguments
        for path in (request, policy, layout.TOOLCHAIN):
            if path not in files:
                raise Malfunction("is no input of the Action", where=path)
        if files[layout.TOOLCHAIN] != self._toolchain:
            raise Malfunction("the Action is for another toolchain than this machine's", where=where,
                              remedy="run it with the interpreter that toolchain.json of its inputs describes")
        asked = _Asked(files=files, home=request.rpartition("/")[0], policy_path=policy,
                       request=canonical.loads(self._staging.blob(files[request])),
                       policy=canonical.loads(self._staging.blob(files[policy])))
        return kinds[kind](asked)

    def _generate(self, asked: _Asked) -> dict[str, bytes]:
        filters = [self._bind(asked.named(sorted({each["path"] for each in asked.request.get("filters", ())})),
                              "/oracle")] if asked.request.get("filters") else []
        binds = (*self._mounts, *filters,
                 self._bind({"domain.json": asked.own(layout.DOMAIN), "policy.json": asked.files[asked.policy_path]},
                            "/request"),
                 # Below a site-packages folder Hypothesis does not look for constants.
                 self._bind(asked.below(layout.runtime("generate")), "/generate/site-packages/oracle"),
                 self._bind_library(asked.below(layout.GENERATOR), GENERATE_AT))
        process = self._process("generate", (), binds, "/request", asked, GENERATE_SECONDS,
                                "/generate/site-packages/oracle")
        ending = self._spawner.run((process,), wall_ms=GENERATE_SECONDS * 1000)[0]
        name = layout.corpus(0)
        if ending.how in corpus.LIMITS or ending.result_overflow:
            how = "output_limit" if ending.result_overflow else ending.how
            return {name: canonical.dumps(corpus.failed(f"the drawing ended at a limit: {how}", limit=how))}
        if (ending.how, ending.code) != ("exited", 0) or not ending.result:
            if filters:
                said = f"the drawing {ending.how} with {ending.code}, which a filter brought about: {_tail(ending)}"
                return {name: canonical.dumps(corpus.failed(said))}
            raise Malfunction(f"the generator {ending.how} with {ending.code}: {_tail(ending)}", where="generate",
                              remedy="see the text; a domain that can't be drawn from has to be widened by a person")
        return {name: canonical.dumps(canonical.loads(ending.result))}

    def _judge(self, asked: _Asked) -> dict[str, bytes]:
        return {layout.VERDICT: self._apart(asked)[0]}

    def _reach(self, asked: _Asked) -> dict[str, bytes]:
        decided, lines = self._apart(asked)
        return {layout.VERDICT: decided, layout.REACH: lines}

    def _apart(self, asked: _Asked) -> tuple[bytes, bytes]:
        """The verdict, and which lines were run, where the request asks for them."""
        request, seconds = asked.request, asked.seconds
        judge_binds = (*self._mounts, self._bind(asked.below(layout.runtime("judge")), "/runtime"),
                       self._bind(asked.named(request["oracle"]), "/oracle"), self._bind(asked.told, "/request"))
        cell_binds = [*self._mounts, self._bind(asked.below(layout.runtime("cell")), "/runtime")]
        if request["candidate"]:
            cell_binds.append(self._bind(asked.named(request["candidate"]), "/candidate"))
        if request["dependencies"]:
            cell_binds.append(self._packages(asked, "/deps"))
        planned = self._planned(asked)
        numbers: list[int | None] = list(range(planned)) if request["fresh_cell"] else [None]
        runs = []
        for number in numbers:
            rest = () if number is None else (str(number),)
            pair = (self._process("judge", rest, judge_binds, "/oracle", asked, seconds, "/runtime"),
                    self._process("cell", (), tuple(cell_binds), "/tmp", asked, seconds, "/runtime"))
            endings = self._spawner.run(pair, (Link(a="judge", b="cell"),), wall_ms=seconds * 1000, primary="judge")
            runs.append(_observed(endings, number))
            if runs[-1][0] is None or runs[-1][0]["code"] is not None:
                break
        seen = _together([run[0] for run in runs])
        decided = verdict.decide({**request, "planned": planned}, seen, runs[-1][1], runs[-1][2], seconds)
        return canonical.dumps(verdict.parse(decided)), reach.document([run[0] for run in runs])

    def _planned(self, asked: _Asked) -> int:
        """How many cases there are, counted on this side of the wall."""
        committed = [] if asked.request["seeds"] is None else [asked.files[asked.request["seeds"]]]
        return sum(corpus.count(self._staging.blob(digest)) for digest in (*committed, *asked.corpora.values()))

    def _suite(self, asked: _Asked) -> dict[str, bytes]:
        """One process for tests and candidate, once for each seed; what it wrote is judged here."""
        request = {**asked.request, "planned": len(asked.request["suite"]["nodeids"])}
        # Below a site-packages folder Hypothesis does not look for constants: the candidate's move no stream.
        runtime = "/suite/site-packages/oracle"
        binds = [*self._mounts, self._bind(asked.below(layout.runtime("suite")), runtime),
                 self._bind_library(asked.below(layout.SUITE), SUITE_AT),
                 self._bind(asked.named(request["oracle"]), "/oracle"), self._bind(asked.told, "/request")]
        if request["candidate"]:
            binds.append(self._bind(asked.named(request["candidate"]), "/candidate/site-packages"))
        if request["dependencies"]:
            binds.append(self._packages(asked, "/deps/site-packages"))
        runs: list[suite.Seen] = []
        for seed in request["suite"]["seeds"]:
            process = self._process("suite", (str(seed),), tuple(binds), "/oracle", asked, asked.seconds, runtime)
            ending = self._spawner.run((process,), wall_ms=asked.seconds * 1000)[0]
            if ending.how == "exited" and not ending.result:
                raise Malfunction(f"the suite's process {ending.how} with {ending.code}: {_tail(ending)}",
                                  where="suite",
                                  remedy="this is a fault of ours; please report it with the repro command")
            how = "output_limit" if ending.result_overflow else ending.how
            runs.append(suite.Seen.of(request, ending.result, (how, ending.code), _tail(ending)))
            if not runs[-1].held:
                break
        last = runs[-1]
        decided = verdict.decide(request, last.observation, last.ending, "exited", asked.seconds)
        return {layout.VERDICT: canonical.dumps(verdict.parse(decided)), layout.ARGUMENTS: suite.arguments(runs)}

    def _packages(self, asked: _Asked, target: str) -> Bind:
        return Bind(source=str(self._unpack(self._staging.blob(asked.own(layout.PACKAGES)))), target=target)

    def _bind_library(self, files: Mapping[str, Digest], target: str) -> Bind:
        """The same with the bytecode, where it can be had."""
        place = self._library(files, target)
        return self._bind(files, target) if place is None else Bind(source=str(place), target=target)

    def _bind(self, files: Mapping[str, Digest], target: str) -> Bind:
        return Bind(source=str(self._staging.folder(files)), target=target)

    def _process(self, role: str, rest: tuple[str, ...], binds: tuple[Bind, ...], cwd: str, asked: _Asked,
                 seconds: int, runtime: str) -> Process:
        policy, given = asked.policy, asked.policy["limits"]
        limits = Limits(wall_ms=seconds * 1000, cpu_seconds=given["cpu_seconds"], memory_bytes=given["memory_bytes"],
                        processes=given["processes"], file_bytes=given["file_bytes"], open_files=given["open_files"],
                        output_bytes=given["output_bytes"])
        return Process(
            name=role, argv=(*INTERPRETER, f"{runtime}/{_START}", role, *rest), env=asked.environment, cwd=cwd,
            binds=binds,
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
