"""The first file that runs inside: `start.py` with `judge [CASE]`, `cell`, `generate` or `suite SEED`.

Makes the staged package importable and hands over.
Started by an interpreter in isolated mode without `site`, so the path holds the standard library alone.
"""

import os
import sys

WIRE, RESULT = 3, 4


def main(role: str, *rest: str) -> None:
    """Runs one side of the wall; a judge may be told the number of the one case it is for."""
    runtime = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sys.dont_write_bytecode = True
    sys.path.append(runtime)
    # The folder that CACHE_DIR and XDG_CACHE_HOME name: what looks for it must not have to make it.
    os.makedirs(os.environ["XDG_CACHE_HOME"], exist_ok=True)
    if role == "judge":
        from _oracle_runtime.runner import judge  # type: ignore[import-not-found]
        judge.main(WIRE, RESULT, only=int(rest[0]) if rest else None)
    elif role == "generate":
        from _oracle_runtime.runner import generate
        generate.main(RESULT)
    elif role == "suite":
        from _oracle_runtime.runner import suite
        suite.main(RESULT, int(rest[0]))
    else:
        from _oracle_runtime.runner import cell
        cell.main(WIRE)


if __name__ == "__main__":
    main(*sys.argv[1:])
