"""What makes a bit depend on the moment or the machine, seen by a run or in a source. All lead to exit 4."""

from __future__ import annotations

_SEAM = "Take the value as an argument or from a seam, or declare the need in the target."

ROWS = (
    ("entropy_clock", "candidate", "The machine's clock was read, or a sleep was asked for.", _SEAM),
    ("entropy_random", "candidate", "A random stream without a seed was drawn from.", _SEAM),
    ("entropy_uuid", "candidate", "A random or host-derived UUID was made.", _SEAM),
    ("entropy_urandom", "candidate", "The kernel's random bytes were read.", _SEAM),
    ("entropy_network", "candidate", "The network was asked for.", "Use a transport whose exchanges are fixtures."),
    ("entropy_env", "candidate", "An environment variable was read that the target does not declare.", _SEAM),
    ("entropy_host", "candidate", "Facts of the host or of the process were read.", _SEAM),
    ("entropy_hash", "candidate", "The answer depends on hash values or on the order of a set.", "Sort before use."),
    ("entropy_order", "candidate", "The answer depends on the order of a folder's entries, or of keys.",
     "Sort before use."),
    ("entropy_process", "candidate", "Threads or processes are started, whose order and surroundings nothing pins.",
     "Leave it to main; hand in what it would have given."),
    ("entropy_evasion", "candidate", "Entropy is reached in a way that no reader can follow.",
     "Import the module by its name and use it in plain sight."),
    ("source_unreadable", "candidate", "A source can't be parsed, so that nothing is known of it.",
     "Make it Python that the interpreter parses."),
    (
        "entropy_native",
        "candidate",
        "Native code was reached that nothing can watch.",
        "Do without it, or declare it as a locked dependency.",
    ),
)
