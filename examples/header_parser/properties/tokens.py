"""What the oracle knows about tokens by itself, without asking the candidate."""

TOKEN = set("!#$%&'*+-.^_`|~") | {chr(code) for code in range(128) if chr(code).isalnum()}


def plain(text):
    """The token characters of a text, and at least one."""
    return "".join(char for char in text if char in TOKEN) or "x"
