"""What happens to the order of what is handed to a function, as tables: forgotten, passed on, or written down.

Dotted names as the resolver gives them. Knows nothing of trees.
"""

from __future__ import annotations


def _builtins(names: str) -> frozenset[str]:
    return frozenset(f"builtins.{name}" for name in names.split())


# The answer doesn't depend on the order of the argument.
FORGET = _builtins("sorted len min max any all sum set frozenset bool isinstance issubclass type id hash callable") | {
    "collections.Counter", "math.fsum", "math.prod", "math.gcd", "math.lcm", "statistics.median", "heapq.nsmallest",
    "heapq.nlargest", "builtins.set().union", "builtins.set().intersection", "builtins.frozenset().union",
    "builtins.frozenset().intersection", "builtins.set().update", "builtins.set().difference_update",
    "builtins.set().intersection_update", "builtins.set().difference", "builtins.set().issubset",
    "builtins.set().issuperset", "builtins.set().isdisjoint", "builtins.set().symmetric_difference",
    "builtins.set().symmetric_difference_update", "builtins.set.union", "builtins.set.intersection",
    "builtins.frozenset.union", "builtins.frozenset().difference", "builtins.frozenset().issubset",
    "builtins.frozenset().issuperset", "builtins.frozenset().isdisjoint", "typing.cast",
}  # fmt: skip
# Methods that forget it, whoever the receiver is.
FORGETTING_METHODS = frozenset({"update", "union", "intersection", "difference", "symmetric_difference", "issubset",
                                "issuperset", "isdisjoint", "difference_update", "intersection_update", "add",
                                "discard", "remove", "assertCountEqual", "subtract"})
# The answer is an iterator in the same order.
PASS = _builtins("iter map filter reversed") | {
    "itertools.chain", "itertools.chain.from_iterable", "itertools.islice", "itertools.filterfalse",
    "itertools.takewhile", "itertools.dropwhile", "itertools.starmap", "itertools.compress", "itertools.accumulate",
    "itertools.cycle", "itertools.combinations", "itertools.permutations", "itertools.product", "itertools.groupby",
    "itertools.pairwise", "itertools.zip_longest", "itertools.tee", "itertools.combinations_with_replacement",
}  # fmt: skip
# The answer is a sequence in the same order.
SEQUENCE = _builtins("list tuple enumerate zip") | {"collections.deque", "array.array", "numpy.array",
                                                   "numpy.fromiter", "numpy.asarray", "collections.UserList"}
# The answer holds the order, as text or as one element.
SHOW = _builtins("str repr ascii format print next bytes bytearray dir") | {
    "builtins.str().join", "builtins.bytes().join", "builtins.str.join", "builtins.str().format", "functools.reduce",
    "pickle.dumps", "pickle.dump", "marshal.dumps", "copyreg.dumps", "hashlib.sha256",
    "hashlib.md5", "hashlib.sha1", "random.choice", "random.sample",
}  # fmt: skip
SHOWING_METHODS = frozenset({"join", "extend", "extendleft", "writelines", "executemany"})
# The answer is a mapping whose keys come in the order of the argument.
MAPPING = frozenset({"builtins.dict", "builtins.dict.fromkeys", "collections.OrderedDict", "collections.defaultdict",
                     "collections.OrderedDict.fromkeys"})
VIEWS = frozenset({"items", "keys", "values"})
# Calls that list a folder in the order of the file system, and methods of that kind on a receiver nobody knows.
LISTINGS = frozenset({
    "os.listdir()", "os.scandir()", "os.walk()", "os.fwalk()", "glob.glob()", "glob.iglob()", "glob.glob0()",
    "glob.glob1()", "pathlib.Path().iterdir()", "pathlib.Path().glob()", "pathlib.Path().rglob()",
    "pathlib.Path().walk()", "pathlib.Path.iterdir()",
})  # fmt: skip
LISTING_METHODS = frozenset({"iterdir", "rglob"})
WALKS = frozenset({"os.walk()", "os.fwalk()", "pathlib.Path().walk()"})
# In the body of a loop: calls that write the order down, and those whose effects may come in any order.
WRITING = frozenset({"append", "appendleft", "extend", "insert", "write", "writelines", "put", "put_nowait", "send",
                     "sendall", "push"})
COMMUTING = frozenset({"add", "discard", "remove", "update", "setdefault", "pop", "clear", "close", "cancel", "unlink",
                       "difference_update", "intersection_update", "rmdir", "mkdir", "subtract", "popitem", "stop",
                       "terminate", "kill", "join", "release", "delattr", "setattr", "rmtree", "makedirs", "chmod"})
# Keys under which different elements are equal, so that a sort keeps the order they came in.
LOSSY_KEYS = _builtins("len bool abs type round int") | {
    "builtins.str.lower", "builtins.str.casefold", "builtins.str.upper", "builtins.str.strip", "builtins.str.swapcase",
    "math.floor", "math.ceil",
}  # fmt: skip
ORDERING = _builtins("sorted min max") | {"heapq.nsmallest", "heapq.nlargest"}
