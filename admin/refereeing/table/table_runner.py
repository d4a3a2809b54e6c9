"""Plays and logs the game of one full table.

A game that breaks because of a bug leaves a log without an end; its players are
notified, and other games go on. Where a log cannot be written, no game goes on: it would be
played for nothing.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date

import trio

from ....game.turn import Ending
from ....protocol.faults import Fault, Reason
from ....protocol.writing import Writer
from ..log.log_folder import LogFolder
from ..log.writer import GameLog, Header, LogWriteError, SeatRecord
from ..play import events
from ..play.dealer import Dealer, new_seed
from ..play.events import Event
from ..play.in_process import LocalSeat
from ..play.outcome import Outcome, OutcomeSoFar
from ..play.referee import Referee
from .clocks import Clocks, clock_text
from .crash_report import write_crash_report
from .lag import Lag
from .seat import RemoteSeat, Seat
from .server_events import (
    MILESTONES,
    GameAbandoned,
    GameBegan,
    GameEnded,
    Happened,
    LogWritten,
    ServerObserver,
)
from .server_settings import Settings
from .signup import SignUpQueue
from .table import Table


class TableRunner:
    """Runs games, one after another or side by side; ``unplayed`` counts those abandoned.

    ``log_error`` is why logs cannot be written, once one could not.
    """

    def __init__(
        self,
        settings: Settings,
        observer: ServerObserver,
        writer: Writer,
        lag: Lag,
        logs: LogFolder,
    ) -> None:
        self._settings = settings
        self._logs = logs
        self._observer = observer
        self._writer = writer
        self._lag = lag
        self.unplayed = 0
        self.log_error: LogWriteError | None = None

    async def run(
        self, number: int, seats: list[Seat], queue: SignUpQueue, games: trio.CancelScope
    ) -> None:
        """Play a game to its end; if cancelled, log that it was interrupted.

        If the log cannot be written, all ``games`` are cancelled.
        """
        settings = self._settings
        seed = new_seed() if settings.seed is None else settings.seed
        dealer = Dealer(seed, number)
        clocks = self._clocks_of(seats)
        records = tuple(_record_of(seat, clocks) for seat in seats)
        today, bag = date.today().isoformat(), settings.bag or dealer.bag
        given = settings.bag is not None
        header = Header(settings.rulebook, seed, number, bag, records, date=today, given=given)
        try:
            log = self._logs.open_log(header, lambda data: self._observer(LogWritten(number, data)))
        except LogWriteError as error:
            self.give_up(number, seats, queue, error)
            games.cancel()
            return
        so_far = OutcomeSoFar()
        try:
            outcome = await self._play(number, seats, header, log, so_far, dealer, queue)
        except trio.Cancelled:
            outcome = so_far.outcome()
            try:
                _close_interrupted(log, outcome)
            except LogWriteError as error:
                self._abandon(number, error)
            else:
                self._observer(GameEnded(number, log.path, records, outcome))
            raise
        except Exception as error:
            with suppress(LogWriteError):  # the error that broke the game is the one to report
                log.abandon()
            self._abandon(number, error)
            if isinstance(error, LogWriteError):
                games.cancel()
        else:
            self._observer(GameEnded(number, log.path, records, outcome))

    def _clocks_of(self, seats: Sequence[Seat]) -> dict[str, float]:
        """Return the seconds of players who have a clock of their own, by name."""
        own = {seat.name: seat.clock for seat in seats if isinstance(seat, RemoteSeat)}
        joined = {name: seconds for name, seconds in own.items() if seconds is not None}
        return {**self._settings.seat_clocks, **joined}

    async def _play(
        self,
        number: int,
        seats: list[Seat],
        header: Header,
        log: GameLog,
        so_far: OutcomeSoFar,
        dealer: Dealer,
        queue: SignUpQueue,
    ) -> Outcome:
        settings = self._settings
        by_name: Mapping[str, Seat] = {seat.name: seat for seat in seats}
        own = {name: Clocks.of_one_seat(limit) for name, limit in self._clocks_of(seats).items()}
        table = Table(by_name, self._writer, settings.clocks, self._lag, queue.closing, own)

        def emit(event: Event) -> None:
            log(event)
            if type(event) is not events.Answered:  # most events are, and only the log keeps them
                so_far(event)
                table.handle(event)
                if isinstance(event, MILESTONES):
                    self._observer(Happened(number, event))

        referee = Referee(settings.rulebook, list(by_name), header.bag, dealer.shuffle, emit)
        self._observer(GameBegan(number, header))
        outcome = await table.play(referee.play())
        log.close()
        return outcome

    def give_up(
        self, number: int, seats: Sequence[Seat], queue: SignUpQueue, error: Exception
    ) -> None:
        """Abandon a game that had not begun, and notify its players."""
        for seat in seats:
            if isinstance(seat, RemoteSeat):
                queue.dismiss(seat, Fault(Reason.INTERRUPTED, "No match had begun."))
        self._abandon(number, error)

    def _abandon(self, number: int, error: Exception) -> None:
        """Report a game that could not go on."""
        self.unplayed += 1
        if isinstance(error, LogWriteError):
            self.log_error = self.log_error or error
            why = str(error)
        else:
            why = write_crash_report(error)
        self._observer(GameAbandoned(number, why))


def _record_of(seat: Seat, clocks: Mapping[str, float]) -> SeatRecord:
    if isinstance(seat, LocalSeat):
        return SeatRecord(seat.name, "house", seat.kind)
    own = clocks.get(seat.name)
    return SeatRecord(seat.name, "remote", clock=None if own is None else clock_text(own))


def _close_interrupted(log: GameLog, outcome: Outcome) -> None:
    if outcome.ending is Ending.INTERRUPTED:
        log.close(interrupted_after=outcome.turns)
    else:
        log.abandon()
