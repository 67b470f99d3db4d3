"""Precedence of pre-releases, semver.org section 11."""


def key(version):
    """Sorts dotted pre-release identifiers; numbers by their value and before words."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in version.split(".")]
