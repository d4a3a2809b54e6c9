"""Real tournaments for tests: a folder with a file and programs, and the process that plays it.

Every process of such a tournament has the tournament's folder in its command line or environment,
whatever its group, session and parents are by now: `living` finds it by that.
"""

from __future__ import annotations

import json
import os
import random
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeVar
from urllib.request import urlopen

from child_processes import command_of, importing
from command_line import ACQUIRE, succeed
from lobby_updates import lobbies

from acquire.admin.launching.processes import children
from acquire.admin.refereeing.table.run import run_until_stopped
from acquire.admin.refereeing.view.plain_text import JsonPrinter
from acquire.admin.tournament.arena.arena import Arena
from acquire.admin.tournament.games.result import (
    Alarm,
    FailedGame,
    FinishedGame,
    GameResult,
    PlayerVerdict,
    SeatResult,
)
from acquire.admin.tournament.planning.plan import Plan
from acquire.admin.tournament.planning.plan_file import read_plan
from acquire.admin.tournament.planning.schedule import Game
from acquire.admin.tournament.run import run_events
from acquire.admin.tournament.run.run_events import RunEvent, event_fields
from acquire.admin.tournament.run.tournament_run import TournamentRun
from acquire.admin.tournament.store.store import Store

TIMEOUT = 240.0
"""Seconds after which a test gives up, even on a busy machine."""
CLOCKS = {"signup": 60.0, "reply": 60.0, "turn": 90.0}
"""Nobody is late, even on a busy machine."""
STARTER = Path(__file__).parents[1] / "player" / "starters" / "python" / "player.py"
PYTHON = [sys.executable, "-I", "-S"]
"""A Python that starts quickly."""
PLAY = [*PYTHON, "player.py", "{host}", "{port}", "{name}"]
"""Runs the starter."""
T = TypeVar("T")
QUICK = "base = 'classic'\nid = 'quick'\nsafe_size = 5\nfinal_size = 5\n"
"""A rulebook file whose games need few turns, but never one or two, whatever the bag."""
SHORT = QUICK.replace("classic", "revised").replace("quick", "short").replace("5", "4")
"""The same for programs that know no rulebook but the five, such as the starters."""

PRELUDE = """
from _socket import socket as Socket  # which is there at once, and has no other methods
NAME, FOLDER = os.environ["ACQUIRE_NAME"], os.environ["FOLDER"]

def connect():
    connection = Socket()
    connection.connect((os.environ["ACQUIRE_HOST"], int(os.environ["ACQUIRE_PORT"])))
    return connection

received = b""  # from the referee, and not read yet

def read(connection, end):
    global received
    while end not in received:
        data = connection.recv(65536)
        if not data:
            sys.exit("the connection was closed")
        received += data
    document, end, received = received.partition(end)
    return document + end

def sign_up(name=NAME, connection=None):
    connection = connection or connect()
    connection.sendall(f'<signup name="{name}"/>'.encode())
    read(connection, b"/>")
    return connection

def first_turn():
    connection = sign_up()
    read(connection, b"</state>")
    connection.sendall(b"<void/>")
    read(connection, b"</turn>")
    return connection

def sleep():
    while True:
        time.sleep(1000)

def note(line):
    with open(FOLDER + "/notes", "a") as file:
        file.write(line + "\\n")
"""
"""What every small program begins with; ``first_turn`` plays until it has to move."""


def small_program(source: str) -> str:
    """Return a program that begins with PRELUDE."""
    return importing(PRELUDE + source)


class PlayerEntry(NamedTuple):
    """A ``[[players]]`` table: a name and its other settings."""

    name: str
    settings: Mapping[str, object]


