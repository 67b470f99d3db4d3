"""A text survives quoting, and no quote stands inside its quoted string without a backslash of its own before it."""

from src.quoted import quote, unquote


def hold(case):
    quoted = quote(case)
    inside, escaped = quoted[1:-1], False
    for sign in inside:
        if sign == '"' and not escaped:
            return False
        escaped = sign == "\\" and not escaped
    return not escaped and unquote(quoted) == case
