"""Signatures: the RFC's vectors, a second implementation, and what must not pass for a signature."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from oracle_rules.errors import UsageError
from oracle_rules.trust.ed25519 import sign, verify
from oracle_rules.trust.keys import public_key
from tests.architecture.sources import imports, modules

from . import curve
from .kit import ADA, pem, secret

# RFC 8032, section 7.1, tests 1 to 3: secret, public, message, signature.
VECTORS = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24"
        "655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aee"
        "b00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28d"
        "c027beceea1ec40a",
    ),
]


def private_pem(raw: bytes) -> bytes:
    """PKCS #8 of a 32-byte secret: RFC 8410 puts sixteen fixed bytes before it."""
    import base64

    text = base64.b64encode(bytes.fromhex("302e020100300506032b657004220420") + raw).decode()
    return f"-----BEGIN PRIVATE KEY-----\n{text}\n-----END PRIVATE KEY-----\n".encode()


@pytest.mark.parametrize(("private", "public", "message", "signature"), VECTORS)
def test_the_vectors_of_the_rfc(private: str, public: str, message: str, signature: str) -> None:
    raw, data, expected = bytes.fromhex(public), bytes.fromhex(message), bytes.fromhex(signature)
    assert verify(raw, expected, data)
    assert sign(private_pem(bytes.fromhex(private)), data, where="key") == (raw, expected)
    assert curve.sign(bytes.fromhex(private), data) == (raw, expected)  # the tests' own model
    assert public_key(pem(raw)) == raw
    assert not verify(raw, expected, data + b"\0")
    for bit in range(0, 512, 37):
        flipped = bytearray(expected)
        flipped[bit // 8] ^= 1 << bit % 8
        assert not verify(raw, bytes(flipped), data)


def test_a_signature_has_one_spelling() -> None:
    """S and S + L are the same number to the equation; only the smaller one is a signature (RFC 8032, 5.1.7)."""
    public, good = curve.sign(secret(ADA), b"x")
    scalar = int.from_bytes(good[32:], "little")
    for wrong in (scalar + curve.L, curve.L - scalar, scalar + 1):
        assert not verify(public, good[:32] + wrong.to_bytes(32, "little"), b"x")
    for wrong_length in (b"", good[:-1], good + b"\0"):
        assert not verify(public, wrong_length, b"x")
    assert verify(public, good, b"x")


def test_keys_under_which_anybody_could_sign_are_no_keys() -> None:
    found = curve.small_order()
    assert len(found) == 8
    identity = curve.encode(curve.ZERO)
    assert verify(identity, identity + bytes(32), b"whatever")  # which is why
    for raw in found:
        for spelling in (raw, raw[:31] + bytes([raw[31] ^ 0x80])):
            with pytest.raises(ValueError, match="anybody can sign"):
                public_key(pem(spelling))
    for y in (curve.P, curve.P + 1, 2**255 - 1):  # a second spelling of a small y
        with pytest.raises(ValueError, match="anybody can sign"):
            public_key(pem(y.to_bytes(32, "little")))
    assert public_key(pem(curve.sign(secret(ADA), b"")[0]))


@pytest.mark.parametrize(
    "made",
    [
        ec.generate_private_key(ec.SECP256R1()),
        rsa.generate_private_key(65537, 2048),
    ],
    ids=["ec", "rsa"],
)
def test_keys_of_other_kinds(made: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey) -> None:
    private = made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    with pytest.raises(UsageError, match="not an Ed25519 key"):
        sign(private, b"", where="key")
    public = made.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    with pytest.raises(ValueError, match="is n"):
        public_key(public)


def test_files_that_are_no_private_keys() -> None:
    made = ed25519.Ed25519PrivateKey.generate()
    locked = made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"x"))
    whole = made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    assert len(sign(whole, b"", where="key")[1]) == 64
    for data, said in ((locked, "password"), (whole[:60], "no PEM"), (b"", "no PEM"), (pem(bytes(32)).encode(), "no PEM")):
        with pytest.raises(UsageError, match=said) as caught:
            sign(data, b"", where="key")
        assert caught.value.where == "key" and caught.value.remedy


def test_one_module_imports_cryptography_and_none_at_its_top() -> None:
    found = [each for module in modules().values() if "cryptography" in module.text for each in imports(module)
             if each.target.partition(".")[0] == "cryptography"]
    assert {each.module for each in found} == {"oracle_rules.trust.ed25519"} and all(each.late for each in found)


def test_whoever_asks_for_no_signature_does_not_load_it(tmp_path: Path) -> None:
    words = "import sys, oracle_rules.commands.score, oracle_rules.trust.check; print(sorted(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True).stdout
    loaded = ast.literal_eval(shown)
    assert "oracle_rules.trust.ed25519" in loaded and "cryptography" not in loaded
