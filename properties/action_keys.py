"""Every input moves the key of a Judge Action, and the candidate's side of the tree holds nothing of the oracle."""

import json

from oracle_rules.analysis.actions import Host, Judgement, judge_plan
from oracle_rules.analysis.policy import policy
from oracle_rules.artifacts.profile import parse_profile
from oracle_rules.reapi.profile import named

ABOUT = {
    "label": "//:x", "property_id": "x", "lane": "replay", "property": "properties/x.py", "seeds": "seeds/x.json",
    "oracle": {"properties/x.py": b"def hold", "seeds/x.json": b"[1,2]"},
    "candidate": {"src/a.py": b"A = 1"}, "imports": (".",), "roots": ("src",), "allow": (), "environment": {},
    "timeout_seconds": 20, "fresh_cell": False, "corpora": (), "dependencies": None,
}
HOST = {"toolchain": b"{}", "program": b"", "runtime": {"judge": {"j.py": b""}, "cell": {"c.py": b""}, "generate": {}}, "generator": {}}


def plan(about, host, profile):
    pinned = policy(parse_profile(json.dumps(profile or {}, sort_keys=True).encode(), path="profile.json"))
    return judge_plan(Judgement(**about), pinned, Host(**host), named("bazel-4"))


def changed(case):
    about, host = dict(ABOUT), dict(HOST)
    for name, value in case.get("about", {}).items():
        if isinstance(ABOUT[name], dict) and name != "environment":
            value = {path: text.encode() for path, text in value.items()}
        elif name == "corpora":
            value = tuple(text.encode() for text in value)
        elif name == "dependencies":
            value = value.encode()
        elif isinstance(value, list):
            value = tuple(value)
        about[name] = value
    for name, value in case.get("host", {}).items():
        host[name] = value.encode() if isinstance(value, str) else {
            place: {path: text.encode() for path, text in files.items()} for place, files in value.items()}
    return plan(about, host, case.get("profile"))


def hold(case):
    before, after = plan(ABOUT, HOST, None), changed(case)
    if (before.action != after.action) is not case["moves"]:
        return False
    inputs = {path: str(digest) for path, digest in after.inputs.items()}
    blobs = {str(digest): data for digest, data in after.blobs.items()}
    [request] = [json.loads(blobs[digest]) for path, digest in inputs.items() if path.endswith(".oracle/request.json")]
    if request["candidate"] != case["cell"] or request["oracle"] != case["oracle"]:
        return False
    ours = {f"external/oracle_rules_toolchain/{name}" for name in ("execute", "policy.json", "toolchain.json")}
    return all(digest in blobs for digest in inputs.values()) and {*case["cell"], *case["oracle"], *ours} <= set(inputs)
