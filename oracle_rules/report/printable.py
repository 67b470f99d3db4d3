"""Text of others, made fit for a terminal."""

from __future__ import annotations


def printable(value: str) -> str:
    """Text that can't steer a terminal."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in value)
