"""Listening, filling tables, playing matches side by side, and ending cleanly.

A table begins its match as soon as it is full, and the next one is filled meanwhile. A match that
breaks by a defect of our own leaves a log without an end, its players are told, and the others go
on.
"""

import math
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import trio

from admin.log.writer import CannotLog, Header, MatchLog, SeatRecord, open_log
from admin.match import events
from admin.match.dealer import Dealer, new_seed
from admin.match.events import Event
from admin.match.in_process import LocalSeat, Strategy
from admin.match.outcome import Outcome, OutcomeSoFar
from admin.match.referee import Referee
from admin.table.clocks import Clocks
from admin.table.crash_report import report_defect
from admin.table.lag import Lag
from admin.table.listeners import accept, address, close, listen
from admin.table.seat import RemoteSeat, Seat
from admin.table.signup import Admission, free_name
from admin.table.table import Table
from game.rulebook import Rulebook
from game.turn import Ending
from protocol.dialect import Dialect
from protocol.faults import Fault, Reason
from protocol.inbox import DocumentCache
from protocol.reading import player_reader
from protocol.writing import Writer


@dataclass(frozen=True, slots=True)
class Settings:
    """What a server is asked to do. Times are in seconds; ``games`` is ``None`` for ever.

    ``seed`` is for all matches; ``None`` is a new one for each, so that the log of one match
    tells nothing of the next.
    """

    rulebook: Rulebook
    host: str
    port: int
    players: int
    games: int | None
    seed: int | None
    log_dir: Path
    signup_timeout: float
    clocks: Clocks
    fill: tuple[str, Callable[[int], Strategy]] | None = None
    """A strategy's name, and a maker of house players from a seed."""


@dataclass(frozen=True, slots=True)
class Match:
    """One match as a person or a program is told of it."""

    number: int
    log: Path
    seats: tuple[SeatRecord, ...]
    outcome: Outcome


class Audience:
    """Who is told what happens at the server: nobody, until a method is overridden.

    Every method returns at once.
    """

    def listening(self, addresses: Sequence[str]) -> None:
        """The server can be reached at these addresses."""

    def seated(self, number: int, names: Sequence[str], seats: int) -> None:
        """Who has signed up for the table being filled, and how many seats it has."""

    def turned_away(self, address: str, name: str, fault: Fault) -> None:
        """A connection got no seat, or lost it before a match; no name if none was given."""

    def unfilled(self, number: int, signed_up: int, least: int) -> None:
        """A table was given up: too few had signed up at the deadline."""

    def begun(self, number: int, header: Header) -> None:
        """A match begins."""

    def happened(self, number: int, event: Event) -> None:
        """Something happened in a match, answers apart."""

    def logged(self, number: int, data: bytes) -> None:
        """These bytes of a match's log were written; the first ones before it begins."""

    def over(self, match: Match) -> None:
        """A match is over, by whatever ending."""

    def broken(self, number: int, why: str) -> None:
        """A match was broken off through no fault of its players; ``why`` is a sentence."""


