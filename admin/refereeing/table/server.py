"""Listens, fills tables, and plays and logs their games side by side.

A game begins as soon as its table is full; the next table is filled meanwhile. A game that breaks
because of a bug leaves a log without an end; its players are notified, and other games go on. Where
a log cannot be written, no game goes on: it would be played for nothing.
"""

import hashlib
import math
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from itertools import count
from pathlib import Path

import trio

from ....game.rulebook import Rulebook
from ....game.tiles import Tile
from ....game.turn import Ending
from ....protocol.faults import Fault, Reason
from ....protocol.player_names import free_name
from ....protocol.plugins import class_name
from ..log.recorder import Header, SeatRecord
from ..log.writer import LogFolder, LogWriteError
from ..play import events
from ..play.dealer import Dealer, new_seed, seed_from
from ..play.events import Event
from ..play.in_process import AtError, LocalSeat, Strategy
from ..play.outcome import OutcomeSoFar
from ..play.referee import Referee
from . import server_events
from .clocks import NO_CLOCK, Clocks
from .lag import Lag
from .listeners import accept, close, format_address, listen
from .reception import Reception
from .run import write_crash_report
from .seat import RemoteSeat, Seat
from .signup import People, SignUpQueue
from .table import Table

NOT_BEGUN = Fault(Reason.INTERRUPTED, "No match had begun.")


@dataclass(frozen=True, slots=True)
class Settings:
    """What a referee is asked to do; times are in seconds.

    ``seed`` is for all games; with ``None`` each game gets a new one, so that the log of one game
    says nothing about the next.
    """

    rulebook: Rulebook
    host: str
    port: int
    players: int
    games: int | None  # None for no limit
    seed: int | None
    log_dir: Path
    signup_timeout: float
    clocks: Clocks
    validate_output: bool = False  # validates sent messages; an invalid one interrupts its game
    fill: tuple[str, Callable[[int], Strategy]] | None = None
    """A strategy for empty seats: its name, and how to make one from a seed."""
    at_fill_error: AtError | None = None
    """Makes a fault of what that strategy raises; without it, the game is abandoned."""
    opponents: tuple[tuple[str, Callable[[int], Strategy]], ...] = ()
    """Strategies that have a seat at every table, after those who sign up: each as ``fill``."""
    seat_clocks: Mapping[str, float] = field(default_factory=dict)
    """Seconds for a turn, and for any other answer, by the name of a player; ``inf`` for no limit.
    Everybody else has ``clocks``."""
    secret: str | None = None  # what players add to their name, after a colon, if anything
    bag: tuple[Tile, ...] | None = None  # of every game, in drawing order; None to shuffle
    people: People | None = None  # who joins by a page, if anybody can


