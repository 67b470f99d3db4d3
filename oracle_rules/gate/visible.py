"""Text of a patch as people may be shown it: whatever steers a terminal, turns text around or draws nothing is spelled.

A hidden character becomes its code point between angle brackets, and so does the bracket itself: what is shown can be
told from what was written like that. Tabs stay; they are ordinary, and hide nothing at the start of a line.
"""

from __future__ import annotations

OPEN, CLOSE = "\u27e8", "\u27e9"


def visible(text: str) -> str:
    """The text on one line, printable throughout."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(char) for char in text)


def _shown(char: str) -> str:
    if char == "\t" or (char.isprintable() and char != OPEN):
        return char
    return f"{OPEN}U+{ord(char):04X}{CLOSE}"
