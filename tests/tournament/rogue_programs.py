"""Programs that misbehave, written to a folder, and tournaments that launch them.

Run as a script it plays the games of a tournament file, but only one for every launched player
that is not called `good`: that player moves first, and three others who behave sit behind it.

    python rogue_programs.py FILE STORE WORKERS

Every process of such a tournament has the tournament's folder in its command line or environment,
whatever becomes of its group, session and parents: `living` finds it by that.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeVar

from admin.tournament.planning.schedule import Game
from admin.tournament.playing.tournament_run import TournamentRun
from admin.tournament.results.result import GameResult, SeatResult
from admin.tournament.results.store import Store, VoidGame

ACQUIRE = str(Path(sys.executable).parent / "acquire")
GOOD = "good"
MATES = (GOOD, "ordered", "random", "largest-alpha")
"""Who sits behind a rogue; `good` is a launched one, where the tournament has it."""
PATIENCE = 60.0
"""Seconds after which a test gives up waiting; no test takes as long unless it fails."""
T = TypeVar("T")

PRELUDE = """
import ctypes, os, shutil, signal, socket, sys, time
NAME, FOLDER = os.environ["ACQUIRE_NAME"], os.environ["WITNESS"]

def connect():
    return socket.create_connection((os.environ["ACQUIRE_HOST"], int(os.environ["ACQUIRE_PORT"])))

heard = b""  # what has come on the connection that plays, and was not asked for yet

def hear(connection, end):
    global heard
    while end not in heard:
        data = connection.recv(65536)
        if not data:
            sys.exit("nobody is there any more")
        heard += data
    document, end, heard = heard.partition(end)
    return document + end

def sit(name=NAME, connection=None):
    connection = connection or connect()
    connection.sendall(f'<signup name="{name}"/>'.encode())
    hear(connection, b"/>")
    return connection

def move():
    connection = sit()
    hear(connection, b"</state>")
    connection.sendall(b"<void/>")
    hear(connection, b"</turn>")
    return connection

def sleep():
    while True:
        time.sleep(1000)

def say(word):
    with open(FOLDER + "/said", "a") as file:
        file.write(word + "\\n")
"""
"""What the small programs are written with; `move` plays on to the first turn."""


class Rogue(NamedTuple):
    """A program by its source, and what is to become of it: the verdict, and words of the detail.

    ``command`` is for one that is no Python program, with ``{folder}`` for where programs are.
    """

    source: str
    verdict: str
    words: str
    command: tuple[str, ...] = ()


class Entry(NamedTuple):
    """A ``[[players]]`` table: a name and the rest."""

    name: str
    fields: Mapping[str, object]


def toml(value: object) -> str:
    """Write a value as TOML."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