class Server:
    """A referee that listens; ``run`` may be called once. ``unplayed`` counts games not played."""

    def __init__(self, settings: Settings, observer: server_events.ServerObserver) -> None:
        self._settings = settings
        self._observer = observer
        self._reception = Reception(
            settings.rulebook, settings.clocks.reply, validate=settings.validate_output
        )
        self._lag = Lag()
        self._logs = LogFolder(settings.log_dir)
        self._log_error: LogWriteError | None = None
        self.unplayed = 0

    async def run(self) -> None:
        """Serve all the games asked for; raises ``CannotListen`` if the address cannot be used.

        Cancelling ends every game as interrupted: it is logged, and the players are notified. If
        a log cannot be written, the same happens, and ``LogWriteError`` is raised.
        """
        with self._logs:
            await self._serve()
        if self._log_error is not None:
            raise self._log_error

    async def _serve(self) -> None:
        listeners = listen(self._settings.host, self._settings.port)
        addresses = [format_address(each.getsockname()) for each in listeners]
        self._observer(server_events.Listening(addresses))
        async with trio.open_nursery() as closing, trio.open_nursery() as background:
            background.start_soon(self._lag.run)
            queue = SignUpQueue(
                self._reception,
                closing,
                lambda seat, fault: self._observer(
                    server_events.TurnedAway(seat.address, seat.name, fault)
                ),
                self._settings.secret,
                self._settings.people,
            )

            def add(connection: socket.socket, peer: str) -> None:
                queue.add(self._reception.seat(connection, peer))

            for listener in tuple(listeners):
                background.start_soon(accept, listener, add)
            try:
                async with trio.open_nursery() as playing:
                    games = self._settings.games
                    for number in count(1) if games is None else range(1, games + 1):
                        if seats := await self._fill_table(number, queue):
                            playing.start_soon(
                                self._run_game, number, seats, queue, playing.cancel_scope
                            )
                    close(listeners)
                    queue.dismiss_all(Fault(Reason.NO_SEAT, "No further match begins."))
            finally:
                close(listeners)
                queue.dismiss_all(NOT_BEGUN)
            background.cancel_scope.cancel()

    # -- before a game --------------------------------------------------------------------------

    async def _fill_table(self, number: int, queue: SignUpQueue) -> list[Seat]:
        """Fill one table; return no seats if too few signed up and no strategy fills the rest."""
        settings = self._settings
        free = settings.players - len(settings.opponents)
        signed_up: list[RemoteSeat] = []
        while not signed_up:
            deadline = trio.current_time() + settings.signup_timeout
            signed_up = await queue.fill(
                free,
                deadline,
                lambda names: self._observer(server_events.SignUpsChanged(number, names, free)),
            )
            if settings.games is not None:
                break
        house: list[LocalSeat] = []
        if signed_up or settings.fill is not None:
            try:
                house = self._strategies(number, [seat.name for seat in signed_up])
            except Exception as error:  # of a strategy that another distribution may have brought
                self._give_up(number, signed_up, queue, error)
                return []
        least = settings.rulebook.min_players
        if len(signed_up) + len(house) >= least:
            return [*signed_up, *house]
        needed = max(1, least - len(settings.opponents))
        why = f"{len(signed_up)} signed up in time; {needed} are needed."
        for seat in signed_up:
            queue.dismiss(seat, Fault(Reason.NO_SEAT, why))
        self.unplayed += 1
        self._observer(server_events.Unfilled(number, len(signed_up), needed))
        return []

    def _strategies(self, number: int, names: list[str]) -> list[LocalSeat]:
        settings = self._settings
        empty = settings.players - len(names) - len(settings.opponents)
        fill = [] if settings.fill is None else [settings.fill] * empty
        game_seed = new_seed() if settings.seed is None else settings.seed
        seats = []
        for strategy, make in (*fill, *settings.opponents):
            name = free_name(class_name(strategy), names)
            own = f"acquire fill {game_seed} {number} {len(names)}"
            seed = seed_from(hashlib.sha256(own.encode()).digest())
            at_error = settings.at_fill_error
            seats.append(LocalSeat(name, make(seed), strategy, self._reception.dialect, at_error))
            names.append(name)
        return seats

    # -- a game ---------------------------------------------------------------------------------

    async def _run_game(
        self, number: int, seats: list[Seat], queue: SignUpQueue, games: trio.CancelScope
    ) -> None:
        """Play a game to its end; if cancelled, log that it was interrupted.

        If the log cannot be written, all ``games`` are cancelled.
        """
        settings = self._settings
        seed = new_seed() if settings.seed is None else settings.seed
        dealer = Dealer(seed, number)
        clocks = dict(settings.seat_clocks)
        for seat in seats:
            if isinstance(seat, RemoteSeat) and seat.clock is not None:
                clocks[seat.name] = seat.clock
        records = tuple(_record_of(seat, clocks) for seat in seats)
        today, bag = date.today().isoformat(), settings.bag or dealer.bag
        given = settings.bag is not None
        header = Header(settings.rulebook, seed, number, bag, records, date=today, given=given)
        try:
            log = self._logs.open_log(
                header, lambda data: self._observer(server_events.LogWritten(number, data))
            )
        except LogWriteError as error:
            self._give_up(number, seats, queue, error)
            games.cancel()
            return
        so_far = OutcomeSoFar()
        own = {name: Clocks(limit, limit) for name, limit in clocks.items()}
        table = Table(
            {seat.name: seat for seat in seats},
            self._reception.writer,
            settings.clocks,
            self._lag,
            queue.closing,
            own,
        )

        def emit(event: Event) -> None:
            log(event)
            if not isinstance(event, events.WIRE_EVENTS):  # most events are, for the log alone
                so_far(event)
                table.handle(event)
                if isinstance(event, server_events.MILESTONES):
                    self._observer(server_events.Happened(number, event))

        names = [seat.name for seat in seats]
        try:
            referee = Referee(settings.rulebook, names, bag, dealer.shuffle, emit)
            self._observer(server_events.GameBegan(number, header))
            outcome = await table.play(referee.play())
            log.close()
        except trio.Cancelled:
            outcome = so_far.outcome()
            try:
                if outcome.ending is Ending.INTERRUPTED:
                    log.close(interrupted_after=outcome.turns)
                else:
                    log.abandon()
            except LogWriteError as error:
                self._abandon(number, error)
            else:
                self._observer(server_events.GameEnded(number, log.path, records, outcome))
            raise
        except Exception as error:
            with suppress(LogWriteError):  # the error that broke the game is the one to report
                log.abandon()
            self._abandon(number, error)
            if isinstance(error, LogWriteError):
                games.cancel()
        else:
            self._observer(server_events.GameEnded(number, log.path, records, outcome))

    def _give_up(
        self, number: int, seats: Sequence[Seat], queue: SignUpQueue, error: Exception
    ) -> None:
        for seat in seats:
            if isinstance(seat, RemoteSeat):
                queue.dismiss(seat, NOT_BEGUN)
        self._abandon(number, error)

    def _abandon(self, number: int, error: Exception) -> None:
        self.unplayed += 1
        if isinstance(error, LogWriteError):
            self._log_error = self._log_error or error
            why = str(error)
        else:
            why = write_crash_report(error)
        self._observer(server_events.GameAbandoned(number, why))


def _record_of(seat: Seat, clocks: Mapping[str, float]) -> SeatRecord:
    if isinstance(seat, LocalSeat):
        return SeatRecord(seat.name, "house", seat.kind)
    own = clocks.get(seat.name)
    clock = None if own is None else NO_CLOCK if math.isinf(own) else f"{own:g}"
    return SeatRecord(seat.name, "remote", clock=clock)
