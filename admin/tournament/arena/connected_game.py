"""One game between players that connect: started, waited for, refereed, judged.

game --> start programs --sign up--> a door for each --seats--> table, referee --events--> recorder
                        remote players in the waiting room --^
"""

import errno
import signal
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import trio

from ....game.turn import Ending
from ....protocol.faults import Circumstance, Fault, Reason
from ...launching.building import PreparedPlayer
from ...launching.launch import Launcher
from ...launching.limits import UNANSWERED, Limits, ProcessExit
from ...launching.player_process import EXIT_GRACE, PlayerProcess
from ...launching.program import Program
from ...refereeing.diagnosis.diagnose import sign_up_fault_with_hint
from ...refereeing.play import events
from ...refereeing.play.outcome import Outcome, OutcomeSoFar
from ...refereeing.play.referee import Referee
from ...refereeing.table.clocks import in_seconds
from ...refereeing.table.lag import Lag, run_out
from ...refereeing.table.reception import Reception
from ...refereeing.table.run import first_of
from ...refereeing.table.seat import EmptySeat, Seat
from ...refereeing.table.table import Table
from ..games.program_output import KEPT_BYTES, TurnMark, with_headings
from ..games.result import NOT_STARTED, Alarm, FailedGame, FinishedGame, PlayerVerdict
from ..planning.plan import Plan
from ..planning.schedule import Game
from ..run.built_in import BuiltInSeat, seat_built_in_players, testimony_of
from ..run.game_recorder import GameRecorder, GameSettings, Testimony
from ..run.run_events import GameLogged, Notice, RunObserver, Trouble
from .waiting_room import PlayerDoor, Reservation

EJECTED_GRACE = 5.0  # seconds for an ejected player's program to exit; it might disturb others
REPORT_AFTER = 3.0  # seconds that a game waits for a remote player before this is reported
LACKING = ["EMFILE", "ENFILE", "ENOMEM", "EAGAIN", "ENOSPC", "ENOBUFS", "EDQUOT", "EADDRINUSE"]
"""What a machine lacks when a call fails that usually succeeds."""


@dataclass(frozen=True, slots=True)
class GameContext:
    """What the games of an arena share, or those on the worker of a cluster."""

    plan: Plan
    settings: GameSettings
    observer: RunObserver
    lag: Lag
    reception: Reception
    places: Mapping[str, Reservation]  # where remote players wait, by their names
    is_skipped: Callable[[str], bool]  # whether a player's program is not started, by name
    launcher: Launcher
    players: Mapping[str, Program | PreparedPlayer]
    farewells: trio.Nursery  # for last messages to players, which no game waits for


