"""With pinned time and ids the printed statement is byte for byte the one that a person has signed."""

from src.book import Book, statement

from oracle_seams import load_fixture, pinned_seams


def hold(case):
    seams = pinned_seams(case["start"], tick_ms=case["tick_ms"])
    book = Book(now=seams.now, new_id=seams.new_id)
    for verb, *words in case["steps"]:
        getattr(book, verb)(*words)
    return statement(book, case["account"]) == load_fixture(case["statement"])
