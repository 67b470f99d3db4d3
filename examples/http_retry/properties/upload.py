"""What is sent is byte for byte what was recorded: FakeTransport answers nothing else, and no handler can hide it."""

from src.client import Client

from oracle_seams import FakeClock, FakeTransport, load_exchanges


def finished(coroutine):
    """Drives a coroutine that waits for nothing outside itself."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("the upload waits for something that nobody brings")


def hold(case):
    clock = FakeClock("2026-05-04T12:00:00+00:00")
    transport = FakeTransport(load_exchanges(case["exchanges"], root="fixtures/exchanges"))
    client = Client(transport.fetch, now=clock.now, sleep=clock.sleep)
    statuses = finished(client.upload(case["url"], case["parts"]))
    return statuses == case["statuses"] and transport.unused == () and list(clock.slept) == case["slept"]
