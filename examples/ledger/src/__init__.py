"""A ledger in exact amounts, with time and ids from outside."""
