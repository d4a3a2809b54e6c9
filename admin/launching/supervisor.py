"""The process beside each started program: enforces its limits, and leaves nothing of it behind.

``launch`` starts it with :data:`SUPERVISOR`. It imports little, so that it starts in a few
hundredths of a second. The first line on standard input is a JSON object with what to run:

    command, directory, environment    the program
    output, scratch                    the file for its output; the folder to be removed
    memory, processor, processes, file_size
                                       the limits: sizes in bytes, CPU time in seconds
    sandbox                            what keeps the program away from everything else:
        null                             nothing
        {"uid": N, "size": S, "claim": FD}
                                         a user of its own, whose claim is this descriptor; S is the
                                         size of its folder in bytes
        {"bwrap": [...], "host": H, "port": P, "channel": FD}
                                         the words before the command; where to listen for the
                                         program inside, and whom to send the listening socket

A second line asks it to stop the program. On standard output it writes one line of JSON about how
the program ended. Then it waits for the end of standard input, which ``launch`` holds open as long
as it needs the program's files, and removes the folder. If standard input ends earlier, for any
reason, the program is stopped first. What the program starts is found even if it leaves the
program's process group: orphans become children of this process (Linux), and are stopped too.
"""

import ctypes
import errno
import json
import os
import resource
import select
import signal
import sys
import time
from contextlib import suppress
from typing import Any, NamedTuple

from admin.launching.keyrings import forget_session_keys
from admin.launching.usage import Usage, descendants

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
"""The folder of all packages."""
SUPERVISOR = (
    sys.executable,
    *("-I", "-S", "-c"),
    f"import sys; sys.path.append({ROOT!r}); from admin.launching.supervisor import main; main()",
)
"""The command that starts a supervisor: without site packages, which take longer to find."""
POLL_INTERVAL = 0.1
"""Seconds between two looks at what the program uses."""
MAX_INTERVAL = 1.0
"""... however long a look takes."""
LOOKING_SHARE = 0.1
"""The share of its time that a supervisor may spend on looking."""
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 1, 4, 36
CANNOT_RUN = 127
NOT_EXECUTED = (errno.ENOENT, errno.EACCES, errno.ENOEXEC, errno.ENOTDIR, errno.ELOOP, errno.EPERM)
"""Why a program could not be executed."""
DESCRIPTORS = 1024
IGNORED_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
OWN_OF_BWRAP = 2
"""Processes of bubblewrap itself beside every sandboxed program."""
SANDBOX_PAUSES = (0.05, 0.2, 0.5)
"""Seconds before bubblewrap is tried again."""
SIGNALLED = 128
"""What bubblewrap adds to the number of a signal that ended the program."""
SANDBOX_FOLDERS = ("/tmp", "/dev/shm")
"""Where a sandboxed program may write."""
MAX_PROCESSOR_DEBT = 2.0
"""CPU seconds that a program may use beyond one processor at a time, before others go first."""
LOWEST_PRIORITY = 19
MAX_FILES = 50_000
"""Files that a program may have in its temporary folder: each costs the system memory."""
THREADS = 1024
"""Threads that all processes of a program may have together, or as many as it may have processes;
the kernel counts them for every user, so only a program with users of its own has this limit."""
WORLD_WRITABLE = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run/lock", "/var/crash")
"""Where a program with a user of its own may leave files."""


def main() -> None:
    """Run one program until it ends or is to be stopped, and clean up after it."""
    task = json.loads(_first_line())
    awake, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    for number in IGNORED_SIGNALS:  # a Ctrl-C is for the process that holds standard input
        signal.signal(number, signal.SIG_IGN)
    ask_kernel(PR_SET_CHILD_SUBREAPER, 1)
    ask_kernel(PR_SET_DUMPABLE, 0)  # so that the program cannot open this process's descriptors
    starved = _killed_for_lack_of_memory()
    started = _start(task)
    watch = Watch(task, started, awake)
    status, stopped = watch.until_end()
    left = _stop_all()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = max(used.ru_utime + used.ru_stime, watch.processor)
    code = _exit_code(status, started)
    failure = started.failure
    if started.bwrap and code == 1:
        failure = failure or _not_found(task)
    report = {
        "failure": failure,
        "code": code,
        "stopped": stopped,
        "left": max(left - watch.own_processes, 0),
        "processor": round(processor * 1000),
        "memory": used.ru_maxrss * 1024,
        "yielded": watch.yielding,
        "suspended": round(watch.suspended * 1000),
        "out_of_memory": _killed_for_lack_of_memory() > starved,
    }
    with suppress(OSError):  # the reader may be gone
        os.write(1, json.dumps(report).encode() + b"\n")
    while os.read(0, 4096):
        pass
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if (uid := (task.get("sandbox") or {}).get("uid")) is not None:
        from admin.launching.leftovers import remove_files_of

        remove_files_of(uid, WORLD_WRITABLE)
    _remove(str(task["scratch"]))


