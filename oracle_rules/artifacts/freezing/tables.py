"""What the freeze lane decides by, as data: classes, laws, and the words that laws go by. `laws.py` interprets.

The documentation is drawn from these rows. Knows nothing of ledgers.
"""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_DAYS = 7
_BY_PERSON = "a person changes the ledger in a commit of its own"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A class of flake. `needs` is the field that shows it again, empty where freezing is no answer.

    `words` are those by which the evidence may quote what `needs` asks for. `instead` says what to do, or what the
    field holds.
    """

    name: str
    freezable: bool
    needs: str
    words: tuple[str, ...]
    instead: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """One law. `scope` is what it is held on: row, ledger, workspace or outcomes; `check` names its predicate."""

    name: str
    scope: str
    check: str
    code: str
    field: str
    says: str
    remedy: str
    about: str = ""


KINDS = (
    Kind(name="order-dependent", freezable=True, needs="order",
         words=("after", "before", "order", "ordering", "shuffled", "reversed", "seed", "xdist", "hash"),
         instead="`order`: an order that makes it red, such as the ids that run before it or a seed of the shuffle"),
    Kind(name="time-dependent", freezable=True, needs="skew",
         words=("ahead", "backward", "backwards", "behind", "clock", "drift", "dst", "forward", "leap", "midnight",
                "ms", "skew", "skewed", "step", "stepped", "timezone", "zone"),
         instead="`skew`: a clock that makes it red, such as a step, an offset, a zone or an instant"),
    Kind(name="network", freezable=False, needs="", words=(),
         instead="record the exchanges as fixtures and take a transport as an argument"),
    Kind(name="unseeded-entropy", freezable=False, needs="", words=(),
         instead="inject the seed, or take ids from a seam that counts"),
    Kind(name="resource", freezable=False, needs="", words=(),
         instead="pin the limit or raise it in the target; a limit that is reached is a failure"),
)  # fmt: skip

LAWS = (
    Law(name="row-accounted", scope="ledger", check="accounted", code="freeze_unaccounted", field="",
        says="Rows say class, owner, evidence and day; a list of excluded ids with reasons does not.",
        remedy="oracle-rules freeze import {path} --out {path}"),
    Law(name="budget", scope="ledger", check="budget", code="freeze_budget_exceeded", field="budget",
        says="No more rows than the budget.", remedy=f"mend or drop what is frozen until it fits; {_BY_PERSON}"),
    Law(name="id-once", scope="ledger", check="repeated", about="id", code="freeze_duplicate_id", field="id",
        says="No id twice, however it is spelled.", remedy=f"keep one row; {_BY_PERSON}"),
    Law(name="thing-once", scope="ledger", check="repeated", about="thing", code="freeze_duplicate_id",
        field="property or nodeid", says="Nothing is frozen twice.", remedy=f"keep one row; {_BY_PERSON}"),
    Law(name="nodeid-exact", scope="row", check="inexact", code="freeze_nodeid_inexact", field="nodeid",
        says="A node id is exact: `path.py::Class::test[parameters]`, never a folder, a file, a prefix or a pattern.",
        remedy="write the id as pytest --collect-only -q prints it; one row for each test"),
    Law(name="class-known", scope="row", check="unknown_class", code="freeze_class_unknown", field="class",
        says="The class is one of the closed set.", remedy="classify the failure before freezing it"),
    Law(name="class-freezable", scope="row", check="unfreezable_class", code="freeze_class_unfreezable", field="class",
        says="The class is one that freezing answers.", remedy="mend the cause, then remove the row"),
    Law(name="order-given", scope="row", check="unreproduced", about="order", code="freeze_unreproduced",
        field="order", says="order-dependent comes with an order that makes it red, in `order` or in the evidence.",
        remedy="add order, such as the ids that run before it or the seed of the shuffle"),
    Law(name="skew-given", scope="row", check="unreproduced", about="skew", code="freeze_unreproduced", field="skew",
        says="time-dependent comes with a captured skew, in `skew` or in the evidence.",
        remedy="add skew, such as the step, the offset, the zone or the instant that makes it red"),
    Law(name="evidence-says", scope="row", check="says_nothing", code="freeze_evidence_missing", field="evidence",
        says="The evidence says something of its own: three words besides those of the row's id, thing and class.",
        remedy="say what was seen and how often, such as: went backwards under a clock step, 1 of 4000 runs"),
    Law(name="evidence-varies", scope="row", check="never_varies", code="freeze_always_red", field="evidence",
        says="Counted evidence has green runs as well as red ones.",
        remedy="what is red in every run is broken, and what is green in every run is sound; neither is frozen"),
    Law(name="seam-known", scope="row", check="unknown_seam", code="freeze_seam_unknown", field="seam",
        says="The seam is named; an unknown one is not ready to be frozen.",
        remedy="find the clock, map, id or transport that it comes through; keep the test red until then"),
    Law(name="owner-person", scope="row", check="no_person", code="freeze_owner_not_person", field="owner",
        says="The owner is a person.", remedy="name the person who mends it by the day"),
    Law(name="once-green", scope="row", check="never_green", code="freeze_never_green", field="last_green",
        says="It was green once; what always fails is broken, not flaky.",
        remedy="name the day on which it last passed; mend or remove what never did"),
    Law(name="not-future", scope="row", check="future", code="freeze_future_dated", field="last_green",
        says="Nothing was green on a day to come.", remedy="name the day on which it last passed"),
    Law(name="dates-ordered", scope="row", check="crossed", code="freeze_dates_crossed", field="expires",
        says="A row does not expire before it was last green.", remedy="mend the two days"),
    Law(name="not-expired", scope="row", check="expired", code="freeze_expired", field="expires",
        says="A row is good through the day it names, then it fails closed.",
        remedy=f"mend the cause and remove the row, or renew it; {_BY_PERSON}"),
    Law(name="people-extend", scope="row", check="extendable", code="freeze_agent_extendable",
        field="agent_may_extend", says="Agents extend nothing.",
        remedy=f"set agent_may_extend to false; {_BY_PERSON}"),
    Law(name="property-declared", scope="workspace", check="undeclared", code="freeze_matches_nothing",
        field="property", says="A frozen property is one that a target declares.",
        remedy=f"write the property_id of a target, or remove the row; {_BY_PERSON}"),
    Law(name="test-found", scope="workspace", check="not_found", code="freeze_matches_nothing", field="nodeid",
        says="A frozen test is in the file that its node id names.",
        remedy=f"write the id as pytest --collect-only -q prints it, or remove the row; {_BY_PERSON}"),
    Law(name="sometimes-green", scope="outcomes", check="always_red", code="freeze_always_red", field="property",
        says="A frozen property is not red in every one of at least two different runs.",
        remedy="mend the property or what it judges; what is always red is not flaky"),
)  # fmt: skip

# Words for what writes by itself; no text that names one speaks for a person. Then endings of such words, and what
# ends so and is none: surnames, and a word of chemistry.
MACHINES = frozenset(
    "agent agents automation automations autofix bot bots chatgpt copilot daemon dependabot gpt llm renovate robot "
    "robots".split()
)
MACHINE_ENDINGS = ("bot", "bots", "agent", "agents")
NO_MACHINES = frozenset(
    "abbot arbot cabot corbot garbot herbot jabot marbot nesbot rabot reagent reagents talbot tibbot turbot".split()
)
# Words of a name that say that it is no person's, whatever else stands there.
NO_PERSON = MACHINES | frozenset(
    "crew developers engineers everyone group guild maintainers nobody noone noreply pipeline squad tba tbd team teams "
    "todo unassigned unowned workflow".split()
)
# Words that are no person's name by themselves, and may be part of one: Claude Shannon, Ai Weiwei.
NO_NAME = frozenset(
    "action actions admin ai aider anonymous anthropic anyone assistant build ci claude code codex cron cursor "
    "dev devin devops gemini git github gitlab google grok haiku hub human job jobs jules llama me mistral model "
    "n na none null openai ops opus owner person platform qa qwen root runner runners service somebody someone "
    "sonnet sweep system test tester turbo unknown user worker xxx yet".split()
)
# Words that stand for evidence without being any.
NO_EVIDENCE = frozenset(
    "a an again always and fails failing failed fail flake flaked flakes flaky flakiness frozen freeze is it na none "
    "or see sometimes tba tbd test tests the this todo unknown unstable was".split()
)
# Words that stand for a seam, an order or a skew without being one. What has no word at all stands for none either.
NO_SEAM = frozenset(
    "a an any dunno idk is it know known n na no none not null order seam skew some something tba tbd the to todo "
    "unclear undetermined unknown we yet".split()
)
