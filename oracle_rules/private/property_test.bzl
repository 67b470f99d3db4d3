"""One property: drawn, judged, and read by a thin test.

Judge ends well whatever its bit, so that a red verdict is kept as a green one is; the test that reads it is all that
runs again.
"""

load(":paths.bzl", "check_plain", "source_path")
load(":providers.bzl", "OracleCandidateInfo", "OracleDomainLockInfo", "OracleFixturesInfo", "OracleFreezeInfo", "OracleInfo", "OracleProfileInfo")

_TOOLCHAIN = "@oracle_rules//oracle_rules:toolchain_type"
_REQUEST = "oracle_rules/request/v2"
_LANE = "replay"

# Both bring walls of their own that are stricter, and that root can't build inside of Bazel's. They read by name what
# the request names, and nothing that lies around.
_OWN_SANDBOX = {"no-sandbox": "1"}
_KINDS = ["clock", "comparison", "env", "hash", "host", "native", "network", "random", "urandom", "uuid"]
_REFUSED = {
    "args": "a property takes no arguments; put the values into its cases",
    "env_inherit": "an inherited variable differs from worker to worker; give its value: env = {\"NAME\": \"value\"}",
    "flaky": "a bit that depends on luck is no bit; make the property deterministic or freeze it in the ledger",
    "local": "every property runs in the sandbox; remove the attribute",
    "shard_count": "one target is one verdict; split the property into several targets",
    "timeout": "Bazel's size classes say nothing about a property; use timeout_seconds = <whole seconds>",
}

def _checked(ctx):
    if not ctx.file.property or not ctx.file.seeds:
        fail("%s: needs property and seeds; suites (selector) can't be had in Bazel yet: score them with oracle-rules" % ctx.label)
    if ctx.file.journal:
        fail("%s: journals can't be had in Bazel yet; score it with oracle-rules" % ctx.label)
    if not (1 <= ctx.attr.timeout_seconds and ctx.attr.timeout_seconds <= 3600):
        fail("%s: timeout_seconds = %d is out of range; give 1 to 3600" % (ctx.label, ctx.attr.timeout_seconds))
    for kind in ctx.attr.allow:
        if kind not in _KINDS:
            fail("%s: allow has %r; there are %s" % (ctx.label, kind, ", ".join(_KINDS)))
    for name, value in ctx.attr.env.items():
        check_plain(name + value, "the variable", ctx.label)
    return check_plain(ctx.attr.property_id or ctx.label.name, "the property id", ctx.label)

def _oracle_files(ctx):
    files = [ctx.file.property, ctx.file.seeds] + ctx.files.deps
    for each in ctx.attr.fixtures:
        files += each[OracleFixturesInfo].files
    return {source_path(file, ctx.label): file for file in files}

def _drawn(ctx, property_id, worker, policy):
    """The corpus that the locked domain draws, where there is one."""
    if not ctx.attr.domain_lock:
        return []
    lock = ctx.attr.domain_lock[OracleDomainLockInfo].lock
    domain = ctx.actions.declare_file(ctx.label.name + ".oracle/domain.json")
    ctx.actions.run(
        executable = worker.program,
        arguments = ["domain", lock.path, property_id, domain.path],
        inputs = [lock] + ctx.files.deps,
        outputs = [domain],
        mnemonic = "OracleDomain",
        progress_message = "The domain of %s" % ctx.label,
    )
    corpus = ctx.actions.declare_file(ctx.label.name + ".oracle/corpora/000.json")
    ctx.actions.run(
        executable = worker.program,
        arguments = ["generate", domain.path, policy.path],
        inputs = depset([domain, policy, worker.document] + ctx.files.deps, transitive = [worker.generate]),
        outputs = [corpus],
        execution_requirements = _OWN_SANDBOX,
        mnemonic = "OracleGenerate",
        progress_message = "Drawing cases for %s" % ctx.label,
    )
    return [corpus]

