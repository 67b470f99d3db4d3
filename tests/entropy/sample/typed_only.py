from __future__ import annotations

import random
import socket
from datetime import datetime
from pathlib import Path
from typing import Optional


def use(rng: random.Random, peer: Optional[socket.socket], at: datetime) -> Path:
    if isinstance(rng, random.Random):  # none
        return Path(str(at.year))  # none
    raise TypeError(rng)


def draw(rng: random.Random) -> float:
    return rng.random()  # none
