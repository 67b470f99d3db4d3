"""What the seams promise to ordinary code, tests and properties."""
