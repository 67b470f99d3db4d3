"""`freeze`: the ledger as debt, its laws, and the changes that people make to it. Each change keeps every law."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from ..artifacts.freezing.collection import Debt, check_outcomes, debt, usual_expiry
from ..artifacts.freezing.layout import with_row, without_rows
from ..artifacts.freezing.ledger import parse_freeze
from ..artifacts.freezing.records import outcomes
from ..artifacts.freezing.shapes import ORDER
from ..artifacts.freezing.tables import DEFAULT_DAYS
from ..artifacts.violation import Violation
from ..errors import Exit, IncompleteError, UsageError
from ..gate.review import printable
from ..keeping.ledgers import Ledgers
from ..keeping.rewriting import read_regular
from ..protocol import canonical
from . import common
from .interface import Output

_COMMIT = "commit it as a change of its own"


def run(options: argparse.Namespace, output: Output) -> Exit:
    """One action of the verb."""
    if options.action is None:
        raise UsageError("no ACTION is given",
                         remedy="`oracle-rules freeze list` shows the debt, `oracle-rules freeze --help` the others")
    today = common.today(options)
    if options.action in ("import", "draft"):
        action: Callable[[argparse.Namespace, Output, date], Exit] = importlib.import_module(
            f".freeze_{options.action}", __package__).run_action
        return action(options, output, today)
    with common.repository(options) as found:
        return _ACTIONS[options.action](Ledgers(found), options, output, today)


def broken_laws(violations: Sequence[Violation], output: Output) -> None:
    """Each broken law, and what to do about it."""
    for each in violations:
        output.out(f"{each.code} {printable(each.subject)}: {_shown(each.detail)} [{each.row or each.code}]\n")
        output.out(f"    {_shown(each.remedy)}\n")


def _list(ledgers: Ledgers, options: argparse.Namespace, output: Output, today: date) -> Exit:
    read = [ledgers.read(path) for path in ledgers.paths(options.ledger)]
    if options.format == "json":
        document = {"schema": "oracle_rules/freeze-debt/v1", "today": today.isoformat(),
                    "ledgers": [{"path": each.path, "budget": each.budget,
                                 "rows": [_line(row) for row in debt(each, today)]} for each in read]}
        output.out(canonical.dumps(document).decode("ascii"))
        return Exit.ACCEPT
    for each in read:
        of = "" if each.budget is None else f" of {each.budget}"
        output.out(f"{printable(each.path)}: {len(each.rows)}{of} frozen\n")
        for row in debt(each, today):
            output.out(f"  {_shown(row.id)}  {_shown(row.thing)}  {_shown(row.kind)}  {_shown(row.owner) or 'nobody'}"
                       f"  {_days(row)}\n")
    return Exit.ACCEPT


def _check(ledgers: Ledgers, options: argparse.Namespace, output: Output, today: date) -> Exit:
    """3 when a ledger can't be read, 4 when it breaks a law, as `score` weighs them."""
    seen = outcomes({str(path): read_regular(path) for path in options.records})
    unread, broken = 0, 0
    for path in ledgers.paths(options.ledger):
        try:
            ledger = ledgers.read(path)
            found = (*ledgers.broken(ledger, today=today), *check_outcomes(ledger, seen))
        except IncompleteError as error:
            output.out(f"{error.code} {_shown(error.where)}: {_shown(error.detail)}\n    {_shown(error.remedy)}\n")
            unread += 1
            continue
        broken_laws(found, output)
        broken += len(found)
        if not found:
            output.out(f"{printable(path)}: keeps every law on {today}\n")
    return Exit.REFUSED if broken else Exit.INCOMPLETE if unread else Exit.ACCEPT


def _add(ledgers: Ledgers, options: argparse.Namespace, output: Output, today: date) -> Exit:
    path = ledgers.only(options.ledger)
    given = {name: getattr(options, name, None) for name in ORDER}
    given["expires"] = options.expires or usual_expiry(today).isoformat()
    given["agent_may_extend"] = False
    for name, value in given.items():
        if isinstance(value, str) and not value.isprintable():
            raise UsageError(f"--{name.replace('_', '-')} holds what can't be shown",
                             remedy="write it in one line of text")
    data = with_row(ledgers.data(path), given, path=path)
    try:
        ledger = parse_freeze(data, path=path)
    except IncompleteError as error:  # the ledger itself could be read
        raise UsageError(error.detail, remedy="see `oracle-rules freeze add --help`") from None
    found = ledgers.broken(ledger, today=today)
    if found:
        broken_laws(found, output)
        output.err("nothing was written")
        return Exit.REFUSED
    ledgers.write(path, data)
    row = next(row for row in debt(ledger, today) if row.id == options.id)
    output.out(f"{_shown(row.id)} freezes {_shown(row.thing)}, {_days(row)}; {len(ledger.rows)} of {ledger.budget} in "
               f"{printable(path)}; {_COMMIT}\n")
    return Exit.ACCEPT


def _expire(ledgers: Ledgers, options: argparse.Namespace, output: Output, today: date) -> Exit:
    for path in ledgers.paths(options.ledger):
        ledger = ledgers.read(path)
        past = [row for row in ledger.rows if row.expires is not None and row.expires < today]
        if past and not options.dry_run:
            ledgers.write(path, without_rows(ledgers.data(path), [row.id for row in past], path=path))
        for row in past:
            word = "would go" if options.dry_run else "is removed"
            output.out(f"{_shown(row.id)} expired on {row.expires} and {word}: {_back(row.property_id, row.thing)}\n")
        if past and not options.dry_run:
            output.out(f"{printable(path)}: {len(ledger.rows) - len(past)} of {ledger.budget} left; {_COMMIT}\n")
        elif not past:
            output.out(f"{printable(path)}: no row is past its day on {today}\n")
    return Exit.ACCEPT


def _back(property_id: str | None, thing: str) -> str:
    what = "property" if property_id is not None else "test"
    return f"{what} {_shown(thing)} comes back into the collection"


def _line(row: Debt) -> dict[str, Any]:
    return {"id": row.id, "thing": row.thing, "class": row.kind, "owner": row.owner, "days_left": row.days_left,
            "expires": None if row.expires is None else row.expires.isoformat(), "long": row.long}


def _days(row: Debt) -> str:
    if row.expires is None or row.days_left is None:
        return "without a day"
    if row.days_left < 0:
        return f"expired on {row.expires}, {-row.days_left} days ago"
    far = f", longer than the usual {DEFAULT_DAYS}" if row.long else ""
    return f"until {row.expires}, {row.days_left} days left{far}"


def _shown(text: str) -> str:
    """Text of a ledger that can't steer a terminal; other than in paths, letters of any script stay."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


_ACTIONS: Mapping[str, Callable[[Ledgers, argparse.Namespace, Output, date], Exit]] = {
    "list": _list, "check": _check, "add": _add, "expire": _expire,
}
