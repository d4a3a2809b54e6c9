"""Many matches at once in one process, between players that connect.

    game --launch--> processes --sign up--> lobby --take--> table --events--> account --> tournament

A match that a defect of our own breaks, or in which this process was too late to judge a late
player, is void; the others go on.
"""

import tempfile
import traceback
from collections import deque
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import trio

from admin.launching.launch import EXIT_GRACE, Launcher, PlayerProcess
from admin.launching.program import PlaceholderValues, Program
from admin.match import events
from admin.match.outcome import Outcome
from admin.match.referee import Referee
from admin.table.clocks import Clocks
from admin.table.lag import Lag
from admin.table.listeners import raise_descriptor_limit, tls_context
from admin.table.seat import EmptySeat, Seat
from admin.table.table import Table
from admin.tournament.planning.plan import Entrant
from admin.tournament.planning.schedule import Game
from admin.tournament.playing.built_in import BuiltInSeat, seat_built_in_players
from admin.tournament.playing.game_recorder import GameRecorder
from admin.tournament.playing.observer import Observer
from admin.tournament.playing.tournament_run import FailedGame, TournamentRun
from admin.tournament.playing.waiting_room import HOME, Reservation, WaitingRoom, new_token
from admin.tournament.results.store import FinishedGame
from admin.tournament.results.verdict import PlayerVerdict
from protocol.dialect import Dialect
from protocol.faults import Fault, Reason
from protocol.inbox import DocumentCache
from protocol.reading import player_reader
from protocol.writing import Writer

UNTOLD = 3.0
"""Seconds that a remote player may be away before somebody is told."""
PATIENT_WITH = 3
"""Games in a row that a remote player may miss; after them he is waited for no more."""


