"""The generated parts of the documentation, one function each: texts in, Markdown out. `docs/generate.py` fills them in."""
