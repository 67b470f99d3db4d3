"""Declared targets to the values of `targets.py`: every label resolved. Knows nothing of Starlark."""

from __future__ import annotations

import re
from typing import Any

from oracle_rules import relpath
from oracle_rules.errors import IncompleteError, OracleError, UsageError
from oracle_rules.label import Label
from oracle_rules.loading import targets
from oracle_rules.loading.builtins import Declared
from oracle_rules.loading.lookup import Lookup
from oracle_rules.loading.problem import Problem, suggestion
from oracle_rules.loading.schema import RULES, Attribute, Kind
from oracle_rules.loading.selecting import shape, suite_ids
from oracle_rules.loading.targets import PropertyTest, Suite

Target = (
    targets.Candidate
    | targets.Fixtures
    | targets.Freeze
    | targets.DomainLock
    | targets.Profile
    | targets.Toolchain
    | PropertyTest
    | Suite
)

MANUAL = "manual"
_SUITES = ("oracle_suite", "test_suite")
_CLASSES: dict[str, Any] = {
    "oracle_candidate": targets.Candidate,
    "oracle_fixtures": targets.Fixtures,
    "oracle_freeze": targets.Freeze,
    "oracle_domain_lock": targets.DomainLock,
    "oracle_profile": targets.Profile,
    "oracle_toolchain": targets.Toolchain,
    "oracle_property_test": PropertyTest,
}
# It names files (seeds, journals) and rows of ledgers, so it must be a path and nothing surprising.
_PROPERTY_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*(?:/[A-Za-z0-9_][A-Za-z0-9_.+-]*)*\Z")


def _absent(declared: Declared, attribute: str = "") -> type[OracleError]:
    """What a file that is not there is: every file of our rules is an oracle artifact or a lock, and then the oracle is
    incomplete (exit 3); only a candidate's sources are not."""
    return UsageError if (declared.rule, attribute) == ("oracle_candidate", "srcs") else IncompleteError