def _first_line() -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(0, 1)  # a second line is read later, by Watch
        if not byte:
            sys.exit("nothing to run: standard input is empty")
        line += byte
    return line


def ask_kernel(option: int, value: int) -> None:
    """Set a process attribute that only Linux has; elsewhere the process group must suffice."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _killed_for_lack_of_memory() -> int:
    """Return how many processes the system has killed since its start for lack of memory."""
    with suppress(OSError), open("/proc/vmstat") as file:
        for line in file:
            if line.startswith("oom_kill "):
                return int(line.split()[1])
    return 0


# -- starting -----------------------------------------------------------------------------------


class Started(NamedTuple):
    """A program that was started: its process, why it could not be run, whether in bubblewrap.

    ``inside`` is the first process of the sandbox, 0 without one.
    """

    process: int
    failure: str
    bwrap: bool
    inside: int = 0


def _start(task: dict[str, Any]) -> Started:
    """Start the program in a session of its own.

    If bubblewrap could not set up its sandbox, it is tried again: the program has not run yet, and
    a machine under load may lack for a moment what a sandbox needs.
    """
    channel = (task["sandbox"] or {}).get("channel")
    started = _try_to_start(task)
    for pause in SANDBOX_PAUSES if channel is not None else ():
        if not started.failure:
            break
        time.sleep(pause)
        with suppress(OSError):  # what bubblewrap has said is not the program's output
            os.truncate(task["output"], 0)
        started = _try_to_start(task)
    if channel is not None:
        os.close(channel)
    return started


def _try_to_start(task: dict[str, Any]) -> Started:
    """Start the program; in bubblewrap, only once somebody listens for it inside."""
    bwrap = "bwrap" in (task["sandbox"] or {})
    info, info_end = os.pipe()
    block_end, block = os.pipe()
    read_end, write_end = os.pipe()
    supervisor = os.getpid()
    program = os.fork()
    if program == 0:
        try:
            os.close(read_end)
            os.close(block)
            if bwrap:
                _in_bwrap(task, info_end, block_end)
            _become(task, supervisor)
        except Exception as error:
            os.write(write_end, str(error).encode())
        finally:
            os._exit(CANNOT_RUN)
    for descriptor in (write_end, info_end, block_end):
        os.close(descriptor)
    with open(read_end, "rb") as pipe:  # it closes when the program is executed
        started = Started(program, pipe.read().decode(errors="replace"), bwrap)
    if bwrap and not started.failure:
        started = _let_in(task, started, info)
    os.close(info)
    if bwrap and started.failure:
        _stop_all()  # before the block ends, or bubblewrap would start the program
    else:
        with suppress(BrokenPipeError):
            os.write(block, b"x")
    os.close(block)
    return started


def _in_bwrap(task: dict[str, Any], info: int, block: int) -> None:
    """Put bubblewrap before the command; it reports itself on ``info``, and waits for ``block``."""
    for descriptor in (info, block):
        os.set_inheritable(descriptor, True)
    ends = ["--info-fd", str(info), "--block-fd", str(block)]
    task["command"] = [*task["sandbox"]["bwrap"], *ends, "--", *task["command"]]


def _let_in(task: dict[str, Any], started: Started, info: int) -> Started:
    """Listen inside a sandbox whose program still waits, and send the socket to the launcher."""
    from socket import socket  # it takes a while: bubblewrap works meanwhile

    from admin.launching.namespaces import limit_threads, listen_inside

    found = b""
    while not found.rstrip().endswith(b"}") and (data := os.read(info, 4096)):
        found += data
    try:
        inside = int(json.loads(found)["child-pid"])
    except (ValueError, KeyError):
        return started._replace(failure=_complaint(task) or "bubblewrap could not start it")
    sandbox = task["sandbox"]
    with socket(fileno=os.dup(sandbox["channel"])) as channel:
        failure = listen_inside(inside, sandbox["host"], sandbox["port"], channel)
        limit_threads(inside, _threads(task))
        if failure:  # bubblewrap may have ended meanwhile, and said why
            failure = _complaint(task) or failure
    return started._replace(inside=inside, failure=failure)


def _complaint(task: dict[str, Any]) -> str:
    """Return what bubblewrap itself has printed, before there was a program that could print."""
    with suppress(OSError), open(task["output"], "rb") as file:
        found = file.read(1000).decode(errors="replace")
        if found.startswith("bwrap: ") and found.endswith("\n") and found.count("\n") == 1:
            return found.removeprefix("bwrap: ").strip()
    return ""


def _not_found(task: dict[str, Any]) -> str:
    """Return bubblewrap's reason why it could not execute the program.

    The program may print the same, but no other words: they are those of the system.
    """
    program = str(task["command"][0])
    found = _complaint(task).removeprefix("execvp ")
    reasons = (f"{program}: {os.strerror(number)}" for number in NOT_EXECUTED)
    return found if found in reasons else ""


def _become(task: dict[str, Any], supervisor: int) -> None:
    """Turn this process into the program."""
    os.setsid()
    for number in (*IGNORED_SIGNALS, signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDONLY)
    output = os.open(str(task["output"]), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for source, target in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(source, target)
    _limit(task)
    _be_first_to_be_killed()
    if (channel := (task["sandbox"] or {}).get("channel")) is not None:
        os.set_inheritable(channel, False)
    if (uid := (task["sandbox"] or {}).get("uid")) is not None:
        from admin.launching.users import become_user

        os.set_inheritable(task["sandbox"]["claim"], False)
        become_user(uid, _threads(task))
    forget_session_keys()
    ask_kernel(PR_SET_PDEATHSIG, signal.SIGKILL)  # a change of user would undo it
    if os.getppid() != supervisor:  # it died before the line above
        os._exit(CANNOT_RUN)
    os.chdir(str(task["directory"]))
    os.execvpe(task["command"][0], task["command"], task["environment"])


def _be_first_to_be_killed() -> None:
    """If the system runs out of memory, let it kill this process before the referee."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("500")


