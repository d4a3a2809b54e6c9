"""The system calls that a program in a sandbox may use: a filter for the kernel (seccomp).

It lists what programs need, not what is dangerous: every other call, also one that a newer kernel
adds, is answered like a call that this kernel does not have (``ENOSYS``), so that a language's
runtime does without it. A list of dangerous calls would have to grow with every kernel; this one
grows only with a runtime that needs more. The same holds for the commands of ``fcntl`` and
``ioctl``. What would only cost others time is answered as if it were done.
"""

import errno
import os
import tempfile
from functools import cache
from itertools import product

from ...protocol.plugins import to_install

_CALLS = """
    accept accept4 access alarm arch_prctl bind brk cacheflush capget capset chdir chmod chown
    clock_getres clock_gettime clock_nanosleep close connect copy_file_range creat dup
    dup2 dup3 epoll_create epoll_create1 epoll_ctl epoll_ctl_old epoll_pwait epoll_pwait2 epoll_wait
    epoll_wait_old eventfd eventfd2 execve execveat exit exit_group faccessat faccessat2 fchdir
    fchmod fchmodat fchmodat2 fchown fchownat fgetxattr flistxattr flock fork fremovexattr
    fstat fstatfs ftruncate futex futex_requeue futex_wait futex_waitv futex_wake futimesat
    get_mempolicy get_robust_list get_thread_area getcpu getcwd getdents getdents64 getegid geteuid
    getgid getgroups getitimer getpeername getpgid getpgrp getpid getppid getpriority getrandom
    getresgid getresuid getrlimit getrusage getsid getsockname getsockopt gettid gettimeofday getuid
    getxattr ioprio_get kill lchown lgetxattr link linkat listen listxattr llistxattr lremovexattr
    lseek lstat map_shadow_stack mbind membarrier mincore mkdir mkdirat mknod mknodat
    mlock mlock2 mlockall mprotect mremap mseal munlock munlockall munmap nanosleep newfstatat pause
    pidfd_open pidfd_send_signal pipe pipe2 pkey_alloc pkey_free pkey_mprotect poll ppoll pread64
    preadv preadv2 pselect6 pwrite64 pwritev read readlink readlinkat readv recv recvfrom recvmmsg
    recvmsg remap_file_pages removexattr rename renameat renameat2 restart_syscall
    riscv_flush_icache riscv_hwprobe rmdir rseq rt_sigaction rt_sigpending rt_sigprocmask
    rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo
    sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr sched_getparam
    sched_getscheduler sched_rr_get_interval sched_setaffinity sched_setparam sched_setscheduler
    sched_yield select send sendfile sendmmsg sendmsg sendto set_mempolicy set_robust_list
    set_thread_area set_tid_address setfsgid setfsuid setgid setgroups setitimer setpgid setpriority
    setregid setresgid setresuid setreuid setsid setsockopt setuid shutdown sigaltstack
    signalfd signalfd4 socketpair splice stat statfs statx symlink symlinkat sysinfo tee tgkill time
    timer_create timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create
    timerfd_gettime timerfd_settime times tkill truncate umask uname unlink unlinkat utime utimensat
    utimes vfork wait4 waitid waitpid write writev
"""
ALLOWED = tuple(_CALLS.split())
"""Calls that are allowed with any argument. What a program may not do with them, it may not do as
a user without privileges; what they cost is limited otherwise."""

LISTENING = ("bind", "listen")
"""Calls that a program does without if it only connects. In a network that it shares it could take
every port with them: a port stays taken for a minute after its connection is closed."""
ADDRESS_OF_NETLINK = 12  # bytes of an address that `bind` may get; the internet's are longer
ANSWERED = ("fadvise64", "fdatasync", "fsync", "msync", "readahead", "sync_file_range")
"""Calls that are answered as done. What a program writes is thrown away, so nothing of it has to
reach the disk at once, where the referee's store would wait behind it; and advice on the memory for
files would slow down others that read the same ones."""
ON_THE_DISK = os.O_DSYNC | getattr(os, "O_DIRECT", 0)
NEW_NAMESPACES, LARGE_PAGES, LARGE_PAGES_OF_FILE = 0x7E020080, 0x40000, 4
THREAD, WITH_DESCRIPTORS, OWN_DESCRIPTORS = 0x10000, 0x400, 2
WITHOUT = (
    ("clone", 0, NEW_NAMESPACES | THREAD),
    ("close_range", 2, OWN_DESCRIPTORS),
    ("memfd_create", 1, LARGE_PAGES_OF_FILE),
    ("mmap", 3, LARGE_PAGES),
    ("open", 1, ON_THE_DISK),
    ("openat", 2, ON_THE_DISK),
)
"""Calls that are allowed without some flags in an argument: for new namespaces, for pages that the
machine has set aside and counts as nobody's memory, for descriptors of one thread alone, where
nobody looks, and for files that are read from the disk or written to it each time."""
F_SETFL = 4
FCNTL = (0, 1, 2, 3, *range(5, 12), 15, 16, 36, 37, 38, 1030, 1032, 1033, 1034)
"""Commands from F_DUPFD to F_GETSIG, for owners, open file descriptions and seals. Leases, notices
and the size of pipes are missing: they concern other programs' files, or all that a user has."""
MADVISE = (0, 1, 2, 4, 8, 10, 11, *range(14, 20), *range(22, 26), 102, 103)
"""Advice on a program's own memory. What is missing concerns files that others have in memory, too,
or has the kernel look for pages that are alike."""
PRCTL = (1, 2, 3, 7, 8, 15, 16, *range(21, 31), *range(36, 43), 47, *range(50, 57), 61)
PRCTL += (*range(63, 67), 69, 70, 0x53564D41)
"""Attributes of the process itself, and names for its memory. A core of the processor for itself is
missing, and pages shared with others, and hiding from those who count its memory."""
OF_TERMINALS = (0x5401, 0x5402, 0x5403, 0x5404, 0x540F, 0x5411, 0x5413)
OF_DESCRIPTORS = (0x541B, 0x5421, 0x5450, 0x5451)
OF_INTERFACES = (0x8910, 0x8912, 0x8913, 0x8915, 0x8919, 0x891B, 0x8921, 0x8927, 0x8933)
OF_FILES = (0x40049409, 0x80086601)
IOCTL = OF_TERMINALS + OF_DESCRIPTORS + OF_INTERFACES + OF_FILES
"""Requests about terminals, what can be read, network interfaces, and to clone a file."""
OF_WRITING = (0,)  # `pwritev2` may ask for nothing beyond `pwritev`, such as a sync at once
RESOURCES = (0, 1, 2, 3, *range(5, 16))  # all but RLIMIT_CORE, for which see `starting`
PERSONALITIES = (0, 0x40000, 2**32 - 1)
"""The ordinary one, one without random addresses, which Lisps use, and a question about it."""
SOCKET_FAMILIES = (1, 2, 10)  # AF_UNIX, AF_INET, AF_INET6; others (AF_VSOCK) leave a sandbox
PROTOCOLS = (0, 6, 17)  # the usual one, TCP, UDP
AF_NETLINK, NETLINK_ROUTE = 16, 0  # how runtimes list the network interfaces
OPTIMIZE_AS_TREE = 2


