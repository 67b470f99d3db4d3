"""Oracle artifacts: bytes in, frozen values and violations of their laws out. Reads no file and no clock."""
