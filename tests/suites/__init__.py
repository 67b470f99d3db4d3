"""Existing pytest suites as targets: passing, failing, and every way to cheat beside an honest twin."""
