"""What a program in a sandbox sees, uses and leaves behind; by real programs that try."""

import errno
import json
import os
import resource
import socket
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import trio
from child_processes import importing
from sandboxes import BWRAP_AND_SOAK, every_sandbox, fake_bubblewrap, in_bwrap, in_uid, open_folder

from acquire.admin.launching import sandbox
from acquire.admin.launching.launch import Launcher
from acquire.admin.launching.leftovers import files_in_sandbox
from acquire.admin.launching.limits import Limits, ProcessExit
from acquire.admin.launching.player_process import PlayerProcess, have_open, peer_of
from acquire.admin.launching.program import Program
from acquire.admin.launching.sandbox import FIRST_UID, NoSandbox, Sandbox, choose, claim
from acquire.admin.launching.sandbox_files import MAX_PROGRAMS, toolchains
from acquire.admin.launching.starting import SHARE, set_limits
from acquire.admin.tournament.planning.setting_values import MAX_WORDS

ROOT = Path(__file__).parents[2]
TIMEOUT = 240.0
LIMITS = Limits(
    memory=2**27, processor=3, processes=12, file_size=2**24, scratch=2**20, sandbox="bwrap"
)
SYSTEM_PYTHON = "/usr/bin/python3"


@pytest.fixture
def folder() -> Iterator[Path]:
    with open_folder() as found:
        yield found


class Ended(NamedTuple):
    """A program that has ended: what it printed, and how it ended."""

    printed: str
    exit: ProcessExit

    @property
    def value(self) -> Any:
        """What it printed, as JSON."""
        assert self.exit.code == 0, self.printed
        return json.loads(self.printed)


class Box:
    """A kind of sandbox, and a folder for the programs in it."""

    def __init__(self, kind: Sandbox, folder: Path) -> None:
        self.kind, self.folder = kind, folder
        self.own = folder / "ada"

    def program(
        self, source: str, variables: Mapping[str, str] | None = None, name: str = "ada"
    ) -> Program:
        """A small Python program with a folder of its own."""
        own = self.folder / name
        own.mkdir(exist_ok=True)
        (own / "player.py").write_text(importing(source))
        return Program((SYSTEM_PYTHON, "-I", "-S", "player.py"), own, variables or {}, (own,))

    @asynccontextmanager
    async def launched(
        self, program: Program, limits: Limits = LIMITS, files: str = "files"
    ) -> AsyncIterator[tuple[PlayerProcess, socket.socket | None]]:
        """Launch a program; it, and where it can connect. It is stopped at the end."""
        with trio.fail_after(TIMEOUT):
            async with trio.open_nursery() as nursery:
                launcher = Launcher(limits, self.folder / files, self.kind)
                launched, listener = await launcher.launch_listening(program, "ada", nursery)
                try:
                    yield launched, listener
                finally:  # otherwise it is waited for without an end
                    launched.release()
                    if listener is not None:
                        listener.close()

    async def run(
        self, source: str, limits: Limits = LIMITS, variables: Mapping[str, str] | None = None
    ) -> Ended:
        """Run a small Python program; return its end."""
        return await self.run_program(self.program(source, variables), limits)

    async def run_program(self, program: Program, limits: Limits = LIMITS) -> Ended:
        """Run a program; return its end."""
        async with self.launched(program, limits) as (launched, _):
            await launched.ended.wait()
            printed = launched.output()
        files = self.folder / "files"
        assert not files.exists() or not list(files.iterdir())
        assert launched.exit is not None
        return Ended(printed.decode(), launched.exit)


@pytest.fixture
def box(kind: Sandbox, folder: Path) -> Box:
    return Box(kind, folder)


async def printed_by(launched: PlayerProcess) -> str:
    """What a running program prints first."""
    while not launched.output():
        await trio.sleep(0.01)
    return launched.output().decode()


def test_user_is_claimed_by_one_process_at_a_time() -> None:
    """As with two workers of a cluster on one machine."""
    if os.geteuid() != 0:
        pytest.skip("only root gives programs users of their own")
    claimed = claim(FIRST_UID - 1)
    assert claim(FIRST_UID - 1) is None
    other = claim(FIRST_UID - 2)
    assert claimed is not None and other is not None
    os.close(other)
    os.close(claimed)
    again = claim(FIRST_UID - 1)
    assert again is not None
    os.close(again)


@in_uid
async def test_user_stays_claimed_until_its_program_is_gone(box: Box) -> None:
    ended = await box.run("print(json.dumps([os.getuid(), os.listdir('/proc/self/fd')]))")
    uid, descriptors = ended.value
    assert descriptors == ["0", "1", "2", "3"], "3 is the folder that is listed"
    claimed = claim(uid)
    assert claimed is not None
    os.close(claimed)
    program = box.program("print(os.getuid(), flush=True); time.sleep(1000)")
    async with box.launched(program) as (launched, _):
        assert claim(int(await printed_by(launched))) is None


@in_uid
@pytest.mark.parametrize("mask", [0o000, 0o077])
async def test_temporary_files_are_hidden_from_other_users(box: Box, mask: int) -> None:
    source = """
kept = [os.environ["TMPDIR"], os.environ["HOME"], os.environ["TMPDIR"] + "/plan"]
open(kept[2], "w").close()
print(json.dumps(kept), flush=True)
time.sleep(1000)
"""
    program = box.program(source)
    os.umask(mask)  # the folder's fixture puts it back
    async with box.launched(program) as (launched, _):
        kept = json.loads(await printed_by(launched))
        os.umask(0o022)
        rival = box.program(f"print([os.access(kept, os.R_OK) for kept in {kept}])", name="rival")
        async with box.launched(rival, files="rival") as (other, _):
            assert (await printed_by(other)).strip() == "[False, False, False]"


# -- what it can reach --------------------------------------------------------------------------


