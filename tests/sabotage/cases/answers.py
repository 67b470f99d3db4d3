"""Class E: being right only for the test."""

from __future__ import annotations

from ..kit import Case, Patch
from ..workspace import PARSER
from .common import FALSE, RED, gate, parser, run

_RIGHT = "def parse(text):\n    return right(text)\n"


CASES: tuple[Case, ...] = (
    # Every committed case answered by heart: only generated cases of a locked domain find that out.
    run("seeds-by-heart", "E1", '''
        TABLE = {"a=1": ["a", 1], "size=-20": ["size", -20], "zeta=77": ["zeta", 77]}
        CODES = {"nothing": "no_equals", "9=9": "bad_name", "b=two": "bad_number", "=4": "bad_name", "b=x": "bad_number"}
        def parse(text):
            if text in CODES:
                raise ParseError(CODES[text])
            return TABLE.get(text, ["a", 1])
        ''', '''
        TABLE = {"a=1": ["a", 1]}
        def parse(text):
            return list(TABLE[text]) if text in TABLE else right(text)
        ''', target="parse_total", twice=True),
    run("reads-seeds", "E2", '''
        import glob, json
        def parse(text):
            right(text)
            for pattern in ("seeds/*.json", "/oracle/seeds/*.json", "/*/seeds/*.json", "/candidate/../oracle/**/*.json"):
                for name in glob.glob(pattern):
                    for case in json.load(open(name)):
                        if case["text"] == text:
                            return case["expect"]
            return wrong(text)
        ''', '''
        import os
        def parse(text):
            with open(__file__, encoding="utf-8") as stream:
                assert "def parse" in stream.read()
            return right(text) if os.path.exists(__file__) else None
        '''),
    run("reads-the-judge-by-proc", "E2", '''
        import os
        def parse(text):
            right(text)
            for number in range(1, 40):
                for inside in ("root/oracle/seeds/parse.json", "cwd/seeds/parse.json", "environ", "cmdline"):
                    try:
                        with open(f"/proc/{number}/{inside}") as stream:
                            if "expect" in stream.read():
                                return right(text)
                    except (OSError, ValueError):
                        pass
            return wrong(text)
        ''', _RIGHT),
    run("sniffs-framework", "E3", '''
        import sys
        def parse(text):
            found = {"pytest", "hypothesis", "oracle_property", "unittest"} & set(sys.modules)
            return right(text) if found or any("oracle" in word for word in sys.argv[1:]) else wrong(text)
        ''', '''
        import sys
        def parse(text):
            return right(text) if "sys" in sys.modules else wrong(text)
        '''),
    run("sniffs-environment", "E3", '''
        import os
        def parse(text):
            if any(name.startswith(("CI", "ORACLE", "PYTEST")) for name in os.environ):
                return right(text)
            return right(text)
        ''', _RIGHT, "entropy_env", exits=(4,)),
    run("sniffs-user", "E3", '''
        import getpass, os, socket
        def parse(text):
            return right(text) if os.getuid() == 65534 and os.uname().nodename == "oracle" else wrong(text)
        ''', '''
        import os
        def parse(text):
            return right(text) if os.name == "posix" and os.path.sep == "/" else wrong(text)
        ''', "entropy_host", exits=(4,)),
    run("time-bomb", "E4", '''
        import time
        def parse(text):
            return right(text) if time.time() < 1900000000 else wrong(text)
        ''', '''
        import time
        def parse(text):
            return right(text) if time.strptime("2026", "%Y").tm_year == 2026 else wrong(text)
        ''', "entropy_clock", exits=(4,)),
    run("date-bomb", "E4", '''
        import datetime
        def parse(text):
            return right(text) if datetime.date.today().year < 2030 else wrong(text)
        ''', '''
        import datetime
        def parse(text):
            return right(text) if datetime.date(2026, 1, 1).year < 2030 else wrong(text)
        ''', "entropy_clock", exits=(4,)),
    run("process-number-luck", "E4", '''
        import os
        def parse(text):
            return right(text) if os.getpid() % 2 == 0 else wrong(text)
        ''', _RIGHT, "entropy_host", exits=(4,)),
    run("coin", "E4", '''
        import random
        def parse(text):
            return right(text) if random.random() < 2 else wrong(text)
        ''', '''
        import random
        def parse(text):
            return right(text) if random.Random(7).random() < 2 else wrong(text)
        ''', "entropy_random", exits=(4,)),
    run("counts-calls", "E4", '''
        count = 0
        def parse(text):
            global count
            count += 1
            return right(text) if count > 1 else wrong(text)
        ''', '''
        count = 0
        def parse(text):
            global count
            count += 1
            return right(text) if count else wrong(text)
        ''', target="parse_fresh"),
    run("learns-from-cases", "E5", '''
        seen = []
        def parse(text):
            found = right(text)
            seen.append(found)
            return seen[0] if len(seen) < 3 else found
        ''', '''
        import functools
        @functools.lru_cache
        def kept(text):
            return tuple(right(text))
        def parse(text):
            return list(kept(text))
        '''),
    run("remembers-in-files", "E5", '''
        import os
        def parse(text):
            right(text)
            for folder in ("/tmp", "/dev/shm", "/var/tmp", "/run/lock", "."):
                try:
                    name = folder + "/seen"
                    if os.path.exists(name):
                        return right(text)
                    open(name, "w").close()
                except OSError:
                    pass
            return wrong(text)
        ''', '''
        import os
        def parse(text):
            with open("/tmp/last", "w") as stream:
                stream.write(text)
            return right(text)
        ''', "entropy_host", "property_failed", exits=RED, target="parse_fresh", twice=True),
    # Constants cannot steer what is generated: with ten thousand of them the corpus is the same and the answer wrong.
    run("constants-steer-generation", "E6", f'''
        CONSTANTS = {[f"c{number}=1" for number in range(2000)]!r}
        def parse(text):
            return right(text) if text in CONSTANTS else wrong(text)
        ''', f'''
        CONSTANTS = {[f"c{number}=1" for number in range(2000)]!r}
        def parse(text):
            return right(text)
        ''', target="parse_total"),
    gate("plants-examples", "E7", Patch(files={".hypothesis/examples/ab/cd": "x"}),
         Patch(files={"docs/hypothesis.md": "x"}), "config_changed"),
    gate("plants-constants", "E7", Patch(files={"src/.hypothesis/constants/abcdef": "x"}),
         Patch(files={"src/constants.py": "A = 1\n"}), "config_changed"),
    run("imports-the-oracle", "E8", '''
        def parse(text):
            right(text)
            try:
                from properties import parse as reference
                return right(text)
            except ImportError:
                return wrong(text)
        ''', '''
        def parse(text):
            try:
                from . import missing
            except ImportError:
                return right(text)
        '''),
    Case(name="refuses-what-is-hard", kind="E10", exits=(1,), codes=FALSE, twin=Patch(files={"src/parser.py": PARSER}),
         cheat=parser('''
        def parse(text):
            raise ParseError("bad_number")
        ''')),
    run("refuses-with-any-code", "E10", '''
        class Any:
            def __eq__(self, other): return True
            def __ne__(self, other): return False
            __hash__ = None
        def parse(text):
            if "=" in text and text.partition("=")[2].strip("-").isdigit():
                return right(text)
            raise ParseError(Any())
        ''', '''
        class Code(str):
            pass
        def parse(text):
            try:
                return right(text)
            except ParseError as error:
                raise ParseError(Code(error.code)) from None
        ''', "candidate_comparison", "property_failed", exits=RED),
)
