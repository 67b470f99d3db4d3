"""Reads Python sources for what makes an answer depend on the moment, the machine or chance: text in, values out.

Nothing is imported, run, or looked up on disk; a source is its syntax tree and nothing else.
"""
