"""Record one game: its log, kept in memory, and every player's result.

A recorder reads the match's events, so it works for built-in players and for connections alike.
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


class MemoryFile:
    """A log in memory."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> int:
        """Append some bytes."""
        self._parts.append(data)
        return len(data)

    def close(self) -> None:
        """Do nothing: the bytes are kept."""

    def compressed(self) -> bytes:
        """Return the log, compressed; the same log gives the same bytes."""
        return gzip.compress(b"".join(self._parts), compresslevel=6, mtime=0)


class GameRecorder:
    """Records one game; ``emit`` must be called with all its events, in order."""

    def __init__(
        self,
        game: Game,
        rulebook: Rulebook,
        strategies: Mapping[str, str],
        *,
        duplicate: bool,
        written: Written = lambda _: None,
    ) -> None:
        """``strategies`` are those of built-in players, by name; in the log all others are remote.

        ``written`` is called with all bytes of the log, in order.
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
        self._file = MemoryFile()
        self._log = MatchLog(Path(f"{game.id}.xml"), self._file, header, written)
        self._draw_sync = DrawSync(self._log)
        self._emit_to_log: Emit = self._draw_sync if duplicate else self._log
        self._turn = 0
        self._answers = dict.fromkeys(game.players, 0)
        self._thought = dict.fromkeys(game.players, 0)
        self._slowest = dict.fromkeys(game.players, 0)
        self._ejected: dict[str, tuple[events.Ejected, int]] = {}

    def emit(self, event: Event) -> None:
        """Record an event."""
        self._emit_to_log(event)
        match event:
            case events.Answered(name=name, latency=latency):
                self._answers[name] += 1
                self._thought[name] += latency
                self._slowest[name] = max(self._slowest[name], latency)
            case events.TurnBegan(number=number):
                self._turn = number
            case events.Ejected(name=name):
                self._ejected[name] = (event, self._turn)
            case _:
                pass  # the log has all events; results need only these

    @property
    def ejections(self) -> dict[str, events.Ejected]:
        """The ejections before the pay-out, by player; a player that leaves later has finished."""
        return {name: event for name, (event, _) in self._ejected.items() if event.bag is not None}

    def close(self) -> bytes:
        """Close the log, and return it compressed."""
        self._log.close()
        return self._file.compressed()

    def result(
        self,
        outcome: Outcome,
        verdicts: Mapping[str, tuple[PlayerVerdict, str]] | None = None,
        processor: Mapping[str, int] | None = None,
    ) -> GameResult:
        """Return the game's result.

        ``verdicts`` are those that events do not show, each with a sentence; ``processor`` is CPU
        time in milliseconds by player.
        """
        game = self._game
        standings = {standing.name: standing for standing in outcome.standings}
        seats = []
        for name in game.players:
            verdict, detail, turn = self._verdict(name)
            if verdicts and name in verdicts:
                verdict, detail = verdicts[name]
            standing, finished = standings[name], verdict is PlayerVerdict.FINISHED
            seats.append(
                SeatResult(
                    name,
                    verdict,
                    standing.rank if finished else len(game.players),
                    standing.score if finished else 0,
                    detail,
                    turn,
                    self._answers[name],
                    self._thought[name],
                    self._slowest[name],
                    (processor or {}).get(name),
                )
            )
        return GameResult(
            game.id,
            game.block,
            game.seed,
            outcome.ending.value,
            outcome.turns,
            self._draw_sync.turn,
            tuple(seats),
        )

    def _verdict(self, name: str) -> tuple[PlayerVerdict, str, int | None]:
        """Return verdict, detail and turn from the events alone."""
        if name not in self._ejected:
            return PlayerVerdict.FINISHED, "", None
        event, turn = self._ejected[name]
        if event.bag is None:  # after the pay-out
            return PlayerVerdict.FINISHED, f"Left after the end: {event.reason.value}.", None
        return PlayerVerdict.of(event.reason), event.detail, turn
