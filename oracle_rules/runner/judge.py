"""The judge: runs one property over its cases against a cell, and writes down what it observed.

It never imports candidate code.
The observation (see `protocol/verdict.py`) goes to one descriptor as canonical JSON. A pass needs the whole transcript:
every planned case answered in order, each answer exactly `True`, a clean close.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import os
import sys
from collections.abc import Sequence
from types import CoroutineType
from typing import Any

from ..protocol import canonical
from . import pins
from .remote import Peer, Violation
from .standins import StandIn, StandIns
from .wire import Wire

ORACLE, CORPORA = "/oracle", "/request/corpora"
_OBSERVATION = "oracle_rules/observation/v1"
# A case as JSON text, and whether it is typed JSON.
Case = tuple[str, bool]


class CandidateFinder:
    """Imports of the candidate's modules give stand-ins; it stands before every other finder."""

    def __init__(self, peer: Peer, roots: Sequence[str]) -> None:
        self._peer = peer
        self._roots = frozenset(roots)
        self.failure: BaseException | None = None

    @property
    def asked(self) -> bool:
        """Whether the candidate has been imported, so that what follows may hang on its answers."""
        return self._peer.requests > 0

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """A spec for names below the candidate's roots."""
        if name.partition(".")[0] not in self._roots:
            return None
        loader: Any = self  # the protocol of the importer, without its base classes, which are slow to load
        return importlib.machinery.ModuleSpec(name, loader, is_package=True)

    def create_module(self, spec: Any) -> Any:
        """Asks the cell to import the module; what it raises is raised here."""
        try:
            module, package = self._peer.ask(["import", spec.name])
        except Exception as error:
            self.failure = error
            raise
        if not package:
            spec.submodule_search_locations = None
        return module

    def exec_module(self, module: Any) -> None:
        """The cell has run it already."""


class Observation:
    """What is written down while the property runs."""

    def __init__(self, planned: int) -> None:
        self.planned = planned
        self.held = 0
        self.code: str | None = None
        self.detail = ""
        self.counterexample: dict[str, Any] | None = None
        self.reached: Any = None

    def fail(self, code: str, detail: str, index: int | None = None, case: Any = None, typed: bool = False) -> None:
        """The first thing that went wrong decides; later ones are consequences."""
        if self.code is None:
            self.code, self.detail = code, detail[:2000]
            if index is not None:
                self.counterexample = {"index": index, "case": case, **({"typed": True} if typed else {})}

    def document(self, notes: Any) -> dict[str, Any]:
        """The observation as JSON."""
        return {"schema": _OBSERVATION, "planned": self.planned, "held": self.held, "code": self.code,
                "detail": _plain(self.detail), "counterexample": self.counterexample,
                **({} if self.reached is None else {"reached": self.reached}),
                "notes": sorted([_plain(kind), _plain(path), line, _plain(what)] for kind, path, line, what in notes)}


def _plain(text: str) -> str:
    """Text that every encoder takes: lone surrogates are written as escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def load_property(path: str) -> Any:
    """The property module; raises whatever it raises."""
    spec = importlib.util.spec_from_file_location("oracle_property", f"{ORACLE}/{path}")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["oracle_property"] = module
    spec.loader.exec_module(module)
    return module


def ask_property(hold: Any, case: Any, peer: Peer, seams: Any) -> tuple[str | None, str]:
    """One case: (None, "") when it held, else a reason code and a sentence.

    What a fake saw counts before what became of it: a caller may swallow the exception, or drown in it.
    """
    peer.begin()
    seams.take_violations()
    code, detail = _asked(hold, case, peer)
    broken = seams.take_violations()
    if broken and peer.violation is None:
        return str(broken[0][0]), str(broken[0][1])
    return code, detail


def _asked(hold: Any, case: Any, peer: Peer) -> tuple[str | None, str]:
    before = peer.requests
    try:
        answer = hold(case)
        if type(answer) is CoroutineType:
            answer.close()
            return "oracle_error", "hold is a coroutine; write a plain function that drives what it awaits"
    except Violation as violation:
        return violation.code, violation.detail
    except AssertionError as error:
        return _own_failure(error, f"AssertionError: {_shown(error)}")
    except BaseException as error:
        return _raised(error, peer.requests > before)
    if peer.violation is not None:
        return peer.violation.code, peer.violation.detail
    if answer is True:
        return None, ""
    if answer is False:
        return "property_failed", "hold answered False"
    if isinstance(answer, StandIn):
        return "property_failed", "hold answered an object of the candidate's, which is not True"
    if any(answer is value for value in peer.given):
        return "property_failed", f"hold answered what the candidate gave, of type {type(answer).__name__} and not True"
    return "oracle_error", f"hold answered {type(answer).__name__}; it has to answer True or False"


def _own_failure(error: BaseException, text: str) -> tuple[str, str]:
    if "_oracle_where" in error.__dict__:
        return "candidate_raised", f"the candidate raised {text} at {_place(error)}"
    return "property_failed", text


def _raised(error: BaseException, asked: bool) -> tuple[str, str]:
    name = type(error).__name__
    if "_oracle_where" in getattr(error, "__dict__", {}):
        return "candidate_raised", f"the candidate raised {name}: {_shown(error)} at {_place(error)}"
    if asked and isinstance(error, Exception):
        text = f"{name}: {_shown(error)} {_line(error)}"
        return "property_failed", f"the candidate's answer made the property raise {text}"
    return "oracle_error", f"the property raised {name}: {_shown(error)} {_line(error)}{_advice(error)}"


def _advice(error: BaseException) -> str:
    """What to do about an exception of the property's own, where that can be told from its class."""
    if isinstance(error, ModuleNotFoundError):
        return "; a property imports the standard library, oracle_seams, the candidate, and files in the target's deps"
    return ""


