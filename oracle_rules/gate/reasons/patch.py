"""What a patch may not touch: declarations, harness, and links among its own sources. All lead to exit 4."""

from __future__ import annotations

from .remedies import REVERT

ROWS = (
    ("oracle_edit_forbidden", "declaration", "The patch touches the oracle, or what declares and runs it.",
     "Take these paths out of the patch; a person changes them in a commit of its own."),
    ("property_changed", "declaration", "A property, or a file that properties import, was changed.", REVERT),
    ("build_changed", "declaration", "A file that declares targets, or what the build may see, was changed.", REVERT),
    ("oracle_symlink", "declaration", "An oracle path is not a plain file, or a folder above one not a folder.",
     REVERT),
    ("mode_changed", "declaration", "Only the mode of an oracle file was changed.", REVERT),
    ("path_collision", "declaration", "A path that people, file systems or importers take for another one.",
     "Give the file a plain name of its own."),
    ("candidate_overlaps_oracle", "declaration", "Base declares one path as candidate source and as oracle.",
     "Narrow the globs of oracle_candidate so that no oracle file is a source."),
    ("config_changed", "harness", "Configuration of the interpreter, test runner, sessions or pipeline was changed.",
     REVERT),
    ("lock_changed", "harness", "A file that pins dependencies was changed.", REVERT),
    ("codeowners_changed", "harness", "CODEOWNERS was changed.", REVERT),
    ("codeowners_missing", "harness", "No person has to agree before an oracle path changes; asked for by the caller.",
     "Let a person add a line for it to CODEOWNERS in base, and require reviews of owners on the forge."),
    ("attributes_forbidden", "harness", "Git attributes were changed; they can act on oracle files.", REVERT),
    ("submodule_forbidden", "harness", "A submodule stands in place of files; its content is not judged.",
     "Commit the files themselves."),
    ("bytecode_forbidden", "harness", "Bytecode or a compiled module, which runs in place of reviewed source.",
     "Commit the source only."),
    ("candidate_symlink", "candidate", "A link among the candidate's sources leads out of them.",
     "Link to a candidate source, or copy the file."),
)  # fmt: skip