class Arena:
    """Plays the games of a tournament. ``run`` may be called once."""

    def __init__(self, tournament: TournamentRun, observer: Observer, workers: int) -> None:
        self._tournament = tournament
        self._observer = observer
        self._workers = workers
        self._plan = plan = tournament.plan
        self._rules = tournament.rules
        self._rulebook = rulebook = self._rules.book()
        self._strategies = dict(self._rules.strategies)
        self._clocks = Clocks(plan.clocks.reply, plan.turn_clock)
        self._lag = Lag()
        self._writer = Writer(rulebook)
        dialect = Dialect.of(rulebook)
        self._lobby = WaitingRoom(
            self._writer,
            DocumentCache(player_reader(rulebook)),
            dialect,
            None if dialect is Dialect.COURSE else rulebook.id,
            plan.clocks.signup,
            tournament.turned_away,
        )
        self._remote = {
            player.name: self._lobby.keep(
                player.name, player.remote.secret, lasting=True, moved=self._tell_who_waits
            )
            for player in plan.players
            if player.remote
        }
        self._missed = dict.fromkeys(self._remote, 0)
        self._busy: set[str] = set()
        self._changed = trio.Event()

    async def run(self) -> None:
        """Play all games that are left; ``CannotListen`` when nobody could connect.

        Cancelling ends every match at once: the players are told, and nothing of it is kept.
        """
        lobby, plan = self._plan.lobby, self._plan
        raise_descriptor_limit()
        tls = None
        if lobby.certificate is not None and lobby.key is not None:
            tls = tls_context(str(plan.folder / lobby.certificate), str(plan.folder / lobby.key))
        self._observer.listening(self._lobby.listen(lobby.host, lobby.port))
        with tempfile.TemporaryDirectory(prefix="acquire-", ignore_cleanup_errors=True) as folder:
            self._address = (_reachable(lobby.host), self._lobby.port)
            if tls is not None:  # which programs on this machine need not speak
                self._address = (HOME, self._lobby.listen_at_home())
            self._launcher = Launcher(plan.limits, Path(folder))
            async with trio.open_nursery() as farewells, trio.open_nursery() as background:
                background.start_soon(self._lag.run)
                background.start_soon(self._lobby.run, farewells, tls)
                for games in self._tournament.stages():
                    await self._play_all(games, farewells)
                self._lobby.dismiss_all(farewells)
                background.cancel_scope.cancel()

    def _tell_who_waits(self) -> None:
        self._observer.waiting([name for name, place in self._remote.items() if place.present])

    # -- which game next ------------------------------------------------------------------------

    async def _play_all(self, games: Sequence[Game], farewells: trio.Nursery) -> None:
        """Play some games, as many at once as there are workers, in their order where possible."""
        waiting = deque(games)
        running = 0

        async def play(game: Game) -> None:
            nonlocal running
            try:
                if not await self._settle(game, farewells):
                    waiting.appendleft(game)
            finally:
                running -= 1
                self._busy.difference_update(game.players)
                self._changed.set()

        async with trio.open_nursery() as matches:
            while waiting or running:
                self._changed = trio.Event()
                while running < self._workers and (game := self._next(waiting)) is not None:
                    running += 1
                    self._busy.update(set(game.players) & set(self._remote))
                    matches.start_soon(play, game)
                await self._changed.wait()

    def _next(self, waiting: deque[Game]) -> Game | None:
        """Take the next game whose remote players are at no other table."""
        for place, game in enumerate(waiting):
            if self._busy.isdisjoint(game.players):
                del waiting[place]
                return game
        return None

    async def _settle(self, game: Game, farewells: trio.Nursery) -> bool:
        """Play a game and hand it in; return whether that settles it."""
        self._tournament.begin(game)
        try:
            played = await self._play(game, farewells)
        except Exception as error:
            text = "".join(traceback.format_exception(error))
            played = FailedGame(game, f"The referee broke it off: {_innermost(error)!r}.", text)
        if isinstance(played, FinishedGame):
            self._tournament.finish([played])
            return True
        return not self._tournament.void(played)

    # -- one game -------------------------------------------------------------------------------

    async def _play(self, game: Game, farewells: trio.Nursery) -> FinishedGame | FailedGame:
        launched: dict[str, PlayerProcess] = {}
        places: dict[str, Reservation] = {}
        async with trio.open_nursery() as nursery:
            try:
                for name in game.players:
                    player = self._plan.entrant(name)
                    if player.remote:
                        places[name] = self._remote[name]
                    elif player.command:
                        token = new_token()
                        places[name] = self._lobby.keep(name, token)
                        launched[name] = await self._launch(player, token, nursery)
                await self._gather(places, launched)
                return await self._referee(game, places, launched, farewells)
            finally:
                with trio.move_on_after(EXIT_GRACE) as grace:
                    grace.shield = True  # they have been told why, and may end by themselves
                    await _all_ended(launched)
                for process in launched.values():
                    process.release()
                for name, place in places.items():
                    if name not in self._remote:
                        self._lobby.give_up(place)

    async def _launch(self, player: Entrant, token: str, nursery: trio.Nursery) -> PlayerProcess:
        """Start a player, who is to sign up with its name and the token."""
        assert player.command is not None
        directory = self._plan.folder / (player.directory or "")
        program = Program(player.command, directory, player.environment)
        values = PlaceholderValues(*self._address, f"{player.name}:{token}", token)
        return await self._launcher.launch(program, values, nursery)

    async def _gather(
        self, places: Mapping[str, Reservation], launched: Mapping[str, PlayerProcess]
    ) -> None:
        """Wait until everybody has signed up, or has had the time to."""

        async def expect(name: str, place: Reservation) -> None:
            patience = self._plan.clocks.signup
            if place.lasting:
                gone = self._missed[name] >= PATIENT_WITH
                patience = 0 if gone else self._plan.lobby.wait
            with trio.move_on_after(patience):
                if place.lasting:
                    with trio.move_on_after(UNTOLD):
                        await place.wait()
                    if not place.present:
                        self._observer.awaited(name, patience)
                async with trio.open_nursery() as either:
                    if name in launched:
                        either.start_soon(_until, launched[name].ended, either.cancel_scope)
                    await place.wait()
                    either.cancel_scope.cancel()

        async with trio.open_nursery() as nursery:
            for name, place in places.items():
                nursery.start_soon(expect, name, place)

    async def _referee(
        self,
        game: Game,
        places: Mapping[str, Reservation],
        launched: Mapping[str, PlayerProcess],
        farewells: trio.Nursery,
    ) -> FinishedGame | FailedGame:
        """Play a game with whoever is there."""
        account = GameRecorder(
            game,
            self._rulebook,
            self._strategies,
            duplicate=self._rules.duplicate,
            written=partial(self._observer.logged, game),
        )
        house = seat_built_in_players(self._rules, game)
        seats = {name: self._seat(name, house, places) for name in game.players}
        table = Table(seats, self._writer, self._clocks, self._lag, farewells)

        def emit(event: events.Event) -> None:
            account.emit(event)
            table.handle(event)

        dealer = account.dealer
        referee = Referee(self._rulebook, game.players, dealer.bag, dealer.shuffle, emit)
        outcome = await table.play(referee.play())
        with trio.move_on_after(EXIT_GRACE):
            await _all_ended(launched)
        for process in launched.values():
            process.stop()
        await _all_ended(launched)
        if why := _doubt(table, account):
            return FailedGame(game, why, log=account.close())
        return self._finished(account, outcome, seats, launched)

    def _finished(
        self,
        account: GameRecorder,
        outcome: Outcome,
        seats: Mapping[str, Seat],
        launched: Mapping[str, PlayerProcess],
    ) -> FinishedGame:
        """Return what a game that counts comes to."""
        absent = {name for name, seat in seats.items() if isinstance(seat, EmptySeat)}
        house = {name: seat for name, seat in seats.items() if isinstance(seat, BuiltInSeat)}
        verdicts = {name: self._verdict(name, absent, launched, house, account) for name in seats}
        known = {name: verdict for name, verdict in verdicts.items() if verdict is not None}
        used = {name: process.exit.processor for name, process in launched.items() if process.exit}
        result = account.result(outcome, known, used)
        lost = {seat.player for seat in result.seats if seat.verdict is not PlayerVerdict.FINISHED}
        outputs = {name: launched[name].output() for name in lost & launched.keys()}
        return FinishedGame(result, account.close(), outputs)

    def _seat(
        self, name: str, house: Mapping[str, BuiltInSeat], places: Mapping[str, Reservation]
    ) -> Seat:
        """Seat one player, or nobody where he has not come."""
        if name in house:
            return house[name]
        seat = places[name].take()
        if name in self._missed:
            self._missed[name] = 0 if seat is not None else self._missed[name] + 1
        if seat is None:
            return EmptySeat(name, Fault(Reason.DISCONNECTED, "It did not sign up in time."))
        return seat

    def _verdict(
        self,
        name: str,
        absent: set[str],
        launched: Mapping[str, PlayerProcess],
        house: Mapping[str, BuiltInSeat],
        account: GameRecorder,
    ) -> tuple[PlayerVerdict, str] | None:
        """Return what the events alone do not tell of a player's end."""
        event = account.lost.get(name)
        if name in house:
            broke = house[name].broke
            return (PlayerVerdict.CRASHED, broke) if broke and event is not None else None
        process = launched.get(name)
        how = ""
        if process and process.exit:  # the limits are called as in the tournament file
            how = process.exit.sentence(self._plan.limits, "limits.{}".format)
        if name in absent:
            return PlayerVerdict.NEVER_STARTED, how or "It was not in the lobby."
        if event is None or event.reason is not Reason.DISCONNECTED:
            return None
        if process and process.exit and process.exit.badly:
            return PlayerVerdict.CRASHED, how
        return None


def _doubt(table: Table, account: GameRecorder) -> str:
    """Say why a game is void: this process was late itself when it found a player late."""
    for name, event in account.lost.items():
        if event.reason is Reason.TIMED_OUT and name in table.doubtful_timeouts:
            late = table.doubtful_timeouts[name] * 1000
            return f"{name} was late, but so was the referee itself, by {late:.0f} ms."
    return ""


async def _all_ended(launched: Mapping[str, PlayerProcess]) -> None:
    for process in launched.values():
        await process.ended.wait()


async def _until(event: trio.Event, over: trio.CancelScope) -> None:
    await event.wait()
    over.cancel()


def _innermost(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _reachable(host: str) -> str:
    """Return where launched players connect, when it is listened on this host."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)
