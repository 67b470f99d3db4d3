"""A transaction that ends in an exception leaves no trace and passes the exception on."""

from decimal import Decimal

from src.book import Book, Overdrawn, Side

from oracle_seams import pinned_seams


def hold(case):
    seams = pinned_seams("2026-03-01T09:00:00+00:00")
    book = Book(now=seams.now, new_id=seams.new_id)
    book.deposit("ann", "100.00")
    before = list(book)
    raised = None
    try:
        with book.transaction() as inside:
            for name, value in case["moves"]:
                inside.withdraw("ann", value)
                inside.deposit(name, value)
            if case["torn"]:
                # Raised here, inside the candidate's `with` block; made of the candidate's class, it lives in the cell.
                raise Overdrawn("torn", Decimal("0.00"))
    except Overdrawn as error:
        raised = "torn" if error.account == "torn" else "overdrawn"
    if raised != case["raised"]:
        return False
    if raised is None:
        sides = [entry.side for entry in list(book)[1:]]
        return sides == [Side.OUT, Side.IN] * len(case["moves"]) and str(book.balance("ann")) == case["left"]
    # Named tuples are compared field by field; ids, instants and members of the enumeration are part of that.
    return list(book) == before and len(book) == 1 and str(book.total) == "100.00"
