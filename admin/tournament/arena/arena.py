"""Play games between players that connect: many at once, in this process.

A game in which the machine or the referee itself has failed is void, and played again; the others
go on.
"""

from collections import deque
from collections.abc import Callable, Sequence

import trio

from ...launching.building import PreparedPlayer
from ...refereeing.table.lag import Lag
from ...refereeing.table.listeners import raise_descriptor_limit, tls_context
from ...refereeing.table.reception import Reception
from ...refereeing.table.server_events import Listening
from ..games.result import FailedGame
from ..planning.schedule import Game
from ..run.run_events import Notice, Trouble
from ..run.tournament_files import INTERVAL
from ..run.tournament_run import TournamentRun, skipped_in_words
from .connected_game import GameContext, play_game
from .player_files import Programs
from .waiting_room import WaitingRoom

FIRST_PAUSE, LAST_PAUSE = 0.5, 8.0
"""Seconds before a game is played again that was void through the machine's fault: they double."""


class Arena:
    """Plays the games of a tournament; ``run`` may be called once."""

    def __init__(
        self, tournament: TournamentRun, workers: int, is_over: Callable[[], bool] = lambda: False
    ) -> None:
        """Play ``workers`` games at once, and begin none once ``is_over``, which a thread calls."""
        self._tournament, self._workers, self._is_over = tournament, workers, is_over
        self._leaving = False
        self._observer, plan = tournament.observer, tournament.plan
        self._reception = Reception(tournament.settings.rulebook, plan.clocks.signup)
        secrets = {player.name: player.remote.secret for player in plan.players if player.remote}
        self._room = WaitingRoom(self._reception, secrets, plan.lobby.wait, self._observer)
        self._pauses: dict[str, float] = {}
        """The next pause of games that were void through the machine's fault, by their ids."""
        self._busy: set[str] = set()  # remote players that are at a table
        self._changed = trio.Event()

    async def run(self) -> None:
        """Play all games that are left.

        ``CannotListen`` if players could not connect, ``NoSandbox`` if there is none as wanted.

        Cancelling ends every game at once: the players are notified, and the games are not stored.
        """
        plan, missed = self._tournament.plan, self._tournament.missed
        lobby = plan.lobby
        raise_descriptor_limit()
        tls = None
        if lobby.certificate is not None and lobby.key is not None:
            tls = tls_context(str(plan.folder / lobby.certificate), str(plan.folder / lobby.key))
        if self._room.places:
            self._observer(Listening(self._room.listen(lobby.host, lobby.port)))
        programs, lag = Programs(plan, self._tournament.store_path), Lag()
        if (chosen := programs.sandbox()) is not None:
            self._observer(chosen)
        with programs.launcher(chosen) as (launcher, builds):
            started = min(plan.tournament.seats, len(plan.programs))
            room = launcher.at_once(self._workers, started)
            if room < self._workers:
                few = f"Games at once: {room}, as this user may have few processes (ulimit -u)."
                self._observer(Notice("preparing", few))
                self._workers = room
            players = await programs.prepare_all(builds, self._workers)
            for name, failed in players.items():
                if isinstance(failed, PreparedPlayer):
                    why = f"{name} could not be built, and loses its games. {failed.failure}"
                    if failed.output:
                        why += f" What it printed is in {failed.folder.with_name('output')}."
                    self._observer(Trouble(why))
            async with trio.open_nursery() as farewells, trio.open_nursery() as background:
                background.start_soon(lag.run)
                background.start_soon(self._room.run, farewells, tls)
                context = GameContext(
                    plan=plan,
                    settings=self._tournament.settings,
                    observer=self._observer,
                    lag=lag,
                    reception=self._reception,
                    places=self._room.places,
                    is_skipped=missed.is_skipped,
                    launcher=launcher,
                    players=players,
                    farewells=farewells,
                )
                for name in missed.skipped:
                    self._observer(Trouble(skipped_in_words(name)))
                background.start_soon(self._look_when_to_leave)
                for games in self._tournament.stages():
                    await self._play_all(games, context)
                    if self._leaving:
                        break
                self._room.dismiss_all(farewells)
                background.cancel_scope.cancel()

    async def _look_when_to_leave(self) -> None:
        while not await trio.to_thread.run_sync(self._is_over):
            await trio.sleep(INTERVAL)
        self._leaving = True
        self._changed.set()

    async def _play_all(self, games: Sequence[Game], context: GameContext) -> None:
        waiting = deque(games)
        running = 0

        async def play(game: Game) -> None:
            nonlocal running
            try:
                waiting.extendleft(await self._play(self._tournament.start(game), context))
            finally:
                running -= 1
                self._busy.difference_update(game.players)
                self._changed.set()

        async with trio.open_nursery() as playing:
            while running or (waiting and not self._leaving):
                self._changed = trio.Event()
                while running < self._workers and (game := self._next(waiting)) is not None:
                    running += 1
                    self._busy.update(self._room.places.keys() & set(game.players))
                    playing.start_soon(play, game)
                await self._changed.wait()

    def _next(self, waiting: deque[Game]) -> Game | None:
        """Take the next game whose remote players are not at a table; none while leaving."""
        if self._leaving:
            return None
        for game in waiting:
            if self._busy.isdisjoint(game.players):
                waiting.remove(game)
                return game
        return None

    async def _play(self, game: Game, context: GameContext) -> list[Game]:
        """Play a game and hand it in; return it if it is to be played again."""
        played = await play_game(game, context)
        again = self._tournament.hand_in([game], [played])
        if again and isinstance(played, FailedGame) and played.by_machine:
            # it has no use to burn all attempts in a second
            pause = self._pauses.get(game.id, FIRST_PAUSE)
            self._pauses[game.id] = min(2 * pause, LAST_PAUSE)
            await trio.sleep(pause)
        return again
