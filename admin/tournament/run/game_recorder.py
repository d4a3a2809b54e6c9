"""Record one game: its log, kept in memory, and every player's result.

A recorder reads the game's events, so it works for built-in players and for connections alike.
"""

from collections.abc import Mapping
from pathlib import Path

from ....game.rulebook import Rulebook
from ...refereeing.log.recorder import Header, SeatRecord
from ...refereeing.log.writer import GameLog, MemoryFile, Written
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
        written: Written | None = None,
    ) -> None:
        """``strategies`` are those of built-in players, by name; in the log all others are remote.

        ``written`` is called with all bytes of the log, in order, before each turn. Without it the
        whole game is recorded at its end, which takes half the time.
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
        path = Path(f"{game.id}.xml")
        self._log = GameLog(path, self._file, header, written or (lambda _: None))
        self._result = ResultSoFar(game.id, game.block, game.seed, game.players)
        self._sync = DrawSync() if duplicate else None
        self._happened: list[Event] = []
        """What is not recorded yet."""
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
        return self._result.result(outcome, testimony)
