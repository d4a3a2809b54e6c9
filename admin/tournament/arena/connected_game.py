"""One game between players that connect: started, waited for, refereed, judged.

game --> start programs --sign up--> a door for each --seats--> table, referee --events--> recorder
                        remote players in the waiting room --^
"""

import errno
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import trio

from ....game.turn import Ending
from ....protocol.faults import Fault, Reason
from ...launching.launch import Launcher
from ...launching.player_process import EXIT_GRACE, PlayerProcess
from ...launching.program_work import ProgramWork
from ...launching.sandbox import Sandbox
from ...refereeing.play import events
from ...refereeing.play.outcome import Outcome, OutcomeSoFar
from ...refereeing.play.referee import Referee
from ...refereeing.table.lag import Lag, TimeTaken, Work
from ...refereeing.table.reception import Reception
from ...refereeing.table.seat import EmptySeat, Seat
from ...refereeing.table.table import LOOK_AGAIN, Table
from ..games.program_output import KEPT_BYTES, TurnMark, with_headings
from ..games.result import NOT_STARTED, Alarm, FailedGame, FinishedGame, PlayerVerdict
from ..games.result_so_far import Testimony
from ..planning.plan import Plan
from ..planning.schedule import Game
from ..run.built_in import BuiltInSeat, GameSettings, seat_built_in_players
from ..run.game_recorder import GameRecorder
from ..run.run_events import GameLogged, RunObserver
from .player_door import PlayerDoor
from .prepared_players import PreparedPlayers
from .program_end import PlayerEnd, suspicions
from .reservation import Reservation
from .waiting_room import RemotePlayers

EJECTED_GRACE = 5.0
"""Seconds that an ejected player's program has to exit; it might disturb the others."""
REPORT_AFTER = 3.0
"""Seconds that a game waits for a remote player before this is reported."""
LACKING = (
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOMEM,
    errno.EAGAIN,
    errno.ENOSPC,
    errno.ENOBUFS,
    errno.EDQUOT,
    errno.EADDRINUSE,
)
"""What a machine lacks when a call fails that usually succeeds."""


@dataclass(frozen=True, slots=True)
class GameContext:
    """What the games of an arena share, or those on the worker of a cluster."""

    plan: Plan
    settings: GameSettings
    observer: RunObserver
    lag: Lag
    reception: Reception
    remote: RemotePlayers
    is_skipped: Callable[[str], bool]
    """Whether the program of a player is not started, by its name."""
    launcher: Launcher
    sandbox: Sandbox
    players: PreparedPlayers
    farewells: trio.Nursery
    """For last messages to players, which no game waits for."""


