"""Programs that attack while they play, and a script that plays one game with each of them.

    python attack_programs.py FILE STORE WORKERS

Every attacker is a starter that plays well for two turns, attacks in its own third turn, prints
what it has reached as a JSON list, and ends with exit code 3 in its fourth. So its opponents should
have the same results as those of ``honest``, which ends in the same turn and attacks nobody. All
games have the same bag. Behind an attacker sits a program that is its ``RIVAL``, then a built-in
player. The game of two accomplices is played afterwards, and so is every second game.
"""

import ctypes
import os
import shutil
import sys
from collections.abc import Iterable, Iterator

from tournament_process import STARTER, PlayerEntry, TournamentFolder, play_as_script

from acquire.admin.tournament.planning.schedule import Game
from acquire.admin.tournament.run.tournament_run import TournamentRun

PYTHON = "/usr/bin/python3"
"""An interpreter that every user can run."""
HONEST, BUILT_IN = "honest", "ordered"
KEYCTL = {"x86_64": 250, "aarch64": 219}.get(os.uname().machine, 0)
SEED = 4

BEGINNING = r'''
import contextlib, ctypes, fcntl, json, os, signal, socket, stat, sys, time
OWN = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, OWN)
import player

HOST, PORT, NAME = sys.argv[1:]
PLAYERS = os.path.dirname(OWN)
CUP = os.path.dirname(PLAYERS)
RIVAL = f"{PLAYERS}/rival-of-{NAME}"
LIBC = ctypes.CDLL(None, use_errno=True)
reached = []

def attempt(what, function, *arguments):
    """Try something; it is reached if the function returns something true."""
    try:
        found = function(*arguments)
    except (OSError, ValueError, AttributeError):
        found = None
    if found and what not in reached:
        reached.append(what)
    return found

def call(name, *arguments):
    """Call a function of the C library; OSError if it fails."""
    result = getattr(LIBC, name)(*arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), name)
    return result

def content(path):
    with open(path, "rb") as file:
        return file.read(4096)

def processes(mark):
    """Return the processes whose command line contains a text."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    if os.fsencode(mark) in file.read():
                        found.append(int(name))
            except OSError:
                pass
    return found

def parent(process):
    with open(f"/proc/{process}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[1])
'''

END = r"""
turns = 0
choose = player.choose_move

def choose_move(*arguments):
    global turns
    turns += 1
    if turns == 3:
        attack()
        os.write(1, (json.dumps(sorted(reached)) + "\n").encode())
    if turns == 4:
        os._exit(3)
    return choose(*arguments)

player.choose_move = choose_move
sys.exit(player.main(sys.argv[1:]))
"""

