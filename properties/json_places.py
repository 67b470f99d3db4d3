"""A field path leads to the line and column where its value stands; the first repeated key is found."""

from oracle_rules.artifacts.positions import dotted, first_repeated_key, line_column, offset_of


def hold(case):
    text, path = case["text"], tuple(case["path"])
    if list(line_column(text, offset_of(text, path))) != case["place"] or dotted(path) != case["dotted"]:
        return False
    repeated = first_repeated_key(text)
    if case.get("repeated") is None:
        return repeated is None
    return list(repeated[0]) == case["repeated"] and text[repeated[1]:].startswith(case["second"])
