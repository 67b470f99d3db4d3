"""Edwards25519 by the formulas of RFC 8032, section 5.1, in plain integers: a second opinion for tests, slow and unsafe."""

from __future__ import annotations

import functools
import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Point = tuple[int, int]
ZERO: Point = (0, 1)


def add(a: Point, b: Point) -> Point:
    """The sum, in affine coordinates."""
    (x1, y1), (x2, y2) = a, b
    k = D * x1 * x2 * y1 * y2 % P
    return (x1 * y2 + x2 * y1) * pow(1 + k, -1, P) % P, (y1 * y2 + x1 * x2) * pow(1 - k, -1, P) % P


def times(n: int, point: Point) -> Point:
    """The multiple."""
    found = ZERO
    while n:
        if n & 1:
            found = add(found, point)
        point, n = add(point, point), n >> 1
    return found


def lift(y: int, sign: int) -> Point | None:
    """The point with this y and the parity of its x; None when there is none."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != square or (x == 0 and sign):
        return None
    return (x if x % 2 == sign else P - x), y


def encode(point: Point) -> bytes:
    """32 bytes."""
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


BASE = lift(4 * pow(5, -1, P) % P, 0)


def small_order() -> set[bytes]:
    """The encodings of the eight points whose order divides eight: multiples by L of whatever point there is."""
    found: set[bytes] = set()
    y = 2
    while len(found) < 8:
        for sign in (0, 1):
            point = lift(y, sign)
            if point is not None:
                found |= {encode(times(n * L, point)) for n in range(8)}
        y += 1
    return found


@functools.cache
def sign(secret: bytes, message: bytes) -> tuple[bytes, bytes]:
    """The public key and the signature of a 32-byte secret."""
    assert BASE is not None
    digest = hashlib.sha512(secret).digest()
    a = int.from_bytes(digest[:32], "little") & (2**254 - 8) | 2**254
    public = encode(times(a, BASE))
    r = int.from_bytes(hashlib.sha512(digest[32:] + message).digest(), "little") % L
    point = encode(times(r, BASE))
    k = int.from_bytes(hashlib.sha512(point + public + message).digest(), "little") % L
    return public, point + ((r + k * a) % L).to_bytes(32, "little")
