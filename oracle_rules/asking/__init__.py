"""What base asks of a candidate, and what a change of the oracle proposes: reads trees; `gate` and `artifacts` decide."""
