"""Findings and outcomes add up to one decision: whatever is worse for trust weighs more, and nothing is no pass."""

from itertools import permutations

from oracle_rules.gate.decide import Outcome, decide
from oracle_rules.gate.finding import Finding


def finding(code):
    return Finding(code=code, lane="seed", subject="seeds/a.json", detail="changed", row="x", remedy="revert",
                   edits_oracle=True)


def hold(case):
    findings = [finding(code) for code in case["findings"]]
    outcomes = [Outcome(label=f"//:t{number}", lane="replay", bit=bit, reason=reason)
                for number, (bit, reason) in enumerate(case["outcomes"])]
    for order in list(permutations(outcomes))[:4]:
        found = decide(findings, list(order))
        if (found.decision, int(found.exit), found.bit, found.row) != (
                case["decision"], case["exit"], case["bit"], case["row"]):
            return False
        codes = [reason.code for reason in found.reasons]
        if codes[:1] != case["first"] or (found.decision == "accept") is not (codes == []):
            return False
    return True