class Server:
    """One administrator; ``run`` may be called once."""

    def __init__(self, settings: Settings, audience: Audience) -> None:
        self._settings = settings
        self._audience = audience
        self._dialect = Dialect.of(settings.rulebook)
        self._writer = Writer(settings.rulebook)
        self._memory = DocumentCache(player_reader(settings.rulebook))
        self._lag = Lag()
        self.unplayed = 0
        """Matches that were given up or broken off."""

    def _told_rulebook(self) -> str | None:
        """Return the rulebook that is told at sign-up; the course's players are told none."""
        return None if self._dialect is Dialect.COURSE else self._settings.rulebook.id

    async def run(self) -> None:
        """Serve all the matches asked for; ``CannotListen`` when nobody could connect.

        Cancelling ends every match as interrupted: logged, and the players told.
        """
        listeners = listen(self._settings.host, self._settings.port)
        self._audience.listening([address(listener.getsockname()) for listener in listeners])
        async with trio.open_nursery() as farewells, trio.open_nursery() as background:
            background.start_soon(self._lag.run)
            admission = Admission(
                self._writer,
                self._told_rulebook(),
                self._settings.clocks.reply,
                farewells,
                lambda seat, fault: self._audience.turned_away(seat.address, seat.name, fault),
            )

            def arrive(connection: socket.socket, peer: str) -> None:
                admission.arrive(RemoteSeat(connection, self._memory, peer, self._dialect))

            for listener in tuple(listeners):
                background.start_soon(accept, listener, arrive)
            try:
                async with trio.open_nursery() as matches:
                    await self._seat_tables(admission, matches)
                    close(listeners)
                    admission.turn_away("All tables are taken.")
            finally:
                close(listeners)
                admission.close()
            background.cancel_scope.cancel()

    async def _seat_tables(self, admission: Admission, matches: trio.Nursery) -> None:
        number = 0
        games = math.inf if self._settings.games is None else self._settings.games
        while number < games:
            number += 1
            seats = await self._seat_table(number, admission)
            if seats:
                matches.start_soon(self._match, number, seats, admission)

    async def _seat_table(self, number: int, admission: Admission) -> list[Seat]:
        """Fill one table; with too few players at the deadline, and nobody to fill, none."""
        settings = self._settings
        signed_up: list[RemoteSeat] = []
        while not signed_up:
            deadline = trio.current_time() + settings.signup_timeout
            signed_up = await admission.fill(
                settings.players,
                deadline,
                lambda names: self._audience.seated(number, names, settings.players),
            )
            if settings.games is not None:
                break
        names = [seat.name for seat in signed_up]
        if settings.fill is not None:
            try:
                return [*signed_up, *self._house(number, names)]
            except Exception as error:  # of a strategy that another distribution may have brought
                self._give_up(number, signed_up, admission, error)
                return []
        if len(signed_up) >= settings.rulebook.min_players:
            return [*signed_up]
        least = settings.rulebook.min_players
        for seat in signed_up:
            fault = Fault(Reason.NO_SEAT, f"{len(names)} signed up in time; {least} are needed.")
            admission.dismiss(seat, fault)
        self.unplayed += 1
        self._audience.unfilled(number, len(signed_up), least)
        return []

    def _house(self, number: int, names: list[str]) -> list[LocalSeat]:
        assert self._settings.fill is not None
        strategy, make = self._settings.fill
        chance = new_seed() if self._settings.seed is None else self._settings.seed
        house = []
        while len(names) < self._settings.players:
            name = free_name(strategy, names)
            seed = hash((chance, number, len(names)))
            house.append(LocalSeat(name, make(seed), strategy, self._dialect))
            names.append(name)
        return house

    async def _match(self, number: int, seats: list[Seat], admission: Admission) -> None:
        settings = self._settings
        seed = new_seed() if settings.seed is None else settings.seed
        dealer = Dealer(seed, number)
        records = tuple(
            SeatRecord(seat.name, "house", seat.kind)
            if isinstance(seat, LocalSeat)
            else SeatRecord(seat.name, "remote")
            for seat in seats
        )
        header = Header(settings.rulebook, seed, number, dealer.bag, records)
        try:
            log = open_log(settings.log_dir, header, partial(self._audience.logged, number))
        except CannotLog as error:
            self._give_up(number, seats, admission, error)
            return
        progress = OutcomeSoFar()
        try:
            outcome = await self._play(number, seats, header, log, progress, dealer, admission)
        except trio.Cancelled:
            outcome = progress.outcome()
            with suppress(CannotLog):  # it could not be written to its end; nobody waits for it
                if outcome.ending is Ending.INTERRUPTED:
                    log.close(interrupted_after=outcome.turns)
                else:
                    log.abandon()
            self._audience.over(Match(number, log.path, records, outcome))
            raise
        except Exception as error:
            with suppress(CannotLog):  # what is told is what broke the match first
                log.abandon()
            self._break_off(number, error)
        else:
            self._audience.over(Match(number, log.path, records, outcome))

    async def _play(
        self,
        number: int,
        seats: list[Seat],
        header: Header,
        log: MatchLog,
        progress: OutcomeSoFar,
        dealer: Dealer,
        admission: Admission,
    ) -> Outcome:
        settings = self._settings
        by_name: Mapping[str, Seat] = {seat.name: seat for seat in seats}
        table = Table(by_name, self._writer, settings.clocks, self._lag, admission.farewells)
        happened = self._audience.happened

        def emit(event: Event) -> None:
            log(event)
            if type(event) is not events.Answered:  # most are, and only the log wants those
                progress(event)
                table.notice(event)
                happened(number, event)

        referee = Referee(settings.rulebook, list(by_name), dealer.bag, dealer.shuffle, emit)
        self._audience.begun(number, header)
        outcome = await table.play(referee.play())
        log.close()
        return outcome

    def _give_up(
        self, number: int, seats: Sequence[Seat], admission: Admission, error: Exception
    ) -> None:
        """Break off a match that had not begun, and tell its players."""
        for seat in seats:
            if isinstance(seat, RemoteSeat):
                admission.dismiss(seat, Fault(Reason.INTERRUPTED, "No match had begun."))
        self._break_off(number, error)

    def _break_off(self, number: int, error: Exception) -> None:
        """Tell of a match that could not go on; a defect of our own is reported in a file."""
        self.unplayed += 1
        if isinstance(error, CannotLog):
            why = f"{error} Give another --log-dir."
        else:
            why = f"by a defect of this program. {report_defect(error)}"
        self._audience.broken(number, why)
