"""The shortest match for each kind of loss: the fewest turns in which a program still fails so.

The losses are played again as by `acquire shrink`, with the programs started as in the tournament.
The logs are a part of the report, and their pages follow from them.
"""

import gzip
import shlex
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

import trio

from ...launching.program import Program, as_typed
from ...launching.sandbox import Sandbox
from ...pages.html.html_page import template
from ...pages.html.replay_page import page_beside_others
from ...refereeing.log.reader import UnreadableLog, read_bytes
from ...testing.trial.game_history import DivergentLog, GameHistory
from ...testing.trial.launch_source import LaunchSource
from ...testing.trial.player_source import MachineFailed, PlayerNotConnected
from ...testing.trial.rerunning import Failure, RerunResult, Shrinker, rerun
from ..arena.player_files import Programs
from ..games.result import PlayerVerdict
from ..planning.facts import TournamentFacts
from ..planning.plan import Entrant, Plan
from ..store.store import Store
from .game_story import Cause, Loss, case_command, replay
from .report_content import ReportContent
from .result_pages import PACKAGE


class MinimalMatch(NamedTuple):
    """A loss, cut: its cause, the turns that are left, the log, and how the program is started."""

    loss: Loss
    cause: Cause
    turns: int
    log: bytes
    program: Program
    facts: TournamentFacts  # of the tournament, by whose clocks it was played
    sandbox: Sandbox  # in which it was played

    def command(self, folder: Path) -> str:
        """Return what plays it again, from any folder; ``folder`` is that of the report."""
        words = [f"{name}={value}" for name, value in self.program.environment.items()]
        log = shlex.quote(str(folder.absolute() / self.loss.minimal))
        start = as_typed([*(("env", *words) if words else ()), *self.program.command])
        case = case_command(self.facts, log, start, self.sandbox)
        return f"cd {shlex.quote(str(self.program.directory))} && {case}"


class LossCutter:
    """The first loss of each cause whose program is still that of the plan, to be cut."""

    def __init__(self, content: ReportContent, plan: Plan, store: Store) -> None:
        self._plan, self._store, self._facts = plan, store, content.facts
        self._programs = Programs(plan, store.path)
        players = {player.name: player for player in plan.programs}
        versions = {entry.name: entry.version for entry in content.entries.current}
        self._wanted = [
            (players[name], cause)
            for name, games in content.player_games.items()
            if name in players and players[name].version == versions.get(name)
            for cause in games.by_number()
            if cause.losses[0].seat.turn is not None
        ]
        # those that need a clock to run down come last
        self._wanted.sort(key=lambda each: each[1].verdict is PlayerVerdict.TIMED_OUT)
        self.found: list[MinimalMatch] = []

    async def cut(self, seconds: float, at_once: int, on_done: Callable[[int, int], None]) -> None:
        """Cut as many as there is time for, some at once; ``on_done`` is sent how many are done.

        ``NoSandbox`` if there is none as wanted, ``UserError`` if copies cannot be written.
        """
        done = 0

        def count(*_: object) -> None:
            nonlocal done
            done += 1
            on_done(done, len(self._wanted))

        async def cut(cause: Cause, player: Entrant, source: LaunchSource) -> None:
            with suppress(DivergentLog, UnreadableLog, PlayerNotConnected, MachineFailed):
                await self._cut(player, cause, source)
            count()

        if self._wanted:
            plays = [(player, partial(cut, cause)) for player, cause in self._wanted]
            with trio.move_on_after(seconds):
                await self._programs.launch_each(plays, at_once, failed=count)
        self.found.sort(key=lambda each: (each.loss.seat.player, -len(each.cause.losses)))

    async def _cut(self, player: Entrant, cause: Cause, source: LaunchSource) -> None:
        loss, clocks = cause.losses[0], self._plan.table_clocks
        history = GameHistory(read_bytes(Path(loss.game), self._store.log(loss.game)))

        async def play(turns: Sequence[int]) -> RerunResult:
            return await rerun(history, player.name, turns, source, clocks)

        whole = await play(history.turns_of(player.name))
        if Failure.in_trial(whole.trial) != whole.recorded_failure:
            return  # it does not fail again, or not so
        shrinker = Shrinker(play, lambda trial, turns: None, whole)
        try:
            await shrinker.shrink()
        finally:  # also if the time is over: then it is the shortest so far
            best = shrinker.best
            log = gzip.compress(best.trial.log, mtime=0)
            how = source.program, self._facts, source.launcher.sandbox
            self.found.append(MinimalMatch(loss, cause, len(best.turns), log, *how))


def minimal_page(content: ReportContent, path: str, log: bytes) -> bytes:
    """Return the page of a match, which follows from its log; nothing if that does not hold."""
    replayed = replay(path, log, seeded=False)
    falls = [] if replayed is None else list(replayed.story.falls.values())
    game, _, seat = Path(path).name.removesuffix(".xml.gz").rpartition("-seat")
    players = next((each.players for each in content.results if each.game == game), [])
    if replayed is None or not replayed.holds or not falls or int(seat) > len(players):
        return b""
    player, fall = players[int(seat) - 1], falls[0]  # in the log it may have another name
    turns = max(frame["turn"] for frame in replayed.frames)
    fields = {
        **{"tournament": content.facts.name, "player": player, "turns": turns, "fall": fall},
        "page": content.player_paths.get(player, "").rpartition("/")[2],
        "game": game,
        "command": case_command(content.facts, path),
    }
    module = template(PACKAGE, "minimal.jinja").make_module(fields)
    parts = (getattr(module, name)() for name in ("above", "between", "below"))
    header, frames, notice = replayed.header, replayed.frames, replayed.notice
    page = page_beside_others(header, frames, notice, fall.step, {}, *parts)
    return page.encode(errors="replace")