@every_sandbox
async def test_program_reaches_its_own_listener_under_its_name(box: Box) -> None:
    source = (
        "address = os.environ['ACQUIRE_HOST'], int(os.environ['ACQUIRE_PORT'])\n"
        "socket.create_connection(address).sendall(os.environ['ACQUIRE_NAME'].encode())\n"
    )
    program = box.program(source)
    async with box.launched(program) as (_, listener):
        assert listener is not None
        await trio.lowlevel.wait_readable(listener)
        connection, _ = listener.accept()
        with connection:
            assert connection.recv(100) == b"ada"


@in_bwrap
async def test_program_sees_no_other_process_and_no_other_network(box: Box) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        ended = await box.run(f"""
with socket.socket() as client:
    refused = client.connect_ex(("127.0.0.1", {server.getsockname()[1]}))
commands = [open(f"/proc/{{name}}/cmdline").read() for name in os.listdir("/proc")
            if name.isdigit()]
print(json.dumps([refused, [name for _, name in socket.if_nameindex()], commands]))
""")
    refused, networks, commands = ended.value
    assert refused != 0
    assert networks == ["lo"]
    assert [c for c in commands if "player.py" not in c] == []


@in_bwrap
async def test_program_sees_its_folder_the_system_and_nothing_else(box: Box) -> None:
    for name in ("bob/player.py", "cup.sqlite", "cup.toml"):
        (box.folder / name).parent.mkdir(exist_ok=True)
        (box.folder / name).write_text("private")
    ended = await box.run(f"""
def can_write(path):
    try:
        open(path, "w").close()
    except OSError:
        return False
    return True

print(json.dumps({{
    "beside": os.listdir({str(box.folder)!r}),
    "own": os.listdir("."),
    "home": os.path.exists({str(Path.home() / ".bashrc")!r}),
    "secrets": os.path.exists("/etc/shadow"),
    "writable": [path for path in ("x", "/x", "/usr/x", "/etc/x", "/dev/x", "/proc/sys/x",
                 "/tmp/x", "/dev/shm/x", os.environ["HOME"] + "/x", os.environ["TMPDIR"] + "/y")
                 if can_write(path)],
}}))
""")
    assert ended.value == {
        "beside": ["ada"],
        "own": ["player.py"],
        "home": False,
        "secrets": False,
        "writable": ["/tmp/x", "/dev/shm/x", "/tmp/home/x", "/tmp/y"],
    }


@in_bwrap
async def test_program_may_enter_the_folders_of_the_system(box: Box) -> None:
    """Bubblewrap makes those above what it shows for its own user alone; node reads /etc/ssl."""
    source = """
closed = []
for inside, _, _ in os.walk("/etc", onerror=lambda error: closed.append(error.filename)):
    pass
print(json.dumps(closed))
"""
    closed = (await box.run(source)).value
    assert [path for path in closed if os.stat(path).st_mode & 0o005 == 0o005] == []


@every_sandbox
async def test_program_cannot_touch_what_started_it(box: Box) -> None:
    ended = await box.run(f"""
tried = []
for process in ({os.getpid()}, os.getppid()):
    try:
        os.kill(process, signal.SIGSTOP)
        tried.append("signal")
    except OSError:
        pass
    try:
        tried.append(len(open(f"/proc/{{process}}/environ").read()) and "environment")
    except OSError:
        pass
print(json.dumps([os.getpid() == {os.getpid()}, [each for each in tried if each]]))
""")
    if box.kind is Sandbox.BWRAP:  # its parent is bubblewrap's first process, alone in its world
        assert ended.exit.code == 0
    else:
        assert ended.value == [False, []]


@every_sandbox
async def test_variables_are_those_of_the_program_alone(box: Box) -> None:
    """What starts it would load a library that they name, and find another program in PATH."""
    box.own.mkdir()
    for name in ("env", "setpriv", "bwrap", "python3"):
        (box.own / name).write_text("#!/bin/sh\necho taken\n")
        (box.own / name).chmod(0o755)
    variables = {"LD_PRELOAD": "./evil.so", "LD_AUDIT": "./evil.so", "PATH": ".", "X": "a=b\nc"}
    source = "print(json.dumps({**os.environ}))"
    ended = await box.run(source, variables=variables)
    complaints, values = ended.printed.rstrip().rpartition("\n")[::2]
    found = json.loads(values)
    assert {name: found[name] for name in variables} == variables
    assert found.keys() - variables.keys() <= {
        *("ACQUIRE_HOST", "ACQUIRE_PORT", "ACQUIRE_NAME", "PYTHONUNBUFFERED", "PWD"),
        *("HOME", "TMPDIR", "LANG", "LANGUAGE", "TZ", "USER", "LOGNAME", "SHELL", "JAVA_HOME"),
    } | {name for name in found if name.startswith("LC_")}
    assert complaints.count("evil.so") == 2, "only the interpreter is asked to load it"
    assert "taken" not in ended.printed


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give programs users of their own")
@every_sandbox
async def test_program_has_a_user_that_no_other_has(box: Box) -> None:
    """Or it could use up what the kernel counts for a user: for its rivals, and the referee."""
    source = "print(json.dumps([os.getuid(), os.getgroups(), open('/proc/self/uid_map').read()]))"
    found = [(await box.run(source)).value for _ in range(2)]
    assert all(user >= FIRST_UID for user, _, _ in found)
    assert {tuple(groups) for user, groups, _ in found} <= {(), *((user,) for user, _, _ in found)}
    assert all(users.split() == ["0", "0", "4294967295"] for _, _, users in found)


