"""The grammar of the command line: every verb with its options. Imports no verb, so that `--help` stays quick.

Longer than 300 lines because the options of every verb stand in one place.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NoReturn

from .. import __version__
from ..errors import UsageError
from .exits import epilog
from .interface import AUTHORS, FORMATS, PACKET_FORMATS

_DESCRIPTION = "Score patches against an oracle that the patch cannot touch."


class _Parser(argparse.ArgumentParser):
    """Complains as everything else does: one line that says what is wrong and what to do."""

    def error(self, message: str) -> NoReturn:
        """Called by argparse for a command line that is not in the grammar."""
        raise UsageError(message, remedy=f"see {self.prog} --help")


def parser() -> argparse.ArgumentParser:
    """The grammar of the command line."""
    top = _Parser(prog="oracle-rules", description=_DESCRIPTION, epilog=epilog("score"), allow_abbrev=False)
    top.add_argument("--version", action="version", version=f"oracle-rules {__version__}")
    top.add_argument("--explain", metavar="CODE", help="say what a reason code means and what to do, then exit")
    verbs = top.add_subparsers(dest="verb", metavar="VERB")
    score = _score(verbs)
    gate = _verb(verbs, "gate", "hold what a patch touches against the gate's table, without running anything")
    _sides(gate)
    gate.add_argument("--format", action="append", metavar="FORMAT[=FILE]", dest="formats",
                      help=f"{', '.join(PACKET_FORMATS)}; repeatable; without FILE to stdout (default: text)")
    gate.add_argument("--require-codeowners", action="store_true",
                      help="refuse when CODEOWNERS of base gives an oracle path no owner who is a person")
    for verb in (score, gate):
        _signatures(verb)
        verb.add_argument("--today", metavar="DATE",
                          help="the day freeze rows are held against (default: this machine's)")
        verb.add_argument("--author", choices=AUTHORS, default=AUTHORS[0],
                          help="who made the patch, as the caller knows it (default: agent, the strict one)")
    replay = _verb(verbs, "replay", "run one Action again from the cache alone and compare the verdicts")
    _cached(replay, many=False)
    replay.add_argument("action", metavar="DIGEST|LABEL", help="HASH/SIZE as score prints it, or a target's label")
    why = _verb(verbs, "why", "say which input of a target changed since its last run")
    _cached(why)
    _sides(why)
    for add in (_promote, _fixture_verbs, _freeze, _domain, _journal, _oracle, _scan):
        add(verbs)
    _building(verbs)
    doctor = verbs.add_parser("doctor", help="prove each primitive of the sandbox on this machine", allow_abbrev=False)
    doctor.add_argument("--format", action="append", choices=FORMATS, dest="formats")
    _tell_exits(verbs)
    return top


def _score(verbs: argparse._SubParsersAction[_Parser]) -> argparse.ArgumentParser:
    score = _verb(verbs, "score", "judge a patch: gate, properties in the sandbox, one decision")
    _cached(score)
    _sides(score)
    score.add_argument("--format", action="append", metavar="FORMAT[=FILE]", dest="formats",
                       help=f"{', '.join(FORMATS)}; repeatable; without FILE to stdout (default: text)")
    score.add_argument("--attribute", action="store_true",
                       help="judge the parent too: who is to blame for what is red, what is fixed, kept or broken")
    score.add_argument("--secret-file", type=Path, metavar="FILE",
                       help="hold seeds out by this secret, so that a patch's author can't work them out")
    score.add_argument("--require-assurance", choices=("apart",),
                       help="apart: refuse suites, which share their process with the candidate")
    return score


def _tell_exits(verbs: argparse._SubParsersAction[_Parser], above: str = "") -> None:
    """Each verb and each action ends its help with what its exit codes say."""
    for name, each in verbs.choices.items():
        each.epilog = epilog(f"{above}{name}")
        for action in each._actions:
            if isinstance(action, argparse._SubParsersAction):
                _tell_exits(action, f"{above}{name} ")


def _fixture_verbs(verbs: argparse._SubParsersAction[_Parser]) -> None:
    text = "say which JSON files are not in canonical form, or bring them into it"
    canon = verbs.add_parser("canon", help=text, description=text, allow_abbrev=False)
    way = canon.add_mutually_exclusive_group(required=True)
    way.add_argument("--check", action="store_true", help="name each file that differs, and where")
    way.add_argument("--write", action="store_true", help="write each file that differs anew")
    canon.add_argument("files", nargs="+", type=Path, metavar="FILE")
    text = "hold the declared fixtures of the work tree against their laws, or write the row of one (a person's verb)"
    fixtures = verbs.add_parser("fixtures", help=text, description=text, allow_abbrev=False)
    actions = fixtures.add_subparsers(dest="action", metavar="ACTION", required=True)
    check = actions.add_parser("check", help="exit as score would for these fixtures", allow_abbrev=False)
    add = actions.add_parser("add", help="write or renew the manifest row of a file; for people", allow_abbrev=False)
    for action in (check, add):
        action.add_argument("--repository", type=Path, default=Path("."), metavar="DIR",
                            help="a folder of the repository")
    add.add_argument("file", type=Path, metavar="FILE")
    add.add_argument("--origin", required=True, metavar="TEXT", help="where the bytes are from: 'human: NAME, how'")
    add.add_argument("--purpose", required=True, metavar="TEXT", help="what the bytes show")
    add.add_argument("--form", choices=("bytes",), help="bytes: the file stays as it was recorded, JSON or not")
    add.add_argument("--rewritable-by-agent", action="store_true", help="needs an origin that starts with human")


def _domain(verbs: argparse._SubParsersAction[_Parser]) -> None:
    text = "what generated cases are drawn from: show and draw locked domains, hold them to laws, compare two states"
    domain = verbs.add_parser("domain", help=text, description=text, allow_abbrev=False)
    actions = domain.add_subparsers(dest="action", metavar="ACTION", required=True)
    made = {name: actions.add_parser(name, help=says, description=says, allow_abbrev=False) for name, says in (
        ("show", "the work tree's domains in canonical form, with fingerprint and pinned corpus"),
        ("draw", "draw the work tree's domains as score would: how many cases, what filters said, the digest to pin"),
        ("check", "hold the work tree's locks to every law, without drawing; exits as score would"),
        ("compare", "name each field in which a domain is narrower than at base; exit 4 when one is"),
    )}
    for verb in made.values():
        verb.add_argument("--repository", type=Path, default=Path("."), metavar="DIR",
                          help="a folder of the repository")
    for name in ("show", "draw"):
        made[name].add_argument("property_id", nargs="?", metavar="ID", help="one property (default: all)")
        made[name].add_argument("--format", choices=FORMATS, default="text")
    _cached(made["draw"])
    made["compare"].add_argument("--base", required=True, metavar="REV", help="the commit whose locks may not be lost")
    made["compare"].add_argument("--head", metavar="REV", help="the commit to compare (default: the work tree)")


def _freeze(verbs: argparse._SubParsersAction[_Parser]) -> None:
    text = "what is no evidence for now: list, check, add and remove rows, import ledgers, draft rows from a log"
    freeze = verbs.add_parser("freeze", help=text, description=text, allow_abbrev=False)
    actions = freeze.add_subparsers(dest="action", metavar="ACTION")
    made = {name: actions.add_parser(name, help=says, description=says, allow_abbrev=False) for name, says in (
        ("list", "the rows as debt, with the days that are left"),
        ("check", "hold the work tree's ledgers to every law; exits as score would"),
        ("add", "for people: add a row that keeps every law"),
        ("expire", "for people: remove the rows that are past their day"),
        ("import", "read another shape of ledger, and ask for what it doesn't say"),
        ("draft", "propose rows for the failing tests of a pytest log; writes no ledger"),
    )}
    for name in ("list", "check", "add", "expire"):
        made[name].add_argument("--repository", type=Path, default=Path("."), metavar="DIR",
                                help="a folder of the repository")
        made[name].add_argument("--ledger", metavar="PATH", help="one ledger (default: what oracle_freeze declares)")
    for verb in made.values():
        verb.add_argument("--today", metavar="DATE", help="the day that counts (default: this machine's)")
    for name in ("list", "draft"):
        made[name].add_argument("--format", choices=("text", "json"), default="text")
    made["check"].add_argument("--record", action="append", type=Path, default=[], metavar="FILE", dest="records",
                               help="a record of score; what is red in all runs of at least two is refused; repeatable")
    made["expire"].add_argument("--dry-run", action="store_true", help="say which, and remove none")
    made["draft"].add_argument("--log", type=Path, required=True, metavar="FILE", help="pytest's text or JUnit XML")
    foreign = made["import"]
    foreign.add_argument("file", type=Path, metavar="FILE", help="JSON or YAML")
    foreign.add_argument("--out", type=Path, required=True, metavar="FILE",
                         help="where the ledger goes; what lacks answers goes to a draft beside it")
    foreign.add_argument("--answers", type=Path, metavar="FILE", help="JSON: {budget, rows: {id: {field: value}}}")
    foreign.add_argument("--shape", default="", help="native, excluded, freezes, profile or register, where the keys"
                         " don't tell")
    _row(made["add"])


def _row(add: argparse.ArgumentParser) -> None:
    add.add_argument("--id", required=True, help="a name of the row's own, such as FRZ-0007")
    thing = add.add_mutually_exclusive_group(required=True)
    thing.add_argument("--property", metavar="ID", help="the property to freeze")
    thing.add_argument("--nodeid", metavar="ID", help="the test to freeze, as pytest --collect-only -q prints it")
    for name, says in (("class", "order-dependent or time-dependent"), ("seam", "what it comes through"),
                       ("evidence", "what was seen, N of M runs"), ("owner", "the person who mends it"),
                       ("last-green", "the day on which it last passed")):
        add.add_argument(f"--{name}", required=True, dest=name.replace("-", "_"), help=says)
    add.add_argument("--order", help="an order that makes it red")
    add.add_argument("--skew", help="a clock that makes it red")
    add.add_argument("--expires", metavar="DATE", help="its last day (default: seven days from today)")


def _verb(verbs: argparse._SubParsersAction[_Parser], name: str, text: str) -> argparse.ArgumentParser:
    made = verbs.add_parser(name, help=text, description=text, allow_abbrev=False)
    made.add_argument("--repository", type=Path, default=Path("."), metavar="DIR", help="a folder of the repository")
    return made


def _cached(verb: argparse.ArgumentParser, *, many: bool = True) -> None:
    """The options of a verb that looks into the cache, and of one that may run many sandboxes."""
    verb.add_argument("--cache-dir", type=Path, metavar="DIR", help="the local cache (default: below ~/.cache)")
    verb.add_argument("--cache-size", type=int, metavar="BYTES", help="cap of the local cache (default: 2 GiB)")
    verb.set_defaults(jobs=None)
    if many:
        verb.add_argument("--jobs", type=int, metavar="N",
                          help="how many sandboxes run at once (default: one per CPU)")


def _building(verbs: argparse._SubParsersAction[_Parser]) -> None:
    """What build rules run; nobody types these."""
    execute = verbs.add_parser("execute", help="run one Action of a build tool in its execution root",
                               allow_abbrev=False)
    actions = execute.add_subparsers(dest="action", metavar="ACTION", required=True)
    made = {name: actions.add_parser(name, help=says, description=says, allow_abbrev=False) for name, says in (
        ("judge", "judge one target; the verdict lies beside the request"),
        ("reach", "the same, and which lines of the candidate were run"),
        ("suite", "run a pytest suite; the verdict lies beside the request"),
        ("generate", "draw the cases of a locked domain"),
        ("domain", "write what one row of a lock draws from"),
        ("policy", "write what a profile pins"),
        ("read", "exit as the bit of a verdict says"),
    )}
    for name in ("judge", "reach", "suite", "generate"):
        made[name].add_argument("request", metavar="REQUEST", help="what is asked, below the execution root")
        made[name].add_argument("policy", metavar="POLICY", help="what is pinned")
    made["domain"].add_argument("lock", type=Path, metavar="LOCK")
    made["domain"].add_argument("property_id", metavar="ID")
    made["policy"].add_argument("--profile", type=Path, metavar="FILE", help="its settings, as JSON")
    made["policy"].add_argument("--attributes", default="{}", metavar="JSON", help="its further settings")
    for name in ("domain", "policy"):
        made[name].add_argument("output", type=Path, metavar="OUTPUT")
    made["read"].add_argument("verdict", type=Path, metavar="VERDICT")
    made["read"].add_argument("--target", required=True, metavar="LABEL", help="whose verdict it has to be")
    made["read"].add_argument("--property-id", required=True, metavar="ID", help="of which property")
    made["read"].add_argument("--ledger", type=Path, metavar="FILE", help="what is frozen is debt, and no evidence")
    made["read"].add_argument("--today", metavar="DATE", help="the day that counts (default: this machine's)")
    text = "write what every Action needs of this machine as a repository of a build tool"
    toolchain = verbs.add_parser("toolchain", help=text, description=text, allow_abbrev=False)
    toolchain.add_argument("output", type=Path, metavar="DIR", help="a folder that is there")


def _scan(verbs: argparse._SubParsersAction[_Parser]) -> None:
    text = "find what in sources hangs on the moment, the machine or chance"
    scan = verbs.add_parser("scan", help=text, description=text, allow_abbrev=False)
    scan.add_argument("paths", nargs="*", metavar="PATH", help="files and folders (default: the folder you are in)")
    scan.add_argument("--diff", metavar="BASE..HEAD",
                      help="only what is new against the merge base, read from git; BASE alone for uncommitted work")
    scan.add_argument("--repository", type=Path, default=Path("."), metavar="DIR", help="a folder of the repository")
    scan.add_argument("--format", action="append", metavar="FORMAT[=FILE]", dest="formats",
                      help="text, json, sarif, github; repeatable; without FILE to stdout (default: text)")


def _sides(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("patterns", nargs="*", metavar="PATTERN", help="target patterns (default: //...)")
    _commits(verb)


def _commits(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--base", metavar="REV", help="the trusted commit (default: HEAD, or main when --head is given)")
    verb.add_argument("--head", metavar="REV", help="the commit under judgement (default: the work tree)")
    verb.add_argument("--worktree", action="store_true", help="judge uncommitted work, untracked files included")
    verb.add_argument("--oracle", metavar="REPO@REV",
                      help="take the oracle from a commit of another repository on this machine (default: base)")
    verb.set_defaults(oracle_trust=None, oracle_signature=None)


def _signatures(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--oracle-trust", type=Path, metavar="TRUSTFILE",
                      help="refuse an oracle that is not signed as this file asks")
    verb.add_argument("--oracle-signature", type=Path, metavar="ENVELOPE", help="the signatures, a DSSE envelope")


def _promote(verbs: argparse._SubParsersAction[_Parser]) -> None:
    promote = _verb(verbs, "promote", "show the smallest case that falsifies a target; with --yes add it to the seeds")
    explore = _verb(verbs, "explore", "draw fresh streams from locked domains for a while; never touches a score")
    promote.add_argument("label", nargs="?", metavar="LABEL", help="the target")
    explore.add_argument("patterns", nargs="*", metavar="PATTERN", help="target patterns (default: //...)")
    for verb in (promote, explore):
        _cached(verb)
        _commits(verb)
        verb.add_argument("--today", metavar="DATE", help="the day that counts (default: this machine's)")
    promote.add_argument("--budget", type=int, default=2000, metavar="N", help="how many cases shrinking may ask")
    promote.add_argument("--list", action="store_true", help="show what was found and not promoted yet")
    promote.add_argument("--find", metavar="NAME", help="one of these, by its name")
    promote.add_argument("--yes", action="store_true", help="write it; for people")
    promote.add_argument("--owner", metavar="NAME", help="the person who answers for the case")
    explore.add_argument("--seconds", type=float, default=60, metavar="N", help="for how long (default: 60)")
    explore.add_argument("--seed", type=int, metavar="N", help="one stream that was printed, again")


def _journal(verbs: argparse._SubParsersAction[_Parser]) -> None:
    text = "seeds that falsify a property on the parent: hunt, lock, replay and hold them out"
    journal = verbs.add_parser("journal", help=text, description=text, allow_abbrev=False)
    actions = journal.add_subparsers(dest="action", metavar="ACTION", required=True)
    made = {name: actions.add_parser(name, help=says, description=says, allow_abbrev=False) for name, says in (
        ("show", "a journal in the table of its states, and what may be done next"),
        ("propose", "begin the journal of a property that has a locked domain"),
        ("hunt", "judge what each seed draws on the parent; keep the shrunk cases of those that falsify"),
        ("lock", "for people: let score ask a journal that has a hit"),
        ("freeze", "for people: leave out replay seeds that flake, until a moment"),
        ("thaw", "for people: end a freeze"),
        ("unlock", "for people: take a lock back"),
        ("saw", "for people: move seeds that the proposer saw to replay"),
        ("holdout", "for an audit: derive the held-out seeds of a patch again, or show a secret's commitment"),
        ("commit", "for people: hold seeds out by a secret from now on"),
        ("verify", "say who signed a locked journal"),
        ("strength", "put small faults into what a property runs, and say which it lets through"),
    )}
    _journal_options(made)
    _journal_secrets(made)


def _journal_options(made: dict[str, _Parser]) -> None:
    for name, verb in made.items():
        verb.add_argument("--repository", type=Path, default=Path("."), metavar="DIR",
                          help="a folder of the repository")
        verb.add_argument("property_id", metavar="ID", nargs="?" if name == "show" else None,
                          help="a property id, or a label")
    for name in ("lock", "freeze", "thaw", "unlock"):
        made[name].add_argument("--owner", required=True, metavar="NAME", help="the person who answers for it")
    for name in ("show", "hunt", "lock", "freeze", "strength"):
        made[name].add_argument("--today", metavar="DATE", help="the day that counts (default: this machine's)")
    for name in ("show", "lock", "hunt", "strength"):
        _cached(made[name], many=name in ("hunt", "strength"))
    made["hunt"].add_argument("--dry-run", action="store_true", help="say what each seed is, and write nothing")
    for name in ("show", "strength"):
        made[name].add_argument("--format", choices=("text", "json"), default="text")
    made["strength"].add_argument("--head", default="HEAD", metavar="REV",
                                  help="the commit whose sources get the faults (default: HEAD)")
    made["strength"].add_argument("--most", type=int, default=100, metavar="N", help="how many faults are tried")
    made["strength"].add_argument("--seconds", type=int, default=10, metavar="N",
                                  help="how long one may take, at most as long as the target (default: 10)")
    made["propose"].add_argument("--hold-out", type=int, default=3, metavar="N", help="how many seeds are held out")
    made["hunt"].add_argument("--seeds", required=True, metavar="SEEDS", help="such as 2,3,5 or 1..50")
    made["hunt"].add_argument("--budget", type=int, metavar="N", help="how many cases shrinking one hit may ask")
    for name in ("propose", "hunt"):
        made[name].add_argument("--parent", metavar="REV",
                                help="the commit that is hunted on (default: merge base of HEAD and the default base)")
    for name in ("freeze", "saw"):
        made[name].add_argument("--seeds", required=True, metavar="SEEDS", help="such as 8 or 8,21")
    made["freeze"].add_argument("--until", required=True, metavar="MOMENT", help="such as 2026-12-31T00:00:00Z")
    made["unlock"].add_argument("--why", required=True, metavar="TEXT", help="what speaks against the lock")


def _journal_secrets(made: dict[str, _Parser]) -> None:
    made["lock"].add_argument("--key", type=Path, metavar="KEYFILE", help="sign what is locked; mode 600")
    made["verify"].add_argument("--trust", type=Path, required=True, metavar="TRUSTFILE", help="whose signatures count")
    made["verify"].add_argument("--envelope", type=Path, metavar="ENVELOPE", help="default: beside the journal")
    made["verify"].add_argument("--today", metavar="DATE", help="the day that counts (default: this machine's)")
    made["holdout"].add_argument("--parent", metavar="SHA", help="the merge base, as a record has it")
    made["holdout"].add_argument("--tree", metavar="TREE", help="the tree of the patch, for seeds of a secret")
    made["holdout"].add_argument("--commit", action="store_true", help="show the commitment alone")
    for name in ("holdout", "commit"):
        made[name].add_argument("--secret-file", type=Path, required=name == "commit", metavar="FILE",
                                help="at least 32 random bytes, mode 600")


def _oracle(verbs: argparse._SubParsersAction[_Parser]) -> None:
    oracle = verbs.add_parser("oracle", help="the oracle of a commit as one digest; sign it, or see who signed it",
                              allow_abbrev=False)
    actions = oracle.add_subparsers(dest="action", metavar="ACTION")
    texts = {"digest": "print the digest of everything that is oracle in a commit",
             "sign": "print a DSSE envelope that signs the oracle's digest",
             "verify": "say who signed the oracle; exit 7 when a trust file asks for more"}
    made = {name: actions.add_parser(name, help=text, description=text, allow_abbrev=False)
            for name, text in texts.items()}
    for verb in made.values():
        verb.add_argument("--repository", type=Path, default=Path("."), metavar="DIR", help="a folder of it")
        verb.add_argument("--base", metavar="REV", help="the commit that holds the oracle (default: HEAD)")
        verb.add_argument("--oracle", metavar="REPO@REV", help="the commit of another repository instead")
    made["digest"].add_argument("--format", choices=FORMATS, help="json lists every file (default: text)")
    made["sign"].add_argument("--key", type=Path, required=True, metavar="KEYFILE",
                              help="an Ed25519 private key as openssl genpkey writes it, mode 600")
    made["sign"].add_argument("--expires", metavar="DATE", help="the last day on which the signature counts")
    made["sign"].add_argument("--add-to", type=Path, metavar="ENVELOPE", help="sign with those who signed there")
    made["sign"].add_argument("--output", type=Path, metavar="FILE", help="where to write it (default: stdout)")
    made["verify"].add_argument("envelope", type=Path, metavar="ENVELOPE", help="what oracle sign printed")
    made["verify"].add_argument("--trust", type=Path, required=True, metavar="TRUSTFILE", help="whose keys count")
    made["verify"].add_argument("--today", metavar="DATE", help="the day for keys (default: this machine's)")
