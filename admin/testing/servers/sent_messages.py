"""The messages of a match as they are taken one by one, and the positions that they show."""

from ....game.rulebook import Rulebook
from ....game.state import State
from ....protocol import messages
from ....protocol.messages import TAGS, RefereeMessage
from .exchanges import Exchanged, MatchTrace
from .table_seen import SeenTable, parts

STATES = (messages.State, messages.StateView)
TURNS = (messages.Turn, messages.TurnView)
SCORES = (messages.Score, messages.ScoreView)


class CannotGoOn(Exception):
    """The match cannot be judged further."""


class SentMessages:
    """What is left of each connection's messages; ``since`` is when the last one taken was sent."""

    def __init__(self, trace: MatchTrace) -> None:
        self.rulebook: Rulebook = trace.rulebook
        self.trace = trace
        self.seats = {seat.name: seat for seat in trace.seats if seat.name}
        self.table = SeenTable(trace.rulebook, trace)
        self.since = 0
        self._next = dict.fromkeys(self.seats, 0)

    def peek(self, name: str) -> Exchanged | None:
        """Return the next message to a player; ``None`` where there is none but ``ejected``."""
        found = self.last(name)
        return None if found is None or isinstance(found.message, messages.Ejected) else found

    def last(self, name: str) -> Exchanged | None:
        """Return the next message to a player, whatever it is."""
        exchanges, at = self.seats[name].exchanges, self._next[name]
        return exchanges[at] if at < len(exchanges) else None

    def taken(self, name: str) -> Exchanged | None:
        """Return the last message to a player that was taken."""
        at = self._next[name]
        return self.seats[name].exchanges[at - 1] if at else None

    def take(self, name: str, exchange: Exchanged) -> None:
        """Take the next message to a player."""
        self._next[name] += 1
        self.since = max(self.since, exchange.received)

    def first(self) -> tuple[str, Exchanged] | None:
        """Return the message that was sent first of those left, and to whom."""
        coming = [(each.received, name) for name in self.seats if (each := self.peek(name))]
        if not coming:
            return None
        name = min(coming)[1]
        exchange = self.peek(name)
        assert exchange is not None
        return name, exchange

    def position(self, sent: dict[str, Exchanged], before: State | None = None) -> State:
        """Return the position that some messages show.

        ``ValueError`` if it is impossible, ``CannotGoOn`` if it has players that are not ours.
        """
        shown = {name: each.message for name, each in sent.items() if each.message is not None}
        since = min(each.received for each in sent.values()) - 1
        found = self.table.position(shown, since, before)
        names = [player.name for player in found.players]
        if not {*names} <= self.seats.keys() or len({*names}) < len(names):
            raise CannotGoOn
        return found

    def skip_to_position(self) -> dict[str, Exchanged]:
        """Skip to the next position sent to everybody; return it by player. ``CannotGoOn``."""
        coming: list[tuple[int, int, str]] = []
        for name, seat in self.seats.items():
            for at in range(self._next[name], len(seat.exchanges)):
                if isinstance(seat.exchanges[at].message, STATES):
                    coming.append((seat.exchanges[at].received, at, name))
                    break
        if not coming:
            raise CannotGoOn
        found: dict[str, Exchanged] = {}
        _, first, name = min(coming)
        signature = _signature(self.seats[name].exchanges[first])
        for _, at, name in coming:
            exchange = self.seats[name].exchanges[at]
            if _signature(exchange) == signature:
                self._next[name], found[name] = at, exchange
        return found


def shown(exchange: Exchanged) -> str:
    """Return what was sent as an element."""
    message: RefereeMessage | None = exchange.message
    return "what cannot be read" if message is None else f"<{TAGS[type(message)]}>"


def _signature(exchange: Exchanged) -> object:
    """Return what is the same in all messages of one position."""
    board, _, _, seats = parts(exchange.message)
    return board, tuple(seat.name for seat in seats)
