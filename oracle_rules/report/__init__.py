"""Reports drawn from a record. Pure: a record in, text out."""