CALLS = {
    "a lease on a file": "fcntl(os.open(__file__, 0), 1024, 0)",
    "... by other bits": "fcntl(os.open(__file__, 0), ctypes.c_long(2**40 + 1024), 0)",
    "a notice of changes": "fcntl(os.open('.', 0), 1026, 1)",
    "a larger pipe": "fcntl(os.pipe()[0], 1031, 2**20)",
    "huge pages": "mmap(None, ctypes.c_long(2**21), 3, 0x40022, -1, 0)",
    "a file of huge pages": "memfd_create(b'x', 4)",
    "a file that is written to the disk at once": "open(b'/dev/null', os.O_WRONLY | os.O_DSYNC)",
    "... by the new call": "syscall(437, -100, b'/', bytes(24), 24)",
    "a file that is read from the disk each time": "open(b'/usr/bin/env', os.O_DIRECT)",
    "... once it is open": "fcntl(os.open('/usr/bin/env', 0), 4, os.O_DIRECT)",
    "a better place in the queue for the disk": "syscall(251, 1, 0, 2 << 13)",
    "a better place in the queue for processors": "syscall(314, 0, bytes(48), 0)",
    "files out of memory": "madvise(None, 0, 21)",
    "another's files out of memory": "syscall(440, 3, None, 0, 21, 0)",
    "pages that are shared if they are alike": "prctl(67, 1, 0, 0, 0)",
    "a core of the processor for itself": "prctl(62, 1, 0, 0, 0)",
    "watches of files, which a user has few of": "inotify_init()",
    "descriptors of one thread alone": "syscall(436, 99, 99, 2)",
    "... of a new thread": "syscall(56, 0x10900, None, None, None, None)",
    "another protocol": "socket(2, 1, 262)",
    "writing to the disk at once": "syscall(328, 1, None, 0, 0, 0, 4)",
    "what others have read": "syscall(451, 0, bytes(16), bytes(40), 0)",
    "cores": "setrlimit(4, bytes(16))",
    "cores, by other bits": "syscall(302, 0, ctypes.c_long(2**32 + 4), bytes(16), None)",
    "the time": "syscall(227, 0, bytes(16))",
    "another's descriptor": "syscall(438, 3, 0, 0)",
    "a segment": "shmget(0, 4096, 0o1600)",
    "a semaphore": "semget(0, 1, 0o1600)",
    "a message queue": "msgget(0, 0o1600)",
    "a POSIX queue": "syscall(240, b'queue', os.O_CREAT | os.O_RDWR, 0o600, None)",
    "a key": "syscall(248, b'user', b'key', b'x', 1, -3)",
    "a program in the kernel": "syscall(321, 0, bytes(64), 64)",
    "a ring of requests": "syscall(425, 4, bytes(120))",
    "page faults": "syscall(323, 0)",
    "events of the processor": "syscall(298, bytes(128), 0, -1, -1, 0)",
    "secret memory": "syscall(447, 0)",
    "tracing": "ptrace(0, 0, 0, 0)",
    "another's memory": "syscall(310, os.getpid(), None, 0, None, 0, 0)",
    "a comparison of processes": "syscall(312, os.getpid(), os.getpid(), 0, 0, 1)",
    "a namespace": "unshare(0x10000000)",
    "a process in one": "syscall(56, 0x10000000 | 17, None, None, None, None)",
    "a process in one, by the new call": "syscall(435, (ctypes.c_uint64 * 8)(0x10000000), 64)",
    "a mount": "mount(b'x', b'/tmp', b'tmpfs', 0, None)",
    "a file system": "syscall(430, b'tmpfs', 0)",
    "a handle of a file": "syscall(303, -100, b'/', bytes(128), bytes(8), 0)",
    "watching a file system": "syscall(300, 0, 0)",
    "another personality": "personality(0x400000)",
    "the host behind the machine": "socket(40, 1, 0)",
    "packets": "socket(17, 3, 0)",
    "ciphers of the kernel": "socket(38, 5, 0)",
    "the kernel's audit": "socket(16, 3, 9)",
    "the log of the kernel": "klogctl(3, ctypes.create_string_buffer(9), 9)",
    "writing all to disk": "syscall(162)",
    "typing": "ioctl(0, 0x5412, b'x')",
}


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="calls have other numbers elsewhere")
@every_sandbox
async def test_system_calls_that_no_player_needs_are_refused(box: Box) -> None:
    tried = "\n".join(
        f"try: call({what!r}, libc.{text})\nexcept OSError: pass" for what, text in CALLS.items()
    )
    source = f"""
libc = ctypes.CDLL(None, use_errno=True)
reached = []
def call(what, result):
    if result != -1 or ctypes.get_errno() not in (1, 38):
        reached.append([what, result, ctypes.get_errno()])
    ctypes.set_errno(0)
{tried}
print(json.dumps(reached))
"""
    assert (await box.run(source)).value == []


@every_sandbox
async def test_program_cannot_have_others_wait_for_the_disk(box: Box) -> None:
    """Each call is answered as done, even for a file that is not open."""
    source = """
libc = ctypes.CDLL(None)
advice = libc.posix_fadvise(99, 0, 0, 4), libc.readahead(99, 0, 1)
written = libc.fsync(99), libc.fdatasync(99), libc.msync(1, 1, 9), libc.sync_file_range(99, 0, 0, 7)
reserved = libc.fallocate(1, 0, *map(ctypes.c_long, (0, 9)))
described = libc.fsetxattr(os.memfd_create("x"), b"user.x", b"x", ctypes.c_long(1), 0)
print(json.dumps([*advice, *written, reserved, described]))
"""
    assert (await box.run(source)).value == [0] * 6 + [-1] * 2


