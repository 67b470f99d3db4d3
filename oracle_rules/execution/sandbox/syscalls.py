"""System call numbers, and what the filter does with each call that is not simply allowed: data, no code paths.

Knows nothing of BPF (`seccomp.py`) or of how a call is made (`libc.py`).

Verdicts: `eperm` and `enosys` refuse for a reason given beside the group; `empty` answers success with nothing in it;
`arg` is decided by the rows of `CONDITIONS`; `pass` is allowed unless a request's `deny` names it. A call that is in
neither table is allowed when its number is at most `NEWEST_REVIEWED`, and answers ENOSYS beyond, so that a call
that the kernel learns after this table was reviewed is closed until somebody has read about it.
"""

from __future__ import annotations

import errno

NEWEST_REVIEWED = 462

# name, number on x86_64, number on aarch64 ("-": that machine has no such call), verdict.
_TABLE = """
# Keys live longer than a process and are visible to others of the same user.
keyctl 250 219 eperm | add_key 248 217 eperm | request_key 249 218 eperm

# Submission queues carry out other calls past this filter; libraries fall back on ENOSYS.
io_uring_setup 425 425 enosys | io_uring_enter 426 426 enosys | io_uring_register 427 427 enosys
io_setup 206 0 enosys | io_submit 209 2 enosys

# Large kernel surfaces that no program under judgement needs.
bpf 321 280 eperm | perf_event_open 298 241 eperm | userfaultfd 323 282 eperm | modify_ldt 154 - eperm
vserver 236 - enosys | lookup_dcookie 212 18 eperm | uselib 134 - eperm | ustat 136 - eperm | sysfs 139 - eperm
_sysctl 156 - eperm | nfsservctl 180 42 enosys

# Another process's memory, descriptors and mappings.
ptrace 101 117 eperm | process_vm_readv 310 270 eperm | process_vm_writev 311 271 eperm | kcmp 312 272 eperm
pidfd_getfd 438 438 eperm | process_madvise 440 440 eperm | process_mrelease 448 448 eperm
move_pages 279 239 eperm | migrate_pages 256 238 eperm

# The view of the file system, by the old interface and the new.
mount 165 40 eperm | umount2 166 39 eperm | pivot_root 155 41 eperm | chroot 161 51 eperm
open_tree 428 428 eperm | move_mount 429 429 eperm | fsopen 430 430 eperm | fsconfig 431 431 eperm
fsmount 432 432 eperm | fspick 433 433 eperm | mount_setattr 442 442 eperm | statmount 457 457 eperm
listmount 458 458 eperm | name_to_handle_at 303 264 eperm | open_by_handle_at 304 265 eperm
mknod 133 - eperm | mknodat 259 33 eperm | quotactl 179 60 eperm | quotactl_fd 443 443 eperm

# New namespaces. The flags of clone3 are behind a pointer, out of the filter's reach: libc falls back to clone.
unshare 272 97 eperm | setns 308 268 eperm | clone 56 220 arg | clone3 435 435 enosys

# The machine.
clock_settime 227 112 eperm | clock_adjtime 305 266 eperm | settimeofday 164 170 eperm | adjtimex 159 171 eperm
init_module 175 105 eperm | finit_module 313 273 eperm | delete_module 176 106 eperm | create_module 174 - enosys
query_module 178 - enosys | get_kernel_syms 177 - enosys | kexec_load 246 104 eperm | kexec_file_load 320 294 eperm
reboot 169 142 eperm | swapon 167 224 eperm | swapoff 168 225 eperm | acct 163 89 eperm | syslog 103 116 eperm
vhangup 153 58 eperm | sethostname 170 161 eperm | setdomainname 171 162 eperm | iopl 172 - eperm
ioperm 173 - eperm | personality 135 92 eperm

# Memory that no resource limit counts: without a cgroup it could not be bounded.
memfd_create 319 279 eperm | memfd_secret 447 447 enosys | shmget 29 194 enosys | msgget 68 186 enosys
semget 64 190 enosys | mq_open 240 180 enosys

# What several runs share is the inodes of read-only inputs. Locks, watches and the page cache on them would be
# a channel from run to run.
flock 73 32 eperm | inotify_init 253 - eperm | inotify_init1 294 26 eperm | fanotify_init 300 262 eperm
fanotify_mark 301 263 eperm | cachestat 451 451 enosys | mincore 27 232 enosys | fcntl 72 25 arg

# What would tell one host from another, or undo what has been pinned. An ordinary user cannot shed supplementary
# groups, so the question is answered "none" for everybody. (sysinfo stays: the C library does not look whether it
# failed, and would hand out whatever was on its stack, which differs from run to run.)
sched_setaffinity 203 122 eperm | setrlimit 160 164 eperm | prlimit64 302 261 arg
getgroups 115 158 empty

# Terminals, and every socket family but AF_UNIX.
ioctl 16 29 arg | socket 41 198 arg | socketpair 53 199 arg

# Needed by the set-up, or good candidates for a request's own deny list.
read 0 63 pass | write 1 64 pass | getpid 39 172 pass | execve 59 221 pass | execveat 322 281 pass
prctl 157 167 pass | capset 126 91 pass | capget 125 90 pass | seccomp 317 277 pass | close_range 436 436 pass
setitimer 38 103 pass | getitimer 36 102 pass | alarm 37 - pass | timer_create 222 107 pass
timerfd_create 283 85 pass | nanosleep 35 101 pass | clock_nanosleep 230 115 pass | getrandom 318 278 pass
signalfd 282 - pass | signalfd4 289 74 pass | eventfd2 290 19 pass | fork 57 - pass | vfork 58 - pass
kill 62 129 pass | tkill 200 130 pass | tgkill 234 131 pass | pidfd_open 434 434 pass
pidfd_send_signal 424 424 pass | sched_getaffinity 204 123 pass | getcpu 309 168 pass | times 100 153 pass
getrusage 98 165 pass | uname 63 160 pass
"""

