"""Which tests of a proposed workspace go on as which of base's, whatever they are called now.

A name and a property file both make a test the one it was: a patch may change either, and only what it changes neither
of is followed without a question. Knows nothing of what the tests ask; whether two files are the same is an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .targets import PropertyTest
from .workspace import Workspace

Same = Callable[[str, str], bool]


def property_tests(declared: Workspace) -> tuple[PropertyTest, ...]:
    """The property tests, ordered by label."""
    return tuple(test for _, test in sorted(declared.targets.items()) if isinstance(test, PropertyTest))


def successors(
    before: Workspace, after: Workspace, *, same: Same
) -> tuple[tuple[PropertyTest, tuple[PropertyTest, ...]], ...]:
    """Each test of the first workspace with those of the second that go on as it; empty for one that is gone.

    `same(old, new)` says whether two property files hold the same bytes, of base and of the proposal.
    """
    old, new = property_tests(before), property_tests(after)
    return tuple((test, _successors(test, old, new, same)) for test in old)


def _successors(
    test: PropertyTest, old: Sequence[PropertyTest], new: Sequence[PropertyTest], same: Same
) -> tuple[PropertyTest, ...]:
    """By name and file; else by either; else, among the tests that are new altogether, by what they share with it."""
    named = [each for each in new if each.label == test.label]
    if named and named[0].property == test.property:
        return tuple(named)
    files, labels = {each.property for each in old}, {each.label for each in old}
    kept = {each.label for each in new for was in old if (each.label, each.property) == (was.label, was.property)}
    asking = [each for each in new if each.property == test.property and each.label not in kept]
    asking = [each for each in asking if each.property_id == test.property_id] or asking
    either = [*asking, *(each for each in named if each.property not in files)]
    if either:
        return tuple(either)
    fresh = [each for each in new if each.label not in labels and each.property not in files]
    ways: tuple[Callable[[PropertyTest], bool], ...] = (
        lambda each: each.property_id == test.property_id,
        lambda each: same(test.property, each.property),
        lambda each: each.seeds == test.seeds,
    )
    return next((found for way in ways if (found := tuple(filter(way, fresh)))), ())
