"""A fake transport gives the recorded answers in order, byte for byte, and everything else is a violation on record.

The one under judgement is the candidate's; the exchanges are a fixture, read with the judge's own loader.
"""

from transport import FakeTransport, SeamViolation, take_violations

from oracle_seams import load_exchanges


def hold(case):
    take_violations()
    transport = FakeTransport(load_exchanges("exchanges.json"))
    noted, sent = [], []
    for url, body, expect in case["calls"]:
        sent.append((url, body.encode("utf-8")))
        try:
            status, answer = transport.fetch(url, body if case.get("text") else body.encode("utf-8"))
        except SeamViolation as violation:
            if not isinstance(violation, AssertionError) or expect != violation.code:
                return False
            noted.append(violation.code)
        else:
            if type(answer) is not bytes or [status, answer.decode("utf-8")] != expect:
                return False
    if list(transport.seen) != sent or list(transport.unused) != case["unused"]:
        return False
    # Whoever caught the exception has hidden nothing; asked once more, nothing is left.
    return [code for code, detail in take_violations()] == noted and take_violations() == []
