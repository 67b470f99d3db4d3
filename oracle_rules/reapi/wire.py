"""Protocol Buffers wire format, as much of it as the Remote Execution API needs. Knows no message.

Writing follows the canonical rules of REAPI's `Digest`: the caller writes fields in tag order and each writer leaves
out what equals the proto3 default. Reading is for bytes that a stranger may have made: every length is checked against
what is left, numbers have one spelling, a field that may occur once occurs once, and fields that nobody asks for are
skipped. Everything else is a ValueError that names the message.
"""

from __future__ import annotations

from typing import Final

MAX_MESSAGE_BYTES: Final = 64 << 20

_VARINT, _FIXED64, _LENGTH, _FIXED32 = 0, 1, 2, 5
# Two bytes can spell a field, and a field kept takes a hundred.
_MAX_FIELDS = 1_000_000
_MAX_FIELD_NUMBER = (1 << 29) - 1
_WRAP = 1 << 64
_SMALL = tuple(bytes((value,)) for value in range(128))


def text(number: int, value: str) -> bytes:
    """A singular `string` field; the empty text is left out."""
    return message(number, value.encode("utf-8")) if value else b""


def blob(number: int, value: bytes) -> bytes:
    """A singular `bytes` field; no bytes are left out."""
    return message(number, value) if value else b""


def message(number: int, value: bytes | None) -> bytes:
    """An embedded message, or an element of a repeated field: written even when empty, left out when None."""
    if value is None:
        return b""
    return _varint(number << 3 | _LENGTH) + _varint(len(value)) + value


def integer(number: int, value: int) -> bytes:
    """An `int32` or `int64` field; zero is left out. Negative numbers take ten bytes, as the format wants."""
    if not -(_WRAP >> 1) <= value < _WRAP >> 1:
        raise ValueError(f"{value} does not fit a signed number of 64 bits")
    return _varint(number << 3 | _VARINT) + _varint(value % _WRAP) if value else b""


def flag(number: int, value: bool) -> bytes:
    """A `bool` field; False is left out."""
    return _varint(number << 3 | _VARINT) + b"\x01" if value else b""


class Reader:
    """The fields of one message, asked for by number and type.

    Refuses, with ValueError, bytes that are no well-formed message, more than MAX_MESSAGE_BYTES of them, and more than
    a million fields.
    """

    __slots__ = ("_found", "_name")

    def __init__(self, name: str, data: bytes) -> None:
        self._name = name
        if len(data) > MAX_MESSAGE_BYTES:
            raise ValueError(f"{name}: {len(data)} bytes, at most {MAX_MESSAGE_BYTES} are read")
        self._found: dict[int, list[int | bytes | None]] = {}
        place = count = 0
        while place < len(data):
            place = self._field(data, place)
            count += 1
            if count > _MAX_FIELDS:
                raise ValueError(f"{name}: more than {_MAX_FIELDS} fields")

    def messages(self, number: int) -> list[bytes]:
        """Every element of a repeated field whose elements are messages, texts or bytes, in order."""
        values = self._found.get(number, [])
        found = [value for value in values if isinstance(value, bytes)]
        if len(found) != len(values):
            raise ValueError(f"{self._name}: field {number} has the wire type of a number, not of bytes")
        return found

    def message(self, number: int) -> bytes | None:
        """A singular message or `bytes` field, None when absent."""
        self._once(number)
        found = self.messages(number)
        return found[0] if found else None

    def required(self, number: int) -> bytes:
        """A singular message without which this one means nothing."""
        found = self.message(number)
        if found is None:
            raise ValueError(f"{self._name}: field {number} is absent")
        return found

    def texts(self, number: int) -> tuple[str, ...]:
        """Every element of a repeated `string` field."""
        return tuple(self._decoded(number, value) for value in self.messages(number))

    def text(self, number: int) -> str:
        """A singular `string` field, empty when absent."""
        return self._decoded(number, self.message(number) or b"")

    def integer(self, number: int) -> int:
        """A singular `int32` or `int64` field, zero when absent."""
        self._once(number)
        values = self._found.get(number, [0])
        found = [value for value in values if isinstance(value, int)]
        if not found:
            raise ValueError(f"{self._name}: field {number} has the wire type of bytes or of a fixed number")
        return found[0] - _WRAP if found[0] >> 63 else found[0]

    def flag(self, number: int) -> bool:
        """A singular `bool` field, False when absent."""
        value = self.integer(number)
        if value not in (0, 1):
            raise ValueError(f"{self._name}: field {number} is {value}, not a truth value")
        return bool(value)

    def _once(self, number: int) -> None:
        if len(self._found.get(number, ())) > 1:
            raise ValueError(f"{self._name}: field {number} occurs more than once")

    def _decoded(self, number: int, value: bytes) -> str:
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError:
            raise ValueError(f"{self._name}: field {number} is not UTF-8") from None

    def _field(self, data: bytes, place: int) -> int:
        tag, place = self._number(data, place)
        number, kind = tag >> 3, tag & 7
        if not 1 <= number <= _MAX_FIELD_NUMBER:
            raise ValueError(f"{self._name}: {number} is not a field number")
        if kind == _VARINT:
            value, place = self._number(data, place)
            self._found.setdefault(number, []).append(value)
            return place
        if kind == _LENGTH:
            size, place = self._number(data, place)
        elif kind == _FIXED64:
            size = 8
        elif kind == _FIXED32:
            size = 4
        else:
            raise ValueError(f"{self._name}: field {number} has the wire type {kind}")
        if size > len(data) - place:
            raise ValueError(f"{self._name}: field {number} is cut short")
        # No message of ours has fixed-width fields: one is skipped like any unknown field, unless it has the number
        # of a field that is asked for, where None makes the reader refuse it.
        value_or_none = data[place : place + size] if kind == _LENGTH else None
        self._found.setdefault(number, []).append(value_or_none)
        return place + size

    def _number(self, data: bytes, place: int) -> tuple[int, int]:
        value = 0
        for shift in range(0, 70, 7):
            if place >= len(data):
                raise ValueError(f"{self._name}: a number is cut short")
            byte = data[place]
            place += 1
            value |= (byte & 127) << shift
            if byte < 128:
                if value >= _WRAP:
                    break
                if byte == 0 and shift:
                    raise ValueError(f"{self._name}: a number is spelled longer than it needs to be")
                return value, place
        raise ValueError(f"{self._name}: a number has more than 64 bits")


def _varint(value: int) -> bytes:
    if value < 128:
        return _SMALL[value]
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)
