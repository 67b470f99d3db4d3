"""Quoted strings of headers, RFC 9110 section 5.6.4."""


def quote(text):
    """The text as a quoted string."""
    return '"' + "".join("\\" + sign if sign in '"\\' else sign for sign in text) + '"'


def unquote(quoted):
    """The text of a quoted string."""
    text, signs = "", iter(quoted[1:-1])
    for sign in signs:
        text += next(signs, "") if sign == "\\" else sign
    return text
