"""What differs between two runs' inputs: each path once, in order, with both digests or the word absent."""

from oracle_rules.history import difference


def hold(case):
    before, after = case["before"], case["after"]
    found = [list(row) for row in difference(before, after)]
    if found != case["expect"] or list(difference(before, before)) != []:
        return False
    return [[path, new, old] for path, old, new in found] == [list(row) for row in difference(after, before)]
