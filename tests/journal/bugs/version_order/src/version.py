"""Precedence of pre-releases, semver.org section 11."""


def key(version):
    """Sorts dotted pre-release identifiers."""
    return version.split(".")
