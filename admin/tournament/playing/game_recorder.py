"""The account of one game: its log, kept in memory, and what became of every seat.

A reader of the match's events, whether strategies of this process play or connections.
"""

import gzip
from collections.abc import Mapping
from pathlib import Path

from admin.log.writer import Header, MatchLog, SeatRecord, Written
from admin.match import events
from admin.match.dealer import Dealer
from admin.match.draw_sync import DrawSync
from admin.match.events import Event
from admin.match.judge import Emit
from admin.match.outcome import Outcome
from admin.tournament.planning.schedule import Game
from admin.tournament.results.result import GameResult, SeatResult
from admin.tournament.results.verdict import PlayerVerdict
from game.rulebook import Rulebook


class Pages:
    """A log in memory, as bytes."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> int:
        """Take bytes."""
        self._parts.append(data)
        return len(data)

    def close(self) -> None:
        """Take no more."""

    def compressed(self) -> bytes:
        """Return the log so far, compressed; the same log gives the same bytes."""
        return gzip.compress(b"".join(self._parts), compresslevel=6, mtime=0)


class GameRecorder:
    """What one game's events come to. ``emit`` is to be told all of them, in order."""

    def __init__(
        self,
        game: Game,
        rulebook: Rulebook,
        strategies: Mapping[str, str],
        *,
        duplicate: bool,
        written: Written = lambda _: None,
    ) -> None:
        """``strategies`` are the house players' by name; all others are remote to the log.

        ``written`` is told all bytes of the log, in order.
        """
        self._game = game
        self.dealer = Dealer(game.seed)
        seats = tuple(
            SeatRecord(name, "house", strategies[name])
            if name in strategies
            else SeatRecord(name, "remote")
            for name in game.players
        )
        header = Header(rulebook, game.seed, 1, self.dealer.bag, seats, duplicate)
        self._pages = Pages()
        self._log = MatchLog(Path(f"{game.id}.xml"), self._pages, header, written)
        self._steps = DrawSync(self._log)
        self.emit: Emit = self._take
        self._tell: Emit = self._steps if duplicate else self._log
        self._turn = 0
        self._answers = dict.fromkeys(game.players, 0)
        self._thought = dict.fromkeys(game.players, 0)
        self._slowest = dict.fromkeys(game.players, 0)
        self._ejected: dict[str, tuple[events.Ejected, int]] = {}

    def _take(self, event: Event) -> None:
        self._tell(event)
        match event:
            case events.Answered(name=name, latency=latency):
                self._answers[name] += 1
                self._thought[name] += latency
                self._slowest[name] = max(self._slowest[name], latency)
            case events.TurnBegan(number=number):
                self._turn = number
            case events.Ejected(name=name):
                self._ejected[name] = (event, self._turn)

    @property
    def lost(self) -> dict[str, events.Ejected]:
        """Who was ejected before the end, and how; who left after the pay-out has finished."""
        return {name: event for name, (event, _) in self._ejected.items() if event.bag is not None}

    def close(self) -> bytes:
        """End the log, and return it compressed."""
        self._log.close()
        return self._pages.compressed()

    def result(
        self,
        outcome: Outcome,
        verdicts: Mapping[str, tuple[PlayerVerdict, str]] | None = None,
        processor: Mapping[str, int] | None = None,
    ) -> GameResult:
        """Return what the game comes to.

        ``verdicts`` are those that only the one who launched a player can know, each with a
        sentence; ``processor`` are milliseconds by player.
        """
        standings = {standing.name: standing for standing in outcome.standings}
        seats = []
        for name in self._game.players:
            verdict, detail, turn = self._verdict(name)
            if verdicts and name in verdicts:
                verdict, detail = verdicts[name]
            standing, finished = standings[name], verdict is PlayerVerdict.FINISHED
            seats.append(
                SeatResult(
                    name,
                    verdict,
                    standing.rank if finished else len(self._game.players),
                    standing.score if finished else 0,
                    detail,
                    turn,
                    self._answers[name],
                    self._thought[name],
                    self._slowest[name],
                    (processor or {}).get(name),
                )
            )
        game = self._game
        return GameResult(
            game.id,
            game.block,
            game.seed,
            outcome.ending.value,
            outcome.turns,
            self._steps.turn,
            tuple(seats),
        )

    def _verdict(self, name: str) -> tuple[PlayerVerdict, str, int | None]:
        """Judge by the events alone: who lost the connection after the pay-out has finished."""
        if name not in self._ejected:
            return PlayerVerdict.FINISHED, "", None
        event, turn = self._ejected[name]
        if event.bag is None:
            return PlayerVerdict.FINISHED, f"Left after the end: {event.reason.value}.", None
        return PlayerVerdict.of(event.reason), event.detail, turn
