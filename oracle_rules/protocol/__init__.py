"""What crosses the wall, as bytes. Staged into every input root; imports nothing but the standard library."""
