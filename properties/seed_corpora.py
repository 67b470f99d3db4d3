"""A seed corpus is a non-empty JSON list; anything else is an incomplete oracle, with the place of the fault."""

import hashlib

from oracle_rules.artifacts.seeds import parse_corpus
from oracle_rules.errors import IncompleteError


def hold(case):
    data = None if case["text"] is None else case["text"].encode("utf-8")
    try:
        corpus = parse_corpus(data, path="seeds/x.json")
    except IncompleteError as error:
        if "refuse" not in case or (error.where, int(error.exit_code), error.code) != (
                case["where"], 3, "oracle_incomplete"):
            return False
        return case["refuse"] in error.detail and error.remedy != ""
    if "refuse" in case or len(corpus) != len(case["cases"]) or list(corpus.cases) != case["cases"]:
        return False
    if corpus.digest.hash != hashlib.sha256(data).hexdigest():
        return False
    # Another layout is another input and holds the same cases.
    other = parse_corpus(b" " + data, path="seeds/x.json")
    return list(other.cases) == case["cases"] and other.digest != corpus.digest and other.encoded == corpus.encoded
