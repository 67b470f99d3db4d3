"""Inside the wall: the judge that decides and the cell that runs the candidate.

Staged into every input root under an empty parent package, so everything here uses relative imports, the standard
library and `protocol/` alone. Theory of operation:

* The judge (`judge.py`) loads the property, its cases and fixtures. The candidate is not in its file system.
* The cell (`cell.py`) has the candidate's sources and nothing of the oracle. It answers one request at a time.
* They talk over one stream socket (`wire.py`) in length-prefixed JSON; values are described by `codec.py`.
* An import of the candidate inside the property gives stand-ins (`standins.py`, `remote.py`): a call becomes a message,
  plain data comes back by value, anything else as a handle that stays in the cell.
* `pins.py` gives both processes a pinned clock, entropy and environment, and reports who asked for them.
"""
