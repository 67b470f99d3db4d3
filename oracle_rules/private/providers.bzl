"""The providers of the rules."""

OracleCandidateInfo = provider(
    doc = "The sources under judgement.",
    fields = {
        "imports": "folders of the workspace that Python imports from; the root is `.`",
        "names": "what stands at the top of these folders, by name",
        "srcs": "the source files, as a list",
    },
)

OracleFixturesInfo = provider(
    doc = "Files that properties read.",
    fields = {"files": "the fixture files and their manifest, as a list"},
)

OracleFreezeInfo = provider(
    doc = "A freeze ledger.",
    fields = {"ledger": "its file"},
)

OracleDomainLockInfo = provider(
    doc = "A domain lock.",
    fields = {"lock": "its file"},
)

OracleProfileInfo = provider(
    doc = "A determinism profile.",
    fields = {"policy": "the file that says what is pinned, made from the profile"},
)

OracleInfo = provider(
    doc = "One judged property.",
    fields = {
        "property_id": "its id",
        "verdict": "the file with its verdict, red or green",
    },
)

OracleToolchainInfo = provider(
    doc = "What every Action needs of a worker; see `oracle_rules/repositories.bzl`.",
    fields = {
        "document": "the file that describes the interpreter",
        "generate": "files for Generate, as a depset",
        "judge": "files for Judge, as a depset",
        "policy": "what a target without a profile is pinned to",
        "program": "the program that every Action runs",
        "suite": "files for a pytest suite, as a depset",
    },
)
