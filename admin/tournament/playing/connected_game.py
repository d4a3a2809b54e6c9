"""One game between players that connect: started, waited for, refereed, judged.

game --> start programs --sign up--> waiting room --seats--> table, referee --events--> recorder
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import trio

from admin.launching.launch import EXIT_GRACE, Launcher, PlayerProcess
from admin.launching.program import PlaceholderValues, Program
from admin.match import events
from admin.match.outcome import Outcome
from admin.match.referee import Referee
from admin.table.lag import Lag
from admin.table.seat import EmptySeat, Seat
from admin.table.table import Table
from admin.table.timeouts import Clocks
from admin.tournament.planning.plan import Entrant, Plan
from admin.tournament.planning.schedule import Game
from admin.tournament.playing.built_in import BuiltInSeat, seat_built_in_players
from admin.tournament.playing.game_recorder import GameRecorder
from admin.tournament.playing.game_settings import GameSettings
from admin.tournament.playing.observer import Observer
from admin.tournament.playing.remote_players import RemotePlayers
from admin.tournament.playing.reservation import Reservation, new_token
from admin.tournament.playing.waiting_room import WaitingRoom
from admin.tournament.results.result import FailedGame, FinishedGame
from admin.tournament.results.verdict import PlayerVerdict
from protocol.faults import Fault, Reason
from protocol.writing import Writer

REPORT_AFTER = 3.0
"""Seconds that a game waits for a remote player before this is reported."""


@dataclass(frozen=True, slots=True)
class GameContext:
    """What the games of an arena share; programs connect to ``address``."""

    plan: Plan
    settings: GameSettings
    observer: Observer
    writer: Writer
    clocks: Clocks
    lag: Lag
    room: WaitingRoom
    remote: RemotePlayers
    launcher: Launcher
    address: tuple[str, int]
    farewells: trio.Nursery
    """For last messages to players, which no game waits for."""


class ConnectedGame:
    """One attempt at a game; ``play`` may be called once."""

    def __init__(self, game: Game, context: GameContext) -> None:
        self._game = game
        self._context = context
        self._processes: dict[str, PlayerProcess] = {}
        self._places: dict[str, Reservation] = {}
        self._absent: set[str] = set()

    async def play(self) -> FinishedGame | FailedGame:
        """Play the game; no process and no reservation of it is left."""
        context = self._context
        async with trio.open_nursery() as nursery:
            try:
                for name in self._game.players:
                    player = context.plan.entrant(name)
                    if player.remote:
                        self._places[name] = context.remote.places[name]
                    elif player.command:
                        await self._launch(player, player.command, nursery)
                await self._wait_for_players()
                return await self._referee()
            finally:
                with trio.move_on_after(EXIT_GRACE) as grace:
                    grace.shield = True  # players were sent the reason, and may exit by themselves
                    await self._all_ended()
                for process in self._processes.values():
                    process.release()
                for name, place in self._places.items():
                    if name not in context.remote.places:
                        context.room.cancel(place)

    async def _launch(
        self, player: Entrant, command: tuple[str, ...], nursery: trio.Nursery
    ) -> None:
        """Start a program, and reserve its place."""
        token = new_token()
        self._places[player.name] = self._context.room.reserve(player.name, token)
        directory = self._context.plan.folder / (player.directory or "")
        program = Program(command, directory, player.environment)
        values = PlaceholderValues(*self._context.address, f"{player.name}:{token}", token)
        process = await self._context.launcher.launch(program, values, nursery)
        self._processes[player.name] = process

    # -- waiting for players --------------------------------------------------------------------

    async def _wait_for_players(self) -> None:
        """Wait until all players have signed up, or their time is over."""
        async with trio.open_nursery() as nursery:
            for name, place in self._places.items():
                if place.lasting:
                    nursery.start_soon(self._wait_for_remote, name, place)
                else:
                    nursery.start_soon(self._wait_for_program, name, place)

    async def _wait_for_remote(self, name: str, place: Reservation) -> None:
        remote = self._context.remote
        with trio.move_on_after(remote.timeout(name)):
            with trio.move_on_after(REPORT_AFTER):
                await place.wait()
            if not place.occupied:
                remote.report_waiting(name)
            await place.wait()

    async def _wait_for_program(self, name: str, place: Reservation) -> None:
        with trio.move_on_after(self._context.plan.clocks.signup):
            async with trio.open_nursery() as either:

                async def until_it_ends() -> None:
                    await self._processes[name].ended.wait()
                    either.cancel_scope.cancel()

                either.start_soon(until_it_ends)
                await place.wait()
                either.cancel_scope.cancel()

    # -- playing --------------------------------------------------------------------------------

    async def _referee(self) -> FinishedGame | FailedGame:
        """Play the game with the players that are there; only now is its log begun."""
        context, game = self._context, self._game
        settings = context.settings
        recorder = GameRecorder(
            game,
            settings.rulebook,
            dict(settings.strategies),
            duplicate=settings.duplicate,
            written=partial(context.observer.log_written, game),
        )
        built_in = seat_built_in_players(settings, game)
        seats = {name: built_in.get(name) or self._seat(name) for name in game.players}
        table = Table(seats, context.writer, context.clocks, context.lag, context.farewells)

        def emit(event: events.Event) -> None:
            recorder.emit(event)
            table.handle(event)

        dealer = recorder.dealer
        referee = Referee(settings.rulebook, game.players, dealer.bag, dealer.shuffle, emit)
        outcome = await table.play(referee.play())
        with trio.move_on_after(EXIT_GRACE):
            await self._all_ended()
        for process in self._processes.values():
            process.stop()
        await self._all_ended()
        if why := _reason_for_void(table.doubtful_timeouts, recorder.ejections):
            return FailedGame(game.id, why, log=recorder.close())
        return self._finished(outcome, recorder, built_in)

    def _seat(self, name: str) -> Seat:
        """Seat a player that connects, or none if it is absent."""
        seat = self._places[name].take()
        if self._places[name].lasting:
            self._context.remote.count(name, present=seat is not None)
        if seat is None:
            self._absent.add(name)
            return EmptySeat(name, Fault(Reason.DISCONNECTED, "It did not sign up in time."))
        return seat

    async def _all_ended(self) -> None:
        for process in self._processes.values():
            await process.ended.wait()

    # -- judging --------------------------------------------------------------------------------

    def _finished(
        self, outcome: Outcome, recorder: GameRecorder, built_in: Mapping[str, BuiltInSeat]
    ) -> FinishedGame:
        """Return a game that counts."""
        ejections = recorder.ejections
        verdicts = {
            name: (PlayerVerdict.CRASHED, seat.error)
            for name, seat in built_in.items()
            if seat.error and name in ejections
        }
        for name in self._places:
            if (verdict := self._verdict(name, ejections.get(name))) is not None:
                verdicts[name] = verdict
        processor = {
            name: process.exit.processor
            for name, process in self._processes.items()
            if process.exit
        }
        result = recorder.result(outcome, verdicts, processor)
        lost = {seat.player for seat in result.seats if seat.verdict is not PlayerVerdict.FINISHED}
        outputs = {name: self._processes[name].output() for name in lost & self._processes.keys()}
        return FinishedGame(result, recorder.close(), outputs)

    def _verdict(
        self, name: str, ejection: events.Ejected | None
    ) -> tuple[PlayerVerdict, str] | None:
        """Return a verdict, with a sentence, that the events of the game do not show."""
        process = self._processes.get(name)
        ended, description = process.exit if process else None, ""
        if ended:  # limits have the names that they have in the tournament file
            description = ended.describe(self._context.plan.limits, "limits.{}".format)
        if name in self._absent:
            return PlayerVerdict.NEVER_STARTED, description or "It was not in the lobby."
        if ejection is None or ejection.reason is not Reason.DISCONNECTED:
            return None
        return (PlayerVerdict.CRASHED, description) if ended and ended.failed else None


def _reason_for_void(doubted: Mapping[str, float], ejections: Mapping[str, events.Ejected]) -> str:
    """Return why a game is void, or nothing: the referee itself was late when a player was.

    ``doubted`` is by how many seconds, by player.
    """
    for name, event in ejections.items():
        if event.reason is Reason.TIMED_OUT and name in doubted:
            late = doubted[name] * 1000
            return f"{name} was late, but so was the referee itself, by {late:.0f} ms."
    return ""