class Stage:
    """A folder with a tournament file, its programs, and a place for temporary files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "cup.toml"
        self.store = folder / "cup.sqlite"
        self.temporary = folder / "tmp"
        self.temporary.mkdir()

    def program(self, name: str, source: str) -> list[str]:
        """Write a small program, and return the command that runs it."""
        file = self.folder / f"{name}.py"
        file.write_text(PRELUDE + source)
        return [sys.executable, "-I", "-S", str(file)]

    def launched(self, name: str, source: str) -> Entry:
        """Return a launched player that runs a small program."""
        return self.launching(name, self.program(name, source))

    def launching(self, name: str, command: Sequence[str]) -> Entry:
        """Return a launched player that runs a command."""
        return Entry(name, {"command": list(command), "environment": {"WITNESS": str(self.folder)}})

    def write(self, players: Sequence[Entry], **parts: Mapping[str, object]) -> None:
        """Write the tournament file; ``parts`` are its other tables."""
        tables = [(f"[{name}]", fields) for name, fields in parts.items()]
        tables += [("[[players]]", {"name": name, **fields}) for name, fields in players]
        lines = (
            [head, *(f"{key} = {toml(value)}" for key, value in fields.items())]
            for head, fields in tables
        )
        self.file.write_text("\n\n".join("\n".join(part) for part in lines))

    # -- running it -----------------------------------------------------------------------------

    def run(self, *options: str, environment: Mapping[str, str] | None = None) -> Running:
        """Begin ``acquire tournament run``."""
        command = [ACQUIRE, "tournament", "run", str(self.file), "--json", *options]
        return self._begin(command, environment)

    def one_game_each(self, workers: int) -> Running:
        """Begin to play one game with every rogue."""
        return self._begin(
            [sys.executable, __file__, str(self.file), str(self.store), str(workers)], None
        )

    def _begin(self, command: Sequence[str], environment: Mapping[str, str] | None) -> Running:
        with (self.folder / "errors").open("wb") as errors:
            process = subprocess.Popen(
                command,
                bufsize=0,
                stdout=subprocess.PIPE,
                stderr=errors,
                stdin=subprocess.DEVNULL,
                cwd=self.folder,
                env={**os.environ, **(environment or {}), "TMPDIR": str(self.temporary)},
                start_new_session=True,
            )
        return Running(process, self.folder)

    # -- what it came to ------------------------------------------------------------------------

    def results(self) -> dict[str, GameResult]:
        """Return the games that count, by id."""
        with Store.open_to_read(self.store) as store:
            return {result.game: result for _, result in store.results()}

    def voids(self) -> list[VoidGame]:
        """Return the games that count for nothing."""
        with Store.open_to_read(self.store) as store:
            return store.voids()

    def outputs(self, game: str) -> dict[str, bytes]:
        """Return what losers of a game printed."""
        with Store.open_to_read(self.store) as store:
            return store.outputs(game)

    def living(self) -> dict[int, str]:
        """Return the command lines of this tournament's processes that live, by process id."""
        return living(self.folder)

    def left_over(self) -> list[Path]:
        """Return the temporary files and folders that are left."""
        return sorted(self.temporary.iterdir())


def seat(result: GameResult, name: str) -> SeatResult:
    """Return what became of one player in a game."""
    return next(found for found in result.seats if found.player == name)


class Running:
    """A tournament under way in a process of its own; at the end of the block nothing is left."""

    def __init__(self, process: subprocess.Popen[bytes], folder: Path) -> None:
        self.process = process
        self._folder = folder
        self._unread = b""
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._output.close()
        while survivors := living(self._folder):  # of a test that fails
            for process in survivors:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)

    @property
    def _output(self) -> IO[bytes]:
        assert self.process.stdout is not None
        return self.process.stdout

    @property
    def errors(self) -> str:
        """What people are told."""
        return (self._folder / "errors").read_text()

    def _read(self, patience: float) -> Iterator[dict[str, Any]]:
        """Yield the events that come, each once, until standard output ends."""
        give_up = time.monotonic() + patience
        while True:
            while b"\n" in self._unread:
                line, _, self._unread = self._unread.partition(b"\n")
                self.events.append(json.loads(line))
                yield self.events[-1]
            left = give_up - time.monotonic()
            if not select.select([self._output], [], [], max(left, 0))[0]:
                raise AssertionError(f"nothing comes any more after {self.events[-3:]}")
            data = os.read(self._output.fileno(), 65536)
            if not data:
                return
            self._unread += data

    def until(self, event: str, **fields: object) -> dict[str, Any]:
        """Read events up to one that is of this kind and has these fields."""
        for told in self._read(PATIENCE):
            if told["event"] == event and fields.items() <= told.items():
                return told
        raise AssertionError(f"ended without {event} {fields}: {self.errors}")

    @property
    def port(self) -> int:
        """Where players connect; known when ``listening`` has been told."""
        told = next(event for event in self.events if event["event"] == "listening")
        return int(told["addresses"][0].rpartition(":")[2])

    def end(self, number: signal.Signals | None = None, patience: float = PATIENCE) -> int:
        """Send a signal, if any, wait for the end, and return the exit code."""
        if number is not None:
            self.process.send_signal(number)
        for _ in self._read(patience):
            pass
        return self.process.wait(PATIENCE)

    def told(self, event: str) -> list[dict[str, Any]]:
        """Return the events of a kind that were told so far."""
        return [told for told in self.events if told["event"] == event]