ATTACKS = {
    HONEST: "def attack(): pass",
    "spy": r"""
def attack():
    for rival in processes(RIVAL):
        attempt("a rival's command line", lambda: rival)
        attempt("a rival's environment", content, f"/proc/{rival}/environ")
        attempt("a rival's memory", lambda: open(f"/proc/{rival}/mem", "rb"))
        attempt("a rival traced", trace, rival)
    for referee in processes(f"{CUP}/cup.toml"):
        attempt("the referee's environment", content, f"/proc/{referee}/environ")
        attempt("the referee's memory", lambda: open(f"/proc/{referee}/mem", "rb"))
        attempt("the referee's descriptors", os.listdir, f"/proc/{referee}/fd")
    if os.getppid() != 1:
        supervisor = os.getppid()
        attempt("its supervisor's memory", lambda: open(f"/proc/{supervisor}/mem", "rb"))
        attempt("its supervisor's pipe", lambda: open(f"/proc/{supervisor}/fd/1", "wb", 0))
    attempt("a rival's source", content, f"{RIVAL}/player.py")
    attempt("the names of other players", lambda: len(os.listdir(PLAYERS)) > 1)
    attempt("the tournament file", content, f"{CUP}/cup.toml")
    for name, what in (("cup.sqlite", "store"), ("cup.secret", "secret"), ("key.pem", "TLS key")):
        attempt(f"the {what}", content, f"{CUP}/{name}")
    for path, what in (
        (f"{CUP}/cup.sqlite", "the store"), (f"{CUP}/cup.toml", "the tournament file"),
        (f"{RIVAL}/player.py", "a rival's source"), (f"{OWN}/player.py", "its own source"),
        ("/etc/passwd", "/etc/passwd"), ("/usr/bin/python3", "the interpreter"),
    ):
        attempt(f"writing to {what}", lambda: open(path, "r+b"))
    for folder, what in ((RIVAL, "a rival's folder"), (OWN, "its own folder"), (CUP, "the cup")):
        attempt(f"a file in {what}", lambda: open(f"{folder}/planted", "w"))

def trace(process):
    call("ptrace", 16, process, 0, 0)  # PTRACE_ATTACH
    os.waitpid(process, 0x40000000)  # __WALL
    return call("ptrace", 17, process, 0, 0) == 0  # PTRACE_DETACH
""",
    "impostor": r'''
def attack():
    own = int(PORT)
    ports = {port for port in listening() if port != own} if alone() else set()
    for rival in processes(RIVAL):
        ports.add(int(open(f"/proc/{rival}/cmdline").read().split("\0")[-3]))
    for port in ports:
        attempt("a rival's address", signs_up, port, "rival-of-impostor")
    attempt("a second sign-up", signs_up, own, NAME)
    connections = []
    for _ in range(1000):
        connection = socket.socket()
        connection.setblocking(False)
        connection.connect_ex((HOST, own))
        connections = [*connections[-200:], connection]
    time.sleep(0.2)

def signs_up(port, name):
    with socket.create_connection((HOST, port), 5) as connection:
        connection.sendall(f'<signup name="{name}"/>'.encode())
        return b"<signup" in connection.recv(4096)

def alone():
    """Whether it has a network of its own; elsewhere other tests may listen."""
    return len(list(listening())) < 3 and not processes(RIVAL)

def listening():
    with open("/proc/net/tcp") as table:
        for line in table:
            if (fields := line.split())[3] == "0A":
                yield int(fields[1].rpartition(":")[2], 16)
''',
    "killer": r"""
def attack():
    for rival in processes(RIVAL):
        supervisor = parent(rival)
        attempt("a rival stopped", lambda: os.kill(rival, signal.SIGSTOP) is None)
        attempt("a rival's supervisor killed", lambda: os.kill(supervisor, signal.SIGKILL) is None)
        attempt("a rival killed", lambda: os.kill(rival, signal.SIGKILL) is None)
    for referee in processes(f"{CUP}/cup.toml"):
        attempt("the referee signalled", lambda: os.kill(referee, signal.SIGCONT) is None)
    if os.getppid() != 1:
        supervisor = os.getppid()
        attempt("its supervisor stopped", lambda: os.kill(supervisor, signal.SIGSTOP) is None)
        attempt("its supervisor killed", lambda: os.kill(supervisor, signal.SIGKILL) is None)
""",
    "escaper": r'''
def attack():
    for name, flag in (("user", 0x10000000), ("mount", 0x20000), ("network", 0x40000000),
                       ("process", 0x20000000)):
        attempt(f"a {name} namespace of its own", lambda: separately(call, "unshare", flag) == 0)
    here = os.fsencode(OWN)
    attempt("a mount", lambda: call("mount", b"x", here, b"tmpfs", 0, None) == 0)
    attempt("a bind mount", lambda: call("mount", here, here, None, 0x1000, None) == 0)
    attempt("a new root", lambda: separately(call, "chroot", here) == 0)
    for path in ("/proc/sys/kernel/core_pattern", "/proc/sys/vm/overcommit_memory",
                 "/proc/sysrq-trigger", "/proc/self/oom_score_adj"):
        attempt(f"{path} for writing", opens_for_writing, path)
    attempt("a device", os.mknod, os.environ["TMPDIR"] + "/sda", 0o600 | stat.S_IFBLK, 0x800)
    attempt("another user", lambda: separately(call, "setuid", 0 if os.getuid() else 1) == 0)
    attempt("more priority", lambda: os.nice(-5) < 0)
    attempt("a real-time process",
            lambda: os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1)) is None)
    attempt("a terminal", lambda: fcntl.ioctl(0, 0x5412, b"x") == 0)  # TIOCSTI
    attempt("the controlling terminal", lambda: open("/dev/tty", "wb"))
    attempt("privileges", lambda: int(status("CapEff"), 16) or int(status("CapPrm"), 16))
    attempt("new privileges", lambda: status("NoNewPrivs") == "0")
    attempt("the first process's root", lambda: os.path.exists("/proc/1/root" + CUP + "/cup.toml"))
    attempt("inherited descriptors", lambda: [*descriptors()][3:] != ["the socket"])
    log = ctypes.create_string_buffer(99)
    attempt("the log of the kernel", lambda: call("klogctl", 3, log, 99))
    attempt("a host name", set_host_name)
    at_once = os.environ["TMPDIR"] + "/at-once", os.O_CREAT | os.O_WRONLY | os.O_DSYNC
    attempt("a file that is on the disk at once", lambda: os.open(*at_once) >= 0)
    attempt("huge pages", lambda: call("memfd_create", b"huge", 4) >= 0)
    real_time = os.SCHED_FIFO, os.sched_param(1)
    attempt("real time", lambda: os.sched_setscheduler(0, *real_time) is None)

def descriptors():
    """Yield what it has open, apart from the folder that is being listed."""
    for name in sorted(os.listdir("/proc/self/fd"), key=int):
        with contextlib.suppress(OSError):
            place = os.readlink(f"/proc/self/fd/{name}")
            yield "the socket" if place.startswith("socket:") else place

def set_host_name():
    name = os.fsencode(socket.gethostname())
    return call("sethostname", name, len(name)) == 0

def opens_for_writing(path):
    if path.endswith("oom_score_adj"):  # everyone may be killed sooner than others
        with open(path, "r+") as file:
            file.write("-1")
        return True
    os.close(os.open(path, os.O_WRONLY))
    return True

def separately(function, *arguments):
    """Call a function in a child; return what it returns, or 1 for an OSError."""
    child = os.fork()
    if not child:
        try:
            os._exit(function(*arguments))
        except BaseException:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

def status(name):
    with open("/proc/self/status") as file:
        return next(line.split()[1] for line in file if line.startswith(name + ":"))
''',
    "leaver": "def attack(): os._exit(3)",
    "hider": r'''
def attack():
    """Keep memory in files without a name, and in what the kernel buffers."""
    hidden = []
    for _ in range(8):
        hidden.append(os.memfd_create("x"))
        os.write(hidden[-1], bytes(15 * 2**20))
    for _ in range(480):
        hidden += socket.socketpair()
    time.sleep(1000)
''',
    "swarm": r"""
def attack():
    for _ in range(7):
        os.fork()
    time.sleep(1000)
""",
    "daemon": r'''
def attack():
    spoof()
    if os.fork():
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    os.closerange(0, 100)
    LIBC.prctl(15, MARK.encode(), 0, 0, 0)  # PR_SET_NAME
    LIBC.prctl(1, 0, 0, 0, 0)  # PR_SET_PDEATHSIG: none
    LIBC.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    if os.fork() == 0:
        os.execve(PYTHON, ["python3", "-I", "-S", "-c", SLEEP], {})
    while True:
        time.sleep(1000)

def spoof():
    report = {"failure": "", "code": 0, "stopped": None, "left": 0, "processor": 0, "memory": 0}
    for descriptor in range(3, 64):
        try:
            if not os.readlink(f"/proc/self/fd/{descriptor}").startswith("socket:"):
                os.write(descriptor, json.dumps(report).encode() + b"\n")
        except OSError:
            pass
    os.write(1, b"bwrap: execvp everything: is as it should be\n")
    os.write(1, json.dumps(report).encode() + b"\n")

MARK = "cup-" + os.path.basename(CUP)[-8:]
PYTHON = "/usr/bin/python3"
SLEEP = f"""
import ctypes, time
ctypes.CDLL(None).prctl(15, {MARK.encode()!r}, 0, 0, 0)
import sys; sys.path.append('acquire.admin.launching.supervisor')
time.sleep(1000)
"""
''',
}
"""What each attacker does, by its name."""

