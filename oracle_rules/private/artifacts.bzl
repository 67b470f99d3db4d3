"""What properties are judged with: candidates, fixtures, ledgers, locks and profiles."""

load(":paths.bzl", "check_plain", "join", "source_path")
load(":providers.bzl", "OracleCandidateInfo", "OracleDomainLockInfo", "OracleFixturesInfo", "OracleFreezeInfo", "OracleProfileInfo")

_TOOLCHAIN = "@oracle_rules//oracle_rules:toolchain_type"

def _names(paths, folders):
    found = {}
    for folder in folders:
        above = "" if folder == "." else folder + "/"
        for path in paths:
            if path.startswith(above):
                name = path[len(above):].partition("/")[0]
                found[name[:-len(".py")] if name.endswith(".py") else name] = True
    return sorted(found)

def _candidate(ctx):
    if ctx.file.requirements:
        fail("%s: third-party packages of a candidate can't be had in Bazel yet; score it with oracle-rules" % ctx.label)
    if not ctx.attr.imports:
        fail('%s: no import folder; write imports = ["."] or leave it out' % ctx.label)
    folders = [
        (ctx.label.package if folder == "." else join(ctx.label.package, folder)) or "."
        for folder in ctx.attr.imports
    ]
    for folder in folders:
        check_plain(folder, "the import folder", ctx.label)
    files = {source_path(file, ctx.label): file for file in ctx.files.srcs}
    return [
        DefaultInfo(files = depset(files.values())),
        OracleCandidateInfo(
            imports = sorted(folders),
            names = _names(files.keys(), folders),
            srcs = files.values(),
        ),
    ]

oracle_candidate = rule(
    implementation = _candidate,
    doc = "The sources under judgement.",
    attrs = {
        "imports": attr.string_list(default = ["."], doc = "folders, relative to the package, that Python imports from"),
        "requirements": attr.label(allow_single_file = True, doc = "lock file of the candidate's third-party packages"),
        "srcs": attr.label_list(allow_files = True, mandatory = True, doc = "files of the candidate"),
    },
    provides = [OracleCandidateInfo],
)

def _fixtures(ctx):
    files = {source_path(file, ctx.label): file for file in ctx.files.srcs + [ctx.file.manifest]}
    return [DefaultInfo(files = depset(files.values())), OracleFixturesInfo(files = files.values())]

oracle_fixtures = rule(
    implementation = _fixtures,
    doc = "Files that properties read, with their manifest.",
    attrs = {
        "manifest": attr.label(allow_single_file = True, mandatory = True, doc = "JSON file with one row per fixture"),
        "srcs": attr.label_list(allow_files = True, mandatory = True, doc = "the fixture files, without the manifest"),
    },
    provides = [OracleFixturesInfo],
)

def _freeze(ctx):
    source_path(ctx.file.ledger, ctx.label)
    return [DefaultInfo(files = depset([ctx.file.ledger])), OracleFreezeInfo(ledger = ctx.file.ledger)]

oracle_freeze = rule(
    implementation = _freeze,
    doc = "A freeze ledger.",
    attrs = {"ledger": attr.label(allow_single_file = True, mandatory = True, doc = "JSON file with the frozen rows")},
    provides = [OracleFreezeInfo],
)

def _domain_lock(ctx):
    source_path(ctx.file.lock, ctx.label)
    return [DefaultInfo(files = depset([ctx.file.lock])), OracleDomainLockInfo(lock = ctx.file.lock)]

oracle_domain_lock = rule(
    implementation = _domain_lock,
    doc = "A domain lock.",
    attrs = {"lock": attr.label(allow_single_file = True, mandatory = True, doc = "JSON file with one domain per property")},
    provides = [OracleDomainLockInfo],
)

# A setting that is not given has a value that none can have.
_NONE = -1

def _profile(ctx):
    worker = ctx.toolchains[_TOOLCHAIN].oracle
    given = {name: getattr(ctx.attr, name) for name in ("seed", "max_examples", "hash_seed") if getattr(ctx.attr, name) != _NONE}
    given.update({name: getattr(ctx.attr, name) for name in ("tz", "cache_dir", "clock", "env") if getattr(ctx.attr, name)})
    if not given and not ctx.file.profile:
        fail("%s: pins nothing; give profile, or any of its settings" % ctx.label)
    policy = ctx.actions.declare_file(ctx.label.name + ".policy.json")
    arguments = ["policy", policy.path, "--attributes", json.encode(given)]
    inputs = []
    if ctx.file.profile:
        arguments += ["--profile", ctx.file.profile.path]
        inputs = [ctx.file.profile]
    ctx.actions.run(
        executable = worker.program,
        arguments = arguments,
        inputs = inputs,
        outputs = [policy],
        mnemonic = "OraclePolicy",
        progress_message = "What %s pins" % ctx.label,
    )
    return [DefaultInfo(files = depset([policy])), OracleProfileInfo(policy = policy)]

oracle_profile = rule(
    implementation = _profile,
    doc = "A determinism profile: a file, attributes, or both, each setting in one of the two places.",
    attrs = {
        "cache_dir": attr.string(doc = "a writable folder below `/tmp`"),
        "clock": attr.string(doc = "the instant that Python's clocks show, ISO 8601 with an offset"),
        "env": attr.string_dict(doc = "further variables; those of the target win"),
        "hash_seed": attr.int(default = _NONE, doc = "the order of sets of text"),
        "max_examples": attr.int(default = _NONE, doc = "how many cases each domain lock under the profile draws"),
        "profile": attr.label(allow_single_file = True, doc = "JSON file with the settings"),
        "seed": attr.int(default = _NONE, doc = "keys the stream that stands in for random bytes"),
        "tz": attr.string(doc = "`UTC` or a POSIX rule such as `CET-1CEST,M3.5.0,M10.5.0/3`"),
    },
    provides = [OracleProfileInfo],
    toolchains = [_TOOLCHAIN],
)

def _recorded(_ctx):
    return [DefaultInfo()]

oracle_toolchain = rule(
    implementation = _recorded,
    doc = "A pinned toolchain; accepted and recorded.",
    attrs = {"toolchain": attr.label(allow_single_file = True, doc = "JSON file that describes the interpreter")},
)
