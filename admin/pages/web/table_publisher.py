"""Sends a referee's games to the pages."""

from collections import defaultdict
from collections.abc import Sequence
from heapq import nlargest
from operator import add
from typing import Any, NamedTuple, assert_never

from ....game.turn import Ending
from ...refereeing.table import server_events
from ...refereeing.view.plain_text import dollars
from .serving import Feed

MAX_ROWS = 100  # players in the standings: those who have won most
COLUMNS = ["", "player", "games", "won", "mean score"]


class _Tally(NamedTuple):
    """A player's results over all games; the mean score is that of the games it finished."""

    games: int = 0
    wins: int = 0
    finished: int = 0
    scored: int = 0

    @property
    def mean(self) -> float:
        return self.scored / self.finished if self.finished else 0.0


class SpectatorPublisher:
    """An observer that publishes a referee's games."""

    def __init__(self, feed: Feed, title: str) -> None:
        self._feed = feed
        self._unsent_logs: dict[int, bytes] = {}
        self._begun: set[int] = set()
        self._filling = 0  # the game whose table is filled
        self._tallies: defaultdict[str, _Tally] = defaultdict(_Tally)
        feed.show(title=title)

    def __call__(self, event: server_events.ServerEvent) -> None:
        """Show an event."""
        match event:
            case server_events.SignUpsChanged(number, names, seats):
                self._filling = number
                self._feed.show(waiting=list(names), seats=seats)
            case server_events.Unfilled():
                self._feed.show(waiting=[], seats=0)
            case server_events.LogWritten(number, data):
                if number in self._begun:
                    self._feed.log(str(number), data)
                else:  # sent when the game begins
                    self._unsent_logs[number] = self._unsent_logs.get(number, b"") + data
            case server_events.GameBegan(number, header):
                self._begin(number, header.names)
            case server_events.GameEnded():
                self._end(event)
            case server_events.GameAbandoned(number):
                self._begun.discard(number)
                self._unsent_logs.pop(number, None)
                self._feed.send("over", match=str(number), ending="Abandoned.", cut=True)
            case server_events.Listening() | server_events.TurnedAway() | server_events.Happened():
                pass  # the pages make of the log what happened
            case _:
                assert_never(event)

    def _begin(self, number: int, players: Sequence[str]) -> None:
        if number == self._filling:  # the last table
            self._feed.show(waiting=[], seats=0)
        title = f"Game {number}"
        self._feed.send("begun", match=str(number), title=title, players=players)
        self._begun.add(number)
        self._feed.log(str(number), self._unsent_logs.pop(number, b""))

    def _end(self, game: server_events.GameEnded) -> None:
        self._begun.discard(game.number)
        for place in game.outcome.standings:
            more = (1, place.won, place.finished, place.score)
            self._tallies[place.name] = _Tally(*map(add, self._tallies[place.name], more))
        self._feed.show(standings={"columns": COLUMNS, "rows": self._rows()})
        ending = game.outcome.ending
        cut = ending is Ending.INTERRUPTED
        self._feed.send("over", match=str(game.number), ending=ending.sentence, cut=cut)

    def _rows(self) -> list[list[Any]]:
        best = nlargest(
            MAX_ROWS, self._tallies.items(), key=lambda item: (item[1].wins, item[1].mean)
        )
        return [
            [place, name, tally.games, tally.wins, dollars(tally.mean) if tally.finished else ""]
            for place, (name, tally) in enumerate(best, start=1)
        ]
