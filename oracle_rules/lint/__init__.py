"""What is wrong with oracle code before it runs: properties that say nothing, silences, asserts that were weakened.

Source text in, violations out; syntax trees only, nothing is imported or run. Knows no target and no decision.
"""
