"""Paths inside a tree: which can be an input, what is above them, and which two a file system may confuse."""

from oracle_rules import relpath


def hold(case):
    if "alike" in case:
        folded = {relpath.fold(path) for path in case["alike"]}
        apart = {relpath.fold(path) for path in case["apart"]}
        idempotent = all(relpath.fold(path) == path for path in folded | apart)
        return len(folded) == 1 and len(apart) == len(case["apart"]) and not folded & apart and idempotent
    path = case["path"] * case.get("times", 1)
    if relpath.problem(path) != case["problem"]:
        return False
    if case["problem"] is not None:
        return True
    if relpath.ancestors(path) != case["above"] or relpath.parent(path) != case["above"][0]:
        return False
    if relpath.join(relpath.parent(path), relpath.name(path)) != path:
        return False
    if not all(relpath.is_within(path, folder) for folder in [*case["above"], path]):
        return False
    return not relpath.is_within(path + "x", path) and not relpath.is_within(relpath.parent(path), path)
