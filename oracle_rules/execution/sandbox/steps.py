"""The order of everything that is done to become a sandbox, as data, and the loop that carries it out.

A step that fails is reported by name, with the errno and with what mends it, and the process ends there: there is no
way to skip one. Knows the order and nothing of how a step is done.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from . import descriptors, identity, libc, mounts, namespaces, pins, reaper, rlimits, seccomp
from .request import Process

_Action = Callable[["Context"], None]


@dataclass(kw_only=True, slots=True)
class Context:
    """What the steps of one sandbox share."""

    process: Process
    spawner: int
    filter: bytes
    cpu: int
    program: _Action
    who: identity.Identity
    proc: int = -1
    root: int = -1


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its name, for which modes of `Identity` it is, what it does, and how to mend a host that refuses."""

    name: str
    modes: str
    action: _Action
    remedy: str


_USERNS = (
    "allow unprivileged user namespaces (sysctl user.max_user_namespaces > 0, kernel.unprivileged_userns_clone=1,"
    " kernel.apparmor_restrict_unprivileged_userns=0 or an AppArmor profile with `userns,`; in a container a seccomp"
    " profile that permits unshare)"
)
_MOUNT = (
    "needs Linux 5.12 or later and, in a container, a seccomp and AppArmor profile that permits mounts in a user"
    " namespace"
)
_PIVOT = "the root must not be an initramfs or a chroot; in a container permit pivot_root"
WHO = "start as an ordinary user, or as root with CAP_SETUID and CAP_SETGID and more ids than one"
_CWD = "the folder must be in a bind or a tmpfs"
_PROC = "mount /proc on the host or in the container"
_BUG = "this is expected to work everywhere; report it with the output of `oracle-rules doctor`"


def _die_with_parent(context: Context) -> None:
    # Cleared by the kernel whenever credentials change, hence several times.
    libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != context.spawner:
        os._exit(1)


