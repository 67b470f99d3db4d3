"""`oracle digest|sign|verify`: what the oracle of a commit is, as one digest, and who vouches for it."""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass

from ..digest import Digest
from ..errors import Exit, IncompleteError, UsageError
from ..inventory import oracle_files
from ..loading import load_workspace
from ..protocol import canonical
from ..scm import Repository, split_address
from ..trust import dsse, ed25519, keys, statement
from ..trust.check import Asked, check
from ..trust.oracle import ABSENT, OracleFile, document, oracle_digest
from . import common, reports
from .handed import read_handed, read_secret
from .interface import Output

_MAX_KEY_BYTES = 64 << 10


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """An oracle, and the repository that it is in."""

    repository: Repository
    files: tuple[OracleFile, ...]

    @property
    def digest(self) -> Digest:
        return oracle_digest(self.files)


def run(options: argparse.Namespace, output: Output) -> Exit:
    """Runs the action that the options name."""
    if options.action is None:
        raise UsageError("no action is named", remedy=f"say {', '.join(ACTIONS)}: oracle-rules oracle digest")
    with closing(_repository(options)) as repository:
        revision = split_address(options.oracle)[1] if options.oracle is not None else options.base or "HEAD"
        tree = repository.tree(revision)
        found = _Found(repository=repository, files=oracle_files(tree, load_workspace(tree, apart=True)))
        return ACTIONS[options.action](options, output, found)


def _repository(options: argparse.Namespace) -> Repository:
    if options.oracle is None:
        return common.repository(options)
    if options.base is not None:
        raise UsageError("--base and --oracle exclude each other", remedy="give one of them")
    return Repository.at(split_address(options.oracle)[0])


def _digest(options: argparse.Namespace, output: Output, found: _Found) -> Exit:
    as_json = options.format == "json"
    output.out(canonical.dumps(document(found.files)).decode("ascii") if as_json else f"{found.digest}\n")
    return Exit.ACCEPT


def _sign(options: argparse.Namespace, output: Output, found: _Found) -> Exit:
    lacking = [row.path for row in found.files if row.kind == ABSENT]
    if lacking:
        raise IncompleteError("is declared and missing, so that there is no whole oracle to sign", where=lacking[0],
                              remedy="commit the file, or drop it from the declarations")
    key = read_secret(options.key, outside=found.repository.folders, limit=_MAX_KEY_BYTES)
    envelope = _unsigned(options, found)
    public, signature = ed25519.sign(key, envelope.signed, where=str(options.key))
    kept = [each for each in envelope.signatures if not ed25519.verify(public, each.sig, envelope.signed)]
    made = dsse.Signature(keyid=ed25519.key_hint(public), sig=signature)
    whole = dsse.Envelope(payload_type=envelope.payload_type, payload=envelope.payload, signatures=(*kept, made))
    text = dsse.dump_envelope(whole).decode("ascii")
    if options.output is None:
        output.out(text)
    else:
        reports.write(options.output, text)
    output.err(f"signed {found.digest}; signatures in this envelope: {len(kept) + 1}")
    return Exit.ACCEPT


def _unsigned(options: argparse.Namespace, found: _Found) -> dsse.Envelope:
    """A new envelope about this oracle, or the one that a signature is to be added to."""
    if options.add_to is None:
        said = statement.Statement(oracle=found.digest, expires=_expires(options))
        return dsse.Envelope(payload_type=statement.PAYLOAD_TYPE, payload=statement.dump_statement(said), signatures=())
    if options.expires is not None:
        raise UsageError("--expires is no part of a signature", remedy="leave it out: the envelope has its own")
    data = read_handed(options.add_to, outside=(), limit=dsse.MAX_BYTES)
    try:
        envelope = dsse.parse_envelope(data, path=str(options.add_to))
        said = statement.parse_statement(envelope.payload, path=str(options.add_to))
    except IncompleteError as error:
        raise UsageError(error.detail, where=error.where, remedy=error.remedy) from None
    if envelope.payload_type != statement.PAYLOAD_TYPE or said.oracle != found.digest:
        raise UsageError(f"is about {said.oracle}, this oracle is {found.digest}", where=str(options.add_to),
                         remedy="sign the oracle that is meant: give its --base or --oracle")
    return envelope


def _expires(options: argparse.Namespace) -> datetime.date | None:
    if options.expires is None:
        return None
    try:
        return datetime.date.fromisoformat(options.expires)
    except ValueError:
        raise UsageError(f"--expires {options.expires!r} is no date", remedy="write it as 2026-01-31") from None


def _verify(options: argparse.Namespace, output: Output, found: _Found) -> Exit:
    where = found.repository.folders
    trust = keys.parse_trust(read_handed(options.trust, outside=where, limit=keys.MAX_BYTES), path=str(options.trust))
    data = read_handed(options.envelope, outside=(), limit=dsse.MAX_BYTES)
    answer = check(Asked(data=data, trust=trust, oracle=found.digest, today=common.today(options),
                         path=str(options.envelope)))
    if answer.finding is None:
        output.out(f"{found.digest} is signed by {', '.join(answer.signed_by)}\n")
        return Exit.ACCEPT
    output.out(f"{answer.finding.code}: {answer.finding.detail} [{answer.finding.row}]\n")
    output.err(answer.finding.remedy)
    return Exit.UNTRUSTED


ACTIONS: Mapping[str, Callable[[argparse.Namespace, Output, _Found], Exit]] = {
    "digest": _digest, "sign": _sign, "verify": _verify,
}  # fmt: skip
