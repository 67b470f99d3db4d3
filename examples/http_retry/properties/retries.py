"""A busy service is asked again, after the wait that it asks for, and not once more than allowed."""

from datetime import datetime, timedelta

from src.client import Client, Exhausted, ServiceError

from oracle_seams import FakeClock, FakeTransport, load_exchanges

START = datetime.fromisoformat("2026-05-04T12:00:00+00:00")


def hold(case):
    clock, transport = FakeClock(START), FakeTransport(load_exchanges(case["exchanges"], root="fixtures/exchanges"))
    client = Client(transport.fetch, now=clock.now, sleep=clock.sleep, attempts=case["attempts"])
    try:
        answer = client.call(case["url"])
    except Exhausted as error:
        if (error.status, error.waited) != (case["exhausted"], sum(case["slept"])) or not isinstance(error, ServiceError):
            return False
    else:
        # Not `answer == Answer(…)`: the class leaves its times out of comparisons, which makes that its own word.
        seen = (answer.status, answer.body, answer.attempts)
        if seen != (case["status"], case["body"].encode(), len(case["slept"]) + 1):
            return False
        if answer.ended - answer.began != timedelta(seconds=sum(case["slept"])):
            return False
    # What the candidate asked the fakes for is known here, in the judge, and cannot be told otherwise.
    return list(clock.slept) == case["slept"] and transport.unused == tuple(case.get("unused", ()))