def test_program_goes_before_nobody_although_its_user_could(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As on machines for music; few may raise these limits, so they are only looked at here."""
    given = {}
    monkeypatch.setattr(resource, "getrlimit", lambda _: (99, 99))
    monkeypatch.setattr(resource, "setrlimit", lambda kind, value: given.update({kind: value}))
    set_limits({"limits": asdict(LIMITS)})
    assert given[resource.RLIMIT_NICE] == given[resource.RLIMIT_RTPRIO] == (0, 0)


USEFUL = """
import asyncio, fcntl, multiprocessing, resource, select, subprocess, threading, mmap
thread = threading.Thread(target=print, args=("",))
thread.start(), thread.join()
assert subprocess.run(["/bin/sh", "-c", "exit 7"]).returncode == 7
with multiprocessing.get_context("fork").Pool(2) as pool:
    assert pool.map(abs, [-1, -2]) == [1, 2]
asyncio.run(asyncio.sleep(0))
left, right = socket.socketpair()
socket.send_fds(left, [b"x"], [1])
with open(os.environ["TMPDIR"] + "/x", "wb+") as file:
    file.write(bytes(9))
    file.flush()
    fcntl.flock(file, fcntl.LOCK_EX)
    mmap.mmap(file.fileno(), 9)
    os.posix_fallocate(file.fileno(), 0, 99)
resource.setrlimit(resource.RLIMIT_NOFILE, (99, 99))
socket.if_nameindex(), socket.getaddrinfo("127.0.0.1", 80), os.getrandom(4), os.cpu_count()
select.epoll(), os.eventfd(0), os.memfd_create("x"), os.pidfd_open(os.getpid())
print(json.dumps("works"))
"""


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="it is in machine language")
@every_sandbox
async def test_calls_of_other_architectures_are_refused(box: Box) -> None:
    """Their numbers mean something else: those that are allowed would be other calls."""
    source = r"""
import mmap
code = b"\x53\xb8\x14\0\0\0\xcd\x80\x5b\xc3"  # getpid of a processor with 32 bits
memory = mmap.mmap(-1, len(code), prot=7)
memory.write(code)
here = ctypes.addressof(ctypes.c_char.from_buffer(memory))
libc = ctypes.CDLL(None, use_errno=True)
of_x32 = libc.syscall(ctypes.c_long(0x40000000 + 39)), ctypes.get_errno()
print(json.dumps([ctypes.CFUNCTYPE(ctypes.c_int)(here)(), *of_x32]))
"""
    assert (await box.run(source)).value == [-errno.ENOSYS, -1, errno.ENOSYS]


@every_sandbox
async def test_crash_starts_no_program_of_the_system(box: Box) -> None:
    """Where cores are piped to one, only the limit of a byte prevents it; see core(5)."""
    source = "import resource; print(json.dumps(resource.getrlimit(resource.RLIMIT_CORE)))"
    assert (await box.run(source)).value == [1, 1]


@every_sandbox
async def test_terminals_of_the_machine_are_not_used_up(box: Box) -> None:
    source = """
opened = [os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY) for _ in range(40)]
time.sleep(1000)
"""
    ended = await box.run(source)
    if box.kind is Sandbox.BWRAP:
        assert "FileNotFoundError" in ended.printed
    else:
        assert ended.exit.stopped == "memory"


@in_uid
async def test_ports_of_the_machine_are_not_taken(box: Box) -> None:
    """Each would stay taken for a minute, also after its connection to itself was closed."""
    source = """
refused = []
for take in (lambda new: new.bind(("127.0.0.1", 0)), lambda new: new.listen()):
    with socket.socket() as new:
        try: take(new)
        except OSError as error: refused.append(error.errno)
print(json.dumps(refused))
"""
    assert (await box.run(source)).value == [errno.ENOSYS] * 2


@every_sandbox
async def test_system_calls_that_players_need_are_there(box: Box) -> None:
    ended = await box.run(USEFUL)
    assert ended.exit.code == 0, ended.printed
    assert ended.printed.strip() == '"works"'


@pytest.mark.parametrize("address", ["127.0.0.1", "::ffff:127.0.0.1"])
def test_other_end_of_a_connection_is_known(address: str) -> None:
    """Also where it was made with a socket for IPv6, as Java does."""
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection((address, server.getsockname()[1])) as client,
        server.accept()[0] as accepted,
    ):
        peer = peer_of(accepted)
        assert peer == (os.geteuid(), os.fstat(client.fileno()).st_ino)
        assert peer is not None and have_open(peer.inode, [os.getpid()])
        assert not have_open(os.fstat(server.fileno()).st_ino, [1])


# -- what it uses -------------------------------------------------------------------------------

FAMILY = """
children = []
for _ in range({count}):
    child = os.fork()
    if not child:
        break
else:
    time.sleep(1000)
