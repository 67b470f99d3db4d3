"""Execution: running Actions, here or elsewhere. Each module below says what it touches of the world."""
