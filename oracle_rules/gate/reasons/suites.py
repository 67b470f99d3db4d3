"""What keeps a pytest suite from being a pass (exit 1), and what the suite itself has to be mended for (exit 3)."""

from __future__ import annotations

_LOOK = "Run the repro command; a suite passes only when each expected test runs and passes."

FALSIFIED = (
    ("suite_collect_error", "candidate", "A test file can't be collected together with the candidate.", _LOOK),
    ("suite_empty", "candidate", "No test was collected.", _LOOK),
    ("suite_missing", "candidate", "A test that the target expects was not collected.",
     "Let a person write nodeids as `pytest --collect-only -q` prints them, where base collects others."),
    ("suite_extra", "candidate", "A test was collected that the target does not expect.",
     "Let a person add its id to nodeids, where base collects it."),
    ("suite_deselected", "candidate", "A test was taken out of the run.", _LOOK),
    ("suite_skipped", "candidate", "A test was skipped.",
     "Freeze it in the ledger, where it can't run; a skip is no pass."),
    ("suite_xfailed", "candidate", "A test failed as it was marked to.",
     "Freeze it in the ledger, or mend what it shows."),
    ("suite_xpassed", "candidate", "A test passed that is marked to fail.", "Let a person remove the mark."),
    ("suite_setup_error", "candidate", "A fixture raised before a test.", _LOOK),
    ("suite_teardown_error", "candidate", "A fixture raised after a test.", _LOOK),
    ("suite_stopped", "candidate", "The run was stopped before every test was done.", _LOOK),
    ("suite_unwatched", "candidate", "A test is reported as passed, and its function did not run to its end.",
     "Write plain functions or methods; unittest.TestCase is not watched."),
    ("suite_no_cases", "candidate", "A property was asked no case that it held for.", _LOOK),
    ("suite_exit_differs", "candidate", "The exit status contradicts what the tests did.", _LOOK),
)  # fmt: skip

INCOMPLETE = (
    ("suite_unpinned", "declaration", "A property of a suite ran under other settings than the lock's.",
     "Let a person remove what sets them within the test or a conftest."),
    ("suite_case_unfit", "declaration", "A realised case is of a test that the suite does not have.",
     "Let a person mend the node id, or drop the case."),
)  # fmt: skip

REFUSED = (
    ("assurance_shared", "declaration", "A suite shares its process with the candidate, and apart is asked for.",
     "Write the property as a hold(case), or score without --require-assurance apart."),
)  # fmt: skip
