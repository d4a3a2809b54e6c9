"""Record one game: its log, kept in memory, and every player's result.

A recorder reads the game's events, so it works for built-in players and for connections alike. The
events come from the referee while the game is played, or from its log when that is verified. Both
give the same result, but for what a log does not show: the referee's testimony.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ....game.rulebook import Rulebook
from ....protocol.rulebook_file import from_json
from ...refereeing.log.recorder import Header, SeatRecord
from ...refereeing.log.writer import GameLog, MemoryFile, Written
from ...refereeing.play import events
from ...refereeing.play.dealer import Dealer
from ...refereeing.play.draw_sync import DrawSync
from ...refereeing.play.events import Event
from ...refereeing.play.judge import Emit
from ...refereeing.play.outcome import Outcome
from ..games.result import GameResult, PlayerVerdict, SeatResult, log_name
from ..planning.schedule import Game

TESTIFIED = frozenset({PlayerVerdict.CRASHED, PlayerVerdict.NEVER_STARTED})
"""Verdicts that no log shows: there, the player's connection is lost."""


class Testimony(NamedTuple):
    """What the referee says about one player beyond the log.

    ``verdict`` and ``detail`` replace those of a lost connection if they are given: the program
    crashed, or never signed up.
    """

    verdict: PlayerVerdict | None = None
    detail: str = ""
    processor: int | None = None  # CPU time in milliseconds, None if unknown
    cause: str = ""  # more about why the player was late or left
    version: str = ""  # that of its program


class ResultSoFar:
    """The result of one game: call it with all its events, in order."""

    def __init__(self, game: str, block: str, seed: int, players: Sequence[str]) -> None:
        """``players`` are in seat order."""
        self._game, self._block, self._seed = game, block, seed
        self._turn = 0
        self._out_of_step: int | None = None
        self._latencies: dict[str, list[int]] = {name: [] for name in players}
        self._ejected: dict[str, tuple[events.Ejected, int]] = {}

    def __call__(self, *happened: Event) -> None:
        """Take one event, or several."""
        for event in happened:
            if isinstance(event, events.Answered):  # by far the most frequent
                self._latencies[event.name].append(event.latency)  # 0 if built in
            elif isinstance(event, events.TurnBegan):
                self._turn = event.number
            elif isinstance(event, events.Ejected):
                self._ejected[event.name] = (event, self._turn)
            elif isinstance(event, events.OutOfStep):
                self._out_of_step = event.turn

    @property
    def ejections(self) -> dict[str, events.Ejected]:
        """The ejections before the pay-out, by player; a player that leaves later has finished."""
        return {name: event for name, (event, _) in self._ejected.items() if event.bag is not None}

    def result(self, outcome: Outcome, testimony: Mapping[str, Testimony]) -> GameResult:
        """Return the result of a game that ended so; ``testimony`` is by player, if there is any.

        A verdict in ``testimony`` counts only for a player whose connection was lost.
        """
        standings = {standing.name: standing for standing in outcome.standings}
        seats = []
        for name, latencies in self._latencies.items():
            said = testimony.get(name, Testimony())
            verdict, detail, turn = self._verdict(name)
            if said.verdict in TESTIFIED and verdict is PlayerVerdict.DISCONNECTED:
                verdict, detail = said.verdict or verdict, said.detail
            rank, money = len(self._latencies), 0
            if verdict is PlayerVerdict.FINISHED:
                rank, money = standings[name].rank, standings[name].score
            times = (len(latencies), sum(latencies), max(latencies, default=0), said.processor)
            seat = SeatResult(name, verdict, rank, money, detail, turn, *times)
            seats.append(seat._replace(cause=said.cause, version=said.version))
        what = (outcome.ending.value, outcome.turns, self._out_of_step)
        return GameResult(self._game, self._block, self._seed, *what, tuple(seats))

    def _verdict(self, name: str) -> tuple[PlayerVerdict, str, int | None]:
        """Return verdict, detail and turn from the events alone."""
        if name not in self._ejected:
            return PlayerVerdict.FINISHED, "", None
        event, turn = self._ejected[name]
        if event.bag is None:  # after the pay-out
            return PlayerVerdict.FINISHED, f"Left after the end: {event.reason.value}.", None
        return PlayerVerdict(event.reason.value), event.detail, turn


class GameSettings(NamedTuple):
    """What all games of a tournament have in common, as values that any process can be sent."""

    rulebook_json: str
    duplicate: bool
    strategies: Mapping[str, str]  # those of the built-in players, by name
    folder: str = ""  # has the files of strategies that are in files
    versions: Mapping[str, str] = {}  # of programs and such files, by player

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook, always the same value."""
        return from_json(self.rulebook_json)


class GameRecorder:
    """Records one game; ``emit`` must be called with all its events, in order."""

    def __init__(self, game: Game, settings: GameSettings, written: Written | None = None) -> None:
        """In the log all players but the built-in ones are remote.

        ``written`` is called with all bytes of the log, in order, before each turn. Without it the
        whole game is recorded at its end, which takes half the time.
        """
        self.dealer, strategies = Dealer(game.seed), settings.strategies
        seats = tuple(
            SeatRecord(name, "house", strategies[name])
            if name in strategies
            else SeatRecord(name, "remote")
            for name in game.players
        )
        what = (settings.rulebook, game.seed, 1, self.dealer.bag, seats)
        header = Header(*what, settings.duplicate, game.commitment)
        self._file = MemoryFile()
        path = Path(log_name(game.id))
        self._log = GameLog(path, self._file, header, written or (lambda _: None))
        self._result = ResultSoFar(game.id, game.block, game.seed, game.players)
        self._sync = DrawSync() if settings.duplicate else None
        self._versions = settings.versions
        self._happened: list[Event] = []  # what is not recorded yet
        self.emit: Emit = self._happened.append if written is None else self._take

    def _take(self, event: Event) -> None:
        if isinstance(event, events.TurnBegan):
            self._record()
        self._happened.append(event)

    def _record(self) -> None:
        happened = self._happened
        if not happened:
            return
        if self._sync is not None:
            self._sync.mark(happened)
        self._log.write(happened)
        self._result(*happened)
        happened.clear()

    @property
    def ejections(self) -> dict[str, events.Ejected]:
        """The ejections before the pay-out, by player; a player that leaves later has finished."""
        self._record()
        return self._result.ejections

    def close(self, interrupted_after: int | None = None) -> bytes:
        """Close the log, and return it compressed.

        ``interrupted_after`` is the number of turns of a game that was not played to its end.
        """
        self._record()
        self._log.close(interrupted_after)
        return self._file.compressed()

    def result(self, outcome: Outcome, testimony: Mapping[str, Testimony] = {}) -> GameResult:
        """Return the game's result; ``testimony`` is what events do not show, by player."""
        self._record()
        known = dict(testimony)
        for name, version in self._versions.items():
            known[name] = known.get(name, Testimony())._replace(version=version)
        return self._result.result(outcome, known)
