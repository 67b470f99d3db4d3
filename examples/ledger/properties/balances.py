"""A script of bookings leaves exactly these balances, refuses what it has to, and neither makes nor loses money."""

from decimal import Decimal

from src.book import Book, Overdrawn
from src.money import BadAmount, share

from oracle_seams import pinned_seams


def hold(case):
    if "share" in case:
        return share(Decimal(case["of"]), Decimal(case["percent"])) == Decimal(case["share"])
    seams = pinned_seams("2026-03-01T09:00:00+00:00")
    book = Book(now=seams.now, new_id=seams.new_id)
    put, taken = Decimal(0), Decimal(0)
    for verb, *words, refuse in case["steps"]:
        try:
            getattr(book, verb)(*words)
        except Overdrawn as error:
            if refuse != ["overdrawn", error.account, str(error.missing)]:
                return False
        except BadAmount:
            if refuse != ["bad_amount"]:
                return False
        else:
            if refuse:
                return False
            put += Decimal(words[-1]) if verb == "deposit" else 0
            taken += Decimal(words[-1]) if verb == "withdraw" else 0
    if book.total != put - taken:
        return False
    found = {name: book.balance(name) for name in case["expect"]}
    # Decimals cross by value, exponent included: 1.5 is not 1.50.
    return {name: str(value) for name, value in found.items()} == case["expect"]