def toml(value: object) -> str:
    """Write a value as TOML."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def built_in_toml(**strategies: str) -> str:
    """Return built-in players as TOML, each by its name with its strategy."""
    return "".join(
        f'[[players]]\nname = "{name}"\nstrategy = "{strategy}"\n'
        for name, strategy in strategies.items()
    )


def built_in(*strategies: str) -> list[PlayerEntry]:
    """Return built-in players, each called like its strategy."""
    return [PlayerEntry(name, {"strategy": name}) for name in strategies]


def remote(name: str, secret: str) -> PlayerEntry:
    """Return a remote player."""
    return PlayerEntry(name, {"remote": {"secret": secret}})


class TournamentFolder:
    """A folder with a tournament file, its programs, and a place for temporary files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "cup.toml"
        self.store = folder / "cup.sqlite"
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        (folder / "quick.toml").write_text(QUICK)
        (folder / "short.toml").write_text(SHORT)

    def program(self, name: str, source: str) -> PlayerEntry:
        """Write a small Python program, and return a player that runs it."""
        file = self.folder / f"{name}.py"
        file.write_text(small_program(source))
        return self.command(name, [*PYTHON, str(file)])

    def starter(self, name: str, **settings: object) -> PlayerEntry:
        """Return a player with a copy of the starter in a folder of its own."""
        (self.folder / name).mkdir()
        shutil.copy(STARTER, self.folder / name)
        return PlayerEntry(name, {"command": PLAY, "directory": name, **settings})

    def command(self, name: str, command: Sequence[str]) -> PlayerEntry:
        """Return a player that runs a command."""
        settings = {"command": list(command), "environment": {"FOLDER": str(self.folder)}}
        return PlayerEntry(name, settings)

    def write(self, players: Sequence[PlayerEntry], **sections: Mapping[str, object]) -> None:
        """Write the tournament file.

        Unless it says otherwise, games are short, there is no sandbox, and nobody is late.
        """
        usual: dict[str, Mapping[str, object]] = {
            "tournament": {"rulebook": "short.toml"},
            "limits": {"sandbox": "none"},
            "clocks": CLOCKS,
        }
        sections |= {name: {**each, **sections.get(name, {})} for name, each in usual.items()}
        tables = [(f"[{name}]", settings) for name, settings in sections.items()]
        tables += [("[[players]]", {"name": name, **settings}) for name, settings in players]
        lines = (
            [head, *(f"{key} = {toml(value)}" for key, value in settings.items())]
            for head, settings in tables
        )
        self.file.write_text("\n\n".join("\n".join(table) for table in lines))

    def write_beside(
        self, player: PlayerEntry, general: Mapping[str, object] = {}, **sections: Any
    ) -> None:
        """Write the tournament file for a player and two built-in ones, at tables of three."""
        players = [player, *built_in("ordered", "random")]
        self.write(players, tournament={"seats": 3, **general}, **sections)

    # -- running it -----------------------------------------------------------------------------

    def play(self, *options: str, code: int = 0) -> list[dict[str, Any]]:
        """Play the tournament to its end in this process, a game at a time; return the events.

        It takes a second less than ``run``, which is for tests of the process.
        """
        words = ("tournament", "run", self.file, "--json", "--workers", "1", *options)
        return [json.loads(line) for line in succeed(*words, code=code).stdout.splitlines()]

    def run(self, *options: str, environment: Mapping[str, str] | None = None) -> TournamentProcess:
        """Start ``acquire tournament run``: with one worker, unless the options say otherwise.

        Every stage would start another process for each worker, which takes half a second.
        """
        usual = ["--json", "--workers", "1"]
        command = [ACQUIRE, "tournament", "run", str(self.file), *usual, *options]
        return self.start(command, environment)

    def start(
        self, command: Sequence[str], environment: Mapping[str, str] | None = None
    ) -> TournamentProcess:
        """Start a command that plays the tournament and prints JSON lines."""
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
        return TournamentProcess(process, self.folder)

    def run_script(self, script: str, workers: int) -> TournamentProcess:
        """Start a script that ends with ``play_as_script``."""
        files = [str(self.file), str(self.store)]
        return self.start([sys.executable, script, *files, str(workers)])

    # -- the outcome ----------------------------------------------------------------------------

    def results(self) -> dict[str, GameResult]:
        """Return the games that count, by id."""
        with Store.open_to_read(self.store) as store:
            return {result.game: result for _, result in store.results()}

    def all_results(self) -> dict[str, GameResult]:
        """Return all games by id, also those that are not of the schedule."""
        with Store.open_to_read(self.store) as store:
            return {result.game: result for _, result in store.all_results()}

    def voids(self) -> list[FailedGame]:
        """Return the void games."""
        with Store.open_to_read(self.store) as store:
            return store.voids()

    def outputs(self, game: str) -> dict[str, bytes]:
        """Return what the losers of a game printed."""
        with Store.open_to_read(self.store) as store:
            return store.outputs(game)

    def alarms(self, game: str) -> list[Alarm]:
        """Return the alarms of a game that counts."""
        with Store.open_to_read(self.store) as store:
            return [Alarm(alarm.player, alarm.what) for alarm in store.alarms(game)]

    def notes(self) -> list[str]:
        """Return what the programs have noted."""
        file = self.folder / "notes"
        return file.read_text().splitlines() if file.exists() else []

    def living(self) -> dict[int, str]:
        """Return the command lines of the tournament's processes, by process id."""
        return living(self.folder)

    def temporary_files(self) -> list[Path]:
        """Return the temporary files and folders that are left."""
        return sorted(self.temporary.iterdir())


