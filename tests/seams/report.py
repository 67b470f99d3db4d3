"""Run in a process of its own: the canonical texts of values whose order hangs on hashes and addresses."""

from __future__ import annotations

import hashlib
import sys

from oracle_seams import canon, dumps, pinned_seams


class Meta(type):
    pass


def main() -> None:
    """Prints a digest of the texts, and the order in which this process sees one set of texts."""
    extra = [object() for _ in range(int(sys.argv[1]))]  # moves addresses
    names = {f"name {number}" for number in range(50)}
    seams = pinned_seams("2026-01-01T00:00:00+00:00")
    ids = [f"{number:08x}-0000-4000-8000-000000000000" for number in range(20)]
    noise = {"[*][*]": "id"}
    texts = [
        dumps(names), dumps({name: {name, 1, None, b"x", (name,)} for name in names}),
        dumps({frozenset({name, "x"}) for name in names}), dumps({hash: 1 for hash in names}),
        dumps({(one, other) for one in ids[:4] for other in ids[4:8]}, noise=noise),
        dumps(set(zip(ids, ids[1:])), noise=noise), dumps([seams.now(), seams.new_id(), seams.now(), seams.new_id()]),
        dumps(canon({1, "1", 1.5, (1, "1"), frozenset(names)})),
    ]
    print(hashlib.sha256("\n".join(texts).encode()).hexdigest(), hashlib.sha256(repr(list(names)).encode()).hexdigest(), len(extra))


if __name__ == "__main__":
    main()
