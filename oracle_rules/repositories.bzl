"""The repository of the toolchain: what every Action needs of this machine. For WORKSPACE, up to Bazel 8."""

_BUILD = """\
load("@oracle_rules//oracle_rules/private:toolchain.bzl", "oracle_worker")

oracle_worker(
    name = "worker",
    document = "toolchain.json",
    generate = glob(["runtime/generate/**", "generator/**"]),
    judge = glob(["runtime/judge/**", "runtime/cell/**"]),
    policy = "policy.json",
    program = "execute",
    suite = glob(["runtime/suite/**", "suite/**"]),
)

toolchain(
    name = "toolchain",
    toolchain = ":worker",
    toolchain_type = "@oracle_rules//oracle_rules:toolchain_type",
)
"""
_PYTHON = "ORACLE_RULES_PYTHON"
_MAIN = "import sys; from oracle_rules.cli import main; sys.exit(main())"

def _toolchain(repository_ctx):
    python = repository_ctx.os.environ.get(_PYTHON, "")
    if python:
        package = str(repository_ctx.path(Label("//:WORKSPACE")).dirname)
        command, environment = [python, "-P", "-s", "-B", "-c", _MAIN], {"PYTHONPATH": package}
    else:
        found = repository_ctx.which("oracle-rules")
        if not found:
            fail("there is no oracle-rules on the path; install it, or name in %s a Python that has what requirements.lock locks" % _PYTHON)
        command, environment = [found], {}
    made = repository_ctx.execute(command + ["toolchain", "."], environment = environment, timeout = 600)
    if made.return_code:
        fail("oracle-rules toolchain failed: " + made.stderr)
    repository_ctx.file("BUILD.bazel", _BUILD)

oracle_rules_toolchain = repository_rule(
    implementation = _toolchain,
    doc = "What every Action needs of this machine; made anew with the server, since the machine may have changed.",
    environ = [_PYTHON, "PATH"],
    local = True,
)

# What Bazel's own packages load of the repositories that Bazel 4 would download for every test and toolchain.
_CC = ["cc_binary", "cc_import", "cc_library", "cc_test", "cc_toolchain", "cc_toolchain_suite"]
_JAVA = ["java_binary", "java_import", "java_library", "java_runtime", "java_toolchain"]

def _natives(names):
    return "".join(["{name} = native.{name}\n".format(name = name) for name in names])

_STUBS = {
    "remote_coverage_tools": {"BUILD.bazel": 'filegroup(name = "coverage_report_generator", visibility = ["//visibility:public"])\n'},
    "rules_cc": {"BUILD.bazel": "", "cc/BUILD.bazel": "", "cc/defs.bzl": _natives(_CC)},
    "rules_java": {"BUILD.bazel": "", "java/BUILD.bazel": "", "java/defs.bzl": _natives(_JAVA)},
}

def _stub(repository_ctx):
    for path, text in _STUBS[repository_ctx.name].items():
        repository_ctx.file(path, text)

_stub_repository = repository_rule(
    implementation = _stub,
    doc = "Stands in for a repository that Bazel would download and that our rules don't need.",
)

def oracle_rules_offline():
    """Stands in for what Bazel 4 downloads for every test and toolchain. Call it before anything else loads these."""
    for name in _STUBS:
        _stub_repository(name = name)

def oracle_rules_register():
    """The toolchain's repository, registered. Tests of every package find it."""
    oracle_rules_toolchain(name = "oracle_rules_toolchain")
    native.register_toolchains("@oracle_rules_toolchain//:toolchain")
