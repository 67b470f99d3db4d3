"""What people see, which codes say it, which command finds it, and what to do: their way into the catalogue.

Data only. Rows follow what teams know under these names: moving clocks, unseeded streams, oracles that shrink,
ledgers that rot, and whom to blame. A row has at least one code; codes stand in the order in which they are likely.
Read by the docs and by tests, and by nothing that decides.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Symptom:
    """`topic` groups rows in the docs, `command` is what finds it first."""

    name: str
    topic: str
    symptom: str
    codes: tuple[str, ...]
    command: str
    action: str


def _rows(topic: str, *rows: tuple[str, str, str, str, str]) -> tuple[Symptom, ...]:
    return tuple(Symptom(name=name, topic=topic, symptom=symptom, codes=tuple(codes.split()), command=command,
                         action=action) for name, symptom, codes, command, action in rows)


_SCORE, _GATE, _HUMAN = "oracle-rules score", "oracle-rules gate", "oracle-rules gate --author human"
_FREEZE, _FIXTURES = "oracle-rules freeze check", "oracle-rules fixtures check"
_SCAN = "oracle-rules scan --diff BASE..HEAD"
_ATTRIBUTE = "oracle-rules score --attribute"

_TIME = _rows(
    "Time, chance and the outside",
    ("moving-clock", "the answer hangs on the day or the second", "entropy_clock", _SCAN,
     "take the instant as an argument; hand in `FakeClock`"),
    ("sleep", "something sleeps, or a job times out while waiting", "entropy_clock timeout", _SCAN,
     "advance the fake clock instead; a wait is a pin that failed"),
    ("deadline-missed", "a case takes longer than the time limit", "timeout", _SCORE,
     "make it need less; a limit is raised by the owner of the oracle, and never by the patch"),
    ("unseeded-random", "a random stream without a seed", "entropy_random entropy_urandom", _SCAN,
     "take a `random.Random(seed)` as an argument"),
    ("uuid-literal", "a fresh uuid is compared with a literal", "entropy_uuid property_failed", _SCAN,
     "take `new_id` from a seam, and compare canonical documents, where ids are noise that was declared"),
    ("dumps-unsorted", "JSON is dumped without `sort_keys`, or a set is walked",
     "entropy_order entropy_hash property_failed", _SCAN,
     "sort before use; dump with `sort_keys`, or with the canonical dumps"),
    ("live-http", "a request leaves for an address, or a name is looked up", "entropy_network candidate_raised", _SCAN,
     "take a transport as an argument; hand in `FakeTransport` over recorded exchanges"),
    ("request-unpinned", "a request goes to an address that has no recorded exchange", "transport_unpinned", _SCORE,
     "ask for the recorded address, or let a person record the exchange"),
    ("body-drift", "a request goes to a recorded address with another body", "transport_drift", _SCORE,
     "send the recorded body, or let a person record the new one"),
    ("environment-read", "TZ, LANG or another variable, or the working folder, is read", "entropy_env", _SCAN,
     "take the value as an argument, or declare the variable in the target or its profile"),
    ("host-read", "the host's name or the process id is read", "entropy_host", _SCAN,
     "take it as an argument"),
)

_ORACLE = _rows(
    "The oracle shrinks or moves",
    ("seed-deleted", "a case, or a whole seed file, is gone", "seed_removed seed_rewritten oracle_edit_forbidden",
     _GATE, "restore it; evidence is never taken away"),
    ("seed-reordered", "cases stand in another order", "seed_reordered seed_rewritten", _HUMAN,
     "add new cases at the end of the file"),
    ("seed-changed", "an expectation in a seed file is another one", "seed_rewritten oracle_edit_forbidden", _GATE,
     "restore it; add a case beside it if both are right"),
    ("seed-added-by-agent", "an agent's patch adds cases", "seed_appended seed_rewritten", _GATE,
     "take them out; a person adds them"),
    ("seed-twice", "the same case is added again", "seed_duplicate", _HUMAN, "leave out the new one"),
    ("seeds-missing", "a seed file is missing or empty", "oracle_incomplete", _GATE,
     "restore it in base; a property without cases would hold for everything"),
    ("freeze-edited", "the freeze ledger is part of the patch", "freeze_changed oracle_edit_forbidden", _GATE,
     "take it out; a person changes the ledger in a commit of its own"),
    ("fixture-edited", "a fixture's bytes are part of the patch", "fixture_rewritten oracle_edit_forbidden", _GATE,
     "take it out; a person changes bytes and row together"),
    ("harness-edited", "configuration, sessions, locks or the pipeline are part of the patch",
     "config_changed lock_changed build_changed codeowners_changed", _GATE, "take them out"),
    ("narrower-domain", "a domain got smaller: sizes, alphabet, number of examples, another seed or filter",
     "domain_changed domain_narrowed", _GATE, "restore the locked row; a domain may only widen"),
    ("shorter-deadline", "a locked deadline got shorter", "domain_changed domain_narrowed", _GATE,
     "restore it; let a person lock a longer one"),
    ("journal-shrunk", "a journal loses a case or a seed, or is locked without a hit",
     "journal_case_lost journal_move_unknown journal_unlawful journal_changed", _HUMAN,
     "restore what was found; take the moves that `oracle-rules journal show ID` draws"),
    ("journal-stale", "a journal's seeds were hunted with another Hypothesis, Python, Unicode or domain",
     "journal_stale", _SCORE, "let a person hunt again with the command that is printed, and lock what it finds"),
    ("secret-missing", "seeds are held out by a secret that the score was not given", "holdout_secret_missing", _SCORE,
     "give the file that the journal's commitment stands for: `--secret-file FILE`"),
    ("domain-unlocked", "generated cases have no row in a lock", "domain_unlocked", _GATE,
     "let a person lock the domain, or drop it from the target"),
    ("fixture-unlisted", "a fixture has no row in the manifest", "fixture_unmanifested", _FIXTURES,
     "let a person add its row"),
    ("fixture-drifted", "a fixture's bytes are not those of its row", "fixture_hash_mismatch", _FIXTURES,
     "restore the bytes, or let a person change the row with a purpose that explains them"),
    ("fixture-unexplained", "bytes changed, and the row tells the old story", "fixture_unexplained", _HUMAN,
     "change the row's purpose, and name the person"),
    ("fixture-open", "agents may rewrite a fixture that no person vouches for", "fixture_agent_rewritable", _FIXTURES,
     "set rewritable_by_agent to false, or name the person in the origin"),
    ("fixture-not-canonical", "a JSON fixture has keys in another order, or other white space",
     "fixture_not_canonical", _FIXTURES, "let a person run `oracle-rules canon --write FILE`"),
    ("line-endings", "git would convert a fixture's line ends", "fixture_converted", _FIXTURES,
     "mark it `-text` in the attributes of base"),
    ("no-owner", "nobody has to agree before an oracle path changes", "codeowners_missing",
     "oracle-rules gate --require-codeowners", "add a line to CODEOWNERS in base, and require the review of owners"),
)

_LEDGER = _rows(
    "Freezing",
    ("still-collected", "a frozen property is still collected", "freeze_still_collected", _FREEZE,
     "give its target the ledger, so that it is absent; a skip is no freeze"),
    ("class-not-freezable", "somebody freezes a network, unseeded-entropy or resource flake",
     "freeze_class_unfreezable", _FREEZE, "pin it, as the message says; it can't be frozen"),
    ("class-unknown", "a row's class is none of the known ones", "freeze_class_unknown", _FREEZE,
     "classify the failure first"),
    ("not-reproduced", "an order-dependent row has no order, a time-dependent one no skew", "freeze_unreproduced",
     _FREEZE, "find the order, or the clock, that makes it red"),
    ("past-expiry", "a row is past its day", "freeze_expired", _FREEZE,
     "mend the cause and remove the row, or let a person renew it"),
    ("unknown-seam", "a row says that the seam is unknown", "freeze_seam_unknown", _FREEZE,
     "keep it red until the seam is known"),
    ("over-budget", "more is frozen than the budget allows", "freeze_budget_exceeded", _FREEZE,
     "mend what is frozen until it fits"),
    ("frozen-twice", "an id, or a frozen thing, stands twice", "freeze_duplicate_id", _FREEZE, "keep one row"),
    ("owner-no-person", "a row is owned by a team or a bot", "freeze_owner_not_person", _FREEZE, "name a person"),
    ("no-evidence", "a row says nothing that could be checked", "freeze_evidence_missing freeze_never_green", _FREEZE,
     "quote the log: N of M runs, and how; say when it was last green"),
    ("agents-extend", "a row lets agents extend it", "freeze_agent_extendable", _FREEZE,
     "set agent_may_extend to false"),
    ("always-red", "what is frozen fails in every run", "freeze_always_red", _FREEZE,
     "mend it; it is broken, not flaky"),
    ("prefix-frozen", "a node id that is no test's own", "freeze_nodeid_inexact freeze_matches_nothing", _FREEZE,
     "give the exact id, as `pytest --collect-only -q` prints it"),
    ("reasons-only", "a ledger lists ids with a reason each and nothing else", "freeze_unaccounted", _FREEZE,
     "run `oracle-rules freeze import FILE --out freeze.json`, which asks for what is missing"),
)

_WEAK = _rows(
    "Properties that say little",
    ("skip-unnamed", "a skip, an xfail or an importorskip stands in an oracle file", "silence_unnamed", _GATE,
     "freeze it in the ledger and name the row's id in the reason, or take it out"),
    ("is-not-none", "all that is said of an answer is that it `is not None`",
     "property_no_invariant", _GATE,
     "add an invariant that is independent of the answer: a round trip, idempotence, totals"),
    ("cannot-fail", "a property, or a part of it, is true by its form, or every exception is forgiven",
     "property_cannot_fail", _GATE, "compare with what the case expects; catch right answers by their names"),
    ("assertion-weakened", "a test's assertion became `is not None`, got looser, or is gone", "assertion_weakened",
     _SCAN, "restore the assertion, or say it as strictly"),
    ("restated", "a property looks at its case only", "property_restates_generator property_asks_nothing", _GATE,
     "ask the candidate, and compare what it answers"),
    ("property-reads", "a property opens files or reads what surrounds it", "property_does_io", _GATE,
     "read fixtures, and take the rest out"),
)

_BLAME = _rows(
    "Red, and whose fault it is",
    ("red-by-patch", "a counterexample, and the parent holds for the same case", "property_failed", _ATTRIBUTE,
     "run the repro command; mend the code"),
    ("red-before", "the parent is red as well", "property_red_on_base", _ATTRIBUTE,
     "mend base; the patch is not to blame, and is not admitted either"),
    ("only-patch-varies", "the answer changes with a pin, and the parent's does not", "introduced_nondeterminism",
     _ATTRIBUTE, "find the pin that is named, and take its value as an argument"),
    ("all-vary", "parent and patch vary alike", "property_unstable", _ATTRIBUTE,
     "pin the environment in base, then score again"),
    ("nothing-left", "everything is frozen, or nothing is declared", "nothing_to_score", _SCORE,
     "declare a property for these sources, or thaw one"),
    ("exits-early", "the program ends, skips or dies before every case was answered",
     "candidate_exited candidate_crashed transcript_incomplete", _SCORE,
     "let it answer; a pass is every case answered"),
    ("tooling", "scoring itself fails", "malfunction", "oracle-rules doctor", "mend what it names, then score again"),
)

SYMPTOMS: tuple[Symptom, ...] = _TIME + _ORACLE + _LEDGER + _WEAK + _BLAME
