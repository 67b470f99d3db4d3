"""The schema table and the values it leads to say the same."""

from __future__ import annotations

import dataclasses

import pytest

from oracle_rules.loading import schema, targets

PAIRS = {
    "oracle_candidate": targets.Candidate,
    "oracle_fixtures": targets.Fixtures,
    "oracle_freeze": targets.Freeze,
    "oracle_domain_lock": targets.DomainLock,
    "oracle_profile": targets.Profile,
    "oracle_toolchain": targets.Toolchain,
    "oracle_property_test": targets.PropertyTest,
    "oracle_suite": targets.Suite,
}


def test_every_rule_has_a_value() -> None:
    assert set(schema.RULES) == set(PAIRS)


@pytest.mark.parametrize("name", sorted(PAIRS))
def test_attributes_are_fields_with_the_same_defaults(name: str) -> None:
    attributes = schema.RULES[name].attributes
    fields = {field.name: field for field in dataclasses.fields(PAIRS[name]) if field.name != "label"}
    assert set(fields) == set(attributes)
    for attribute in attributes.values():
        default = fields[attribute.name].default
        if attribute.name in ("property", "property_id", "srcs", "tests"):  # found elsewhere where they are absent
            continue
        if attribute.mandatory:
            assert default is dataclasses.MISSING
        else:
            assert default == attribute.default


@pytest.mark.parametrize("name", sorted(PAIRS))
def test_everything_is_explained_and_refers_to_known_rules(name: str) -> None:
    rule = schema.RULES[name]
    assert rule.doc
    for attribute in rule.attributes.values():
        assert attribute.doc
        assert set(attribute.rules) <= {*schema.RULES, *schema.NATIVE_RULES}
        assert attribute.name not in schema.REFUSED


def test_what_is_refused_is_not_ignored_either() -> None:
    for rule in schema.RULES.values():
        assert not rule.ignored & set(schema.REFUSED)
        assert not set(schema.FOREIGN_RULES) & {*schema.RULES, *schema.NATIVE_RULES}
