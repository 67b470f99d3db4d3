"""A private, empty repository through which git looks at somebody else's objects and refs.

Knows nothing of what is looked up. Theory: git runs programs because configuration, hooks and attributes tell it to,
and all of these it finds through its git folder. So git is given a git folder of our own. Its `config` is ours; it
has no hooks, grafts, attributes or alternates; `refs`, `packed-refs` and `shallow` are links to the repository's, and
its object folder is the repository's, read in place. The repository's configuration is read once, as data and
without following includes, for the few keys that say how its files are laid out.

`objects/info/alternates` of the repository is followed as git does, relative ones too: `git clone --shared` needs
it. A hostile one can only add objects, every object is checked against its id when it is read, and so it can add
nothing that was not asked for by name.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Mapping
from pathlib import Path

from ..errors import Malfunction, UsageError
from .git import Git
from .locate import Layout, read_small
from .objects import ObjectFormat

_LINKS = ("refs", "packed-refs", "shallow")
_OPTIONAL = ("packed-refs", "shallow")
_CONFIG = """\
[core]
\trepositoryFormatVersion = 1
\tbare = true
\thooksPath = /dev/null
\tattributesFile = /dev/null
\texcludesFile = /dev/null
\tfsmonitor = false
\tuntrackedCache = false
\tcommitGraph = false
\tmultiPackIndex = false
\tuseReplaceRefs = false
\tignoreCase = false
\tprecomposeUnicode = false
\twarnAmbiguousRefs = true
[protocol]
\tallow = never
[gc]
\tauto = 0
[maintenance]
\tauto = false
[extensions]
\tobjectFormat = {algorithm}
"""


class View:
    """The private git folder; it lasts as long as this object, or until `close`."""

    def __init__(self, layout: Layout, home: Path, algorithm: ObjectFormat) -> None:
        self.folder = home / "view.git"
        self._layout = layout
        try:
            (self.folder / "info").mkdir(parents=True)
            (self.folder / "objects").mkdir()
            (self.folder / "config").write_text(_CONFIG.format(algorithm=algorithm), encoding="utf-8")
            for name in _LINKS:
                (self.folder / name).symlink_to(layout.common / name)
        except OSError as problem:
            raise Malfunction(
                f"a temporary folder could not be filled: {problem.strerror}",
                where=str(home),
                remedy="free some disk space or set TMPDIR",
            ) from None
        for name in _OPTIONAL:
            if (layout.common / name).exists() and not (layout.common / name).is_file():
                raise UsageError(
                    "this has to be a regular file",
                    where=str(layout.common / name),
                    remedy="clone the repository again",
                )
        self.refresh()

    def variables(self) -> dict[str, str]:
        """What makes git look through this view."""
        return {"GIT_DIR": str(self.folder), "GIT_OBJECT_DIRECTORY": str(self._layout.common / "objects")}

    def refresh(self) -> None:
        """Takes over the repository's HEAD as it is now. It is not a link: git demands a regular file there."""
        head = self._layout.folder / "HEAD"
        if head.is_symlink():  # how git wrote a symbolic ref before 2006; still legal
            data = b"ref: " + os.fsencode(os.readlink(head)) + b"\n"
        else:
            data = read_small(head) or b""
        keep(self.folder / "HEAD", data)


class Home:
    """A private temporary folder, removed by `close`, or at the latest when the process ends."""

    def __init__(self) -> None:
        try:
            self.path = Path(tempfile.mkdtemp(prefix="oracle-rules-git-"))
        except OSError as problem:
            raise Malfunction(
                f"no temporary folder could be made: {problem.strerror}", remedy="free some disk space or set TMPDIR"
            ) from None
        self.close = weakref.finalize(self, _remove, str(self.path), os.getpid())


def object_format(keys: Mapping[str, str], where: str) -> ObjectFormat:
    """Sha1 or sha256, as the repository's settings declare; refuses layouts that we cannot read."""
    if keys.get("core.repositoryformatversion", "0") not in ("0", "1"):
        raise UsageError("this repository has an unknown format version", where=where, remedy="convert it with git")
    if keys.get("extensions.refstorage", "files") != "files":
        raise UsageError(
            "this repository keeps its refs in another form than files",
            where=where,
            remedy="run `git refs migrate --ref-format=files`",
        )
    algorithm = keys.get("extensions.objectformat", "sha1")
    if algorithm == "sha256":
        return "sha256"
    if algorithm == "sha1":
        return "sha1"
    raise UsageError(
        f"this repository has the unknown object format {algorithm!r}", where=where, remedy="upgrade oracle_rules"
    )


def settings(git: Git, path: Path) -> dict[str, str]:
    """The keys of one configuration file, as data: nothing is included, nothing is obeyed. Missing file: no keys."""
    data = read_small(path)
    if data is None:
        return {}
    copy = git.home / "config.read"
    keep(copy, data)
    done = git.run(["config", "--file", str(copy), "--no-includes", "--null", "--list"], {})
    if done.code:
        raise UsageError("this git configuration cannot be parsed", where=str(path), remedy="repair it: " + done.err)
    keys = {}
    for item in done.out.split(b"\0"):
        key, _, value = item.decode("utf-8", "surrogateescape").partition("\n")
        keys[key] = value
    return keys


def keep(path: Path, data: bytes) -> None:
    """Writes a file of the private folder, whole or not at all."""
    fresh = path.with_name(path.name + ".new")
    try:
        fresh.write_bytes(data)
        fresh.replace(path)
    except OSError as problem:
        raise Malfunction(
            f"a temporary file could not be written: {problem.strerror}", where=str(path), remedy="free some disk space"
        ) from None


def _remove(home: str, owner: int) -> None:
    if os.getpid() == owner:  # a forked child must not take the folder away from its parent
        shutil.rmtree(home, ignore_errors=True)
