"""Score patches against an oracle that the patch cannot touch."""

__version__ = "0.1.0"
