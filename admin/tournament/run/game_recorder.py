"""Record one game: its log, kept in memory, and every player's result.

A recorder reads the game's events, so it works for built-in players and for connections alike.
"""

from collections.abc import Mapping
from pathlib import Path

from ....game.rulebook import Rulebook
from ...refereeing.log.writer import GameLog, Header, MemoryFile, SeatRecord, Written
from ...refereeing.play import events
from ...refereeing.play.dealer import Dealer
from ...refereeing.play.draw_sync import DrawSync
from ...refereeing.play.events import Event
from ...refereeing.play.judge import Emit
from ...refereeing.play.outcome import Outcome
from ..games.result import GameResult
from ..games.result_so_far import ResultSoFar, Testimony
from ..planning.schedule import Game


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
        self.dealer = Dealer(game.seed)
        seats = tuple(
            SeatRecord(name, "house", strategies[name])
            if name in strategies
            else SeatRecord(name, "remote")
            for name in game.players
        )
        header = Header(rulebook, game.seed, 1, self.dealer.bag, seats, duplicate, game.commitment)
        self._file = MemoryFile()
        self._log = GameLog(Path(f"{game.id}.xml"), self._file, header, written)
        self._result = ResultSoFar(game.id, game.block, game.seed, game.players)
        self.emit: Emit = DrawSync(self._take) if duplicate else self._take
        """Records an event."""

    def _take(self, event: Event) -> None:
        self._log(event)
        self._result(event)

    @property
    def ejections(self) -> dict[str, events.Ejected]:
        """The ejections before the pay-out, by player; a player that leaves later has finished."""
        return self._result.ejections

    def close(self, interrupted_after: int | None = None) -> bytes:
        """Close the log, and return it compressed.

        ``interrupted_after`` is the number of turns of a game that was not played to its end.
        """
        self._log.close(interrupted_after)
        return self._file.compressed()

    def result(self, outcome: Outcome, testimony: Mapping[str, Testimony] = {}) -> GameResult:
        """Return the game's result; ``testimony`` is what events do not show, by player."""
        return self._result.result(outcome, testimony)