PATIENT = "patient"
_HEAVY = {
    PATIENT: "",
    "burner": r"""
    for _ in range(62):
        if not os.fork():
            os.setsid()
            while True:
                pass
""",
    "flooder": r"""
    for number in range(20):
        if not os.fork():
            ports = {int(PORT)}
            for rival in processes(f"{CUP}/players/rival"):
                with contextlib.suppress(OSError):
                    ports.add(int(content(f"/proc/{rival}/cmdline").split(b"\0")[-3]))
            while True:
                for port in ports:
                    with socket.socket() as connection:
                        connection.setblocking(False)
                        connection.connect_ex((HOST, port))
""",
    "filler": r"""
    if not os.fork():
        for number in range(200_000):
            with contextlib.suppress(OSError):
                os.close(os.open(f"{os.environ['TMPDIR']}/{number}", os.O_CREAT))
        time.sleep(1000)
    choose = player.choose_move

    def choose_when_full(*arguments):  # a slow disk does not fill before a quick game is over
        end = time.monotonic() + 6
        while time.monotonic() < end and not os.path.exists(f"{os.environ['TMPDIR']}/60000"):
            time.sleep(0.1)
        return choose(*arguments)

    player.choose_move = choose_when_full
""",
}
PLAY_ON = "def attack():\n    global turns\n    turns = 5  # and play on to the end\n"
HEAVY = {name: PLAY_ON + attack for name, attack in _HEAVY.items()}
"""Attacks that keep the machine busy, for the soak; the attacker plays to the end."""
THINKING = r"""
turns = 0
choose = player.choose_move

def choose_move(*arguments):
    global turns
    turns += 1
    end = time.process_time() + (0.5 if turns < 8 else 0)
    while time.process_time() < end:
        pass
    return choose(*arguments)

player.choose_move = choose_move
sys.exit(player.main(sys.argv[1:]))
"""
"""A rival of those that needs time: half a second of a processor in each of its first turns."""

