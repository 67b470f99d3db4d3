"""A feed is read page after page, in order, and no page before it is needed."""

from itertools import islice

from src.client import Client, ServiceError

from oracle_seams import FakeClock, FakeTransport, load_exchanges


def hold(case):
    clock = FakeClock("2026-05-04T12:00:00+00:00")
    transport = FakeTransport(load_exchanges(case["exchanges"], root="fixtures/exchanges"))
    client = Client(transport.fetch, now=clock.now, sleep=clock.sleep)
    titles, broken = [], None
    try:
        for entry in islice(client.pages(case["url"]), case.get("wanted")):
            titles.append(entry["title"])
    except ServiceError as error:
        broken = [error.status, error.url]
    asked = [url for url, body in transport.seen]
    return titles == case["titles"] and asked == case["asked"] and broken == case.get("broken")
