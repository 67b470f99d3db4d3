"""`glob` selects what Bazel's would; a pattern that is none is refused with the reason."""

import globs


def hold(case):
    if "pattern" in case:
        return globs.problem(case["pattern"]) == case["problem"]
    if any(globs.problem(pattern) for pattern in case["include"] + case.get("exclude", [])):
        return False
    files, include, exclude = case["files"], case["include"], case.get("exclude", [])
    found = globs.select(files, include, exclude)
    if found != case["expect"]:
        return False
    if globs.select(reversed(files + files), list(reversed(include)), exclude) != found:
        return False
    # The list is no more than its parts: any include pattern, no exclude pattern.
    each = [path for path in sorted(files) if any(globs.includes(pattern, path) for pattern in include)
            and not any(globs.excludes(pattern, path) for pattern in exclude)]
    return each == found
