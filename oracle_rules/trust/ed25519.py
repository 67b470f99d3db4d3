"""Ed25519 (RFC 8032) by way of the `cryptography` package: the only module that imports it, and only when it is needed.

Knows nothing of what is signed.
"""

from __future__ import annotations

import hashlib

from ..errors import UsageError

_MAKE = "make one with openssl genpkey -algorithm ed25519"


def verify(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether this is a signature of this key (32 bytes) over these bytes; anything malformed is none."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def sign(private_pem: bytes, message: bytes, *, where: str) -> tuple[bytes, bytes]:
    """The public key (32 bytes) of a PKCS #8 file, and its signature (64 bytes) over these bytes.

    Raises UsageError for a file that is no unencrypted Ed25519 private key.
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(private_pem, password=None)
    except TypeError:
        raise UsageError("is locked with a password", where=where, remedy="unlock it into a file of mode 600") from None
    except (ValueError, UnsupportedAlgorithm):
        raise UsageError("is no PEM file of a private key", where=where, remedy=_MAKE) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise UsageError("is not an Ed25519 key", where=where, remedy=_MAKE)
    return key.public_key().public_bytes_raw(), key.sign(message)


def key_hint(public: bytes) -> str:
    """A name for a key that envelopes may carry: SHA-256 of its 32 bytes. Nothing is decided by it."""
    return hashlib.sha256(public).hexdigest()
