"""What each verb's process status says, as one table: `--help` and the docs are drawn from it. Imports no verb.

Every verb ends with 2 for a command, a file or a revision that is not what it has to be, and with 5 for a fault of
ours; where nothing else is said of these, a row leaves them out.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..errors import Exit

COMMON: Mapping[Exit, str] = MappingProxyType({Exit.USAGE: "usage", Exit.MALFUNCTION: "malfunction"})
OTHERS = "130 interrupted; 141 the reader of the report went away"

_A, _F, _I, _R, _M, _N, _U = (Exit.ACCEPT, Exit.FALSIFIED, Exit.INCOMPLETE, Exit.REFUSED, Exit.MALFUNCTION,
                              Exit.NOTHING, Exit.UNTRUSTED)
_UNREAD = {_I: "what base declares is missing, empty or malformed"}
_HERE = {_I: "what the work tree declares is missing, empty or malformed"}
_ROWS: dict[str, dict[Exit, str]] = {
    "score": {_A: "accept", _F: "a property is falsified", _I: "oracle incomplete", _R: "refused by the gate",
              _N: "nothing to score", _U: "untrusted evidence"},
    "gate": {_A: "nothing stands against the patch", _I: "oracle incomplete", _R: "refused", _N: "nothing to score",
             _U: "the oracle is not signed as was asked"},
    "replay": {_A: "the verdict has bit 1", _F: "falsified", _I: "the oracle could not be asked",
               _R: "the answer hangs on ambient entropy", _U: "not the stored verdict"},
    "why": {_A: "every target is told", **_UNREAD, _N: "no target is left"},
    "scan": {_A: "nothing that refuses", _R: "findings"},
    "canon": {_A: "every file is canonical, or now is", _R: "a file is not canonical"},
    "fixtures check": {_A: "every law is kept", **_HERE, _R: "a law is broken"},
    "fixtures add": {_A: "the row is written", **_HERE, _R: "a law forbids the row; nothing is written"},
    "freeze list": {_A: "the debt is shown", **_HERE},
    "freeze check": {_A: "every law is kept", **_HERE, _R: "a law is broken"},
    "freeze add": {_A: "the row is written", **_HERE, _R: "a law forbids the row; nothing is written"},
    "freeze expire": {_A: "no row that is past its day is left, or --dry-run named them", **_HERE},
    "freeze import": {_A: "the ledger is written", _I: "answers are missing; a draft is written",
                      _R: "a law forbids a row; a draft is written"},
    "freeze draft": {_A: "the log is read, whatever is proposed"},
    "domain show": {_A: "the domains are shown", **_HERE},
    "domain draw": {_A: "each corpus is what its lock asks for",
                    _I: "a corpus is not, or what the work tree declares is missing, empty or malformed",
                    _R: "a law stands against the property", _N: "no target draws from a locked domain"},
    "domain check": {_A: "every law is kept", **_HERE, _R: "a law is broken"},
    "domain compare": {_A: "no domain is narrower", _I: "a lock of either side is missing or malformed",
                       _R: "a domain is narrower, or has no row any more"},
    "promote": {_A: "a case is shown or written, or the list is", _R: "the corpus has it, or can't hold it",
                _N: "there is none"},
    "explore": {_A: "nothing was found", _F: "a case falsifies a property", _N: "no target has a locked domain"},
    "journal show": {_A: "the journals are shown", **_HERE},
    "journal propose": {_A: "the journal is written", **_HERE},
    "journal hunt": {_A: "a seed hit", _F: "no seed hit", _I: "the property, its domain or its journal can't be asked",
                     _R: "the gate's laws stand against the property"},
    "journal lock": {_A: "the journal is locked", **_HERE, _R: "a need of the move is not met; nothing is written"},
    "journal freeze": {_A: "the seeds are frozen", **_HERE, _R: "a need of the move is not met; nothing is written"},
    "journal thaw": {_A: "the freeze is over", **_HERE, _R: "a need of the move is not met; nothing is written"},
    "journal unlock": {_A: "the lock is gone", **_HERE, _R: "a need of the move is not met; nothing is written"},
    "journal saw": {_A: "the seeds are replayed", **_HERE, _R: "a need of the move is not met; nothing is written"},
    "journal holdout": {_A: "what was asked for is shown", **_HERE},
    "journal commit": {_A: "the commitment is written", **_HERE},
    "journal verify": {_A: "the locked journal is signed as the trust file asks", **_HERE, _U: "it is not"},
    "journal strength": {_A: "it was measured, whatever survived", _F: "it is red without any fault", **_HERE,
                         _R: "the gate's laws stand against the property", _N: "it runs nothing that could be changed"},
    "oracle digest": {_A: "the digest is printed", **_UNREAD},
    "oracle sign": {_A: "the envelope is written", **_UNREAD},
    "oracle verify": {_A: "enough people have signed", **_UNREAD, _U: "not signed as the trust file asks"},
    "execute judge": {_A: "the verdict is written, whatever its bit", _I: "an input is missing"},
    "execute reach": {_A: "the verdict is written, whatever its bit", _I: "an input is missing"},
    "execute suite": {_A: "the verdict is written, whatever its bit", _I: "an input is missing"},
    "execute generate": {_A: "the corpus is written", _I: "an input is missing"},
    "execute domain": {_A: "the document is written", _I: "the lock has no such row, or is malformed"},
    "execute policy": {_A: "the document is written", _I: "the profile is malformed"},
    "execute read": {_A: "the bit is 1, or the property is frozen", _F: "the bit is 0",
                     _I: "there is no verdict of that target, or the ledger is malformed"},
    "toolchain": {_A: "the repository is written"},
    "doctor": {_A: "every primitive works", _M: "one doesn't"},
}
EXITS: Mapping[str, Mapping[Exit, str]] = MappingProxyType(
    {verb: MappingProxyType(dict(sorted({**COMMON, **row}.items()))) for verb, row in _ROWS.items()})


def epilog(verb: str) -> str:
    """The sentence at the end of a verb's `--help`; a verb that has only actions sends to theirs."""
    if any(each.startswith(f"{verb} ") for each in EXITS):
        return f"exit codes: those of the action; see oracle-rules {verb} ACTION --help"
    told = "; ".join(f"{int(code)} {text}" for code, text in EXITS[verb].items())
    return f"exit codes of {verb}: {told}; {OTHERS}"
