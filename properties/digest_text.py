"""Reading HASH/SIZE and writing it are inverse; every other text is refused."""

from oracle_rules.digest import Digest


def hold(case):
    try:
        digest = Digest.parse(case["text"])
    except ValueError as error:
        return case["size"] is None and "not a" in str(error)
    if case["size"] is None:
        return False
    name = case["text"][:64]
    if digest != Digest(name, case["size"]) or str(digest) != f"{name}/{case['size']}":
        return False
    try:
        Digest(name.upper(), case["size"])
    except ValueError:
        return digest < Digest("f" * 64, 0)
    return name.upper() == name
