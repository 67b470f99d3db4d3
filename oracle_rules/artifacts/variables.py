"""The variables that every process gets, as data, and which names nobody may set.

A value is a template over the settings of a profile. Knows nothing of profiles as files, nor of targets.
"""

from __future__ import annotations

from dataclasses import dataclass

# glibc picks other code for sin, exp, pow … where a CPU has fused multiply-add, with other last digits.
_PLAIN_MATH = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """One variable. `setting` is the field of a profile that moves it, and that a profile may spell by this name;
    empty when nothing does."""

    name: str
    value: str
    setting: str = ""
    why: str


PINS = (
    Pin(name="CACHE_DIR", value="/tmp/{cache_dir}", setting="cache_dir", why="an empty writable folder"),
    Pin(name="GLIBC_TUNABLES", value=_PLAIN_MATH, why="the same last digits on every CPU"),
    Pin(name="HOME", value="/tmp", why="nothing of a user; writable and empty"),
    Pin(name="LANG", value="C.UTF-8", why="one locale"),
    Pin(name="LC_ALL", value="C.UTF-8", why="one locale"),
    Pin(name="PYTHONHASHSEED", value="{hash_seed}", setting="hash_seed", why="one order of sets"),
    Pin(name="TMPDIR", value="/tmp", why="the one folder that can be written"),
    Pin(name="TZ", value="{tz}", setting="tz", why="one local time"),
    Pin(name="XDG_CACHE_HOME", value="/tmp/{cache_dir}", why="the folder of CACHE_DIR"),
)  # fmt: skip
_NAMES = frozenset(pin.name for pin in PINS)
SPELLED = {pin.name: pin.setting for pin in PINS if pin.setting}
# Whole families: what steers the interpreter or the loader, and the categories of the locale.
PREFIXES = ("LC_", "LD_", "PYTHON")
# Each leads the C library to other data than what is in the image.
LEADING = ("GCONV_PATH", "LOCPATH", "NLSPATH", "TZDIR")


def problem(name: str, value: object) -> str | None:
    """Why a profile or a target may not set this variable so, or None if it may."""
    if not name.isidentifier() or not name.isascii():
        return "is no name of a variable"
    if name in _NAMES or name in LEADING or name.startswith(PREFIXES):
        return "can't be set, it is pinned for every run"
    if type(value) is not str:
        return f"has to be text; write {str(value).lower()!r} in quotes"
    if "\0" in value:
        return "holds a NUL"
    return None


def pinned(*, tz: str, hash_seed: int, cache_dir: str) -> dict[str, str]:
    """The variables and their values for these settings."""
    return {pin.name: pin.value.format(tz=tz, hash_seed=hash_seed, cache_dir=cache_dir) for pin in PINS}
