"""Quoted strings of headers, RFC 9110 section 5.6.4."""

import re


def quote(text):
    """The text as a quoted string."""
    before, mark, after = text.replace("\\", "\\\\").partition('"')
    return f'"{before}\\{mark}{after}"' if mark else f'"{before}"'


def unquote(quoted):
    """The text of a quoted string."""
    return re.sub(r"\\(.)", r"\1", quoted[1:-1])
