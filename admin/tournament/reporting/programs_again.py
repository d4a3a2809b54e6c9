"""The programs of a plan, started again as in the tournament, for positions of recorded games."""

import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import trio

from ...launching.building import Builds, PreparedPlayer
from ...launching.launch import Launcher
from ...launching.player_folder import FolderRefused
from ...launching.program import Program
from ...launching.sandbox import Sandbox
from ...refereeing.table.clocks import Clocks
from ...testing.rerun.rerunning import RerunResult, rerun
from ...testing.trial.game_history import GameHistory
from ...testing.trial.launch_source import SandboxSource
from ..arena.player_files import builds_folder, prepare_player, problem_of, sandbox_of
from ..planning.plan import Entrant, Plan


class ProgramsAgain:
    """Prepares and starts programs, within the limits and in the sandbox of the tournament."""

    def __init__(self, plan: Plan, store: Path, launcher: Launcher) -> None:
        self._plan, self._store, self._launcher = plan, store, launcher
        self._builds = Builds(builds_folder(store), launcher, plan.limits)

    @classmethod
    @contextmanager
    def of(cls, plan: Plan, store: Path) -> Iterator["ProgramsAgain"]:
        """Open a folder and a launcher; ``NoSandbox`` if there is none as wanted."""
        chosen = sandbox_of(plan, store)
        sandbox = chosen.sandbox if chosen else Sandbox.NONE
        with (
            tempfile.TemporaryDirectory(prefix="acquire-", ignore_cleanup_errors=True) as folder,
            Launcher(plan.limits, Path(folder), sandbox) as launcher,
        ):
            yield cls(plan, store, launcher)

    async def prepare(self, player: Entrant) -> Program:
        """Copy and build a program; ``FolderRefused`` and ``CannotStore`` if that fails."""
        program = await prepare_player(self._plan, player, self._store, self._builds)
        if isinstance(program, PreparedPlayer):
            raise FolderRefused(problem_of(player.name, program))
        return program

    @asynccontextmanager
    async def source(self, program: Program) -> AsyncIterator[SandboxSource]:
        """Open the source of a program, for as many trials as are wanted."""
        limits, signup = self._plan.limits, self._plan.clocks.signup
        async with trio.open_nursery() as nursery:
            yield SandboxSource(
                *(program, limits, self._launcher, signup, nursery), "limits.{}".format
            )

    async def play(
        self, game: GameHistory, seat: str, turns: Sequence[int], source: SandboxSource
    ) -> RerunResult:
        """Play turns of a game in a seat, by the tournament's clocks; ``PlayerNotConnected``."""
        plan = self._plan
        clocks = Clocks(plan.clocks.reply, plan.turn_clock, plan.game_clock)
        return await rerun(game, seat, turns, source, clocks)
