"""A bit is 1 for the complete positive transcript alone; every other observation has its row and its reason."""

from oracle_rules.protocol import verdict

REQUEST = {"target": "//:x", "property_id": "x", "lane": "replay", "planned": 3, "allow": ["uuid"]}
SEEN = {"held": 3, "planned": 3, "code": None, "detail": "", "counterexample": None, "notes": []}


def parsed(document):
    try:
        verdict.parse(document)
    except verdict.InvalidVerdict:
        return False
    return True


def hold(case):
    seen = None if case["seen"] is None else {**SEEN, **case["seen"]}
    request = {**REQUEST, **case.get("request", {})}
    document = verdict.decide(request, seen, tuple(case.get("cell", ("exited", 0))), case.get("waiting", "exited"))
    if (document["row"], document["reason"]) != (case["row"], case["reason"]):
        return False
    bit = 1 if case["row"] == "held" else 0
    if document["bit"] != bit or not parsed(document) or verdict.cacheable(document) is (case["reason"] == "timeout"):
        return False
    lies = [{**document, "bit": 1 - bit}, {**document, "bit": 2}, {**document, "schema": "other"},
            {**document, "extra": 1}, {**document, "held": True}, {**document, "row": "luck"},
            {**document, "bit": 1, "row": "held", "reason": None, "held": 2},
            {**document, "bit": 1, "row": "held", "reason": None, "held": 0, "planned": 0},
            {key: value for key, value in document.items() if key != "held"}]
    return not any(parsed(lie) for lie in lies)
