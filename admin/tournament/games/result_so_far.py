"""A game's result, from its events.

The events come from the referee while the game is played, or from its log when that is verified.
Both give the same result, but for what a log does not show: the referee's testimony.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...refereeing.play import events
from ...refereeing.play.events import Event
from ...refereeing.play.outcome import Outcome
from .result import GameResult, PlayerVerdict, SeatResult

TESTIFIED = frozenset({PlayerVerdict.CRASHED, PlayerVerdict.NEVER_STARTED})
"""Verdicts that no log shows: there, the player's connection is lost."""


class Testimony(NamedTuple):
    """What the referee says about one player beyond the log.

    ``verdict`` and ``detail`` replace those of a lost connection if they are given: the program
    crashed, or never signed up. ``processor`` is CPU time in milliseconds, ``None`` if unknown.
    ``cause`` says more about why a player was late or left. ``version`` is that of its program.
    """

    verdict: PlayerVerdict | None = None
    detail: str = ""
    processor: int | None = None
    cause: str = ""
    version: str = ""


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
