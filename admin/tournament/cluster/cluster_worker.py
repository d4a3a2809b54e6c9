"""Games on the worker of a cluster: a trio loop in a thread of the worker's process.

Games do not run in Dask's own threads, because supervisors belong to one process and lag is
measured in one loop. Whether a game is still wanted is looked up twice a second, since Dask cannot
interrupt a thread.

The functions at the end are what the coordinator calls, by Dask. Programs run in a sandbox of this
machine and connect to its loopback; the referee here judges how late they are. If the process ends
in any way, the supervisors of the programs stop them. A game ends early if nobody wants its result
any more: the coordinator was stopped, or has lost this worker.
"""

import asyncio
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import trio

from ....protocol.user_error import UserError
from ...launching.building import Builds, PreparedPlayer
from ...launching.launch import Launcher
from ...launching.limits import Limits
from ...launching.player_folder import FolderRefused, digest_of, unpack_folder
from ...launching.program import Program
from ...launching.sandbox import NoSandbox, Sandbox, choose
from ...refereeing.table.lag import Lag
from ...refereeing.table.listeners import raise_descriptor_limit
from ...refereeing.table.reception import Reception
from ...refereeing.table.server_events import to_each
from ..arena.connected_game import GameContext, play_game
from ..arena.player_files import Programs
from ..games.result import FailedGame, FinishedGame
from ..planning.plan import Plan
from ..planning.schedule import Game
from ..run.game_recorder import GameSettings

if TYPE_CHECKING:
    from distributed import Worker

WANTED_INTERVAL = 0.5  # seconds between two looks at whether a game is still wanted
VERSION_COMMANDS = {
    "Java": ("java", "-version"),
    "node": ("node", "--version"),
    "Python": ("python3", "--version"),
}
PAUSE = 2.0  # seconds after a game that was void through the fault of this machine
NO_BWRAP = (
    "Without bubblewrap its programs could reach Dask's ports, and with them the whole cluster. "
    'Install bubblewrap there; or set limits.sandbox to "uid" or "none" if you trust all players.'
)


class GameOrder(NamedTuple):
    """One game to play: everything that a worker needs for it, and nothing else."""

    game: Game
    plan: Plan  # has the players of the game alone, and no seed, since the game has its own
    settings: GameSettings
    folders: Mapping[str, str]  # digests of the players' folders, by name; empty without files
    skipped: frozenset[str] = frozenset()  # players whose programs are not started
    unbuilt: frozenset[str] = frozenset()  # players who lose the game if they cannot be built
    refused: Mapping[str, str] = {}  # players who lose it in any case, with the reason


class CannotBuild(NamedTuple):
    """A player could not be built on this worker, and perhaps can on others."""

    player: str
    failure: str


Answer: TypeAlias = FinishedGame | FailedGame | CannotBuild


class WorkerFacts(NamedTuple):
    """What a worker says about itself."""

    sandbox: str = ""
    why_not: str = ""  # why it cannot play, or empty
    folders: tuple[str, ...] = ()  # digests of the players' folders that it has
    versions: Mapping[str, str] = {}  # of toolchains, if asked for; empty for a missing one