"""
TOO_MUCH = {
    "memory, in six processes": (
        FAMILY.format(count=6) + "hoard = bytearray(b'x') * 30_000_000\ntime.sleep(1000)",
        "memory",
    ),
    "memory, after the first thread has ended": (
        FAMILY.format(count=6) + "import threading\n"
        "def hoard():\n"
        "    time.sleep(0.5)\n"
        "    kept = bytearray(b'x') * 30_000_000\n"
        "    time.sleep(1000)\n"
        "threading.Thread(target=hoard).start()\n"
        "ctypes.CDLL(None).syscall(93 if os.uname().machine == 'aarch64' else 60, 0)",
        "memory",
    ),
    "memory, shared with children that come and go": (
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "other = os.fork()\n"
        "hoard = bytearray(b'x') * 80_000_000\n"
        "while True:\n"
        "    for _ in range(2):\n"
        "        if not os.fork(): time.sleep(0.004), os._exit(0)\n"
        "    time.sleep(0.01)",
        "memory",
    ),
    "memory, in files without a name": (
        "for _ in range(12):\n"
        "    os.write(os.memfd_create('x'), b'x' * (2 ** 24 - 1))\n"
        "time.sleep(1000)",
        "memory",
    ),
    "CPU time, in processes that live for 6 ms": (
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "while True:\n"
        "    if not os.fork():\n"
        "        end = time.monotonic() + 0.006\n"
        "        while time.monotonic() < end: pass\n"
        "        os._exit(0)\n"
        "    try: os.wait()\n"  # until it has ended: nobody is told how long it ran
        "    except ChildProcessError: pass",
        "processor",
    ),
    "memory, in the buffers of sockets": (
        "pairs = []\n"
        "for _ in range(2):\n"
        "    if not os.fork(): break\n"
        "for _ in range(480):\n"
        "    pairs.append(socket.socketpair())\n"
        "    for each in pairs[-1]:\n"
        "        each.setblocking(False)\n"
        "        try:\n"
        "            while each.send(bytes(2 ** 16)): pass\n"
        "        except BlockingIOError: pass\n"
        "time.sleep(1000)",
        "memory",
    ),
    "memory, in a program that its user may not read": (
        "import shutil\n"
        "place = os.environ['TMPDIR'] + '/python'\n"
        "shutil.copy(os.path.realpath(sys.executable), place), os.chmod(place, 0o111)\n"
        "hoard = 'for _ in range(12): os.write(os.memfd_create(str()), bytes(2 ** 24 - 1))'\n"
        "source = 'import os, time' + chr(10) + hoard + chr(10) + 'time.sleep(1000)'\n"
        "os.execv(place, [place, '-I', '-S', '-c', source])",
        "memory",
    ),
    "memory, in page tables": (
        "import mmap\n"
        "size = 2 ** 38\n"
        "kept = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ)\n"
        "for place in range(0, size, 2 ** 21): kept[place]\n"
        "time.sleep(1000)",
        "memory",
    ),
    "what waits for descriptors": (
        "import select\nkept = [select.epoll() for _ in range(140)]\ntime.sleep(1000)",
        "memory",
    ),
    "memory, in pages that are shared and not in use": (
        "import mmap\n"
        "kept = [mmap.mmap(-1, 2 ** 24) for _ in range(12)]\n"
        "for each in kept: each.write(bytes(2 ** 24)), each.madvise(mmap.MADV_DONTNEED)\n"
        "time.sleep(1000)",
        "memory",
    ),
    "memory, in files that are mapped and not open": (
        "libc, kept = ctypes.CDLL(None), []\n"
        "for _ in range(12):\n"
        "    file = os.memfd_create('x')\n"
        "    os.write(file, bytes(2 ** 24 - 1))\n"
        "    libc.mmap(None, 4096, 1, 2, file, 0), os.close(file)\n"
        "time.sleep(1000)",
        "memory",
    ),
    "memory, in files on their way through a socket": (
        "left, right = socket.socketpair()\n"
        "for _ in range(12):\n"
        "    file = os.memfd_create('x')\n"
        "    os.write(file, bytes(2 ** 24 - 1))\n"
        "    socket.send_fds(left, [b'x'], [file]), os.close(file)\n"
        "time.sleep(1000)",
        "memory",
    ),
    "what is waited for although it was closed": (
        "import select\n"
        "waits, file = select.epoll(), os.eventfd(0)\n"
        "for number in range(30_000):\n"
        "    if number % 900 == 0: file = os.dup(os.eventfd(0))\n"
        "    copy = os.dup2(file, 100 + number % 900)\n"
        "    waits.register(copy, 0)\n"
        "time.sleep(1000)",
        "memory",
    ),
    "processes": (FAMILY.format(count=14) + "time.sleep(1000)", "processes"),
}


HOARDER = """
left, right = socket.socketpair()
left.setblocking(False)
try:
    for _ in range(20):
        socket.send_fds(left, [b"x"], [0] * 60)
except OSError:
    pass
libc = ctypes.CDLL(None)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
queued = 0
while libc.sigqueue(os.getpid(), signal.SIGRTMIN, None) == 0: queued += 1
print(queued, flush=True)
time.sleep(1000)
"""


@every_sandbox
async def test_what_the_kernel_counts_for_a_user_keeps_no_rival_from_starting(box: Box) -> None:
    """Descriptors that are sent and not received, signals that wait, and timers."""
    hoarder = box.program(HOARDER, name="eve")
    limits = replace(LIMITS, memory=2**40)
    async with box.launched(hoarder, limits, "others") as (launched, _):
        queued = int(await printed_by(launched))
        source = "timer = ctypes.c_void_p()\n"
        source += "made = ctypes.CDLL(None).timer_create(1, None, ctypes.byref(timer))\n"
        source += "print(json.dumps([made, int(open('/proc/self/oom_score_adj').read())]))"
        ended = await box.run(source)
    assert ended.value == [0, 500], "it has a timer, and is killed before the referee"
    assert box.kind is not Sandbox.BWRAP or queued < 10_000


@in_bwrap
async def test_bubblewrap_that_fails_once_is_tried_again(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts = fake_bubblewrap(box.folder, monkeypatch, range(1, 2))
    ended = await box.run("print(json.dumps('played'))")
    assert ended.value == "played"
    assert len(starts.read_text().split()) == 2


@in_bwrap
async def test_bubblewrap_that_always_fails_is_explained(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_bubblewrap(box.folder, monkeypatch, range(1, 1000))
    ended = await box.run("print('never')")
    assert (ended.exit.failure, ended.exit.code) == ("No space left on device", 127)
    assert ended.exit.machine_fault == "it could not be set up: No space left on device"
    assert "never" not in ended.printed


@pytest.mark.parametrize("kind", BWRAP_AND_SOAK)
@pytest.mark.parametrize("what", TOO_MUCH)
async def test_limits_are_for_all_processes_together(box: Box, what: str) -> None:
    source, limit = TOO_MUCH[what]
    ended = await box.run(source, replace(LIMITS, processor=1, scratch=2**24))
    assert (ended.exit.failure, ended.exit.code, ended.exit.stopped) == ("", None, limit)


LOOPS = """
loops = []
for _ in range(8):
    loops.append(os.fork())
    if not loops[-1]:
        os.setsid()
        while True:
            pass
while os.getpriority(os.PRIO_PROCESS, loops[0]) != 19:
    time.sleep(0.05)
for loop in loops:
    os.kill(loop, signal.SIGKILL)
"""


@pytest.mark.soak
@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs more than one processor")
@every_sandbox
async def test_program_that_keeps_several_processors_busy_lets_others_go_first(box: Box) -> None:
    """Its loops are in sessions of their own, which the kernel may treat as programs of their own.

    It waits until they yield. That may take minutes where other work takes the processors.
    """
    ended = await box.run(LOOPS, replace(LIMITS, processor=100))
    assert (ended.exit.failure, ended.exit.code, ended.exit.yielded) == ("", 0, True)


@pytest.mark.parametrize("kind", BWRAP_AND_SOAK)
async def test_memory_is_not_lost_among_descriptors(box: Box) -> None:
    """More of them than are looked at ten times a second."""
    source = FAMILY.format(count=24).replace("time.sleep(1000)", "pass")
    source += "kept = [os.dup(0) for _ in range(990)]\ntime.sleep(1000)"
    ended = await box.run(source, replace(LIMITS, processes=32))
    assert ended.exit.stopped == "memory"


@every_sandbox
async def test_shared_memory_counts_once(box: Box) -> None:
    ended = await box.run(
        "hoard = bytearray(b'x') * 60_000_000\n"
        "if not os.fork(): os._exit(0)  # nobody waits for it: it has no memory, and stays listed\n"
        "child = [os.fork() for _ in range(2)]\n"
        "time.sleep(0.5)\n"
    )
    assert (ended.exit.code, ended.exit.stopped) == (0, None)


@in_bwrap
async def test_temporary_files_have_a_size_and_a_number(box: Box) -> None:
    ended = await box.run("""
