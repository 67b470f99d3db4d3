"""Bytes of a stranger that are no message in canonical form are refused with the message's name."""

from oracle_rules.reapi.messages import Action, Command, Directory, Timestamp
from oracle_rules.reapi.values import decode_digest

READERS = {
    "Action": Action.decode,
    "Command": Command.decode,
    "Directory": Directory.decode,
    "Timestamp": Timestamp.decode,
    "Digest": decode_digest,
}


def hold(case):
    read = READERS[case["message"]]
    try:
        read(bytes.fromhex(case["hex"].replace(" ", "")))
    except ValueError as error:
        if case["message"] not in str(error) and case["says"] not in str(error) or case["says"] not in str(error):
            return False
    else:
        return False
    # The neighbour that differs in nothing but the fault is read.
    read(bytes.fromhex(case["near"].replace(" ", "")))
    return True
