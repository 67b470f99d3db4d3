"""How a dotted name is spelled: one spelling for the many ways in which Python lets one thing be named.

A name that ends in `()` is what a call gives: `pathlib.Path()` is an instance, `pathlib.Path().iterdir` its method.
Data and text only; knows nothing of trees.
"""

from __future__ import annotations

import sys

# Modules that are another module's inside, or its other name.
MODULES = {
    "_datetime": "datetime", "_pydatetime": "datetime", "posix": "os", "nt": "os", "_socket": "socket",
    "_random": "random", "_io": "io", "_pyio": "io", "_uuid": "uuid", "posixpath": "os.path",
    "_ctypes": "ctypes", "_locale": "locale", "_imp": "imp", "_frozen_importlib": "importlib._bootstrap",
    "__builtin__": "builtins", "__builtins__": "builtins", "_multiprocessing": "multiprocessing",
    "numpy.random.mtrand": "numpy.random", "cPickle": "pickle", "json.encoder": "json", "random._inst": "random",
    "pathlib._local": "pathlib", "_json": "json",
}  # fmt: skip
# One spelling for a type that has several.
TYPES = {
    "typing.Set": "builtins.set", "typing.FrozenSet": "builtins.frozenset", "typing.AbstractSet": "builtins.set",
    "typing.MutableSet": "builtins.set", "collections.abc.Set": "builtins.set",
    "collections.abc.MutableSet": "builtins.set", "typing.List": "builtins.list", "typing.Dict": "builtins.dict",
    "pathlib.PosixPath": "pathlib.Path", "random._inst": "random", "io.TextIOWrapper": "io.TextIOBase",
}  # fmt: skip
# What the call of a method gives, where that is of use: the name of the call -> the name of what it gives.
RETURNS = {
    **{f"builtins.{kind}().{method}()": f"builtins.{kind}()" for kind in ("set", "frozenset")
       for method in ("union", "intersection", "difference", "symmetric_difference", "copy", "__or__", "__and__",
                      "__sub__", "__xor__")},
    **{f"pathlib.Path().{method}()": "pathlib.Path()" for method in
       ("joinpath", "resolve", "absolute", "expanduser", "with_name", "with_suffix", "with_stem", "relative_to")},
    "pathlib.Path().parent": "pathlib.Path()", "pathlib.Path.cwd()": "pathlib.Path()",
    "pathlib.Path.home()": "pathlib.Path()",
    "builtins.str().format()": "builtins.str()", "builtins.str().join()": "builtins.str()",
    "datetime.datetime.now()": "datetime.datetime()", "datetime.datetime.utcnow()": "datetime.datetime()",
    "datetime.datetime.fromtimestamp()": "datetime.datetime()", "datetime.datetime.today()": "datetime.datetime()",
    "datetime.datetime.strptime()": "datetime.datetime()", "datetime.datetime.fromisoformat()": "datetime.datetime()",
    "datetime.datetime().replace()": "datetime.datetime()", "datetime.datetime().astimezone()": "datetime.datetime()",
}  # fmt: skip
# Modules that other modules of the standard library carry around, so that `logging.time` is `time`.
CARRIED = frozenset({"time", "os", "sys", "random", "socket", "uuid", "secrets", "_time", "_os", "_random", "_socket",
                     "_sys", "_datetime", "importlib", "threading", "subprocess", "builtins", "ctypes", "datetime",
                     "tempfile"})
# Modules within packages that carry such modules, by their one spelling.
CARRIERS = frozenset({
    "os.path", "email.utils", "email.generator", "http.client", "http.server", "http.cookiejar", "urllib.request",
    "urllib.response", "logging.handlers", "logging.config", "concurrent.futures.process", "concurrent.futures.thread",
    "concurrent.futures._base", "multiprocessing.util", "multiprocessing.connection", "wsgiref.handlers",
    "importlib.util", "asyncio.base_events", "asyncio.events", "unittest.mock", "xml.sax.saxutils",
    "xml.sax.handler", "ctypes.util",
})  # fmt: skip
# What such an attribute is instead where it is no module.
_OWN = frozenset({"datetime.time", "asyncio.threading", "asyncio.subprocess", "distutils.time", "datetime.datetime"})
LONGEST = 200


def join(base: str, name: str) -> str:
    """The attribute `name` of what `base` names, in its one spelling; empty when it grows beyond use."""
    carries = base in sys.stdlib_module_names or base in CARRIERS
    if name in CARRIED and name != base and carries and f"{base}.{name}" not in _OWN:
        return proper(name.lstrip("_") if name != "_datetime" else "datetime")
    if base.startswith("importlib.") and base != "importlib.metadata" and name in ("import_module", "__import__"):
        return f"importlib.{name}"
    full = proper(f"{base}.{name}" if base else name)
    return full if len(full) <= LONGEST else ""


def call(name: str) -> str:
    """What a call of `name` gives."""
    return proper(f"{name}()") if len(name) < LONGEST else ""


def proper(name: str) -> str:
    """The one spelling of a dotted name that begins with a module."""
    if name in RETURNS:
        return RETURNS[name]
    if name in TYPES:
        return TYPES[name]
    if name in MODULES:
        return MODULES[name]
    head, dot, rest = name.partition(".")
    if dot and head in MODULES:
        return proper(f"{MODULES[head]}.{rest}")
    base, _, last = name.rpartition(".")
    return f"{MODULES[base]}.{last}" if base in MODULES else name


def imported(dotted: str) -> str:
    """The spelling of what an import names; a relative import keeps its dots and so is never a module of Python's."""
    if dotted.startswith("."):
        return dotted
    head, *rest = dotted.split(".")
    found = proper(head)
    for part in rest:
        found = join(found, part)
    return found