class ConnectedGame:
    """One attempt at a game; ``play`` may be called once."""

    def __init__(self, game: Game, context: GameContext) -> None:
        self._game = game
        self._context = context
        self._processes: dict[str, PlayerProcess] = {}
        self._machine_faults: list[str] = []  # why the game is void: sentences
        self._late: dict[str, str] = {}  # how programs spent the time to sign up, in words
        self._places: dict[str, Reservation] = {}
        self._doors: dict[str, PlayerDoor] = {}
        self._absent: set[str] = set()
        self._unstarted: dict[str, Testimony] = {}  # why programs were not even started
        self._outputs: dict[str, bytes] = {}
        self._alarms: Counter[Alarm] = Counter()
        self._marks: defaultdict[str, list[TurnMark]] = defaultdict(list)
        self._answered: set[str] = set()
        self._ejected: set[str] = set()

    async def play(self) -> FinishedGame | FailedGame:
        """Play the game; no process and no listening socket of it is left."""
        context = self._context
        async with trio.open_nursery() as processes, trio.open_nursery() as doors:
            try:
                for name in self._game.players:
                    player = context.plan.entrant(name)
                    if player.remote:
                        self._places[name] = context.places[name]
                    elif player.command:
                        await self._launch(name, processes, doors)
                await self._wait_for_players()
                if self._faults_of_the_machine():
                    return self._void()
                return await self._referee(doors)
            finally:
                with trio.move_on_after(EXIT_GRACE) as grace:
                    grace.shield = True  # players were sent the reason, and may exit by themselves
                    for process in self._processes.values():
                        await process.ended.wait()
                for process in self._processes.values():
                    process.release()
                doors.cancel_scope.cancel()

    async def _launch(self, name: str, processes: trio.Nursery, doors: trio.Nursery) -> None:
        context = self._context
        if context.is_skipped(name):
            self._unstarted[name] = Testimony(PlayerVerdict.NEVER_STARTED, NOT_STARTED)
            return
        program = context.players[name]
        if isinstance(program, PreparedPlayer):
            why = f"It could not be built. {program.failure}"
            self._unstarted[name] = Testimony(PlayerVerdict.NEVER_STARTED, why)
            self._outputs[name] = program.output
            return
        try:
            process, listener = await context.launcher.launch_listening(program, name, processes)
        except OSError as error:
            self._machine_faults.append(f"{name} could not be started: {error.strerror or error}.")
            return
        self._processes[name] = process
        if listener is None:
            return
        door = PlayerDoor(process, listener, context.launcher, context.reception, self._raise_alarm)
        self._doors[name], self._places[name] = door, door.place
        doors.start_soon(door.run, context.farewells)

    def _raise_alarm(self, player: str, what: str) -> None:
        self._alarms[Alarm(player, what)] += 1

    # -- waiting for players --------------------------------------------------------------------

    async def _wait_for_players(self) -> None:
        if self._machine_faults:
            return
        async with trio.open_nursery() as nursery:
            for name, place in self._places.items():
                if name not in self._processes:
                    nursery.start_soon(self._wait_for_remote, name, place)
            for name in self._processes:
                nursery.start_soon(self._wait_for_program, name, self._places.get(name))

    async def _wait_for_remote(self, name: str, place: Reservation) -> None:
        timeout = place.timeout
        with trio.move_on_after(timeout):
            with trio.move_on_after(REPORT_AFTER):
                await place.wait()
            if not place.occupied:
                sentence = f"for {name}, for at most {in_seconds(timeout)}."
                fields = {"name": name, "patience": timeout}
                self._context.observer(Notice("awaited", sentence, fields, "Waiting: "))
            await place.wait()

    async def _wait_for_program(self, name: str, place: Reservation | None) -> None:
        """Wait until a program signs up, ends, or is late; its clock runs as at the table.

        One that could not be started has no place, and ends.
        """
        process, limit = self._processes[name], self._context.plan.clocks.signup

        async def until_late() -> None:
            taken = await run_out(limit, process.work.since, self._context.lag)
            self._late[name] = taken.in_words()
            if taken.is_too_busy(limit, limit):
                why = f"{name} could not sign up in time on a machine that was too busy."
                self._machine_faults.append(f"{why} {self._late[name]}")

        arrived = trio.sleep_forever if place is None else place.wait
        await first_of(until_late, arrived, process.ended.wait)

    # -- playing --------------------------------------------------------------------------------

    async def _referee(self, background: trio.Nursery) -> FinishedGame | FailedGame:
        """Play the game with the players that are there; only now is its log begun."""
        context, game = self._context, self._game
        settings = context.settings
        recorder = GameRecorder(
            game, settings, lambda data: context.observer(GameLogged(game, data))
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
            work={name: process.work.since for name, process in self._processes.items()},
        )
        so_far = OutcomeSoFar()
        scope = trio.CancelScope()

        def emit(event: events.Event) -> None:
            recorder.emit(event)
            so_far(event)
            table.handle(event)
            if table.unserved:
                scope.cancel()  # the others do not have to play on for nothing
            match event:
                case events.TurnBegan():
                    for name in self._processes.keys() - self._ejected:  # its last turn is its end
                        size = self._processes[name].output_size()
                        self._marks[name].append(TurnMark(event.number, size))
                case events.Answered():
                    self._answered.add(event.name)
                case events.Ejected() if event.name in self._processes:
                    self._ejected.add(event.name)
                    background.start_soon(self._processes[event.name].end, EJECTED_GRACE)

        dealer = recorder.dealer
        referee = Referee(settings.rulebook, game.players, dealer.bag, dealer.shuffle, emit)
        with scope:
            await table.play(referee.play())
        async with trio.open_nursery() as ending:
            for process in self._processes.values():
                ending.start_soon(process.end)
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

    def _seat(self, name: str) -> Seat:
        """Seat a player that connects, or none if it is absent."""
        place = self._places.get(name)
        seat = None if place is None else place.take()
        if seat is None:
            self._absent.add(name)
            why = f"It did not sign up in time. {self._sign_up_failed(name)}".rstrip()
            fault = Fault(Reason.DISCONNECTED, why, circumstance=Circumstance.ABSENT)
            return EmptySeat(name, fault)
        return seat

    def _sign_up_failed(self, name: str) -> str:
        """Return what came instead of a program's sign-up, in a sentence; empty if nothing did."""
        door = self._doors.get(name)
        if door is None or door.fault is None:
            return ""
        process = self._processes[name].exit
        stopped = process is not None and process.code is None
        if stopped and door.fault.reason is Reason.DISCONNECTED:  # the end was ours
            return "It connected, but sent no complete <signup>."
        return f"Its sign-up failed: {sign_up_fault_with_hint(door.fault)}"

    # -- judging --------------------------------------------------------------------------------

    def _finished(
        self, outcome: Outcome, recorder: GameRecorder, built_in: Mapping[str, BuiltInSeat]
    ) -> FinishedGame:
        ejections = recorder.ejections
        testimony = testimony_of(built_in, recorder)
        for name in {*self._game.players} - built_in.keys():
            testimony[name] = self._testimony(name, ejections.get(name))
        result = recorder.result(outcome, testimony)
        if self._processes:
            result = result._replace(sandbox=self._context.launcher.sandbox.value)
        self._outputs |= {name: seat.output for name, seat in built_in.items() if seat.output}
        for seat in result.seats:
            name, process = seat.player, self._processes.get(seat.player)
            if process and (self._context.plan.tournament.outputs == "all" or not seat.finished):
                end = process.output(KEPT_BYTES)  # it has ended
                before = process.output_size() - len(end)
                output = with_headings(end, before, self._marks[name])
                self._outputs[name] = output.replace(self._folder_of(name).encode(), b"")
        return FinishedGame(result, recorder.close(), self._outputs, self._all_alarms())

    def _testimony(self, name: str, ejection: events.Ejected | None) -> Testimony:
        """Return what is to be believed about a player that connects, beyond the log.

        That shows only that a player was late, or that its connection was lost.
        """
        if name in self._unstarted:
            return self._unstarted[name]
        process = self._processes.get(name)
        if process is None or (ended := process.exit) is None:
            absent = Testimony(PlayerVerdict.NEVER_STARTED, "It was not in the lobby.")
            return absent if name in self._absent else Testimony()
        processor = ended.processor
        # limits have the names that they have in the tournament file
        output = process.output(KEPT_BYTES)
        description = ended.describe(self._context.plan.limits, "limits.{}".format, output)
        description = description.replace(self._folder_of(name), "")
        if name in self._absent:
            late = in_seconds(self._context.plan.clocks.signup) if name in self._late else ""
            limit = f"It did not sign up within {late}." if late else ""
            told = (limit, self._sign_up_failed(name), description, self._late.get(name, ""))
            description = " ".join(filter(None, told))
            return Testimony(PlayerVerdict.NEVER_STARTED, description, processor)
        if ejection is not None and ejection.reason is Reason.DISCONNECTED:
            if ended.failed:
                cause = "Its output reached the limit (limits.file_size)." * process.flooded
                return Testimony(PlayerVerdict.CRASHED, description, processor, cause)
            return Testimony(processor=processor, cause=description)
        cause = ""
        if ejection is not None and ejection.reason is Reason.TIMED_OUT:
            if ended.suspended:
                cause = _suspended(ended)
            elif name not in self._answered and not ejection.data:
                cause = "It showed no sign of life after its sign-up."
        return Testimony(processor=processor, cause=cause)

    def _folder_of(self, name: str) -> str:
        """Return the beginning of paths in a program's folder, which is of no use to its author."""
        program = self._context.players[name]
        return f"{program.directory if isinstance(program, Program) else program.folder}/"

    def _all_alarms(self) -> tuple[Alarm, ...]:
        """Return what was suspicious, also about how programs ended."""
        for name, process in self._processes.items():
            if process.exit is not None:
                if process.exit.stopped == "unanswered":
                    told = f"{self._game.id}, {name}: {UNANSWERED}. This machine may be too busy."
                    self._context.observer(Trouble(told))
                for what in _suspicions(process.exit, self._context.plan.limits):
                    self._raise_alarm(name, what)
        return tuple(
            alarm if times == 1 else Alarm(alarm.player, f"{alarm.what} ({times} times)")
            for alarm, times in self._alarms.items()
        )


