"""Sends a referee's games to the pages, and passes everything on to another observer."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import Any

from ....game.turn import Ending
from ....protocol.faults import Fault
from ...refereeing.log.writer import Header
from ...refereeing.play.events import Event
from ...refereeing.table.observer import EndedGame, ServerObserver
from .feed import Feed

MAX_ROWS = 100
"""Players in the standings: those who have won most."""
COLUMNS = ["", "player", "games", "won", "mean score"]


@dataclass(slots=True)
class _Tally:
    """A player's results over all games."""

    games: int = 0
    wins: int = 0
    finished: int = 0
    scored: int = 0

    @property
    def mean(self) -> int:
        """Mean score in dollars over the games that the player finished."""
        return round(self.scored / self.finished) if self.finished else 0


class SpectatorPublisher(ServerObserver):
    """Publishes a referee's games; ``other`` observes them as well."""

    def __init__(self, other: ServerObserver, feed: Feed, title: str) -> None:
        self._other = other
        self._feed = feed
        self._unsent_logs: dict[int, bytes] = {}
        self._begun: set[int] = set()
        self._filling = 0
        """The game whose table is filled."""
        self._tallies: defaultdict[str, _Tally] = defaultdict(_Tally)
        feed.send("title", title=title)

    def listening(self, addresses: Sequence[str]) -> None:
        """Pass it on."""
        self._other.listening(addresses)

    def signed_up(self, number: int, names: Sequence[str], seats: int) -> None:
        """Show who has signed up."""
        self._other.signed_up(number, names, seats)
        self._filling = number
        self._feed.send("waiting", names=list(names), seats=seats)

    def turned_away(self, address: str, name: str, fault: Fault) -> None:
        """Pass it on."""
        self._other.turned_away(address, name, fault)

    def unfilled(self, number: int, signed_up: int, needed: int) -> None:
        """Clear the list of waiting players."""
        self._other.unfilled(number, signed_up, needed)
        self._feed.send("waiting", names=[], seats=0)

    def logged(self, number: int, data: bytes) -> None:
        """Send the bytes; those written before the game begins are sent when it does."""
        self._other.logged(number, data)
        if number in self._begun:
            self._feed.log(str(number), data)
        else:
            self._unsent_logs[number] = self._unsent_logs.get(number, b"") + data

    def began(self, number: int, header: Header) -> None:
        """Show a new game."""
        self._other.began(number, header)
        players = [seat.name for seat in header.seats]
        if number == self._filling:  # the last table
            self._feed.send("waiting", names=[], seats=0)
        title = f"Game {number}"
        self._feed.send("begun", match=str(number), title=title, players=players)
        self._begun.add(number)
        self._feed.log(str(number), self._unsent_logs.pop(number, b""))

    def happened(self, number: int, event: Event) -> None:
        """Pass it on; the pages read the log."""
        self._other.happened(number, event)

    def ended(self, game: EndedGame) -> None:
        """Show how a game ended, and the standings."""
        self._other.ended(game)
        self._begun.discard(game.number)
        for rank, name, score, finished in game.outcome.standings:
            tally = self._tallies[name]
            tally.games += 1
            tally.wins += finished and rank == 1
            if finished:
                tally.finished += 1
                tally.scored += score
        self._feed.send("standings", columns=COLUMNS, rows=self._rows())
        ending = game.outcome.ending
        cut = ending is Ending.INTERRUPTED
        self._feed.send("over", match=str(game.number), ending=ending.sentence, cut=cut)

    def _rows(self) -> list[list[Any]]:
        best = nlargest(
            MAX_ROWS, self._tallies.items(), key=lambda item: (item[1].wins, item[1].mean)
        )
        return [
            [place, name, tally.games, tally.wins, f"${tally.mean:,}" if tally.finished else ""]
            for place, (name, tally) in enumerate(best, start=1)
        ]

    def abandoned(self, number: int, why: str) -> None:
        """Show that a game was abandoned."""
        self._other.abandoned(number, why)
        self._begun.discard(number)
        self._unsent_logs.pop(number, None)
        self._feed.send("over", match=str(number), ending="Abandoned.", cut=True)