# -- what is left of it -------------------------------------------------------------------------


def living(folder: Path) -> dict[int, str]:
    """Return the command lines of a tournament's processes that live, by process id.

    One that has ended, and that nobody has asked about yet, does not live.
    """
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                command = (entry / "cmdline").read_bytes().split(b"\0")
                around = (entry / "environ").read_bytes()
            except OSError:  # it has just ended
                continue
            if _is_marked(os.fsencode(folder), command, around):
                found[int(entry.name)] = b" ".join(command).decode(errors="replace")
    return found


def _is_marked(mark: bytes, command: Sequence[bytes], around: bytes) -> bool:
    """Whether it is a process of ours: somebody may have the folder open in an editor."""
    ours = command[0] == os.fsencode(sys.executable)
    return command[0] == mark or b"=" + mark in around or (ours and mark in b" ".join(command))


def is_refused(port: int) -> bool:
    """Whether nobody listens there any more, or at least not for long.

    The kernel may have given the port to somebody else's server meanwhile, in a test beside this.
    """

    def refuses() -> bool:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", port)) != 0

    return eventually(refuses, 20)


def free_port() -> int:
    """Return a port that nobody listens on, below those that the kernel gives away by itself.

    So nobody gets it by chance between now and the moment that somebody listens there.
    """
    while True:
        with socket.socket() as server, suppress(OSError):  # somebody has this one: try another
            server.bind(("127.0.0.1", random.randrange(20_000, 32_000)))
            return int(server.getsockname()[1])


def eventually(look: Callable[[], T], patience: float = PATIENCE) -> T:
    """Look again and again until something is true, and return it, or what it was at last."""
    give_up = time.monotonic() + patience
    while not (found := look()) and time.monotonic() < give_up:
        time.sleep(0.01)
    return found


# -- one game for each --------------------------------------------------------------------------


class OneGameEach(TournamentRun):
    """A tournament that is over when every launched player but the good one has played once."""

    def stages(self) -> Iterator[list[Game]]:
        """Yield one game for each rogue."""
        rogues = [player.name for player in self.plan.players if player.command]
        yield [
            Game(name, name, number, (name, *self._mates(number)))
            for number, name in enumerate(rogues)
            if name != GOOD
        ]

    def _mates(self, number: int) -> tuple[str, ...]:
        """Choose the others: the launched one, which takes longest, is at every third table."""
        return MATES[:3] if number % 3 == 0 and GOOD in self.plan.names else MATES[1:]


def main(file: str, store: str, workers: str) -> None:
    """Play the games, telling of them in JSON lines."""
    from admin.table.run import run_until_stopped
    from admin.tournament.planning.plan_file import read_plan
    from admin.tournament.playing.arena import Arena
    from admin.tournament.playing.observer import Observer
    from admin.tournament.playing.terminal import JsonObserver

    observer = JsonObserver(Observer())
    with Store.open_to_write(Path(store)) as opened:
        tournament = OneGameEach(read_plan(Path(file)), opened, observer)
        run_until_stopped(Arena(tournament, observer, int(workers)).run)


# -- the rogues ---------------------------------------------------------------------------------

CHILD = """
def start_child(become=lambda: None):
    if not os.fork():
        connection.close()
        become()
        say("born")
        sleep()
    while not os.path.exists(FOLDER + "/said"):
        time.sleep(0.001)

connection = move()
"""

