"""A list of words as a file: a rule that a monorepo has beside ours."""

def _catalog(ctx):
    made = ctx.actions.declare_file(ctx.label.name + ".txt")
    ctx.actions.write(made, "".join([entry + "\n" for entry in ctx.attr.entries]))
    return [DefaultInfo(files = depset([made]))]

catalog = rule(
    implementation = _catalog,
    attrs = {"entries": attr.string_list(mandatory = True)},
)
