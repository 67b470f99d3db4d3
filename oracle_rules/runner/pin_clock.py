"""The pinned clock: `time`, `datetime` and what reads them. Time stands still but for sleeping."""

from __future__ import annotations

import ctypes
import datetime
import functools
import gc
import operator
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .pins import Attribution

_CLOCKS = ("time", "monotonic", "perf_counter", "process_time", "thread_time")


_hide: Any = functools._lru_cache_wrapper


def sealed(safe: Callable[..., Any]) -> Callable[..., Any]:
    """`safe`, whose inside is out of reach of whoever walks closures, frames or tracebacks from what is given back.

    It has to be harmless whatever it is called with. Its arguments have to be exact builtin values: code of theirs
    would run while its frame is there.
    """
    def inner(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Exception | None]:
        try:
            return safe(*args, **kwargs), None
        except Exception as error:
            return None, error.with_traceback(None)

    hidden = _hide(inner, 0, False, None)  # a C object that shows nothing of what it calls

    def call(*args: Any, **kwargs: Any) -> Any:
        value, error = hidden(args, kwargs)
        if error is not None:
            raise error
        return value
    return call


def _told(original: Callable[..., Any], count: int) -> Callable[..., Any]:
    """`original` with all its arguments, so that it has no need of the machine's clock."""
    def safe(*args: Any) -> Any:
        if len(args) != count or None in args:
            raise TypeError("the time has to be given")
        return original(*args)
    return sealed(safe)


class PinnedClock:
    """Nanoseconds that only a sleep moves."""

    def __init__(self, start_ns: int) -> None:
        self.start_ns = start_ns
        self.now_ns = start_ns

    def elapsed_ns(self) -> int:
        """Nanoseconds slept so far."""
        return self.now_ns - self.start_ns


def install(reads: Attribution, start_ns: int) -> None:
    """Replaces the clock of this process; reads are of kind "clock"."""
    clock = PinnedClock(start_ns)
    _pin_time(reads, clock)
    _pin_datetime(reads, clock)
    _forget_ctypes()


def _pin_time(reads: Attribution, clock: PinnedClock) -> None:
    for name in _CLOCKS:
        wall = name == "time"
        setattr(time, name, _reader(reads, f"time.{name}", partial(_seconds, clock, wall)))
        setattr(time, name + "_ns", _reader(reads, f"time.{name}_ns", partial(_value, clock, wall)))

    def clock_gettime_ns(which: int, /) -> int:
        reads.read("clock", "time.clock_gettime_ns")
        return _value(clock, which == time.CLOCK_REALTIME)

    def clock_gettime(which: int, /) -> float:
        reads.read("clock", "time.clock_gettime")
        return _value(clock, which == time.CLOCK_REALTIME) / 1e9

    def sleep(seconds: float, /) -> None:
        reads.read("clock", "time.sleep")
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        clock.now_ns += int(seconds * 1e9)

    for function in (clock_gettime, clock_gettime_ns, sleep):
        setattr(time, function.__name__, function)
    for name in ("localtime", "gmtime", "ctime", "asctime"):
        setattr(time, name, _defaulting(reads, clock, name, getattr(time, name)))
    _pin_strftime(reads, clock)


def _pin_strftime(reads: Attribution, clock: PinnedClock) -> None:
    original, local = _told(time.strftime, 2), time.localtime

    def strftime(form: str, *when: Any) -> str:
        if not when:
            reads.read("clock", "time.strftime")
            when = (local(clock.now_ns / 1e9),)
        return str(original(str.__str__(form), *map(_plain_time, when)))

    time.strftime = strftime


def _plain_time(when: Any) -> Any:
    """A broken-down time of exact numbers and texts."""
    if not isinstance(when, tuple):
        raise TypeError("Tuple or struct_time argument required")
    numbers = [operator.index(item) for item in tuple.__iter__(when)]
    if type(when) is not time.struct_time:
        return tuple(numbers)
    zone = when.tm_zone if type(when.tm_zone) is str else None
    return time.struct_time(numbers, {"tm_zone": zone, "tm_gmtoff": when.tm_gmtoff})


def _value(clock: PinnedClock, wall: bool) -> int:
    # The other clocks start at a fixed point, so that a difference means time slept.
    return clock.now_ns if wall else 1_000_000_000_000 + clock.elapsed_ns()


def _seconds(clock: PinnedClock, wall: bool) -> float:
    return _value(clock, wall) / 1e9


def _reader(reads: Attribution, what: str, value: Callable[[], Any]) -> Callable[[], Any]:
    def read() -> Any:
        reads.read("clock", what)
        return value()
    read.__name__ = read.__qualname__ = what.removeprefix("time.")
    return read


def _defaulting(reads: Attribution, clock: PinnedClock, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
    """A function of `time` that reads the clock only when its argument is left out."""
    original = _told(original, 1)

    def convert(*when: Any) -> Any:
        if not when or when[0] is None:
            reads.read("clock", f"time.{name}")
            seconds = clock.now_ns / 1e9
            return original(time.localtime(seconds)) if name == "asctime" else original(seconds)
        return original(*map(_plain_time if name == "asctime" else _plain_seconds, when))
    convert.__name__ = name
    return convert


def _plain_seconds(value: Any) -> Any:
    return float.__float__(value) if isinstance(value, float) else int(operator.index(value))


def _pin_datetime(reads: Attribution, clock: PinnedClock) -> None:
    moment, day = datetime.datetime, datetime.date
    from_stamp = moment.fromtimestamp
    utc = datetime.UTC

    def now(cls: Any, tz: Any = None) -> Any:
        reads.read("clock", "datetime.now")
        seconds = clock.now_ns / 1e9  # without a zone it is the local time, as TZ has it
        return _as_class(cls, moment, from_stamp(seconds) if tz is None else from_stamp(seconds, utc).astimezone(tz))

    def utcnow(cls: Any) -> Any:
        reads.read("clock", "datetime.utcnow")
        return _as_class(cls, moment, from_stamp(clock.now_ns / 1e9, utc).replace(tzinfo=None))

    def today(cls: Any) -> Any:
        reads.read("clock", f"{cls.__name__}.today")
        value = from_stamp(clock.now_ns / 1e9)
        if issubclass(cls, moment):
            return _as_class(cls, moment, value)
        return cls(value.year, value.month, value.day)

    _replace(moment, {"now": classmethod(now), "utcnow": classmethod(utcnow), "today": classmethod(today)})
    _replace(day, {"today": classmethod(today)})


def _as_class(cls: Any, plain: type, value: Any) -> Any:
    if cls is plain:
        return value
    return cls(value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond,
               tzinfo=value.tzinfo, fold=value.fold)


def _replace(kind: type, methods: dict[str, Any]) -> None:
    """Puts methods into a builtin class, so that every reference to it, however old, finds them."""
    namespace = next(item for item in gc.get_referents(kind.__dict__) if type(item) is dict)
    namespace.update(methods)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))


def _forget_ctypes() -> None:
    """Lets the next import of ctypes load it anew, which is reported as native code."""
    for name in [name for name in sys.modules if name.partition(".")[0] in ("ctypes", "_ctypes")]:
        del sys.modules[name]
