"""The freeze lane: the ledger of what is no evidence for now, its laws, its importers and its drafts.

Reads no file and no clock: bytes, days and outcomes are arguments.
"""