SILENT: dict[str, Rogue] = {
    "never-connects": Rogue("sleep()", "never-started", "It was still running."),
    "says-nothing": Rogue(
        "connection = connect(); sleep()", "never-started", "It was still running."
    ),
    "hangs": Rogue("connection = move(); sleep()", "timed-out", "The limit for <pbuy>"),
    "half-an-element": Rogue(
        "connection = move(); connection.sendall(b'<pbuy><pla'); sleep()",
        "timed-out",
        "10 bytes arrived, but the element was never closed.",
    ),
    "stops-itself": Rogue(
        "connection = move(); os.kill(os.getpid(), signal.SIGSTOP); sleep()", "timed-out", "<pbuy>"
    ),
    "ignores-sigterm": Rogue(
        """
for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
connection = move()
sleep()
""",
        "timed-out",
        "<pbuy>",
    ),
    "closes-stdio": Rogue(
        "os.closerange(0, 3); connection = move(); sleep()", "timed-out", "<pbuy>"
    ),
    "removes-scratch": Rogue(
        "connection = move(); shutil.rmtree(os.path.dirname(os.environ['TMPDIR'])); sleep()",
        "timed-out",
        "<pbuy>",
    ),
    "connects-twice": Rogue(
        """
first = connect()
first.sendall(f'<signup name="{NAME}"/>'.encode())
first.recv(10)
try:
    connection = move()
finally:
    sleep()
""",
        "timed-out",
        "The limit for <void> was 1 s",
    ),
    "forks": Rogue(CHILD + "start_child(); sleep()", "timed-out", "<pbuy>"),
    "forks-with-setsid": Rogue(CHILD + "start_child(os.setsid); sleep()", "timed-out", "<pbuy>"),
    "is-outlived-by-children": Rogue(
        CHILD + "start_child(os.setsid); sys.exit()",
        "disconnected",
        "It closed between messages.",
    ),
    "forks-twice": Rogue(
        CHILD
        + """
def become():
    os.setsid()
    if os.fork():
        os._exit(0)

start_child(become)
sleep()
""",
        "timed-out",
        "<pbuy>",
    ),
    "clears-environment": Rogue(
        CHILD
        + """
def become():
    os.setsid()
    if os.fork():
        os._exit(0)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    say("born")
    os.execve("/bin/sleep", [FOLDER, "1000"], {})

start_child(become)
sleep()
""",
        "timed-out",
        "<pbuy>",
    ),
    "takes-a-plain-name": Rogue(
        "connection = sit('ordered'); sleep()", "never-started", "It ended with exit code 1."
    ),
    "takes-a-name-with-its-own-token": Rogue(
        "connection = sit('hangs:' + NAME.partition(':')[2]); sleep()",
        "never-started",
        "It ended with exit code 1.",
    ),
    "guesses-a-secret": Rogue(
        "connection = sit('guest:swordfish'); sleep()",
        "never-started",
        "It ended with exit code 1.",
    ),
}
"""Those that are found out by the clock."""

