"""The catalogue of reason codes is closed: each leads to one exit code and says what to do; none leads to acceptance."""

from oracle_rules.errors import Malfunction
from oracle_rules.gate.codes import CATALOGUE, explain, lookup


def hold(case):
    codes = list(CATALOGUE)
    if case["exit"] is None:
        try:
            lookup(case["code"])
        except Malfunction as error:
            return case["code"] in error.detail and int(error.exit_code) == 5 and case["code"] not in codes
        return False
    row = lookup(case["code"])
    if (row.code, int(row.exit), row.lane) != (case["code"], case["exit"], case["lane"]):
        return False
    if any(int(CATALOGUE[code].exit) == 0 or not CATALOGUE[code].remedy for code in codes):
        return False
    text = explain(case["code"])
    return text.startswith(case["code"] + ": ") and f"exit {case['exit']} " in text and row.remedy in text