class Builder:
    """Builds the values of one workspace."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._suites: dict[Label, tuple[str, ...]] = {}
        self._ids: dict[str, Label] = {}

    def all(self) -> tuple[dict[Label, Target], dict[Label, Label]]:
        """Every target of ours in the order of declaration, and where the aliases of targets lead."""
        built: dict[Label, Target] = {}
        aliases: dict[Label, Label] = {}
        for declared in self._lookup.declared():
            if declared.rule in _SUITES:
                built[declared.label] = self._suite(declared)
            elif declared.rule in _CLASSES:
                built[declared.label] = self._target(declared)
            elif declared.rule == "alias":
                found = self._lookup.follow(declared, "actual", declared.attributes["actual"], must_exist=False)
                if isinstance(found, Declared):
                    aliases[declared.label] = found.label
        return built, aliases

    def _target(self, declared: Declared) -> Target:
        schema = RULES[declared.rule].attributes
        fields = {name: self._value(declared, schema[name], value) for name, value in declared.attributes.items()}
        if declared.rule == "oracle_property_test":
            self._suite_of(declared, fields)
            fields["property_id"] = self._property_id(declared)
            self._check_journal(declared, fields)
        if declared.rule == "oracle_candidate":
            self._check_imports(declared, fields["imports"])
        target: Target = _CLASSES[declared.rule](label=declared.label, **fields)
        return target

    def _suite_of(self, declared: Declared, fields: dict[str, Any]) -> None:
        """Holds a test to one of its two shapes; of a suite, finds the file and the ids."""
        if (problem := shape(declared.attributes)) is not None:
            self._lookup.fail(declared, problem)
        if (selector := fields["selector"]) is not None:
            name, _, rest = selector.partition("::")
            fields["property"] = self._file(declared, "selector", name)
            fields["selector"] = fields["property"] + ("::" + rest if rest else "")
            found = suite_ids(fields["selector"], fields["nodeids"])
            if isinstance(found, Problem):
                self._lookup.fail(declared, found)
            fields["nodeids"] = found

    def _value(self, declared: Declared, attribute: Attribute, value: Any) -> Any:
        name = attribute.name
        if value is None:
            return None
        if attribute.kind is Kind.FILE:
            return self._file(declared, name, value)
        if attribute.kind is Kind.FILES:
            absent = _absent(declared, name)
            return tuple(sorted({path for text in value for path in self._lookup.files(declared, name, text, absent)}))
        if attribute.kind is Kind.TARGET:
            return self._reference(declared, attribute, value).label
        if attribute.kind is Kind.TARGETS:
            return tuple(dict.fromkeys(self._reference(declared, attribute, text).label for text in value))
        return value

    def _file(self, declared: Declared, name: str, value: str) -> str:
        found = self._lookup.files(declared, name, value, _absent(declared))
        if len(found) != 1:
            detail = f"'{name}' needs one file, '{value}' stands for {len(found)}"
            self._lookup.refuse(declared, name, value, detail, "name the file itself")
        return found[0]

    def _reference(self, declared: Declared, attribute: Attribute, text: str) -> Declared:
        found = self._lookup.follow(declared, attribute.name, text)
        if isinstance(found, Declared) and found.rule in attribute.rules:
            return found
        wanted = " or ".join(attribute.rules)
        given = "is a file" if isinstance(found, str) else f"is a target of {found.rule or 'another rule set'}"
        near = [str(each.label) for each in self._lookup.declared() if each.rule in attribute.rules]
        self._lookup.refuse(
            declared,
            attribute.name,
            text,
            f"'{attribute.name}' needs an {wanted}, '{text}' {given}",
            suggestion(text, near, otherwise=f"give the label of an {wanted}"),
        )

    def _property_id(self, declared: Declared) -> str:
        name: str = declared.attributes["property_id"] or declared.label.name
        if not _PROPERTY_ID.match(name):
            problem = Problem(
                f"'{name}' cannot be a property_id",
                remedy='give property_id = "…": letters, digits, _ . + - and single slashes',
                attribute="property_id",
            )
            self._lookup.fail(declared, problem)
        earlier = self._ids.setdefault(name, declared.label)
        if earlier != declared.label:
            problem = Problem(
                f"property_id '{name}' is already that of {earlier}",
                remedy='ledgers and locks go by it: give one of them property_id = "…"',
                attribute="property_id" if declared.attributes["property_id"] else "name",
            )
            self._lookup.fail(declared, problem)
        return name

    def _check_journal(self, declared: Declared, fields: dict[str, Any]) -> None:
        """A journal stands where its realised cases are found beside it, and its seeds draw from a locked domain."""
        if fields.get("journal") is None:
            return
        place = f"oracles/{fields['property_id']}.json"
        wanted = relpath.join(declared.label.package, place)
        if fields["journal"] != wanted:
            self._lookup.refuse(declared, "journal", declared.attributes["journal"],
                                f"the journal of {fields['property_id']} stands at {wanted}", f'write "{place}"')
        if fields.get("domain_lock") is None:
            problem = Problem("a journal keeps seeds, and there is no domain that they draw from",
                              remedy="give domain_lock, and lock the property's domain", attribute="journal")
            self._lookup.fail(declared, problem)

    def _check_imports(self, declared: Declared, imports: tuple[str, ...]) -> None:
        for folder in imports:
            reason = None if folder == "." else relpath.problem(folder)
            if reason:
                detail, remedy = f"import folder '{folder}' {reason}", 'write "." or a folder below the package'
                self._lookup.refuse(declared, "imports", folder, detail, remedy)
        if not imports:
            problem = Problem("no import folder", remedy='write imports = ["."] or leave it out', attribute="imports")
            self._lookup.fail(declared, problem)

    def _suite(self, declared: Declared) -> Suite:
        # The leaves are names of property tests, as text: a suite and a filegroup are walked by the same code.
        found = self._lookup.flatten(declared, "tests", self._tests, self._suites)
        return Suite(
            label=declared.label, tests=tuple(map(Label.parse, found)), tags=tuple(declared.attributes["tags"] or ())
        )

    def _tests(self, suite: Declared) -> list[tuple[str, Declared | str]]:
        texts = suite.attributes["tests"]
        if texts is None:
            return [(str(each.label), str(each.label)) for each in self._package_tests(suite.label.package)]
        found: list[tuple[str, Declared | str]] = []
        for text in texts:
            if suite.rule == "test_suite":
                member = self._lookup.follow(suite, "tests", text, must_exist=False)
            else:
                member = self._reference(suite, RULES["oracle_suite"].attributes["tests"], text)
            if isinstance(member, Declared) and member.rule in _SUITES:
                found.append((text, member))
            elif isinstance(member, Declared) and member.rule == "oracle_property_test":
                found.append((text, str(member.label)))
        return found

    def _package_tests(self, package: str) -> list[Declared]:
        return [
            each
            for each in self._lookup.declared()
            if each.rule == "oracle_property_test"
            and each.label.package == package
            and MANUAL not in (each.attributes["tags"] or ())
        ]