def seat_of(result: GameResult, name: str) -> SeatResult:
    """Return one player's result in a game."""
    return next(seat for seat in result.seats if seat.player == name)


class TournamentProcess:
    """A tournament's process; when the context is left, no process of the tournament is alive."""

    def __init__(self, process: subprocess.Popen[bytes], folder: Path) -> None:
        self.process = process
        self._folder = folder
        self._unread = b""
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> TournamentProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self._output.close()
        while survivors := living(self._folder):  # there are some if the test has failed
            for process in survivors:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)

    @property
    def _output(self) -> IO[bytes]:
        assert self.process.stdout is not None
        return self.process.stdout

    @property
    def errors(self) -> str:
        """Return what was printed to standard error."""
        return (self._folder / "errors").read_text()

    def _read(self) -> Iterator[dict[str, Any]]:
        """Yield new events until standard output ends."""
        deadline = time.monotonic() + TIMEOUT
        while True:
            while b"\n" in self._unread:
                line, _, self._unread = self._unread.partition(b"\n")
                self.events.append(json.loads(line))
                yield self.events[-1]
            left = deadline - time.monotonic()
            if not select.select([self._output], [], [], max(left, 0))[0]:
                raise AssertionError(f"no event after {self.events[-3:]}")
            data = os.read(self._output.fileno(), 65536)
            if not data:
                return
            self._unread += data

    def until(self, event: str, **fields: object) -> dict[str, Any]:
        """Read events up to one that is of this kind and has these fields; return it."""
        for found in self._read():
            if found["event"] == event and fields.items() <= found.items():
                return found
        raise AssertionError(f"ended without {event} {fields}: {self.errors}")

    @property
    def port(self) -> int:
        """Return where players connect; known after the event ``listening``."""
        (event,) = self.of_kind("listening")
        return port_of(event["addresses"])

    def end(self, number: signal.Signals | None = None) -> int:
        """Send a signal if one is given, wait for the end, and return the exit code."""
        if number is not None:
            self.process.send_signal(number)
        for _ in self._read():
            pass
        return self.process.wait(TIMEOUT)

    def of_kind(self, event: str) -> list[dict[str, Any]]:
        """Return the events of a kind that were read so far."""
        return of_kind(event, self.events)


