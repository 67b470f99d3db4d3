"""Why a header value is refused. Callers catch HeaderError; logs want the code and the place."""


class HeaderError(ValueError):
    """The value breaks a rule; `code` names the rule, `position` where it is broken."""

    code = "malformed"

    def __init__(self, value, position):
        super().__init__(f"{self.code} at {position} in {value!r}")
        self.position = position


class BadToken(HeaderError):
    """A token is missing or holds a character that tokens don't have."""

    code = "bad_token"


class BadQuote(HeaderError):
    """A quoted string is not closed, or holds a character that must not be quoted."""

    code = "bad_quote"


class Repeated(HeaderError):
    """A parameter stands twice."""

    code = "repeated"
