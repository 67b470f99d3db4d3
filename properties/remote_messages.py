"""REAPI messages are written and read as Google's own library does it; the bytes are in a fixture."""

from oracle_rules.digest import Digest
from oracle_rules.reapi.messages import Action, ActionResult, Command, OutputFile, Platform
from oracle_rules.reapi.profile import named
from oracle_seams import load_exchanges


def pairs(rows):
    return tuple((name, value) for name, value in rows)


def platform(fields):
    return None if fields.get("platform") is None else Platform(properties=pairs(fields["platform"]))


def command(fields):
    return Command(
        arguments=tuple(fields["arguments"]),
        environment=pairs(fields["environment"]),
        output_files=tuple(fields.get("output_files", ())),
        output_paths=tuple(fields.get("output_paths", ())),
        working_directory=fields.get("working_directory", ""),
        platform=platform(fields),
    )


def action(fields):
    return Action(
        command_digest=Digest.parse(fields["command"]),
        input_root_digest=Digest.parse(fields["input_root"]),
        timeout_seconds=fields.get("timeout"),
        do_not_cache=fields.get("do_not_cache", False),
        salt=bytes.fromhex(fields.get("salt", "")),
        platform=platform(fields),
    )


def result(fields):
    files = tuple(OutputFile(path=path, digest=Digest.parse(digest), is_executable=flag)
                  for path, digest, flag in fields["outputs"])
    return ActionResult(output_files=files, exit_code=fields["exit_code"])


KINDS = {"Command": (command, Command), "Action": (action, Action), "ActionResult": (result, ActionResult)}


def hold(case):
    vector = next(row for row in load_exchanges("reapi_messages.json") if row["name"] == case["vector"])
    make, kind = KINDS[vector["message"]]
    data, made = bytes.fromhex(vector["hex"]), make(vector["fields"])
    if made.encode() != data or kind.decode(data) != made or kind.decode(data).encode() != data:
        return False
    if vector["message"] == "Command" and "profile" in vector:
        fields = vector["fields"]
        spelled = named(vector["profile"]).command(
            arguments=fields["arguments"], environment=dict(fields["environment"]),
            outputs=fields.get("output_files", []) + fields.get("output_paths", []),
            working_directory=fields.get("working_directory", ""), platform=dict(fields["platform"] or []))
        return spelled.encode() == data
    return True