def of_kind(event: str, events: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the events of a kind."""
    return [found for found in events if found["event"] == event]


# -- in the test's own process ------------------------------------------------------------------


class RecordingObserver:
    """Records what happens, and does something once, after some games."""

    def __init__(self, act: Callable[[], object] = lambda: None, after: int = 1) -> None:
        self.events: list[RunEvent] = []
        self._act, self._after = act, after

    def __call__(self, event: RunEvent) -> None:
        self.events.append(event)
        if isinstance(event, run_events.GameFinished) and len(self.results) == self._after:
            self._act()

    def of(self, kind: type[T]) -> list[T]:
        """Return the events of a kind."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def results(self) -> list[GameResult]:
        """The results of the games that were finished."""
        return [event.result for event in self.of(run_events.GameFinished)]

    @property
    def problems(self) -> list[str]:
        """What went wrong, in sentences."""
        return [event.sentence for event in self.of(run_events.Trouble)]


async def play_here(
    folder: TournamentFolder, observer: run_events.RunObserver, workers: int = 1
) -> None:
    """Play the games that are left in this process."""
    with Store.open_to_write(folder.store) as store:
        tournament = TournamentRun(read_plan(folder.file), store, observer)
        observer(run_events.RunStarted(tournament.progress, []))
        await Arena(tournament, workers).run()


def play_as_script(kind: type[TournamentRun], file: str, store: str, workers: str) -> None:
    """Play the games of a kind of run in the arena, and print events as JSON lines."""
    lines = JsonPrinter(lambda: None)

    def observe(event: RunEvent) -> None:
        lines.print(event_fields(event))

    with Store.open_to_write(Path(store)) as opened:
        run_until_stopped(Arena(kind(read_plan(Path(file)), opened, observe), int(workers)).run)


class Workspace:
    """A folder with a plan and a store, for several runs in which no game is really played."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "cup.toml"
        self.path = folder / "cup.sqlite"
        self.observer = RecordingObserver()

    def run(self, store: Store, text: str) -> TournamentRun:
        """Write a plan, and return its run."""
        self.file.write_text(text)
        return TournamentRun(read_plan(self.file), store, self.observer)

    @contextmanager
    def running(self, text: str) -> Iterator[TournamentRun]:
        """Open the store for a run of a plan."""
        with Store.open_to_write(self.path) as store:
            yield self.run(store, text)

    def play(self, text: str, limit: int = 10_000) -> list[Game]:
        """Finish all games that are left of a plan, or the first ones, and return them."""
        with self.running(text) as run:
            return finish(run, limit)


def finish(run: TournamentRun, limit: int = 10_000) -> list[Game]:
    """Finish all games of a run, or the first ones, and return them."""
    played: list[Game] = []
    for games in run.stages():
        started = [run.start(game) for game in games[: limit - len(played)]]
        run.finish([finished(game, run.plan) for game in started])
        played += started
        if len(played) == limit:
            break
    return played


def finished(game: Game, plan: Plan | None = None) -> FinishedGame:
    """Return a finished game in which the players are ranked by name."""
    order = sorted(game.players)
    seats = tuple(
        SeatResult(name, PlayerVerdict.FINISHED, 1 + order.index(name), 1000 * place)
        for place, name in enumerate(game.players)
    )
    if plan is not None:
        seats = tuple(each._replace(version=plan.entrant(each.player).version) for each in seats)
    result = GameResult(game.id, game.block, game.seed, "large-hotel", 40, None, seats)
    return FinishedGame(result, b"log", {game.players[0]: b"printed"})


# -- what is left of a tournament ---------------------------------------------------------------


def living(folder: Path) -> dict[int, str]:
    """Return the command lines of a tournament's processes, by process id.

    A process that has ended and was not waited for yet does not count.
    """
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                command = (entry / "cmdline").read_bytes().split(b"\0")
                environment = (entry / "environ").read_bytes()
            except OSError:  # it has just ended
                continue
            if _is_marked(os.fsencode(folder), command, environment):
                found[int(entry.name)] = b" ".join(command).decode(errors="replace")
    return found


def _is_marked(mark: bytes, command: Sequence[bytes], environment: bytes) -> bool:
    """Whether a process is the tournament's, and not an editor that has a file of it open."""
    python = command[0] == os.fsencode(sys.executable)
    return (
        command[0] == mark or b"=" + mark in environment or (python and mark in b" ".join(command))
    )


def port_of(addresses: Sequence[str]) -> int:
    """Return the port of some addresses."""
    return int(addresses[0].rpartition(":")[2])


def is_refused(port: int) -> bool:
    """Whether nothing listens at a port.

    The kernel may have given it to a server of another test meanwhile, so wait for that one too.
    """

    def refuses() -> bool:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", port)) != 0

    return eventually(refuses)


def free_port() -> int:
    """Return a free port below those that the kernel assigns by itself.

    So no other process is assigned it before somebody listens there.
    """
    while True:
        with socket.socket() as server, suppress(OSError):  # it is taken: try another
            server.bind(("127.0.0.1", random.randrange(20_000, 32_000)))
            return int(server.getsockname()[1])


def eventually(look: Callable[[], T]) -> T:
    """Call a function until its result is true; return that, or the last one at the time-out."""
    deadline = time.monotonic() + TIMEOUT
    while not (found := look()) and time.monotonic() < deadline:
        time.sleep(0.01)
    return found


def children_of(parent: int, word: str) -> list[int]:
    """Return the child processes that have a word in their command."""
    return [child for child in children(parent) if word.encode() in command_of(child)]


def workers_of(parent: int) -> list[int]:
    """Return the processes of the pools of a process."""
    return children_of(parent, "spawn_main")


# -- its pages -----------------------------------------------------------------------------------


def lobbies_of(site: str) -> Iterator[dict[str, Any]]:
    """Yield the lobby whenever it has changed."""
    return lobbies(stream(f"{site}events"))


def stream(url: str) -> Iterator[dict[str, Any]]:
    """Yield the messages of an event stream."""
    with urlopen(url, timeout=TIMEOUT) as answer:
        for line in answer:
            if line.startswith(b"data: "):
                yield json.loads(line[6:])
