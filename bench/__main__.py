"""`python -m bench`: every measurement, one after another."""

from __future__ import annotations

from bench import hunt_throughput, property_cost, scan_accuracy, scan_speed

if __name__ == "__main__":
    property_cost.main()
    hunt_throughput.main()
    scan_accuracy.main()
    scan_speed.main()
