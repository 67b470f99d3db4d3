"""HTTP without a network: answers come from recorded exchanges, byte for byte, or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_violations: list[tuple[str, str]] = []


class SeamViolation(AssertionError):
    """Code asked a fake for something that was not pinned; `code` is `transport_unpinned` or `transport_drift`."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


def take_violations() -> list[tuple[str, str]]:
    """The (code, detail) of violations since the last call, whether or not the code under test caught the exception."""
    found = list(_violations)
    _violations.clear()
    return found


class FakeTransport:
    """Answers `fetch` from exchanges `{"url", "request_body", "response_status", "response_body"}`.

    Exchanges of one URL are used up in order. Bodies may be text (UTF-8) or bytes. A URL that is not pinned, or is used
    up, is `transport_unpinned`; a request body that differs from the recorded one is `transport_drift`. Both raise
    SeamViolation and fail the property even if the caller swallows it.
    """

    def __init__(self, exchanges: Iterable[Mapping[str, object]]) -> None:
        self._pinned: dict[str, list[tuple[bytes, int, bytes]]] = {}
        self._seen: list[tuple[str, bytes]] = []
        for number, exchange in enumerate(exchanges):
            missing = {"url", "request_body", "response_status", "response_body"} - set(exchange)
            if missing:
                raise ValueError(f"exchange {number} lacks {', '.join(sorted(missing))}")
            status = exchange["response_status"]
            if type(status) is not int:
                raise ValueError(f"exchange {number}: response_status has to be a whole number")
            row = (_raw(exchange["request_body"]), status, _raw(exchange["response_body"]))
            self._pinned.setdefault(str(exchange["url"]), []).append(row)

    def fetch(self, url: str, body: bytes | str = b"") -> tuple[int, bytes]:
        """The recorded (status, body) for this request."""
        sent = _raw(body)
        self._seen.append((url, sent))
        waiting = self._pinned.get(url)
        if not waiting:
            raise _violate("transport_unpinned", f"no exchange is pinned for {url}")
        expected, status, answer = waiting[0]
        if sent != expected:
            detail = f"the body sent to {url} is {sent[:80]!r}, recorded was {expected[:80]!r}"
            raise _violate("transport_drift", detail)
        waiting.pop(0)
        return status, answer

    @property
    def seen(self) -> tuple[tuple[str, bytes], ...]:
        """What was asked for, in order."""
        return tuple(self._seen)

    @property
    def unused(self) -> tuple[str, ...]:
        """URLs with exchanges that nobody asked for."""
        return tuple(url for url, waiting in self._pinned.items() for _ in waiting)


def _raw(body: object) -> bytes:
    if body is None:
        return b""
    if isinstance(body, str):
        return body.encode("utf-8")
    if isinstance(body, (bytes, bytearray)):
        return bytes(body)
    raise ValueError(f"a body is text or bytes, not {type(body).__name__}")


def _violate(code: str, detail: str) -> SeamViolation:
    _violations.append((code, detail))
    return SeamViolation(code, detail)
