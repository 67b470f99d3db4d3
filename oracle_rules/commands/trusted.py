"""What `--oracle-trust` and `--oracle-signature` add to a subject: who signed its oracle, or why nobody did."""

from __future__ import annotations

import argparse
import dataclasses
import datetime

from ..errors import UsageError
from ..scm import Repository
from ..trust import dsse, keys
from ..trust.check import Asked, check
from ..workspace import Subject
from .handed import read_handed


def with_signatures(
    subject: Subject, options: argparse.Namespace, found: Repository, today: datetime.date, demands: tuple[str, ...]
) -> Subject:
    """The subject with the answer to what the options ask for; itself when they ask for nothing."""
    trust_file, envelope_file = options.oracle_trust, options.oracle_signature
    if trust_file is None:
        if envelope_file is not None:
            raise UsageError("--oracle-signature is of no use without --oracle-trust",
                             remedy="say whose signatures count: --oracle-trust TRUSTFILE")
        return subject
    # Who may write the oracle must not say whose signatures count for it.
    apart = [folder for repository in (found, *found.others) for folder in repository.folders]
    trust = keys.parse_trust(read_handed(trust_file, outside=apart, limit=keys.MAX_BYTES), path=str(trust_file))
    data = None
    if envelope_file is not None:
        data = read_handed(envelope_file, outside=found.folders, limit=dsse.MAX_BYTES)
    answer = check(Asked(data=data, trust=trust, oracle=subject.standing.digest, today=today))
    return dataclasses.replace(
        subject, standing=dataclasses.replace(subject.standing, signed_by=answer.signed_by), demands=demands,
        untrusted=() if answer.finding is None else (answer.finding,))
