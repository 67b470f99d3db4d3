"""What base asks of a candidate, and what a change of the oracle proposes: trees are read here, `gate` decides."""
