"""The gate: two trees and what base declares in, findings out; findings and outcomes in, a decision out.

Rules are tables that short code interprets. Reads nothing, writes nothing, knows no clock.
"""