def _threads(task: dict[str, Any]) -> int:
    return max(THREADS, int(task["processes"]))


def _limit(task: dict[str, Any]) -> None:
    """Set the limits of each process, which the kernel enforces; those of all are looked after."""
    processor = int(task["processor"])
    limits = [
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_NOFILE, DESCRIPTORS, None),
        (resource.RLIMIT_DATA, int(task["memory"]), None),
        (resource.RLIMIT_CPU, processor, processor + 1),
        (resource.RLIMIT_FSIZE, int(task["file_size"]), None),
    ]
    for kind, soft, hard in limits:
        maximum = resource.getrlimit(kind)[1]
        wanted = soft if hard is None else hard
        hard = wanted if maximum == resource.RLIM_INFINITY else min(wanted, maximum)
        resource.setrlimit(kind, (min(soft, hard), hard))


# -- watching -----------------------------------------------------------------------------------


class Watch:
    """Watches one program until it ends or has to be stopped.

    ``suspended`` is for how many seconds it was seen stopped by a signal.
    """

    def __init__(self, task: dict[str, Any], started: Started, awake: int) -> None:
        self._task = task
        self._started = started
        self._awake = awake
        self._usage = Usage(os.getpid())
        self.own_processes = OWN_OF_BWRAP if started.bwrap else 0
        self.suspended = 0.0
        self._debt = 0.0
        self.yielding = False
        self.processor = 0.0
        """CPU seconds at the last look: those of processes that nobody waits for are lost later."""

    def until_end(self) -> tuple[int | None, str | None]:
        """Wait for the program to end; return its status, or why it had to be stopped."""
        if self._started.failure and self._started.bwrap:
            return None, None
        interval, seen = POLL_INTERVAL, time.monotonic()
        while True:
            ready, _, _ = select.select([0, self._awake], [], [], interval)
            if self._awake in ready:
                os.read(self._awake, 4096)
            status = _reap(self._started.process)
            if status is not None:
                return status, None
            if 0 in ready:
                return None, "asked"
            began = time.monotonic()
            if not ready or began - seen >= interval:
                if (why := self._exceeded(began - seen)) is not None:
                    return None, why
                seen = time.monotonic()
                pause = (seen - began) / LOOKING_SHARE  # many threads and files take long
                interval = min(max(POLL_INTERVAL, pause), MAX_INTERVAL)

    def _exceeded(self, since: float) -> str | None:
        """Return the limit that everything started by the program exceeds together."""
        task = self._task
        look = self._usage.look(int(task["memory"]))
        self._share_processors(look.processor - self.processor, since)
        self.processor = look.processor
        if look.suspended:
            self.suspended += since
        if look.processes - self.own_processes > int(task["processes"]):
            return "processes"
        if look.memory > int(task["memory"]):
            return "memory"
        if look.processor > int(task["processor"]) + 1:  # one process is ended by the kernel
            return "processor"
        return "scratch" if self._has_too_many_files() else None

    def _share_processors(self, used: float, since: float) -> None:
        """Let others go first once the program keeps more than one processor busy.

        Without that, its rivals' turns would take longer, the more processes and sessions it has.
        """
        self._debt = max(self._debt + used - since, 0.0)
        self.yielding = self.yielding or self._debt > MAX_PROCESSOR_DEBT
        if self.yielding:
            for process in descendants(os.getpid()):
                _yield_to_others(process)

    def _has_too_many_files(self) -> bool:
        from admin.launching.leftovers import files_in_sandbox, size_of_files

        sandbox = self._task["sandbox"] or {}
        if self._started.inside:  # the kernel limits the size of its folders, not the number
            inside = self._started.inside
            return any(files_in_sandbox(inside, each) > MAX_FILES for each in SANDBOX_FOLDERS)
        if "uid" in sandbox:
            own = f"{self._task['scratch']}/scratch"
            files, size = size_of_files(sandbox["uid"], own, WORLD_WRITABLE, MAX_FILES)
            return files > MAX_FILES or size > int(sandbox["size"])
        return False