CHANNELS = r'''
KEY = 0x41435100 + int.from_bytes(os.fsencode(os.path.basename(CUP)[-3:]), "big") % 251
TAG = os.path.basename(CUP)
KEYCTL, ADD_KEY = {"x86_64": (250, 248), "aarch64": (219, 217)}.get(os.uname().machine, (0, 0))
KEYRINGS = {"session": -3, "user": -4, "user session": -5, "process": -2}
FOLDERS = (os.environ["HOME"], os.environ["TMPDIR"], OWN, CUP, PLAYERS, "/tmp", "/var/tmp",
           "/dev/shm", "/dev/mqueue", "/run", "/run/lock", "/var/lock")
ADDRESS = ("127.0.0.1", 20000 + KEY % 9999)
kept = []

def leave():
    """Leave a message wherever that is possible."""
    for folder in FOLDERS:
        attempt_quietly(lambda: os.close(os.open(f"{folder}/{TAG}-note", os.O_CREAT, 0o666)))
        attempt_quietly(lambda: os.chmod(f"{folder}/{TAG}-note", 0o666))
    attempt_quietly(lambda: call("shmget", KEY, 4096, 0o1666))
    attempt_quietly(lambda: call("msgget", KEY, 0o1666))
    attempt_quietly(lambda: call("semget", KEY, 1, 0o1666))
    attempt_quietly(lambda: kept.append(mqueue(os.O_CREAT | os.O_RDWR)))
    for number in KEYRINGS.values():
        attempt_quietly(lambda: call("syscall", ADD_KEY, b"user", TAG.encode(), b"x", 1, number))
    attempt_quietly(lambda: kept.append(listener(socket.AF_UNIX, "\0" + TAG)))
    attempt_quietly(lambda: kept.append(listener(socket.AF_INET, ADDRESS)))

def found():
    """Look for messages."""
    for folder in FOLDERS:
        attempt(f"a file in {names(folder)}", os.path.exists, f"{folder}/{TAG}-note")
    attempt("a memory segment", lambda: call("shmget", KEY, 0, 0) >= 0)
    attempt("a message queue", lambda: call("msgget", KEY, 0) >= 0)
    attempt("a semaphore", lambda: call("semget", KEY, 0, 0) >= 0)
    attempt("a POSIX queue", lambda: mqueue(os.O_RDONLY) >= 0)
    for name, number in KEYRINGS.items():
        attempt(f"a key in the {name} keyring",
                lambda: call("syscall", KEYCTL, 10, number, b"user", TAG.encode(), 0))
    attempt("an abstract socket", connects, socket.AF_UNIX, "\0" + TAG)
    attempt("a port", connects, socket.AF_INET, ADDRESS)
    attempt("a process", processes, f"{PLAYERS}/accomplice-a/")

def names(folder):
    for name, path in (("its own folder", OWN), ("the cup", CUP), ("the players' folder", PLAYERS),
                       ("HOME", os.environ["HOME"]), ("TMPDIR", os.environ["TMPDIR"])):
        if folder == path:
            return name
    return folder

def attempt_quietly(function):
    try:
        return function()
    except (OSError, ValueError, AttributeError):
        return None

def mqueue(flags):
    return call("mq_open", f"/{TAG}".encode(), flags, 0o666, None)

def listener(family, address):
    server = socket.socket(family)
    server.bind(address)
    server.listen()
    return server

def connects(family, address):
    with socket.socket(family) as client:
        return client.connect_ex(address) == 0
'''
MEMORY = {
    "rememberer": CHANNELS + "def attack():\n    found()\n    leave()\n",
    "accomplice-a": CHANNELS + "def attack():\n    leave()\n",
    "accomplice-b": CHANNELS + "def attack():\n    found()\n",
}
"""``rememberer`` plays twice; one accomplice looks for what the other leaves at the same table."""


