"""Precedence of pre-releases, semver.org section 11."""


def key(version):
    """Sorts dotted pre-release identifiers; numbers are filled up, so that their text sorts as they do."""
    return [part.rjust(2, "0") if part.isdigit() else part for part in version.split(".")]
