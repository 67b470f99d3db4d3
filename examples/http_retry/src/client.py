"""The client. It owns neither the network nor the time: whoever makes it brings `fetch`, `now` and `sleep` along."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

Fetch = Callable[[str, bytes], tuple[int, bytes]]
BUSY = (429, 503)
LONGEST = 60


class ServiceError(Exception):
    """The service answered, and not with what was asked for."""

    def __init__(self, status: int, url: str) -> None:
        super().__init__(status, url)
        self.status = status
        self.url = url


class Exhausted(ServiceError):
    """It was still busy at the last attempt; `waited` is how many seconds that took."""

    def __init__(self, status: int, url: str, waited: int) -> None:
        super().__init__(status, url)
        self.waited = waited


@dataclass(frozen=True)
class Answer:
    """What came back, after how many attempts, and when the first and the last of them were made."""

    status: int
    body: bytes
    attempts: int
    began: datetime = field(compare=False)
    ended: datetime = field(compare=False)


def delays(first: int, factor: int = 2, longest: int = LONGEST) -> Iterator[int]:
    """How long to wait before each further attempt; never ends, never more than the longest."""
    seconds = first
    while True:
        yield min(seconds, longest)
        seconds = min(seconds * factor, longest)


class Client:
    """Talks to one service."""

    def __init__(self, fetch: Fetch, *, now: Callable[[], datetime], sleep: Callable[[int], None], attempts: int = 4):
        self._fetch = fetch
        self._now = now
        self._sleep = sleep
        self._attempts = attempts

    def call(self, url: str, body: bytes = b"") -> Answer:
        """One request, asked again while the service is busy."""
        began, waited, pauses = self._now(), 0, delays(1)
        for attempt in range(1, self._attempts + 1):
            status, answer = self._fetch(url, body)
            if status not in BUSY:
                return Answer(status, answer, attempt, began, self._now())
            if attempt < self._attempts:
                pause = _told(answer) or next(pauses)
                self._sleep(pause)
                waited += pause
        raise Exhausted(status, url, waited)

    def pages(self, url: str) -> Iterator[dict[str, Any]]:
        """Every entry of a feed, page after page, each page fetched when its first entry is wanted."""
        following: str | None = url
        while following is not None:
            answer = self.call(following)
            if answer.status != 200:
                raise ServiceError(answer.status, following)
            page = json.loads(answer.body)
            yield from page["entries"]
            following = page.get("next")

    async def upload(self, url: str, parts: list[dict[str, Any]]) -> list[int]:
        """Sends each part in canonical JSON, one after the other; the statuses."""
        found = []
        for part in parts:
            body = json.dumps(part, sort_keys=True, separators=(",", ":")).encode("utf-8")
            answer = await self._send(url, body)
            found.append(answer.status)
        return found

    async def _send(self, url: str, body: bytes) -> Answer:
        return self.call(url, body)


def _told(answer: bytes) -> int | None:
    """The wait that a busy service asks for in its body, if it does, within reason."""
    try:
        wait = json.loads(answer)["retry_after"]
    except (ValueError, KeyError, TypeError):
        return None
    return min(wait, LONGEST) if type(wait) is int and wait > 0 else None