class OneGameEach(TournamentRun):
    """A tournament that is over when every attacker has played."""

    def stages(self) -> Iterator[list[Game]]:
        """Yield the games with attackers, then those that look for what was left behind."""
        attackers = (*ATTACKS, *HEAVY, "rememberer")
        tables = {name: (name, f"rival-of-{name}", BUILT_IN) for name in attackers}
        accomplices = {"accomplices": ("accomplice-a", "accomplice-b", BUILT_IN)}
        again = {"rememberer-again": tables["rememberer"]}
        for stage in (tables, accomplices, again):
            yield [
                Game(id_, id_, SEED, players)
                for id_, players in stage.items()
                if {*self.plan.names}.issuperset(players)
            ]


def write_players(folder: TournamentFolder, names: Iterable[str]) -> list[PlayerEntry]:
    """Write some attackers and their rivals, each into a folder of its own; return the players."""
    players = []
    for name in names:
        players.append(_player(folder, name, (ATTACKS | HEAVY | MEMORY)[name] + END))
        if not name.startswith("accomplice"):
            rival = THINKING if name in HEAVY else None
            players.append(_player(folder, f"rival-of-{name}", rival))
    return [*players, PlayerEntry(BUILT_IN, {"strategy": BUILT_IN})]


def _player(folder: TournamentFolder, name: str, source: str | None) -> PlayerEntry:
    """Write a player's folder with a starter, and what is made of that if anything is."""
    own = folder.folder / "players" / name
    own.mkdir(parents=True)
    program = shutil.copy(STARTER, own / "player.py")
    if source is not None:
        program = own / "attack.py"
        program.write_text(BEGINNING + source)
    command = [PYTHON, "-I", "-S", str(program), "{host}", "{port}", "{name}"]
    return PlayerEntry(name, {"command": command, "directory": f"players/{name}"})


if __name__ == "__main__":
    ctypes.CDLL(None).syscall(KEYCTL, 1, 0)  # a session with a keyring that every child inherits
    play_as_script(OneGameEach, *sys.argv[1:])