def _suspended(ended: ProcessExit) -> str:
    return f"Its processes stood still for {ended.suspended / 1000:.1f} s after a signal."


def _suspicions(ended: ProcessExit, limits: Limits) -> Iterator[str]:
    if ended.stopped == "unknown":
        yield "Its supervisor was killed or stopped, or the supervisor's report was tampered with."
    if ended.suspended:
        yield _suspended(ended)
    if ended.yielded:
        yield "It kept more than one processor busy, so that all others went first from then on."
    if ended.killed_from_outside(limits):
        yield f"It was ended by {signal.Signals(-(ended.code or 0)).name}, which no limit explains."


async def play_game(game: Game, context: GameContext) -> FinishedGame | FailedGame:
    """Play one attempt at a game; if the machine or the referee has failed, it does not count."""
    try:
        return await ConnectedGame(game, context).play()
    except Exception as error:
        cause: BaseException = error
        while isinstance(cause, BaseExceptionGroup):
            cause = cause.exceptions[0]
        if isinstance(cause, OSError) and errno.errorcode.get(cause.errno or 0) in LACKING:
            why = f"The machine could not play it: {cause.strerror}."
            return FailedGame(game.id, why, by_machine=True)
        text = "".join(traceback.format_exception(error))
        why = f"A bug of the referee broke it off: {cause!r}."
        return FailedGame(game.id, why, text)