# call, argument, test, operand, errno. Tests look at the low 32 bits, as the kernel does for these arguments,
# except `nonzero`, which looks at a whole pointer.
CONDITIONS: tuple[tuple[str, int, str, int, int], ...] = (
    ("clone", 0, "any_bit", 0x7E020000, errno.EPERM),  # CLONE_NEW{NS,CGROUP,UTS,IPC,USER,PID,NET}
    ("ioctl", 1, "equals", 0x5412, errno.EPERM),  # TIOCSTI: type into the terminal
    ("ioctl", 1, "equals", 0x541C, errno.EPERM),  # TIOCLINUX: paste into the console
    ("ioctl", 1, "equals", 0x5423, errno.EPERM),  # TIOCSETD: load a line discipline
    ("fcntl", 1, "equals", 1024, errno.EPERM),  # F_SETLEASE
    ("fcntl", 1, "equals", 1026, errno.EPERM),  # F_NOTIFY
    ("socket", 0, "not_equals", 1, errno.EPERM),  # AF_UNIX only
    ("socketpair", 0, "not_equals", 1, errno.EPERM),
    ("prlimit64", 2, "nonzero", 0, errno.EPERM),  # reading limits is fine, setting them is not
)

MACHINES = ("x86_64", "aarch64")
AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def _parse() -> dict[str, tuple[int | None, int | None, str]]:
    rows: dict[str, tuple[int | None, int | None, str]] = {}
    for line in _TABLE.splitlines():
        if not line or line.startswith("#"):
            continue
        for cell in line.split("|"):
            name, intel, arm, verdict = cell.split()
            rows[name] = (None if intel == "-" else int(intel), None if arm == "-" else int(arm), verdict)
    return rows


ROWS = _parse()


def number(name: str, on: str) -> int | None:
    """The number of call `name` on machine `on`; None where that machine never had it."""
    intel, arm, _ = ROWS[name]
    return {"x86_64": intel, "aarch64": arm}[on]
