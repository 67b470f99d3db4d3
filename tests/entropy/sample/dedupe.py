def dedupe(items):
    return list(set(items))  # hit: set-order


def dedupe_stable(items):
    return list(dict.fromkeys(items))  # none


def dedupe_sorted(items):
    found = list(set(items))  # none
    found.sort()
    return found


def dedupe_loop(items):
    seen, out = set(), []
    for item in items:
        if item not in seen:  # none
            seen.add(item)
            out.append(item)  # none
    return out