def _judged(ctx, property_id, worker):
    """The verdict, whatever its bit."""
    candidate = ctx.attr.candidate[OracleCandidateInfo]
    policy = ctx.attr.profile[OracleProfileInfo].policy if ctx.attr.profile else worker.policy
    oracle, corpora = _oracle_files(ctx), _drawn(ctx, property_id, worker, policy)
    sources = {source_path(file, ctx.label): file for file in candidate.srcs}
    for path in oracle:
        if path in sources:
            fail("%s: %s is oracle and candidate at once; declare it as one of the two" % (ctx.label, path))
    request = ctx.actions.declare_file(ctx.label.name + ".oracle/request.json")
    ctx.actions.write(request, json.encode({
        "allow": sorted(ctx.attr.allow),
        "candidate": sorted(sources),
        "dependencies": False,
        "environment": ctx.attr.env,
        "fresh_cell": ctx.attr.fresh_cell,
        "imports": candidate.imports,
        "lane": _LANE,
        "oracle": sorted(oracle),
        "property": ctx.file.property.short_path,
        "property_id": property_id,
        "roots": candidate.names,
        "schema": _REQUEST,
        "seeds": ctx.file.seeds.short_path,
        "target": _label(ctx),
        "timeout_seconds": ctx.attr.timeout_seconds,
    }) + "\n")
    verdict = ctx.actions.declare_file(ctx.label.name + ".oracle/verdict.json")
    ctx.actions.run(
        executable = worker.program,
        arguments = ["judge", request.path, policy.path],
        inputs = depset(
            sources.values() + oracle.values() + corpora + [request, policy, worker.document],
            transitive = [worker.judge],
        ),
        outputs = [verdict],
        execution_requirements = _OWN_SANDBOX,
        mnemonic = "OracleJudge",
        progress_message = "Judging %s" % ctx.label,
    )
    return verdict

def _label(ctx):
    return "//%s:%s" % (ctx.label.package, ctx.label.name)

def _quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"

def _implementation(ctx):
    worker = ctx.toolchains[_TOOLCHAIN].oracle
    property_id = _checked(ctx)
    verdict = _judged(ctx, property_id, worker)
    words = [worker.program.short_path, "read", verdict.short_path, "--target", _label(ctx), "--property-id", property_id]
    runfiles = [verdict, worker.program]
    if ctx.attr.freeze:
        ledger = ctx.attr.freeze[OracleFreezeInfo].ledger
        words += ["--ledger", ledger.short_path]
        runfiles.append(ledger)
    reader = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.write(reader, "#!/bin/sh\nexec %s\n" % " ".join([_quoted(word) for word in words]), is_executable = True)
    return [
        DefaultInfo(executable = reader, runfiles = ctx.runfiles(files = runfiles)),
        OracleInfo(property_id = property_id, verdict = verdict),
        OutputGroupInfo(verdict = depset([verdict])),
    ]

oracle_property_test = rule(
    implementation = _implementation,
    doc = "Judges one property over its cases, or one pytest suite, against the candidate.",
    attrs = {
        "allow": attr.string_list(doc = "kinds of ambient entropy that do not refuse the bit"),
        "candidate": attr.label(mandatory = True, providers = [OracleCandidateInfo], doc = "whose sources are judged"),
        "deps": attr.label_list(allow_files = True, doc = "further Python files of the oracle that the property imports"),
        "domain_lock": attr.label(providers = [OracleDomainLockInfo], doc = "locked domain that further cases are drawn from"),
        "env": attr.string_dict(doc = "environment variables the candidate sees"),
        "fixtures": attr.label_list(providers = [OracleFixturesInfo], doc = "fixtures the property may read"),
        "freeze": attr.label(providers = [OracleFreezeInfo], doc = "ledger of frozen properties"),
        "fresh_cell": attr.bool(doc = "a new cell for every case"),
        "journal": attr.label(allow_single_file = True, doc = "journal of seeds that hit, `oracles/<property_id>.json` of the package"),
        "nodeids": attr.string_list(doc = "the exact ids that the selector has to collect, as pytest prints them; the selector when absent"),
        "profile": attr.label(providers = [OracleProfileInfo], doc = "what the environment is pinned to; the standard profile when absent"),
        "property": attr.label(allow_single_file = [".py"], doc = "Python file that defines `hold(case)`; goes with `seeds`"),
        "property_id": attr.string(doc = "name in ledgers and locks; the target's name when absent"),
        "seeds": attr.label(allow_single_file = [".json"], doc = "JSON file with the committed cases; goes with `property`"),
        "selector": attr.string(doc = "tests of a pytest file, `tests/test_x.py::test_y`, in place of `property` and `seeds`"),
        "timeout_seconds": attr.int(default = 20, doc = "wall clock for the whole target; part of the key"),
    },
    provides = [OracleInfo],
    test = True,
    toolchains = [_TOOLCHAIN],
)

def declare_property_test(name, **attributes):
    """Judges one property over its cases against the candidate.

    Args:
      name: the target's name
      **attributes: those of docs/declare.md
    """
    for attribute, why in _REFUSED.items():
        if attribute in attributes:
            fail("//%s:%s: %s is refused: %s" % (native.package_name(), name, attribute, why))
    tags = list(attributes.pop("tags", []))
    if "freeze" in attributes:
        tags.append("external")  # whether a row is past its day is asked anew each time
    oracle_property_test(name = name, size = attributes.pop("size", "small"), tags = tags, **attributes)
