"""`journal lock --key` and `journal verify`: a signature over a locked journal and its realised cases.

Signed is what `oracle sign` signs, for these files alone: an in-toto Statement in a DSSE envelope.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..artifacts.journals.journal import Journal
from ..digest import Digest
from ..errors import Exit, UsageError
from ..keeping.journals import Journals
from ..trust import dsse, ed25519, keys, statement
from ..trust.check import Asked, check
from ..trust.oracle import FILE, OracleFile, oracle_digest
from . import common
from .handed import read_handed, read_secret
from .interface import Output

_MAX_KEY_BYTES = 64 << 10


def sign(kept: Journals, journal: Journal, place: Path) -> str:
    """Writes the envelope beside the journal; what to tell of it."""
    key = read_secret(place, outside=kept.folders, limit=_MAX_KEY_BYTES)
    said = statement.Statement(oracle=_digest(kept, journal), expires=None)
    bare = dsse.Envelope(payload_type=statement.PAYLOAD_TYPE, payload=statement.dump_statement(said), signatures=())
    public, signature = ed25519.sign(key, bare.signed, where=str(place))
    made = dsse.Signature(keyid=ed25519.key_hint(public), sig=signature)
    whole = dsse.Envelope(payload_type=bare.payload_type, payload=bare.payload, signatures=(made,))
    kept.put(_envelope(journal), dsse.dump_envelope(whole))
    return f"; signed in {_envelope(journal)}"


def run_action(options: argparse.Namespace, output: Output) -> Exit:
    """Exit 0 when enough people have signed the journal as it is."""
    with common.repository(options) as found:
        kept = Journals(found)
        journal = kept.read(kept.test(options.property_id))
        trust = keys.parse_trust(read_handed(options.trust, outside=kept.folders, limit=keys.MAX_BYTES),
                                 path=str(options.trust))
        if options.envelope is None:
            data = kept.data(_envelope(journal))
        else:
            data = read_handed(options.envelope, outside=(), limit=dsse.MAX_BYTES)
        if journal.owner is None:
            raise UsageError("is not locked, so that nobody has signed it", where=journal.path,
                             remedy=f'`oracle-rules journal lock {journal.id} --owner "NAME" --key KEYFILE`')
        answer = check(Asked(data=data, trust=trust, oracle=_digest(kept, journal), today=common.today(options)))
    if answer.finding is None:
        output.out(f"{journal.path} is signed by {', '.join(answer.signed_by)}\n")
        return Exit.ACCEPT
    output.out(f"{answer.finding.code}: {answer.finding.detail} [{answer.finding.row}]\n")
    output.err(answer.finding.remedy)
    return Exit.UNTRUSTED


def _digest(kept: Journals, journal: Journal) -> Digest:
    """Of the journal as it is written, and of its realised cases."""
    rows = [OracleFile(path=journal.path, group="journals", kind=FILE, digest=Digest.of(journal.data))]
    rows += [OracleFile(path=path, group="journals", kind=FILE, digest=Digest.of(case.data))
             for path, case in kept.cases(journal).items()]
    return oracle_digest(sorted(rows, key=lambda row: row.path))


def _envelope(journal: Journal) -> str:
    return journal.path.removesuffix(".json") + ".dsse.json"