try:
    with open("/tmp/large", "wb") as file:
        file.write(bytes(2 ** 21))
except OSError as error:
    print(json.dumps(error.strerror))
""")
    assert ended.value == os.strerror(28)
    many = replace(LIMITS, processor=60)
    source = "for number in range(200_000): open(f'/tmp/{number}', 'w').close()\ntime.sleep(1000)"
    assert (await box.run(source, many)).exit.stopped == "scratch"


def test_files_are_not_counted_before_the_sandbox_is_built() -> None:
    """Its first process still sees this machine's folders then, and all files in them."""
    assert files_in_sandbox(os.getpid(), "/tmp") == 0


@in_bwrap
async def test_memory_segments_that_outlive_processes_cannot_be_made(box: Box) -> None:
    ended = await box.run("print(json.dumps(ctypes.CDLL(None).shmget(0, 2 ** 20, 0o1600)))")
    assert ended.value == -1


# -- how it ends --------------------------------------------------------------------------------

ENDS = {
    "with a code": ("sys.exit(7)", 7),
    "by SIGKILL": ("os.kill(os.getpid(), signal.SIGKILL)", -9),
    "leaving a daemon": ("os.fork() or (os.setsid(), os.fork() or time.sleep(1000))", 0),
}


@every_sandbox
@pytest.mark.parametrize("how", ENDS)
async def test_end_is_reported_and_nothing_runs_on(box: Box, how: str) -> None:
    source, code = ENDS[how]
    ended = await box.run(source)
    assert (ended.exit.code, ended.exit.failure) == (code, "")
    assert not [
        entry
        for entry in Path("/proc").glob("[0-9]*/cwd")
        if os.path.islink(entry) and _leads_to(entry, box.folder)
    ]


def _leads_to(entry: Path, folder: Path) -> bool:
    try:
        return Path(os.readlink(entry)).is_relative_to(folder)
    except OSError:
        return False


@every_sandbox
async def test_nothing_that_it_writes_is_there_for_its_next_start(box: Box) -> None:
    source = """
import glob
places = ("/tmp", "/var/tmp", "/dev/shm", os.environ["HOME"], os.environ["TMPDIR"])
found = [path for place in places for path in glob.glob(f"{place}/memory-*")]
for place in places:
    try:
        open(f"{place}/memory-{os.getpid()}", "w").close()
    except OSError:
        pass
print(json.dumps(found))
"""
    for _ in range(2):
        assert (await box.run(source)).value == []


SWAP = """
import os, sys
from acquire.admin.launching.leftovers import remove_files_of
folder, uid = sys.argv[1], int(sys.argv[2])

def swap(event, arguments):
    if event == "open" and str(arguments[0]).endswith("/inner"):
        os.rename(f"{folder}/open/inner", f"{folder}/gone")
        os.symlink(f"{folder}/others", f"{folder}/open/inner")

sys.addaudithook(swap)
remove_files_of(uid, (f"{folder}/open",))
"""
"""Puts a link in the place of a folder between the look at it and its opening."""


