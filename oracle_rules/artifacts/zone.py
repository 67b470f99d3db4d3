"""Time zones that need no database: `UTC`, and the rules of POSIX such as `CET-1CEST,M3.5.0,M10.5.0/3`.

The grammar is that of POSIX.1-2024, XBD 8.3, with two things left out that hang on the C library: a summer time
without its dates, and a name of the IANA database. Knows nothing of time.
"""

from __future__ import annotations

import re

UTC = "UTC"
_NAME = r"(?:[A-Za-z]{3,10}|<[A-Za-z0-9+-]{3,10}>)"
_CLOCK = r"(?::[0-5][0-9]){0,2}"
_OFFSET = r"[+-]?(?:2[0-4]|[01]?[0-9])" + _CLOCK
# Hours beyond a day, up to a week and either way, are how the database writes a day before or after a Sunday.
_AT = r"(?:/[+-]?(?:16[0-7]|1[0-5][0-9]|[0-9]{1,2})" + _CLOCK + ")?"
_DAY = r"(?:M(?:1[0-2]|[1-9])\.[1-5]\.[0-6]|J(?:36[0-5]|3[0-5][0-9]|[12][0-9]{2}|[1-9][0-9]?)|" \
       r"(?:36[0-5]|3[0-5][0-9]|[12][0-9]{2}|[1-9]?[0-9]))"
_RULE = re.compile(f"{_NAME}{_OFFSET}(?:{_NAME}(?:{_OFFSET})?,{_DAY}{_AT},{_DAY}{_AT})?")


def problem(text: str) -> str | None:
    """Why this is no zone that every worker reads alike, or None if it is one."""
    if text == UTC or _RULE.fullmatch(text):
        return None
    return (f"{text!r} is neither UTC nor a rule such as CET-1CEST,M3.5.0,M10.5.0/3; for a zone of the database, "
            "`tail -n 1 /usr/share/zoneinfo/Europe/Berlin` prints its rule")
