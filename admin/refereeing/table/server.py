"""Listens, fills tables, and starts their games, which are played side by side.

A game begins as soon as its table is full; the next table is filled meanwhile.
"""

import hashlib
import math
import socket

import trio

from ....protocol.faults import Fault, Reason
from ....protocol.player_names import free_name
from ....protocol.strategy_file import class_name
from ..log.log_folder import LogFolder
from ..play.dealer import new_seed, seed_from
from ..play.in_process import LocalSeat
from .lag import Lag
from .listeners import accept, close, format_address, listen
from .reception import Reception
from .seat import RemoteSeat, Seat
from .server_events import Listening, ServerObserver, SignUpsChanged, TurnedAway, Unfilled
from .server_settings import Settings
from .signup import SignUpQueue
from .table_runner import TableRunner


class Server:
    """A referee that listens; ``run`` may be called once."""

    def __init__(self, settings: Settings, observer: ServerObserver) -> None:
        self._settings = settings
        self._observer = observer
        self._reception = Reception(
            settings.rulebook, settings.clocks.reply, validate=settings.validate_output
        )
        self._lag = Lag()
        self._logs = LogFolder(settings.log_dir)
        self._runner = TableRunner(
            settings, observer, self._reception.writer, self._lag, self._logs
        )

    @property
    def unplayed(self) -> int:
        """How many games were given up or abandoned."""
        return self._runner.unplayed

    async def run(self) -> None:
        """Serve all the games asked for; raises ``CannotListen`` if the address cannot be used.

        Cancelling ends every game as interrupted: it is logged, and the players are notified. If
        a log cannot be written, the same happens, and ``LogWriteError`` is raised.
        """
        with self._logs:
            await self._serve()
        if self._runner.log_error is not None:
            raise self._runner.log_error

    async def _serve(self) -> None:
        listeners = listen(self._settings.host, self._settings.port)
        addresses = [format_address(each.getsockname()) for each in listeners]
        self._observer(Listening(addresses))
        async with trio.open_nursery() as closing, trio.open_nursery() as background:
            background.start_soon(self._lag.run)
            queue = SignUpQueue(
                self._reception,
                closing,
                lambda seat, fault: self._observer(TurnedAway(seat.address, seat.name, fault)),
                self._settings.secret,
                self._settings.people,
            )

            def add(connection: socket.socket, peer: str) -> None:
                queue.add(self._reception.seat(connection, peer))

            for listener in tuple(listeners):
                background.start_soon(accept, listener, add)
            try:
                async with trio.open_nursery() as playing:
                    await self._fill_tables(queue, playing)
                    close(listeners)
                    queue.dismiss_waiting("No further match begins.")
            finally:
                close(listeners)
                queue.close()
            background.cancel_scope.cancel()

    async def _fill_tables(self, queue: SignUpQueue, playing: trio.Nursery) -> None:
        number = 0
        games = math.inf if self._settings.games is None else self._settings.games
        while number < games:
            number += 1
            seats = await self._fill_table(number, queue)
            if seats:
                run = self._runner.run
                playing.start_soon(run, number, seats, queue, playing.cancel_scope)

    async def _fill_table(self, number: int, queue: SignUpQueue) -> list[Seat]:
        """Fill one table; return no seats if too few signed up and no strategy fills the rest."""
        settings = self._settings
        free = settings.players - len(settings.opponents)
        signed_up: list[RemoteSeat] = []
        while not signed_up:
            deadline = trio.current_time() + settings.signup_timeout
            signed_up = await queue.fill(
                free, deadline, lambda names: self._observer(SignUpsChanged(number, names, free))
            )
            if settings.games is not None:
                break
        house: list[LocalSeat] = []
        if signed_up or settings.fill is not None:
            try:
                house = self._strategies(number, [seat.name for seat in signed_up])
            except Exception as error:  # of a strategy that another distribution may have brought
                self._runner.give_up(number, signed_up, queue, error)
                return []
        least = settings.rulebook.min_players
        if len(signed_up) + len(house) >= least:
            return [*signed_up, *house]
        needed = max(1, least - len(settings.opponents))
        why = f"{len(signed_up)} signed up in time; {needed} are needed."
        for seat in signed_up:
            queue.dismiss(seat, Fault(Reason.NO_SEAT, why))
        self._runner.unplayed += 1
        self._observer(Unfilled(number, len(signed_up), needed))
        return []

    def _strategies(self, number: int, names: list[str]) -> list[LocalSeat]:
        """Return strategies for the seats that are still empty, and the opponents."""
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
