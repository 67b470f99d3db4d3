"""Targets and trees to Actions. Pure: bytes come in, keys and blobs come out; nothing is read, run or timed here."""
