"""Names that read alike share a skeleton, honest names don't, and what no honest path holds is called odd."""

from oracle_rules.gate.names import matches, odd, skeleton


def hold(case):
    if "pattern" in case:
        hits = [path for path in case["paths"] if matches((case["pattern"],), path)]
        return hits == case["expect"] and not any(matches((), path) for path in case["paths"])
    if "odd" in case:
        reason = odd(case["odd"])
        return reason is None if case["why"] is None else reason is not None and case["why"] in reason
    alike = {skeleton(path) for path in case["alike"]}
    apart = {skeleton(path) for path in case["apart"]}
    return len(alike) == 1 and len(apart) == len(case["apart"]) and not alike & apart
