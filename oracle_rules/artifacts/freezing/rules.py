"""By which words of a pytest log a failure is proposed a class, as data. `draft.py` interprets, people decide.

The first rule that matches wins. What freezing does not answer comes first, so that a doubt is not frozen. Patterns
are held against the lines of one failure's section; it is the text of a log, never source that we judge.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """`pattern` is a regular expression for one line, `seam` what it suggests; an empty one is asked for.

    `head` looks at the run's own lines. A shuffle alone shows no order: `varies` wants the test green in another run
    whose line is another one, `also` is a regular expression that one of the failing lines has to match.
    """

    name: str
    kind: str
    seam: str
    pattern: str
    says: str
    head: bool = False
    varies: bool = False
    also: str = ""


_SHUFFLED = r"Using --randomly-seed=\S+|Using --random-order-seed=\S+|random-order-seed[=:]\s*\S+"


RULES = (
    Rule(name="network-error", kind="network", seam="network", says="a name, a connection or a request failed",
         pattern=r"gaierror|name resolution|Name or service not known|Connection(Refused|Reset|Aborted|)Error"
         r"|Connection refused|Connection reset|Network is unreachable|Max retries exceeded|NewConnectionError"
         r"|URLError|SSLError|(Connect|Read)Timeout|ClientConnector|RemoteDisconnected|No route to host"),
    Rule(name="resource-spent", kind="resource", seam="limit", says="memory, disk, files, processes or time ran out",
         pattern=r"MemoryError|No space left on device|Too many open files|Cannot allocate memory"
         r"|can't start new thread|Resource temporarily unavailable|Failed: Timeout|Timeout \(?>"
         r"|worker '?gw\d+'? crashed|node down|Disk quota exceeded|RecursionError"),
    Rule(name="unseeded-draw", kind="unseeded-entropy", seam="id", says="a random value or id is in the failing lines",
         pattern=r"\buuid[1457]\b|\bUUID\(|\brandom\.\w|\brandom of Random\b|\brandint\b|\burandom\b|\bsecrets\."
         r"|SystemRandom|token_(hex|bytes|urlsafe)|random\.Random object"),
    Rule(name="clock-read", kind="time-dependent", seam="clock",
         says="a clock, a date or a sleep is in the failing lines",
         pattern=r"\btime\.(time|monotonic|perf_counter|process_time|sleep|localtime|gmtime|strftime)\b"
         r"|\b(utc)?now\(|\btoday\(|datetime\.(datetime|date|time|timedelta)\(|\btimestamp\(|tzinfo|\bZoneInfo\b"
         r"|built-in function (time|monotonic|perf_counter)>"),
    Rule(name="unordered", kind="order-dependent", seam="map", says="the failing lines iterate over what has no order",
         pattern=r"\b(frozen)?set\(|\blistdir\(|\bscandir\(|\biterdir\(|\bas_completed\(|\bimap_unordered\("),
    Rule(name="shuffled-varies", kind="order-dependent", seam="", head=True, varies=True, pattern=_SHUFFLED,
         says="red in a run that says with which seed it was shuffled, green in a run of this log with another seed"),
    Rule(name="shuffled-shared", kind="order-dependent", seam="", head=True, pattern=_SHUFFLED,
         says="the run says with which seed it was shuffled, and a failing line speaks of what is there already",
         also=r"\balready (exists?|registered|defined|initiali[sz]ed|open|set|started|closed|in use)\b|FileExistsError"
         r"|UNIQUE constraint|\b[Dd]uplicate (key|entry|name)\b|IntegrityError"),
)  # fmt: skip