LOUD: dict[str, Rogue] = {
    "exits-with-0": Rogue("sys.exit(0)", "never-started", "It ended with exit code 0."),
    "exits-with-3": Rogue("sys.exit(3)", "never-started", "It ended with exit code 3."),
    "is-killed-before-it-connects": Rogue(
        "os.kill(os.getpid(), signal.SIGSEGV)", "never-started", "It was ended by SIGSEGV."
    ),
    "is-not-there": Rogue("", "never-started", "could not be run", ("{folder}/none-{name}",)),
    "is-not-executable": Rogue("", "never-started", "could not be run", ("{folder}/data-{port}",)),
    "has-no-interpreter": Rogue("", "never-started", "could not be run", ("{folder}/lost",)),
    "is-no-program": Rogue("", "never-started", "could not be run", ("{folder}/noise",)),
    "leaves": Rogue("move().close(); sleep()", "disconnected", "It closed between messages."),
    "leaves-within-a-message": Rogue(
        "c = move(); c.sendall(b'<pbuy'); c.close(); sleep()",
        "disconnected",
        "It closed within a message.",
    ),
    "raises": Rogue(
        "connection = move(); raise SystemExit(3)", "crashed", "It ended with exit code 3."
    ),
    "fork-bomb": Rogue(
        """
connection = move()
for _ in range(6):  # 64 processes, and no more wherever it runs
    os.fork()
sleep()
""",
        "crashed",
        "more than 12 processes (limits.processes)",
    ),
    "fills-memory": Rogue(
        "connection = move(); hoard = bytearray(2 ** 28); sleep()",
        "crashed",
        "It ended with exit code 1.",
    ),
    "burns-processor": Rogue(
        "connection = move()\nwhile True: pass", "crashed", "(limits.processor)"
    ),
    "floods-its-output": Rogue(
        """
connection = move()
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
while True:
    os.write(1, b"x" * 65536)
""",
        "crashed",
        "SIGXFSZ: wrote more than 1048576 bytes (limits.file_size)",
    ),
    "writes-a-huge-file": Rogue(
        """
connection = move()
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
with open(os.environ["TMPDIR"] + "/huge", "wb", 0) as file:
    while True:
        file.write(b"x" * 65536)
""",
        "crashed",
        "SIGXFSZ: wrote more than 1048576 bytes (limits.file_size)",
    ),
    "kills-its-keeper": Rogue(
        "connection = move(); os.kill(os.getppid(), signal.SIGKILL); sleep()", "crashed", "tampered"
    ),
    "kills-its-keeper-leaves-a-child": Rogue(
        CHILD
        + """
keeper = os.getppid()
start_child(os.setsid)
os.kill(keeper, signal.SIGKILL)
sleep()
""",
        "crashed",
        "tampered",
    ),
    "kills-its-group": Rogue(
        "connection = move(); os.killpg(0, signal.SIGKILL)", "crashed", "SIGKILL"
    ),
    "floods-the-socket": Rogue(
        "connection = move()\nwhile True: connection.sendall(b'x' * 65536)",
        "malformed",
        "A message must begin with '<'",
    ),
    "says-too-much": Rogue(
        "connection = move(); connection.sendall(b'<void/>' * 10000); sleep()",
        "out-of-turn",
        "Expected only <",
    ),
    "speaks-early": Rogue(
        "c = connect(); c.sendall(f'<signup name=\"{NAME}\"/><void/>'.encode()); c.recv(1)",
        "never-started",
        "It ended with exit code 0.",
    ),
    "speaks-while-it-waits": Rogue(
        "connection = sit(); connection.sendall(b'<void/>'); sleep()", "out-of-turn", "<void/>"
    ),
    "says-what-is-no-word": Rogue(
        "connection = move(); connection.sendall(b'<bye/>'); sleep()", "invalid", "bye"
    ),
    "places-nothing": Rogue(
        "connection = move(); connection.sendall(b'<pbuy><order/></pbuy>'); sleep()",
        "invalid",
        "Expected <pbuy>",
    ),
    "plays-anothers-tile": Rogue(
        """
connection = sit()
hear(connection, b"</state>")
connection.sendall(b"<void/>")
turn = hear(connection, b"</turn>")
tile = turn[turn.rindex(b"<tile"):]
tile = tile[:tile.index(b"/>") + 2]
connection.sendall(b"<pbuy><placement>" + tile + b"</placement><order/></pbuy>")
sleep()
""",
        "illegal",
        "is not in the hand",
    ),
    "prints-escapes": Rogue(
        r"""
os.write(1, b"\x1b[2J\x1b]0;owned\x07\xff\xfe\0 the end\n")
connection = move()
raise SystemExit(3)
""",
        "crashed",
        "It ended with exit code 3.",
    ),
}
"""Those that give themselves away: no clock is needed, so theirs are long."""


def prepare(stage: Stage, rogues: Mapping[str, Rogue]) -> list[Entry]:
    """Write the rogues' programs, and return their entries."""
    (stage.folder / "lost").write_text("#!/no/such/interpreter\n")
    (stage.folder / "noise").write_bytes(b"\x7f\0no program\n")
    for name in ("lost", "noise"):
        (stage.folder / name).chmod(0o755)
    entries = []
    for name, rogue in rogues.items():
        if rogue.command:
            command = [part.replace("{folder}", str(stage.folder)) for part in rogue.command]
            entries.append(stage.launching(name, command))
        else:
            entries.append(stage.launched(name, rogue.source))
    return entries


if __name__ == "__main__":
    main(*sys.argv[1:])
