"""The digest of a blob is its SHA-256 in lower-case hexadecimal and its length; vectors are those of FIPS 180."""

from oracle_rules.digest import EMPTY, Digest


def hold(case):
    data = bytes.fromhex(case["hex"]) * case.get("times", 1)
    digest = Digest.of(data)
    if (digest.hash, digest.size_bytes) != (case["hash"], case["size"]):
        return False
    if str(digest) != f"{case['hash']}/{case['size']}":
        return False
    if digest.as_json() != {"hash": case["hash"], "size_bytes": case["size"]}:
        return False
    return Digest.parse(str(digest)) == digest and (digest == EMPTY) is (data == b"")
