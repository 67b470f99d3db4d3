"""The Merkle tree of some files, against a second encoder of REAPI's `Directory` that is written here by hand."""

import hashlib

from oracle_rules.digest import Digest
from oracle_rules.reapi.tree import FileInput, merkle


def varint(value):
    """Seven bits a byte, the low ones first."""
    out = b""
    while value > 127:
        out += bytes([value % 128 + 128])
        value //= 128
    return out + bytes([value])


def field(number, data):
    """A length-delimited field."""
    return varint(number * 8 + 2) + varint(len(data)) + data


def digest_message(data):
    size = b"" if not data else b"\x10" + varint(len(data))
    return field(1, hashlib.sha256(data).hexdigest().encode()) + size


def directory(files, executable, folder, made):
    """The bytes of one directory; those of every directory below it go to `made`."""
    inside = sorted({path[len(folder):].partition("/")[0] for path in files if path.startswith(folder)},
                    key=lambda name: name.encode("utf-8"))
    out = b""
    for name in (name for name in inside if folder + name in files):
        flag = b"\x20\x01" if folder + name in executable else b""
        out += field(1, field(1, name.encode()) + field(2, digest_message(files[folder + name].encode())) + flag)
    for name in (name for name in inside if folder + name not in files):
        below = directory(files, executable, f"{folder}{name}/", made)
        out += field(2, field(1, name.encode()) + field(2, digest_message(below)))
    made[hashlib.sha256(out).hexdigest()] = out
    return out


def hold(case):
    files, executable = case["files"], case.get("executable", [])
    inputs = {path: FileInput(Digest.of(text.encode()), path in executable) for path, text in files.items()}
    try:
        tree = merkle(inputs)
    except ValueError as error:
        return case.get("refuse", "(none)") in str(error)
    if "refuse" in case:
        return False
    made = {}
    root = directory(files, executable, "", made)
    if (tree.root.hash, tree.root.size_bytes) != (hashlib.sha256(root).hexdigest(), len(root)):
        return False
    if tree.root.hash != case.get("root", tree.root.hash):
        return False
    return {key.hash: data for key, data in tree.directories.items()} == made
