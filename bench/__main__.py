"""`python -m bench`: every measurement, one after another."""

from __future__ import annotations

from bench import property_cost, scan_accuracy, scan_speed

if __name__ == "__main__":
    property_cost.main()
    scan_accuracy.main()
    scan_speed.main()