def _yield_to_others(process: int) -> None:
    """Give a process the lowest priority, and its session, which the kernel may schedule as one."""
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{process}/task"):
            os.setpriority(os.PRIO_PROCESS, int(thread), LOWEST_PRIORITY)
        if os.getsid(process) != os.getsid(0):
            with open(f"/proc/{process}/autogroup", "w") as file:
                file.write(str(LOWEST_PRIORITY))


def _reap(program: int) -> int | None:
    """Reap all ended children; return the program's status if it is among them."""
    found = None
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == program:
                found = ended[1]
    return found


def _exit_code(status: int | None, started: Started) -> int | None:
    """Return the program's exit code, negative for a signal."""
    if status is None:
        return CANNOT_RUN if started.failure else None
    code = os.waitstatus_to_exitcode(status)
    if started.bwrap and SIGNALLED < code <= SIGNALLED + signal.NSIG:
        return SIGNALLED - code
    return code


# -- stopping -----------------------------------------------------------------------------------


def _stop_all() -> int:
    """Stop whatever is left of the program, and return how many processes that was."""
    stopped: set[int] = set()
    while True:
        processes = descendants(os.getpid())
        for signal_number in (signal.SIGSTOP, signal.SIGKILL):  # a stopped process starts no others
            for process in processes:
                with suppress(OSError):
                    os.kill(process, signal_number)
        stopped.update(processes)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return len(stopped)
        select.select([], [], [], 0.002)


def _remove(folder: str) -> None:
    """Remove a folder, however deep it is, and its parent if that is empty then."""
    with suppress(OSError):
        os.waitpid(os.posix_spawnp("rm", ["rm", "-rf", "--", folder], os.environ), 0)
        os.rmdir(os.path.dirname(folder))
