"""Journals: which seeds hit on the parent, their realised cases, how many seeds are held out, and who locked that."""