class WorkerHost:
    """Plays games in one process; for all tournaments that it plays games of."""

    def __init__(self, folder: Path) -> None:
        """``folder`` is a new one; the process begins to adopt orphans."""
        self._folder = folder
        self._started = threading.Event()
        self._thread = threading.Thread(target=trio.run, args=(self._serve,), daemon=True)
        self._thread.start()
        self._started.wait()

    def close(self) -> None:
        """End its games and its thread, which otherwise end with the process."""
        self._token.run_sync_soon(self._games.cancel_scope.cancel)
        self._thread.join()

    # -- called in other threads ----------------------------------------------------------------

    def play(self, order: GameOrder, is_wanted: Callable[[], bool]) -> Answer:
        """Play a game; wait for its end, or until it is not wanted any more."""
        answer: Future[Answer] = Future()
        scope = trio.CancelScope()
        self._token.run_sync_soon(
            partial(self._games.start_soon, self._answer, order, answer, scope)
        )
        while not wait([answer], WANTED_INTERVAL).done:
            if not is_wanted():
                self._token.run_sync_soon(scope.cancel)
        return answer.result()

    def receive(self, digest: str, packed: bytes) -> None:
        """Keep the folder of a player; ``FolderRefused`` if it is not the one with this digest."""
        place = self._place(digest)
        if place.exists():
            return
        new = Path(tempfile.mkdtemp(dir=self._folder)) / "new"
        try:
            if unpack_folder(packed, new) != digest:
                raise FolderRefused("A player's folder was damaged on its way.")
            new.rename(place)
        finally:
            shutil.rmtree(new.parent, ignore_errors=True)

    def folders(self) -> tuple[str, ...]:
        """Return the digests of the folders that are here."""
        return tuple(path.name for path in (self._folder / "versions").iterdir())

    def _place(self, digest: str) -> Path:
        return self._folder / "versions" / digest

    # -- in the thread of the loop --------------------------------------------------------------

    async def _serve(self) -> None:
        """Play games for ever; the thread ends with its process."""
        raise_descriptor_limit()
        for name in ("versions", "none"):
            (self._folder / name).mkdir(0o700, parents=True)
        self._lag = Lag()
        self._builds: dict[Limits, Builds] = {}
        self._token = trio.lowlevel.current_trio_token()
        with Launcher(Limits(), self._folder / "players") as self._launcher:
            async with trio.open_nursery() as self._farewells, trio.open_nursery() as self._games:
                self._games.start_soon(self._lag.run)
                self._started.set()

    async def _answer(
        self, order: GameOrder, answer: "Future[Answer]", scope: trio.CancelScope
    ) -> None:
        with scope:
            try:
                answer.set_result(await self._play(order))
            except Exception as error:
                answer.set_exception(error)
        if not answer.done():
            answer.set_exception(RuntimeError("nobody wants the result of this game any more"))

    async def _play(self, order: GameOrder) -> Answer:
        sandbox = sandbox_here(order.plan.limits.sandbox, self._folder)
        launcher = self._launcher.limited(order.plan.limits, sandbox)
        players = await self._prepare(order, launcher)
        if isinstance(players, CannotBuild):
            return players
        context = GameContext(
            plan=order.plan,
            settings=order.settings,
            observer=to_each(),  # the coordinator reports what happens
            lag=self._lag,
            reception=Reception(order.settings.rulebook, order.plan.clocks.signup),
            places={},
            is_skipped=order.skipped.__contains__,
            launcher=launcher,
            players=players,
            farewells=self._farewells,
        )
        played = await play_game(order.game, context)
        if isinstance(played, FailedGame) and played.by_machine:
            await trio.sleep(PAUSE)  # or the game would soon be back
        return played

    async def _prepare(
        self, order: GameOrder, launcher: Launcher
    ) -> dict[str, Program | PreparedPlayer] | CannotBuild:
        """Copy and build the players of a game, one after the other."""
        limits = order.plan.limits
        if limits not in self._builds:
            self._builds[limits] = Builds(self._folder / "builds", launcher, limits)
        players: dict[str, Program | PreparedPlayer] = {
            name: PreparedPlayer(Path(), why) for name, why in order.refused.items()
        }
        programs = Programs(order.plan, self._folder / "none.sqlite")
        for name, digest in order.folders.items():
            if name in order.skipped:
                continue
            player = order.plan.entrant(name)
            source = self._place(digest) if digest else self._folder / "none"
            digest = digest or digest_of()
            recipe = programs.recipe(player)
            prepared = await self._builds[limits].prepare(source, digest, recipe)
            if not prepared.failure:
                players[name] = programs.program(player, prepared.folder)
            elif name in order.unbuilt:
                players[name] = prepared
            else:
                return CannotBuild(name, prepared.failure)
        return players


@cache
def sandbox_here(wanted: str, folder: Path) -> Sandbox:
    """Return the sandbox for programs in a folder; ``NoSandbox`` if there is none as wanted.

    ``auto`` is bubblewrap: nothing else keeps programs away from the ports of the cluster.
    """
    try:
        return choose("bwrap" if wanted == "auto" else wanted, [folder]).sandbox
    except NoSandbox as error:
        if wanted != "auto":
            raise
        raise NoSandbox(f"{error.why} {NO_BWRAP}", error.why) from error


_lock = threading.Lock()
_hosts: dict[str, WorkerHost] = {}


def _host(worker: "Worker") -> WorkerHost:
    """Return the host of a worker of this process; not to be called in its event loop."""
    with _lock:
        folder = worker.local_directory
        if folder not in _hosts:
            own = Path(tempfile.mkdtemp(prefix="acquire-", dir=folder))
            own.chmod(0o755)  # programs may have users of their own
            _hosts[folder] = WorkerHost(own)
        return _hosts[folder]


# -- called by the coordinator ------------------------------------------------------------------


async def introduce(sandbox: str, versions: bool, dask_worker: "Worker") -> WorkerFacts:
    """Return what the worker offers, for programs that want a kind of sandbox; none if empty.

    Asking for ``versions`` starts the toolchains.
    """
    if not sandbox:
        return WorkerFacts()
    folder = Path(dask_worker.local_directory)
    try:
        found = await asyncio.to_thread(sandbox_here, sandbox, folder)
    except UserError as error:
        return WorkerFacts(why_not=str(error))
    host = _hosts.get(dask_worker.local_directory)
    toolchains = await asyncio.to_thread(_toolchains) if versions else {}
    return WorkerFacts(found.value, "", host.folders() if host else (), toolchains)


def _toolchains() -> dict[str, str]:
    """Return the version of every toolchain that programs usually need; empty if there is none."""
    found = dict.fromkeys(VERSION_COMMANDS, "")
    options: dict[str, Any] = {"capture_output": True, "text": True, "errors": "replace"}
    for name, command in VERSION_COMMANDS.items():
        with suppress(OSError, subprocess.SubprocessError):
            done = subprocess.run(command, timeout=10, check=True, **options)
            if version := re.search(r"\d+(\.\d+)*", done.stdout + done.stderr):
                found[name] = version[0]
    return found


async def receive(digest: str, packed: bytes, dask_worker: "Worker") -> None:
    """Keep the folder of a player, until the worker ends."""
    await asyncio.to_thread(lambda: _host(dask_worker).receive(digest, packed))


def play(order: GameOrder) -> Answer:
    """Play a game, in a thread of the worker's."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        running = task is not None and task.state in ("executing", "long-running")
        return running and worker.status.name == "running"

    return _host(worker).play(order, is_wanted)
