"""The toolchain that the repository of a machine declares."""

load(":providers.bzl", "OracleToolchainInfo")

def _worker(ctx):
    return [platform_common.ToolchainInfo(oracle = OracleToolchainInfo(
        document = ctx.file.document,
        generate = depset(ctx.files.generate),
        judge = depset(ctx.files.judge),
        policy = ctx.file.policy,
        program = ctx.file.program,
        suite = depset(ctx.files.suite),
    ))]

oracle_worker = rule(
    implementation = _worker,
    doc = "What every Action needs of a worker.",
    attrs = {
        "document": attr.label(allow_single_file = True, mandatory = True, doc = "the interpreter's description"),
        "generate": attr.label_list(allow_files = True, mandatory = True, doc = "files for Generate"),
        "judge": attr.label_list(allow_files = True, mandatory = True, doc = "files for Judge"),
        "policy": attr.label(allow_single_file = True, mandatory = True, doc = "the standard policy"),
        "program": attr.label(allow_single_file = True, mandatory = True, doc = "what every Action runs"),
        "suite": attr.label_list(allow_files = True, mandatory = True, doc = "files for a pytest suite"),
    },
)
