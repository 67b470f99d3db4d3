"""Runs requests as somebody else: started under another uid, reads requests as lines of JSON, answers with endings."""

from __future__ import annotations

import base64
import dataclasses
import json
import sys


def main() -> None:
    sys.path.insert(0, sys.argv[1])
    from oracle_rules.errors import Malfunction
    from oracle_rules.execution.sandbox import Link, Spawner, doctor
    from oracle_rules.execution.sandbox.crossing import process_from

    if sys.argv[2:] == ["doctor"]:
        print(json.dumps([dataclasses.asdict(probe) for probe in doctor.probe()]))
        return
    with Spawner() as spawner:
        for line in sys.stdin:
            request = json.loads(line)
            processes = [process_from(tree) for tree in request["processes"]]
            links = [Link(**tree) for tree in request["links"]]
            try:
                endings = spawner.run(processes, links, wall_ms=request["wall_ms"], primary=request["primary"])
                answer: object = [
                    {
                        key: base64.b64encode(value).decode() if isinstance(value, bytes) else value
                        for key, value in dataclasses.asdict(ending).items()
                    }
                    for ending in endings
                ]
            except Malfunction as trouble:
                answer = {"malfunction": trouble.detail, "remedy": trouble.remedy}
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
