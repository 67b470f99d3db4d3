"""The escapes that go for the kernel: the second half of the table of `cases.py`."""

from __future__ import annotations

from .cases import ENOSYS, EPERM, Case, numbers


def table(machine: str) -> tuple[Case, ...]:
    """The cases for this machine."""
    number = numbers(machine)
    return (*kernel(number), *machine_wide(number), *MACHINE_CASES.get(machine, ()))


def kernel(number: dict[str, int]) -> tuple[Case, ...]:
    """Namespaces, mounts, and their newer interfaces."""
    new_user = 0x10000000
    return (
        Case(name="unshare", attempt=f"said(call, {number['unshare']}, {new_user})", inside=EPERM, outside="done"),
        Case(name="clone into a user namespace", inside=EPERM, outside="done", attempt=f"""
def child():
    if call({number['clone']}, {new_user} | 17) == 0:
        os._exit(0)
said(child)"""),
        Case(name="clone with high bits set", inside=EPERM, outside="done", attempt=f"""
def child():
    if call({number['clone']}, {new_user} | 17 | 1 << 40) == 0:
        os._exit(0)
said(child)"""),
        Case(name="clone3", attempt="said(call, 435, 0, 0)", inside=ENOSYS, outside="EINVAL"),
        Case(name="join a namespace", attempt=f"said(call, {number['setns']}, -1, 0)", inside=EPERM, outside="EBADF"),
        Case(name="mount", attempt=f"said(call, {number['mount']}, 0, 0, 0, 0, 0)", inside=EPERM, outside="EFAULT",
             as_root=True),
        Case(name="open_tree", attempt="said(call, 428, -100, ctypes.addressof(ctypes.create_string_buffer(b'/')), 0)",
             inside=EPERM, outside="done"),
        Case(name="fsopen", attempt="said(call, 430, ctypes.addressof(ctypes.create_string_buffer(b'tmpfs')), 0)",
             inside=EPERM, outside="done", as_root=True),
        Case(name="mount_setattr", attempt="said(call, 442, -1, 0, 0, 0, 0)", inside=EPERM, outside="EINVAL"),
        Case(name="chroot", attempt="said(os.chroot, '/')", inside=EPERM, outside="done", as_root=True),
        Case(name="file by handle", attempt=f"said(call, {number['handle']}, -100, 0, 0, 0, 0)", inside=EPERM,
             outside="EFAULT"),
    )  # fmt: skip


def machine_wide(number: dict[str, int]) -> tuple[Case, ...]:
    """What concerns the whole machine."""
    return (
        Case(name="device node", inside=EPERM, outside="done", as_root=True, attempt=f"""
import uuid
path = ctypes.create_string_buffer(("/tmp/wall-" + uuid.uuid4().hex).encode())
said(call, {number['mknodat']}, -100, ctypes.addressof(path), 0o020600, 0x103)
os.path.exists(path.value) and os.unlink(path.value)"""),
        Case(name="io_uring", attempt="said(call, 425, 1, 0)", inside=ENOSYS, outside="EFAULT|EPERM"),
        Case(name="bpf", attempt=f"said(call, {number['bpf']}, 9999, 0, 0)",
             inside=EPERM, outside="EINVAL", as_root=True),
        Case(name="performance counters", attempt=f"said(call, {number['perf']}, 0, 0, 0, 0, 0)", inside=EPERM,
             outside="EFAULT|EACCES"),
        Case(name="user faults", attempt=f"said(call, {number['ufd']}, 1)", inside=EPERM, outside="done"),
        Case(name="personality", attempt=f"said(call, {number['personality']}, 0xffffffff)",
             inside=EPERM, outside="done"),
        Case(name="host name", inside=EPERM, outside="done", as_root=True, attempt=f"""
name = ctypes.create_string_buffer(os.uname().nodename.encode())
said(call, {number['sethostname']}, ctypes.addressof(name), len(name.value))"""),
        Case(name="set the clock", attempt=f"said(call, {number['settime']}, 99, 0)", inside=EPERM, outside="EINVAL"),
        Case(name="kernel log", attempt=f"said(call, {number['syslog']}, 10, 0, 0)", inside=EPERM, outside="done",
             as_root=True),
        Case(name="type into a terminal", inside=EPERM, outside="done", as_root=True, attempt=TTY.format(high=0)),
        Case(name="type into a terminal, high bits", inside=EPERM, outside="done", as_root=True,
             attempt=TTY.format(high="1 << 32")),
        Case(name="a call that is too new", attempt="said(call, 1000)", inside=ENOSYS, outside=ENOSYS),
        Case(name="core of a crashed process", inside="-11 False", outside="-11 True", attempt="""
import resource
os.chdir("/tmp")
try: resource.setrlimit(resource.RLIMIT_CORE, (1 << 20, 1 << 20))
except (OSError, ValueError): pass
pid = os.fork()
if pid == 0:
    os.kill(os.getpid(), 11)
status = os.waitpid(pid, 0)[1]
[os.unlink(name) for name in os.listdir(".") if name in ("core", f"core.{{pid}}")]
print(os.waitstatus_to_exitcode(status), os.WCOREDUMP(status))"""),
    )  # fmt: skip


# Inside there is no terminal to be had, so the attempt is on stdin: refused before anybody looks what that is.
TTY = """
number = dict(x86_64=16, aarch64=29)[os.uname().machine]
terminal = 0
try:
    terminal = os.openpty()[1]
except OSError:
    pass
letter = ctypes.create_string_buffer(b"x")
said(call, number, terminal, 0x5412 | {high}, ctypes.addressof(letter))"""

_CODE = """
import mmap
page = mmap.mmap(-1, 4096, prot=7)
page.write(bytes.fromhex({code!r}))
entry = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
pid = os.fork()
if pid == 0:
    entry()
    os._exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))"""

MACHINE_CASES: dict[str, tuple[Case, ...]] = {
    "x86_64": (
        # mov eax, 20 (getpid of i386); int 0x80; ret. Outside: runs, or faults where the kernel has no i386 entry.
        Case(
            name="i386 call", attempt=_CODE.replace("{code!r}", repr("b814000000cd80c3")), inside="-31", outside="0|-11"
        ),
        # mov eax, 0x40000027 (getpid of x32); syscall; ret
        Case(name="x32 call", attempt=_CODE.replace("{code!r}", repr("b8270000400f05c3")), inside="-31", outside="0"),
    )
}