class ConnectedGame:
    """One attempt at a game; ``play`` may be called once."""

    def __init__(self, game: Game, context: GameContext) -> None:
        self._game = game
        self._context = context
        self._processes: dict[str, PlayerProcess] = {}
        self._work: dict[str, ProgramWork] = {}
        self._machine_faults: list[str] = []
        """Why the game is void: sentences."""
        self._late: dict[str, str] = {}
        """How programs that did not sign up in time had spent it, in words."""
        self._places: dict[str, Reservation] = {}
        self._absent: set[str] = set()
        self._skipped: set[str] = set()
        self._alarms: Counter[Alarm] = Counter()
        self._marks: defaultdict[str, list[TurnMark]] = defaultdict(list)

    async def play(self) -> FinishedGame | FailedGame:
        """Play the game; no process and no listening socket of it is left."""
        context = self._context
        async with trio.open_nursery() as processes, trio.open_nursery() as doors:
            try:
                for name in self._game.players:
                    player = context.plan.entrant(name)
                    if player.remote:
                        self._places[name] = context.remote.places[name]
                    elif player.command and context.is_skipped(name):
                        self._skipped.add(name)
                    elif player.command:
                        await self._launch(name, processes, doors)
                await self._wait_for_players()
                if self._faults_of_the_machine():
                    return self._void()
                return await self._referee(doors)
            finally:
                with trio.move_on_after(EXIT_GRACE) as grace:
                    grace.shield = True  # players were sent the reason, and may exit by themselves
                    await self._all_ended()
                for process in self._processes.values():
                    process.release()
                doors.cancel_scope.cancel()

    async def _launch(self, name: str, processes: trio.Nursery, doors: trio.Nursery) -> None:
        """Start a program, if it could be built, and open its door."""
        context = self._context
        if name in context.players.unbuilt:
            return
        program = context.players.programs[name]
        try:
            process, listener = await context.launcher.launch_listening(program, name, processes)
        except OSError as error:
            self._machine_faults.append(f"{name} could not be started: {error.strerror or error}.")
            return
        self._processes[name] = process
        self._work[name] = work = ProgramWork(process.pid)
        doors.start_soon(work.watch, process.ended)
        if listener is None:
            return
        door = PlayerDoor(process, listener, context.launcher, context.reception, self._raise_alarm)
        self._places[name] = door.place
        doors.start_soon(door.run, context.farewells)

    def _raise_alarm(self, player: str, what: str) -> None:
        self._alarms[Alarm(player, what)] += 1

    # -- waiting for players --------------------------------------------------------------------

    async def _wait_for_players(self) -> None:
        """Wait until all players have signed up, or their time is over."""
        if self._machine_faults:
            return
        async with trio.open_nursery() as nursery:
            for name, place in self._places.items():
                if place.lasting:
                    nursery.start_soon(self._wait_for_remote, name, place)
            for name in self._processes:
                nursery.start_soon(self._wait_for_program, name, self._places.get(name))

    async def _wait_for_remote(self, name: str, place: Reservation) -> None:
        remote = self._context.remote
        with trio.move_on_after(remote.timeout(name)):
            with trio.move_on_after(REPORT_AFTER):
                await place.wait()
            if not place.occupied:
                remote.report_waiting(name)
            await place.wait()

    async def _wait_for_program(self, name: str, place: Reservation | None) -> None:
        """Wait until a program signs up, ends, or is late; its clock runs as at the table.

        One that could not be started has no place, and ends.
        """
        limit = self._context.plan.clocks.signup
        began = trio.current_time()
        async with trio.open_nursery() as either:

            async def until_it_ends() -> None:
                await self._processes[name].ended.wait()
                either.cancel_scope.cancel()

            either.start_soon(until_it_ends)
            left = limit
            while left > 0:
                with trio.move_on_after(max(left, LOOK_AGAIN)):
                    await (trio.sleep_forever() if place is None else place.wait())
                    break
                elapsed = trio.current_time() - began
                late = self._context.lag.total_since(began)
                taken = TimeTaken(elapsed, late, Work(*self._work[name].since(began)))
                left = taken.left(limit, limit)
                self._late[name] = taken.in_words()
                if left <= 0 and taken.is_too_busy(limit, limit):
                    why = f"{name} could not sign up in time on a machine that was too busy."
                    self._machine_faults.append(f"{why} {self._late[name]}")
            either.cancel_scope.cancel()

    # -- playing --------------------------------------------------------------------------------

    async def _referee(self, background: trio.Nursery) -> FinishedGame | FailedGame:
        """Play the game with the players that are there; only now is its log begun."""
        context, game = self._context, self._game
        settings = context.settings
        recorder = GameRecorder(
            game,
            settings.rulebook,
            dict(settings.strategies),
            duplicate=settings.duplicate,
            written=lambda data: context.observer(GameLogged(game, data)),
        )
        built_in = seat_built_in_players(settings, game)
        seats = {
            name: built_in[name].seat if name in built_in else self._seat(name)
            for name in game.players
        }
        table = Table(
            seats,
            context.reception.writer,
            context.plan.table_clocks,
            context.lag,
            context.farewells,
            work={name: work.since for name, work in self._work.items()},
        )
        so_far = OutcomeSoFar()
        scope = trio.CancelScope()

        def emit(event: events.Event) -> None:
            recorder.emit(event)
            so_far(event)
            table.handle(event)
            if table.unserved:
                scope.cancel()  # the others do not have to play on for nothing
            if isinstance(event, events.TurnBegan):
                self._mark_outputs(event.number)
            if isinstance(event, events.Ejected) and event.name in self._processes:
                background.start_soon(self._stop_ejected, self._processes[event.name])

        dealer = recorder.dealer
        referee = Referee(settings.rulebook, game.players, dealer.bag, dealer.shuffle, emit)
        with scope:
            await table.play(referee.play())
        with trio.move_on_after(EXIT_GRACE):
            await self._all_ended()
        for process in self._processes.values():
            process.stop()
        await self._all_ended()
        self._machine_faults += table.unserved.values()
        outcome = so_far.outcome()
        if self._faults_of_the_machine():
            stopped = outcome.turns if outcome.ending is Ending.INTERRUPTED else None
            return self._void(recorder.close(stopped))
        return self._finished(outcome, recorder, built_in)

    def _faults_of_the_machine(self) -> list[str]:
        """Return why nobody is to blame for how the game went, in sentences."""
        of_programs = (
            f"{name} is not to blame: {process.exit.machine_fault}."
            for name, process in self._processes.items()
            if process.exit is not None and process.exit.machine_fault
        )
        return [*self._machine_faults, *of_programs]

    def _void(self, log: bytes = b"") -> FailedGame:
        why = self._faults_of_the_machine()[0]
        return FailedGame(self._game.id, why, "", log, self._all_alarms(), by_machine=True)

    def _mark_outputs(self, turn: int) -> None:
        for name, process in self._processes.items():
            self._marks[name].append(TurnMark(turn, process.output_size()))

    async def _stop_ejected(self, process: PlayerProcess) -> None:
        await trio.sleep(EJECTED_GRACE)
        process.stop()

    def _seat(self, name: str) -> Seat:
        """Seat a player that connects, or none if it is absent."""
        place = self._places.get(name)
        seat = None if place is None else place.take()
        if place is not None and place.lasting:
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
        testimony = {
            name: Testimony(PlayerVerdict.CRASHED, seat.error)
            for name, seat in built_in.items()
            if seat.error and name in ejections
        }
        for name in {*self._game.players} - built_in.keys():
            testimony[name] = self._testimony(name, ejections.get(name))
        for name in self._skipped:
            testimony[name] = Testimony(PlayerVerdict.NEVER_STARTED, NOT_STARTED)
        for name in self._game.players:
            if version := self._context.plan.entrant(name).version:
                testimony[name] = testimony.get(name, Testimony())._replace(version=version)
        result = recorder.result(outcome, testimony)
        if self._processes:
            result = result._replace(sandbox=self._context.sandbox.value)
        outputs = {
            seat.player: self._output(seat.player)
            for seat in result.seats
            if seat.player in self._processes and self._keeps_output(seat.verdict)
        }
        outputs |= {name: seat.output for name, seat in built_in.items() if seat.output}
        for name in self._unbuilt() - self._skipped:
            outputs[name] = self._context.players.unbuilt[name].output
        return FinishedGame(result, recorder.close(), outputs, self._all_alarms())

    def _keeps_output(self, verdict: PlayerVerdict) -> bool:
        wanted = self._context.plan.tournament.outputs
        return wanted == "all" or verdict is not PlayerVerdict.FINISHED

    def _output(self, name: str) -> bytes:
        """Return the end of what a program has printed, by turn; its process has ended."""
        end = self._processes[name].output(KEPT_BYTES)
        before = self._processes[name].output_size() - len(end)
        return with_headings(end, before, self._marks[name])

    def _unbuilt(self) -> set[str]:
        return self._context.players.unbuilt.keys() & {*self._game.players}

    def _testimony(self, name: str, ejection: events.Ejected | None) -> Testimony:
        """Return what the events of the game do not show about a player that connects."""
        process = self._processes.get(name)
        end = PlayerEnd(
            None if process is None else process.exit,
            name in self._absent,
            self._context.players.unbuilt[name].failure if name in self._unbuilt() else "",
            self._late.get(name, ""),
        )
        return end.testimony(ejection, self._context.plan.limits)

    def _all_alarms(self) -> tuple[Alarm, ...]:
        """Return what was suspicious, also about how programs ended."""
        for name, process in self._processes.items():
            for what in suspicions(process.exit, self._context.plan.limits):
                self._raise_alarm(name, what)
        return tuple(
            alarm if times == 1 else Alarm(alarm.player, f"{alarm.what} ({times} times)")
            for alarm, times in self._alarms.items()
        )


async def play_game(game: Game, context: GameContext) -> FinishedGame | FailedGame:
    """Play one attempt at a game; if the machine or the referee has failed, it does not count."""
    try:
        return await ConnectedGame(game, context).play()
    except Exception as error:
        cause = _innermost(error)
        if isinstance(cause, OSError) and cause.errno in LACKING:
            why = f"The machine could not play it: {cause.strerror}."
            return FailedGame(game.id, why, by_machine=True)
        text = "".join(traceback.format_exception(error))
        why = f"A bug of the referee broke it off: {cause!r}."
        return FailedGame(game.id, why, text)


def _innermost(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
