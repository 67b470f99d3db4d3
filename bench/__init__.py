"""Measurements; each compares in one run and prints ratios. Nothing here is asserted by a test."""
