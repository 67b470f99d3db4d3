"""The book: accounts, entries, and transactions that happen as a whole or not at all."""

import enum
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from .money import amount

ZERO = Decimal("0.00")


class Side(enum.Enum):
    """Which way money went, seen from the account."""

    IN = "in"
    OUT = "out"


class Entry(NamedTuple):
    """One line of the book."""

    id: str
    at: datetime
    account: str
    side: Side
    amount: Decimal


class Overdrawn(Exception):
    """An account would fall below zero; `account` and `missing` say by how much."""

    def __init__(self, account: str, missing: Decimal) -> None:
        super().__init__(account, missing)
        self.account = account
        self.missing = missing


class Book:
    """Accounts by name. `now` and `new_id` come from outside: the book itself knows neither the time nor chance."""

    def __init__(self, *, now: Callable[[], datetime], new_id: Callable[[], str]) -> None:
        self._now = now
        self._new_id = new_id
        self._balances: dict[str, Decimal] = {}
        self._entries: list[Entry] = []

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def balance(self, account: str) -> Decimal:
        """What the account holds; one that nobody has used holds nothing."""
        return self._balances.get(account, ZERO)

    @property
    def total(self) -> Decimal:
        """What all accounts hold together."""
        return sum(self._balances.values(), ZERO)

    def deposit(self, account: str, value: str | int | Decimal) -> Entry:
        """Puts money in."""
        return self._post(account, Side.IN, amount(value))

    def withdraw(self, account: str, value: str | int | Decimal) -> Entry:
        """Takes money out; raises Overdrawn when there is not enough."""
        taken = amount(value)
        if taken > self.balance(account):
            raise Overdrawn(account, taken - self.balance(account))
        return self._post(account, Side.OUT, taken)

    def transfer(self, source: str, target: str, value: str | int | Decimal) -> None:
        """Moves money, or changes nothing."""
        with self.transaction():
            self.withdraw(source, value)
            self.deposit(target, value)

    @contextmanager
    def transaction(self) -> Iterator["Book"]:
        """What is booked inside stays only if the block ends without an exception."""
        balances, count = dict(self._balances), len(self._entries)
        try:
            yield self
        except BaseException:
            self._balances = balances
            del self._entries[count:]
            raise

    def _post(self, account: str, side: Side, value: Decimal) -> Entry:
        entry = Entry(self._new_id(), self._now(), account, side, value)
        self._balances[account] = self.balance(account) + (value if side is Side.IN else -value)
        self._entries.append(entry)
        return entry


def statement(book: Book, account: str) -> bytes:
    """The account's lines as text, oldest first, with the balance at the end."""
    lines = [f"{entry.at:%Y-%m-%d %H:%M:%S} {entry.id} {entry.side.value:<3} {entry.amount:>12}"
             for entry in book if entry.account == account]
    return "\n".join([*lines, f"balance {book.balance(account)}", ""]).encode()
