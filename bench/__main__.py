"""`python -m bench`: every measurement, one after another."""

from __future__ import annotations

from bench import property_cost

if __name__ == "__main__":
    property_cost.main()
