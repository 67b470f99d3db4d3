"""Quoted strings of headers, RFC 9110 section 5.6.4."""


def quote(text):
    """The text as a quoted string."""
    return f'"{text}"'


def unquote(quoted):
    """The text of a quoted string."""
    return quoted[1:-1]
