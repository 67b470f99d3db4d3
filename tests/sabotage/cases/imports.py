"""Class C: start of the interpreter and hijacked imports."""

from __future__ import annotations

import importlib.util
import marshal

from ..kit import Case, Patch
from .common import RED, gate, parser, plain, run

_FLAGS_UNCHECKED = (1).to_bytes(4, "little")


def _bytecode(text: str) -> bytes:
    return importlib.util.MAGIC_NUMBER + _FLAGS_UNCHECKED + b"\0" * 8 + marshal.dumps(compile(text, "src/parser.py", "exec"))


def _both(patch: Patch, **files: str) -> Patch:
    return Patch(files={**patch.files, **{f"src/{name}.py": text for name, text in files.items()}})


_TRUE = "def parse(text):\n    return True\nclass ParseError(Exception): pass\n"

CASES: tuple[Case, ...] = (
    gate("sitecustomize", "C1", Patch(files={"src/sitecustomize.py": "import os; os._exit(0)\n"}),
         Patch(files={"src/customize.py": "x = 1\n"}), "config_changed"),
    gate("usercustomize-package", "C1", Patch(files={"usercustomize/__init__.py": "x = 1\n"}),
         Patch(files={"src/custom/__init__.py": "x = 1\n"}), "config_changed"),
    gate("pth", "C2", Patch(files={"src/x.pth": "import os; os._exit(0)\n"}), Patch(files={"src/pth.py": "x = 1\n"}),
         "config_changed"),
    gate("shadow-json-at-top", "C3", Patch(files={"json.py": "loads = None\n"}),
         Patch(files={"src/jsonish.py": "x = 1\n"}), "config_changed", "path_collision"),
    # A module below the package shadows nothing, so it is honest; as a cheat it only gives a wrong answer.
    Case(name="shadow-decimal-below", kind="C3", exits=(1,), codes=("property_failed",), target="account",
         cheat=Patch(files={"src/decimal.py": "class Decimal:\n    def __eq__(self, other): return True\n",
                            "src/account.py": "from src.decimal import Decimal\nclass Overdrawn(Exception): pass\n"
                                              "class Account:\n    def __init__(self):\n        self.balance = 7\n"
                                              "        self.log = [1, 2]\n    def put(self, amount): pass\n"}),
         twin=Patch(files={"src/decimals.py": "from decimal import Decimal\n"})),
    gate("shadow-pytest", "C4", Patch(files={"pytest.py": "x = 1\n"}), Patch(files={"src/pytests.py": "x = 1\n"}),
         "config_changed"),
    gate("entry-point", "C5", Patch(files={"x-1.dist-info/entry_points.txt": "[pytest11]\nx = x\n"}),
         Patch(files={"docs/dist-info.md": "x\n"}), "config_changed"),
    gate("hypothesis-entry-point", "C6", Patch(files={"src/x.egg-info/entry_points.txt": "[hypothesis]\nx = x\n"}),
         Patch(files={"src/egg_info.py": "x = 1\n"}), "config_changed"),
    gate("poisoned-bytecode", "C7", Patch(files={"src/__pycache__/parser.cpython-311.pyc": _bytecode(_TRUE)}),
         Patch(files={"src/pycache.py": "x = 1\n"}), "bytecode_forbidden"),
    gate("bytecode-beside", "C7", Patch(files={"src/extra.pyc": _bytecode(_TRUE)}), Patch(files={"src/extra.py": "x = 1\n"}),
         "bytecode_forbidden"),
    # What is imported is what is judged, whichever of the two people read.
    Case(name="package-outranks-module", kind="C8", exits=RED, codes=("import_failed", "path_collision"),
         cheat=Patch(files={"src/parser/__init__.py": "x = 1\n"}),
         twin=Patch(files={"src/parsers/__init__.py": "x = 1\n"})),
    gate("extension-outranks-module", "C8", Patch(files={"src/parser.cpython-311-x86_64-linux-gnu.so": b"\x7fELF"}),
         Patch(files={"src/parser_so.py": "x = 1\n"}), "bytecode_forbidden", "path_collision"),
    run("environment-steers", "C9", '''
        import os
        os.environ["PYTHONPATH"] = os.environ["PYTEST_ADDOPTS"] = "/candidate"
        def parse(text):
            return right(text) if os.environ.get("PYTEST_CURRENT_TEST") else wrong(text)
        ''', '''
        import os
        def parse(text):
            os.environ["MY_OWN"] = "1"
            return right(text) if os.environ["MY_OWN"] == "1" else None
        '''),
    run("optimised-away", "C10", '''
        def parse(text):
            found = wrong(text)
            assert found == right(text), "wrong"
            return found
        ''', '''
        def parse(text):
            found = right(text)
            assert found == right(text), "right"
            return found
        ''', "candidate_raised", "property_failed"),
    run("meta-path-finder", "C11", '''
        import builtins, codecs, sys
        class Finder:
            def find_spec(self, name, path=None, target=None):
                raise SystemExit(0)
        sys.meta_path.insert(0, Finder())
        sys.path_hooks.insert(0, lambda path: Finder())
        sys.path_importer_cache.clear()
        builtins.__import__ = lambda *args, **kwargs: True
        codecs.register(lambda name: None)
        def parse(text):
            return wrong(text)
        ''', '''
        import sys
        class Finder:
            def find_spec(self, name, path=None, target=None):
                return None
        sys.meta_path.append(Finder())
        def parse(text):
            return right(text)
        ''', "property_failed", "import_failed", "candidate_exited", twice=True),
    Case(name="encoding-cookie", kind="C11", exits=RED, codes=("property_failed", "import_failed", "candidate_raised"),
         cheat=Patch(files={"src/parser.py": b"# coding: utf-7\n+AGQAZQBm- parse(text): return True\n"}),
         twin=Patch(files={"src/latin.py": b"# coding: latin-1\nNAME = '\xe9'\n"})),
    run("atexit-and-finaliser", "C12", '''
        import atexit, os, sys
        atexit.register(os._exit, 0)
        sys.excepthook = lambda *about: os._exit(0)
        class Last:
            def __del__(self):
                os._exit(0)
        def parse(text):
            Last()
            return wrong(text)
        ''', '''
        import atexit
        atexit.register(print, "bye")
        def parse(text):
            return right(text)
        ''', "candidate_exited", "property_failed", twice=True),
    Case(name="module-replaces-itself", kind="C11", exits=(1,), codes=("property_failed", "candidate_comparison"),
         twin=_both(plain(), helper="NAME = 1\n"), cheat=parser('''
        import sys
        class Everything:
            ParseError = ParseError
            def __getattr__(self, name):
                return self
            def __call__(self, *args):
                return self
            def __eq__(self, other):
                return True
        sys.modules[__name__] = Everything()
        ''')),
)