class NoFilter(Exception):
    """The filter cannot be made here; the text is user-facing."""


@cache
def filter_program(connects_only: bool = False) -> bytes:
    """Return the filter as a program for the kernel (BPF); ``NoFilter`` without libseccomp.

    A program that ``connects_only`` has no :data:`LISTENING`.
    """
    try:
        import pyseccomp as seccomp
    except ModuleNotFoundError as error:
        raise NoFilter(f"pyseccomp is not installed: {to_install('tournament')}.") from error
    except (ImportError, OSError, RuntimeError) as error:
        raise NoFilter("libseccomp is missing (Debian: apt-get install libseccomp2).") from error
    rules = seccomp.SyscallFilter(seccomp.ERRNO(errno.ENOSYS))
    rules.set_attr(seccomp.Attr.CTL_OPTIMIZE, OPTIMIZE_AS_TREE)
    rules.set_attr(seccomp.Attr.ACT_BADARCH, seccomp.ERRNO(errno.ENOSYS))
    for name in {*ALLOWED} - {*(LISTENING if connects_only else ())}:
        if seccomp.resolve_syscall(seccomp.Arch.NATIVE, name) != -1:
            rules.add_rule(seccomp.ALLOW, name)
    if connects_only:
        short = seccomp.Arg(2, seccomp.EQ, ADDRESS_OF_NETLINK)
        rules.add_rule(seccomp.ALLOW, "bind", short)
    # a filter cannot look into the structures that clone3 and openat2 are given; C libraries and Go
    # do without
    for name in ANSWERED:
        rules.add_rule(seccomp.ERRNO(0), name)
    # as where files cannot reserve space: C libraries write it, and what is written is counted; and
    # as where they have no attributes: for a file in memory they are memory that nobody counts
    for name in ("fallocate", "setxattr", "lsetxattr", "fsetxattr"):
        rules.add_rule(seccomp.ERRNO(errno.EOPNOTSUPP), name)
    for call, place, flags in WITHOUT:
        rules.add_rule(seccomp.ALLOW, call, seccomp.Arg(place, seccomp.MASKED_EQ, flags, 0))
    threads = (NEW_NAMESPACES | THREAD | WITH_DESCRIPTORS, THREAD | WITH_DESCRIPTORS)
    rules.add_rule(seccomp.ALLOW, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, *threads))
    rules.add_rule(seccomp.ALLOW, "prlimit64", seccomp.Arg(2, seccomp.EQ, 0))  # a question
    for call, place, values in (
        ("fcntl", 1, FCNTL),
        ("ioctl", 1, IOCTL),
        ("madvise", 2, MADVISE),
        ("personality", 0, PERSONALITIES),
        ("prctl", 0, PRCTL),
        ("prlimit64", 1, RESOURCES),
        ("pwritev2", 5, OF_WRITING),
        ("setrlimit", 0, RESOURCES),
    ):
        for value in values:  # all 64 bits, of which the kernel looks at 32
            rules.add_rule(seccomp.ALLOW, call, seccomp.Arg(place, seccomp.EQ, value))
    set_flags = seccomp.Arg(1, seccomp.EQ, F_SETFL)
    to_these = seccomp.Arg(2, seccomp.MASKED_EQ, ON_THE_DISK, 0)
    rules.add_rule(seccomp.ALLOW, "fcntl", set_flags, to_these)
    for family, protocol in (*product(SOCKET_FAMILIES, PROTOCOLS), (AF_NETLINK, NETLINK_ROUTE)):
        socket = [seccomp.Arg(0, seccomp.EQ, family), seccomp.Arg(2, seccomp.EQ, protocol)]
        rules.add_rule(seccomp.ALLOW, "socket", *socket)
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()
