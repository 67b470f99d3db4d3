"""Simpler cases that fail for the same reason: which to try, in which order, and when to stop."""