def _place(error: BaseException) -> str:
    return str(error.__dict__["_oracle_where"]).removeprefix("/candidate/")


def _shown(error: BaseException) -> str:
    try:
        return str(error)[:300]
    except BaseException:
        return "(no text)"


def _line(error: BaseException) -> str:
    """Where in the oracle's files it happened."""
    trace, found = error.__traceback__, ""
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name.startswith(ORACLE + "/"):
            found = f"at {name.removeprefix(ORACLE + '/')}:{trace.tb_lineno}"
        trace = trace.tb_next
    return found


def judge(request: dict[str, Any], policy: dict[str, Any], corpus: list[Case], wire: Wire) -> dict[str, Any]:
    """Judges the cases in order up to the first that does not hold; gives the observation."""
    made: list[StandIns] = []
    peer = Peer(wire, lambda owner: made.append(StandIns(owner)) or made[0])  # type: ignore[func-returns-value]
    seen = Observation(len(corpus))
    options = {"clock_ns": policy["clock_ns"], "entropy": policy["entropy"], "cpus": policy["cpus"],
               "environment": sorted({*policy["environment"], *request["environment"]})}
    try:
        peer.open({"pins": options, "imports": request["imports"], "dependencies": request["dependencies"],
                   "reach": "reach" in request})
        pins.install(options, peer.note, candidate=ORACLE, dependencies="/nonexistent")
        import oracle_seams  # bound before the finder, so that the judge's fakes are ours in every workspace
        roots = [name for name in request["roots"] if name.isidentifier() and name not in sys.stdlib_module_names]
        finder = CandidateFinder(peer, roots)
        sys.meta_path.insert(0, finder)
        hold = _load(request["property"], finder, made[0], seen)
        if hold is not None:
            _run(hold, corpus, peer, oracle_seams, seen)
        if "reach" in request:
            seen.reached = peer.ask(["reach"])
        peer.close()
    except Violation as violation:
        seen.fail(violation.code, violation.detail)
    return seen.document(peer.notes)


def _load(path: str, finder: CandidateFinder, stand_ins: StandIns, seen: Observation) -> Any:
    try:
        hold = getattr(load_property(path), "hold", None)
    except Violation as violation:
        seen.fail(violation.code, f"while the property was loaded: {violation.detail}")
    except BaseException as error:
        if finder.failure is not None:
            failure = finder.failure
            place = f" at {_place(failure)}" if "_oracle_where" in failure.__dict__ else ""
            seen.fail("import_failed", f"{type(failure).__name__}: {_shown(failure)}{place}")
        elif stand_ins.missing and isinstance(error, ImportError):
            seen.fail("import_failed", stand_ins.missing[-1])
        elif "_oracle_where" in getattr(error, "__dict__", {}):
            seen.fail("candidate_raised", f"while the property was loaded: {type(error).__name__}: {_shown(error)}")
        else:
            text = f"{type(error).__name__}: {_shown(error)} {_line(error)}"
            if finder.asked:
                seen.fail("property_failed", f"the candidate's answer made {path} raise while it was loaded: {text}")
            else:
                seen.fail("property_broken", f"{path} cannot be loaded: {text}")
    else:
        if callable(hold):
            return hold
        seen.fail("property_broken", f"{path} defines no function hold(case)")
    return None


def _run(hold: Any, corpus: list[Case], peer: Peer, seams: Any, seen: Observation) -> None:
    for index, (data, typed) in enumerate(corpus):
        # Parsed anew for each case: what one case does to its input can't reach another. Keys keep their order.
        code, detail = ask_property(hold, _value(data, typed), peer, seams)
        if code is not None:
            seen.fail(code, detail, index, json.loads(data), typed)
            return
        seen.held += 1


def _value(data: str, typed: bool) -> Any:
    if not typed:
        return json.loads(data)
    from ..protocol.typed import decode
    return decode(json.loads(data))


def _cases(path: str) -> list[Case]:
    with open(path, "rb") as stream:
        found = canonical.loads(stream.read())
    if type(found) is not dict:
        return [(json.dumps(case), False) for case in found]
    # A generated corpus says how it was drawn, and with "problem" that its cases are typed.
    return [(json.dumps(case), "problem" in found) for case in found["cases"]]


def main(descriptor: int, result: int, only: int | None = None) -> None:
    """Reads what is staged, judges, writes the observation."""
    with open("/request/request.json", "rb") as stream:
        request = canonical.loads(stream.read())
    with open("/request/policy.json", "rb") as stream:
        policy = canonical.loads(stream.read())
    committed = [] if request["seeds"] is None else [f"{ORACLE}/{request['seeds']}"]
    drawn = sorted(os.listdir(CORPORA)) if os.path.isdir(CORPORA) else []
    cases = [case for path in (*committed, *(f"{CORPORA}/{name}" for name in drawn)) for case in _cases(path)]
    chosen = cases if only is None else [cases[only]]
    sys.path.append(ORACLE)
    document = judge(request, policy, chosen, Wire(descriptor))
    data = memoryview(canonical.dumps(document))
    while data:
        data = data[os.write(result, data):]
    os._exit(0)