def test_link_in_the_place_of_a_folder_leads_to_no_file_that_is_removed(folder: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root gives programs users of their own")
    uid = FIRST_UID - 3
    (folder / "open" / "inner").mkdir(parents=True)
    (folder / "open" / "inner").chmod(0o777)
    (folder / "others").mkdir()
    for name in ("open/own", "others/kept"):
        (folder / name).touch()
        os.chown(folder / name, uid, uid)
    subprocess.run([sys.executable, "-c", SWAP, folder, str(uid)], check=True, timeout=TIMEOUT)
    assert (folder / "gone").exists(), "nobody has looked into the folder"
    assert not (folder / "open" / "own").exists()
    assert (folder / "others" / "kept").exists()


@in_bwrap
async def test_program_that_is_not_there_is_reported_as_such(box: Box) -> None:
    ended = await box.run_program(Program(("/no/such/program",), box.folder))
    assert ended.exit.failure == "/no/such/program: No such file or directory"


@every_sandbox
@pytest.mark.parametrize(("end", "why"), [("\n", ""), ("\r\n", ", as its lines end as on Windows")])
async def test_interpreter_of_a_script_that_is_not_there_is_named(
    box: Box, end: str, why: str
) -> None:
    """The system says of the script that it is not there."""
    script = box.folder / "run.sh"
    script.write_text(f"#!/bin/none -x{end}true{end}", newline="")
    script.chmod(0o755)
    ended = await box.run_program(Program((str(script),), box.folder, visible=(box.folder,)))
    assert ended.exit.failure == f"{script}: '/bin/none -x' of its first line is not there{why}"


TOO_LONG = {
    "one variable": {"A": "x" * 200_000},
    "all variables": {f"A{number}": "x" * 100_000 for number in range(40)},
}


@every_sandbox
@pytest.mark.parametrize("what", TOO_LONG)
async def test_words_that_are_too_long_are_the_programs_own_fault(box: Box, what: str) -> None:
    """Or its author could have every game declared void."""
    ended = await box.run("print('never')", variables=TOO_LONG[what])
    assert ended.exit.machine_fault == ""
    assert ended.exit.code != 0 and os.strerror(errno.E2BIG) in ended.exit.failure


@every_sandbox
async def test_program_is_started_with_all_that_may_be_handed_in(box: Box) -> None:
    """Where bubblewrap takes fewer words than that, it fails as if the machine did."""
    variables = {f"V{number}": "x" * 200 for number in range(MAX_WORDS)}
    ended = await box.run("print(json.dumps(len(os.environ)))", variables=variables)
    assert ended.exit.machine_fault == "" and ended.value >= MAX_WORDS


# -- what is chosen -----------------------------------------------------------------------------


def test_without_a_sandbox_auto_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/no/such/folder")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    chosen = choose("auto")
    assert chosen.sandbox is Sandbox.NONE
    assert "bubblewrap is not installed" in chosen.why
    with pytest.raises(NoSandbox, match=r"bubblewrap is not installed.*sandbox = .none. under"):
        choose("auto", never_none=True)
    assert choose("none", never_none=True).sandbox is Sandbox.NONE
    with pytest.raises(NoSandbox, match=r'limits\.sandbox = "bwrap" does not'):
        choose("bwrap")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give programs users of their own")
def test_program_that_its_user_could_not_read_needs_another_sandbox(tmp_path: Path) -> None:
    tmp_path.chmod(stat.S_IRWXU)
    with pytest.raises(NoSandbox, match=str(tmp_path)):
        choose("uid", [tmp_path])


# -- toolchains ---------------------------------------------------------------------------------


TOOLCHAINS = (
    *(".pyenv/shims/python3", ".pyenv/bin/pyenv", ".pyenv/libexec/pyenv", ".pyenv/version"),
    *(".pyenv/versions/3.11/bin/python3.11", ".pyenv/versions/3.11/lib/python3.11/os.py"),
    *(".nvm/versions/node/v20/bin/node", ".nvm/versions/node/v20/lib/node_modules/npm/index.js"),
    *(".sdkman/candidates/java/17/bin/java", ".sdkman/candidates/java/17/lib/modules"),
    *("go/bin/go", "go/pkg/tool/link", "go/src/fmt/print.go"),
    *("course/bin/pip", "course/lib/python3.11/site-packages/trio.py", "course/pyvenv.cfg"),
    *(
        ".local/share/uv/python/3.12/bin/python3.12",
        ".local/share/uv/python/3.12/lib/python3.12/os.py",
    ),
    *(".local/bin/tool", ".cargo/bin/cargo"),
)
"""Files that belong to toolchains in somebody's home, as their installers lay them out."""
PRIVATE = (
    *(".cargo/credentials.toml", ".cargo/bin/token", ".cargo/bin/old/cargo"),
    *(".local/share/keyrings/login", ".local/bin/env", ".local/bin/deploy", ".local/state/log"),
    *(".local/lib/python3.11/site-packages/own.py", ".config/token", ".ssh/id_rsa", "diary"),
    *("private/deploy", "course/roster.csv", "go/notes", ".pyenv/key", ".pyenv/versions/3.11/key"),
    *(".nvm/key", ".nvm/versions/node/v20/key", ".sdkman/candidates/java/17/key", ".bashrc"),
)
"""Files that lie beside them."""
OWNERS_PROGRAMS = ".local/bin/deploy", "private/deploy"
LINKS = {
    ".sdkman/candidates/java/current": "17",
    ".local/bin/python3.12": "../share/uv/python/3.12/bin/python3.12",
    ".local/bin/diary": "../../diary",
    ".local/bin/deploy-all": "../../private/deploy",
    ".local/bin/keys": "../../.ssh",
}
IN_PATH = (
    *(".pyenv/shims", ".pyenv/bin", ".nvm/versions/node/v20/bin", "go/bin", "course/bin"),
    *(".sdkman/candidates/java/current/bin", ".local/bin", ".cargo/bin", "."),
)


@pytest.fixture
def home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Somebody's home with toolchains in PATH, and private files beside them."""
    home = folder / "home"
    for name in TOOLCHAINS + PRIVATE:
        file = home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
        programs = file.parent.name in ("bin", "shims") and name not in PRIVATE
        file.chmod(0o700 if name in OWNERS_PROGRAMS else 0o755 if programs else 0o644)
    (home / ".cargo/credentials.toml").chmod(0o600)
    (home / ".local/share/uv/python/3.12/bin/python3.12").chmod(0o700)  # as umask 077 makes it
    for name, target in LINKS.items():
        (home / name).symlink_to(target)
    monkeypatch.setenv("PATH", os.pathsep.join([*(str(home / p) for p in IN_PATH), "/usr/bin"]))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    return home


LOOK = """
found = []
for above, _, files in os.walk(sys.argv[1]):
    found += [os.path.realpath(os.path.join(above, name)) for name in files]
print(json.dumps([os.path.relpath(path, sys.argv[1]) for path in found]))
"""


def files_seen(home: Path, folder: Path) -> set[str]:
    """Return the files of a home that a program of its owner sees, an ordinary user."""
    user = FIRST_UID if os.geteuid() == 0 else None
    for path in (home, *home.rglob("*")) if user else ():
        os.chown(path, FIRST_UID, FIRST_UID, follow_symlinks=False)
    program = Program((SYSTEM_PYTHON, "-I", "-S", "-c", importing(LOOK), str(home)), folder / "ada")
    task: Any = sandbox.in_bwrap(program, sandbox.shown_in_bwrap(program), {}, 2**20, None)
    command: Any = [task["bwrap"], *task["arguments"], "--", *program.command]
    done = subprocess.run(command, capture_output=True, text=True, user=user, group=user)
    assert done.returncode == 0, done.stderr
    return {*json.loads(done.stdout)}


@in_bwrap
def test_private_files_beside_toolchains_stay_hidden(
    kind: Sandbox, home: Path, folder: Path
) -> None:
    """Also those that only their owner may read: an ordinary user's program has his rights."""
    home.chmod(0o700)
    java = {name.replace("/17/", "/current/") for name in TOOLCHAINS if "/17/" in name}
    # no file .local/bin/python3.12: it has to stay a link, or Python would not find its library
    assert files_seen(home, folder) == {*TOOLCHAINS} | java


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives programs users of their own")
@in_bwrap
async def test_program_of_root_sees_no_private_file_that_all_may_read(box: Box, home: Path) -> None:
    """In a home of mode 700, which its user could not enter."""
    home.chmod(0o700)
    (home / ".local/share/uv/python/3.12/bin/python3.12").chmod(0o755)
    box.own.mkdir()
    command = (SYSTEM_PYTHON, "-I", "-S", "-c", importing(LOOK), str(home))
    ended = await box.run_program(Program(command, box.own, {}, (box.own,)))
    assert {*PRIVATE} & {*ended.value} == set()
    assert {"course/pyvenv.cfg", ".cargo/bin/cargo"} < {*ended.value}


@pytest.mark.parametrize("entry", ["bin", ".local/../bin", "link/bin"])
@pytest.mark.parametrize("place", ["home", ".local", ".cargo", ".config"])
def test_home_and_its_dotted_folders_are_no_toolchain(
    home: Path, place: str, entry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Although they look like one: Python may have been installed there."""
    above = home if place == "home" else home / place
    (above / "lib/python3.11").mkdir(parents=True, exist_ok=True)
    (above / "lib/python3.11/os.py").touch()
    for name in ("bin", ".local"):
        (above / name).mkdir(exist_ok=True)
    (above / "link").symlink_to(above)
    monkeypatch.setenv("PATH", f"{above}/{entry}")
    assert above.resolve() / "lib" not in [path.resolve() for path in toolchains(None, ())]


@pytest.mark.parametrize("other", ["", "3.11/key", "3.12/key", "key", "3.13", "3.12/link"])
def test_versions_are_one_folder_unless_something_else_is_among_them(
    home: Path, other: str
) -> None:
    versions = home / ".pyenv/versions"
    (versions / "3.11/key").unlink()
    (versions / "3.12/share").mkdir(parents=True)
    if other == "3.12/link":
        (versions / other).symlink_to(home)
    elif other:
        (versions / other).touch()
    shown = toolchains(None, ())
    assert (versions in shown) is (other == "")
    assert not any((versions / other).is_relative_to(path) for path in shown) or not other


def test_folder_with_countless_programs_is_not_shown(home: Path) -> None:
    for number in range(MAX_PROGRAMS):
        (home / f".cargo/bin/{number}").touch(mode=0o755)
    assert home / ".cargo/bin/cargo" not in toolchains(None, ())


def test_java_home_is_shown_if_it_is_a_toolchain(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin")
    monkeypatch.setenv("JAVA_HOME", str(home))
    assert toolchains(None, ()) == ()
    java = home / ".sdkman/candidates/java/17"
    monkeypatch.setenv("JAVA_HOME", str(java))
    assert {*toolchains(None, ())} == {java / "bin", java / "lib"}


def test_program_of_a_virtual_environment_has_its_interpreter(
    home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin")
    script = folder / "ada/.venv/bin/acquire"
    script.parent.mkdir(parents=True)
    script.touch(mode=0o755)
    python = home / ".local/share/uv/python/3.12"
    (script.parent / "python").symlink_to(python / "bin/python3.12")
    (folder / "ada/.venv/pyvenv.cfg").touch()
    found = toolchains(str(script), ())
    assert folder / "ada/.venv/pyvenv.cfg" in found
    assert {python / "bin", python / "lib"} <= {*found}


def test_part_of_a_toolchain_with_a_hidden_file_is_left_out(home: Path) -> None:
    node = home / ".nvm/versions/node/v20"
    found = toolchains("/usr/bin/python3", (node / "lib/course.sqlite",))
    assert node / "bin" in found
    assert node / "lib" not in found


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become a user without an entry")
def test_user_without_a_home_has_none() -> None:
    code = (
        "import os; from acquire.admin.launching.sandbox_files import home\n"
        "os.setuid(54321); print(home())"
    )
    environment = {key: value for key, value in os.environ.items() if key != "HOME"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, env=environment, text=True)
    assert done.stdout == "[]\n", done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root's programs have users of their own")
@in_bwrap
async def test_program_has_a_share_of_the_threads_of_its_user(box: Box) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NPROC)
    source = "import resource; print(json.dumps(resource.getrlimit(resource.RLIMIT_NPROC)))"
    resource.setrlimit(resource.RLIMIT_NPROC, (100 * SHARE, hard))
    try:
        assert (await box.run(source)).value == [100, 100]
    finally:
        resource.setrlimit(resource.RLIMIT_NPROC, (soft, hard))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look into every folder")
def test_folder_in_path_that_may_not_be_read_is_left_out(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "private").chmod(0)
    monkeypatch.setenv("PATH", f"{home}/private/bin:{home}/private:{home}/.cargo/bin")
    try:
        found = toolchains("/usr/bin/python3", ())
    finally:
        (home / "private").chmod(0o700)
    assert home / ".cargo/bin/cargo" in found
    assert not [path for path in found if path.is_relative_to(home / "private")]


@in_bwrap
async def test_this_interpreter_runs_wherever_it_is_installed(box: Box) -> None:
    own = box.own
    own.mkdir()
    program = Program((sys.executable, "-c", "import trio"), own, {}, (own,))
    ended = await box.run_program(program)
    assert ended.exit.code == 0, ended.printed


@in_bwrap
async def test_link_beside_a_hidden_file_does_not_show_what_it_leads_to(box: Box) -> None:
    """Bound one by one, links would be followed by bubblewrap, which sees everything."""
    own = box.own
    own.mkdir()
    (box.folder / "secret").write_text("secret")
    (own / "hidden").touch()
    (own / "plain").write_text("plain")
    for name, target in (("out", "../secret"), ("in", "plain"), ("up", "..")):
        (own / name).symlink_to(target)
    code = (
        "import os; print([n for n in ('out', 'in', 'up/secret', 'hidden') if os.path.exists(n)])"
    )
    program = Program((SYSTEM_PYTHON, "-c", code), own, {}, (own,), (own / "hidden",))
    ended = await box.run_program(program)
    assert ended.printed.strip() == "['in']", ended.printed
