"""Bazel labels and target patterns, as values. Follows bazel.build/concepts/labels; knows nothing of what they name."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TARGET = re.compile(r"[A-Za-z0-9!%@^_\"#$&'()*+,\-.;<=>?\[\]{|}~ /]+\Z")
_PACKAGE = re.compile(r"[A-Za-z0-9!\"#$%&'()*+,\-.;<=>?@\[\]^_`{|}~ /]*\Z")
_REPOSITORY = re.compile(r"@{0,2}[A-Za-z0-9_.+~-]*\Z")


@dataclass(frozen=True, slots=True, order=True)
class Label:
    """`@repository//package:name`; the main repository is the empty string.

    Built by `Label.parse`, which raises ValueError with the part that is wrong.
    """

    repository: str
    package: str
    name: str

    @classmethod
    def parse(cls, text: str, package: str = "") -> Label:
        """Reads an absolute or a package-relative label; `package` is where relative ones start."""
        repository, rest = "", text
        if text.startswith("@"):
            head, slashes, tail = text.partition("//")
            repository, rest = head.lstrip("@"), "//" + tail if slashes else f"//:{head.lstrip('@')}"
            if not _REPOSITORY.match(head):
                raise ValueError(f"invalid repository name in label {text!r}")
        if rest.startswith("//"):
            folder, colon, name = rest[2:].partition(":")
            name = name if colon else folder.rpartition("/")[2]
        else:
            folder, name = package, rest.removeprefix(":")
        _check_package(folder, text)
        _check_name(name, text)
        return cls(repository, folder, name)

    def __str__(self) -> str:
        head = f"@{self.repository}" if self.repository else ""
        return f"{head}//{self.package}:{self.name}"

    @property
    def path(self) -> str:
        """The workspace path of a source file with this label."""
        return f"{self.package}/{self.name}" if self.package else self.name


@dataclass(frozen=True, slots=True)
class Pattern:
    """A target pattern: `//pkg:x`, `//pkg` , `//pkg:all`, `//pkg:*`, `//pkg/...`, `//...`."""

    package: str
    name: str
    recursive: bool

    @classmethod
    def parse(cls, text: str) -> Pattern:
        """Reads one pattern of the main repository; raises ValueError otherwise."""
        if not text.startswith("//"):
            raise ValueError(f"a target pattern starts with //, this one is {text!r}")
        folder, colon, name = text[2:].partition(":")
        if folder == "..." or folder.endswith("/..."):
            if colon and name not in ("all", "*"):
                raise ValueError(f"only :all or :* may follow /... in {text!r}")
            folder = folder.removesuffix("...").removesuffix("/")
            if text.startswith("///"):
                raise ValueError(f"invalid package name '/' in {text!r}")
            _check_package(folder, text)
            return cls(folder, "*", True)
        if not colon:
            label = Label.parse(text)
            return cls(label.package, label.name, False)
        _check_package(folder, text)
        if name in ("all", "*"):
            return cls(folder, "*", False)
        _check_name(name, text)
        return cls(folder, name, False)

    def matches(self, label: Label) -> bool:
        """Whether the pattern selects this label of the main repository."""
        if label.repository:
            return False
        if self.recursive:
            return not self.package or label.package == self.package or label.package.startswith(self.package + "/")
        return label.package == self.package and self.name in ("*", label.name)


def _check_package(folder: str, text: str) -> None:
    if not _PACKAGE.match(folder) or any(not part.strip(".") for part in folder.split("/")) and folder:
        raise ValueError(f"invalid package name {folder!r} in {text!r}")


def _check_name(name: str, text: str) -> None:
    if not name or not _TARGET.match(name) or any(part in ("", ".", "..") for part in name.split("/")):
        raise ValueError(f"invalid target name {name!r} in {text!r}")
