"""Names of the standard library, as data: a module of such a name in a workspace is imported by tools that run there.

Written down rather than asked of the interpreter, so that the same patch gets the same findings under any Python. Left
out are private modules and names that no tool imports (`test`, `idlelib`, …), which honest workspaces use for folders.
"""

from __future__ import annotations

# What the locked tools import, their own dependencies included, as top-level names.
_TOOLS = """
_hypothesis_ftz_detector _hypothesis_globals _hypothesis_pytestplugin _pytest _virtualenv argcomplete attr attrs build
click colorlog dependency_groups distlib distutils_precedence execnet filelock hypothesis importlib_metadata iniconfig
markdown_it mdurl mypy mypyc nox oracle_rules oracle_seams packaging pex pip piptools pkg_resources platformdirs pluggy
py pygments pyproject_hooks pytest pytest_randomly python_discovery rich ruff setuptools sortedcontainers starlark
typing_extensions virtualenv wheel xdist yaml
""".split()
# A folder shadows an installed package only with an `__init__`; folders named `build` or `packaging` are honest.
TOOL_FILES = tuple(f"{name}{place}{ending}" for name in _TOOLS for place in ("", "/__init__", "/__main__")
                   for ending in (".py", ".so", ".*.so"))

STANDARD_LIBRARY = frozenset(
    """
abc aifc annotationlib argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect
builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall
compression concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime
dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput
fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac
html http imaplib imghdr imp importlib inspect io ipaddress itertools json keyword linecache locale logging lzma
mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib ntpath
nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform
plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pyexpat queue quopri random re
readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd
smtplib sndhdr socket socketserver spwd sqlite3 ssl stat statistics string stringprep struct subprocess sunau
symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap threading time timeit tkinter
token tokenize tomllib trace traceback tracemalloc tty turtle types typing unicodedata unittest urllib uu uuid venv
warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
    """.split()  # noqa: SIM905  (a column of two hundred literals says no more)
)