def _open_proc(context: Context) -> None:
    context.proc = os.open("/proc/self", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


def _die_first(context: Context) -> None:
    # If the host runs out of memory, this is what should go.
    descriptor = os.open("oom_score_adj", os.O_WRONLY | os.O_CLOEXEC, dir_fd=context.proc)
    os.write(descriptor, b"1000")
    os.close(descriptor)


def _build(context: Context) -> None:
    owner = (context.who.uid, context.who.gid) if context.who.mode == "root" else None
    mounts.make_private()
    context.root = mounts.build(context.process, owner)


def _verify_mounts(context: Context) -> None:
    mounts.verify(context.proc, context.process)
    os.close(context.proc)


OUTER: tuple[Step, ...] = (
    Step("session", "root shed user", lambda context: os.setsid(), _BUG),
    # Before any folder of the new root is made: under a tight umask of root's the user inside could not enter it.
    Step("umask", "root shed user", lambda context: pins.umask(), _BUG),
    Step("die_with_parent", "root shed user", _die_with_parent, _BUG),
    Step("proc", "root shed user", _open_proc, _PROC),
    Step("oom_score", "root shed user", _die_first, _PROC),
    Step("mount_namespace", "root", lambda context: namespaces.unshare(namespaces.MOUNT), "grant CAP_SYS_ADMIN"),
    Step("root_filesystem", "root", _build, _MOUNT),
    Step("pivot_root", "root", lambda context: mounts.pivot(context.root), _PIVOT),
    Step("drop_identity", "root shed", lambda context: identity.drop(context.who), "grant CAP_SETUID and CAP_SETGID"),
    Step("namespaces", "root shed user", lambda context: namespaces.unshare(namespaces.ALL), _USERNS),
    Step("id_maps", "root shed user",
         lambda context: namespaces.map_identity(context.proc, context.who.uid, context.who.gid), _USERNS),
    Step("die_with_parent", "root shed user", _die_with_parent, _BUG),
    Step("root_filesystem", "shed user", _build, _MOUNT),
    Step("pivot_root", "shed user", lambda context: mounts.pivot(context.root), _PIVOT),
    Step("mount_flags", "root shed user", _verify_mounts, _MOUNT),
)  # fmt: skip

INNER: tuple[Step, ...] = (
    Step("own_session", "root shed user", lambda context: os.setsid(), _BUG),
    Step("stdin", "root shed user", lambda context: descriptors.empty_stdin(), _BUG),
    Step("signals", "root shed user", lambda context: pins.default_signals(), _BUG),
    Step("hostname", "root shed user", lambda context: pins.hostname(context.process.hostname), _USERNS),
    Step("cwd", "root shed user", lambda context: os.chdir(context.process.cwd), _CWD),
    Step("one_cpu", "root shed user", lambda context: pins.one_cpu(context.cpu), "permit sched_setaffinity"),
    Step("fixed_addresses", "root shed user", lambda context: pins.fixed_addresses(),
         "permit personality(ADDR_NO_RANDOMIZE) in the container's seccomp profile"),
    Step("capabilities", "root shed user", lambda context: identity.drop_capabilities(), _BUG),
    Step("limits", "root shed user", lambda context: rlimits.apply(context.process.limits),
         "raise the hard limit (ulimit -H) or ask for less"),
    Step("no_new_privileges", "root shed user", lambda context: identity.no_new_privileges(), _BUG),
    Step("seccomp", "root shed user", lambda context: seccomp.load(context.filter),
         "needs a kernel with CONFIG_SECCOMP_FILTER"),
    Step("verify", "root shed user", lambda context: identity.verify(), _BUG),
    Step("descriptors", "root shed user", lambda context: descriptors.seal(), "needs Linux 5.11 or later"),
    Step("exec", "root shed user", lambda context: context.program(context),
         "the program and its interpreter and libraries must be in the binds"),
)  # fmt: skip


def _fail(step: str, remedy: str, error: BaseException) -> NoReturn:
    """Tell the supervisor and end; nothing after a failed step is ever run."""
    code = error.errno if isinstance(error, OSError) else None
    text = (error.strerror if isinstance(error, OSError) else None) or repr(error)
    reaper.report({"failed": step, "errno": code, "text": text[:400], "remedy": remedy})
    os._exit(1)


def _carry_out(table: tuple[Step, ...], context: Context) -> None:
    """Do the steps of `table` that apply, in order."""
    for step in table:
        if context.who.mode not in step.modes.split():
            continue
        try:
            step.action(context)
        except BaseException as error:  # noqa: BLE001 - MemoryError and KeyboardInterrupt too: this is a forked child
            _fail(step.name, step.remedy, error)


def execute(context: Context) -> None:
    """The program itself."""
    process = context.process
    os.execve(process.argv[0], process.argv, dict(process.env))


def sandbox(
    process: Process, ends: descriptors.Ends, *, spawner: int, code: bytes, cpu: int, program: _Action
) -> NoReturn:
    """Everything after the spawner's fork; never returns."""
    try:
        descriptors.arrange(ends)
        who = identity.choose(os.getpid())
        context = Context(process=process, spawner=spawner, filter=code, cpu=cpu, program=program, who=who)
    except BaseException as error:  # noqa: BLE001 - a forked child must not unwind into its parent's frames
        _fail("identity", WHO, error)
    _carry_out(OUTER, context)
    try:
        first = os.fork()
        if first == 0:
            reaper.serve(lambda: _carry_out(INNER, context))
        descriptors.forget_program_ends()
        reaper.report({"init": first})
        # Collected only when the whole pid namespace is empty.
        reaper.report({"gone": os.waitpid(first, 0)[1]})
    except BaseException as error:  # noqa: BLE001 - a forked child must not unwind into its parent's frames
        _fail("pid_namespace", _USERNS, error)
    os._exit(0)
