"""The players' net worth after each event of a game."""

from ....game.merger import Bonus, Merger, join
from ....game.placement import Kind, Placement
from ....game.state import State
from ....game.turn import pay_out, worth, worth_in_merger
from . import events
from .events import Event

_SETTLES = (
    events.Acquired,
    events.BonusPaid,
    events.Returned,
    events.Sold,
    events.Traded,
    events.MarketDrew,
    events.Ejected,
)
"""What happens while a merger is settled."""
_MOVES_NOTHING = (*events.WIRE_EVENTS, events.Ranked)


class NetWorth:
    """Follows a game from its first position; ``take`` every event, in order.

    ``by_name`` is the net worth in dollars of each player at the table, as
    :mod:`acquire.game.turn` defines it. At the end of the game it comes to the scores. ``if_over``
    is what would be paid if the game ended now, whatever is being settled.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._merger: Merger | None = None
        self._market: dict[int, int] = {}
        self.if_over = pay_out(state)
        self.by_name = dict(self.if_over.scores)

    def take(self, event: Event) -> None:
        """Take what has happened."""
        if isinstance(event, _MOVES_NOTHING):
            return
        if self._merger is not None and not isinstance(event, _SETTLES):
            self._merger, self._market = None, {}
        match event:
            case events.Placed(_, tile, Kind.MERGING, survivor) | events.MarketPlaced(
                tile, Kind.MERGING, survivor
            ):
                self._merger = join(self._state, Placement(tile, survivor))
            case events.MarketDrew(hotel, _, shares):
                self._market[hotel] = shares
            case events.BonusPaid(name, hotel, amount) if self._merger is not None:
                paid = (*self._merger.bonuses, Bonus(hotel, name, amount))
                self._merger = self._merger._replace(bonuses=paid)
        if _assets(self._state) != _assets(event.state):  # paying out is most of the work
            self.if_over = pay_out(event.state)
        self._state = event.state
        if self._merger is not None:
            self._merger = self._merger._replace(state=event.state)
        if isinstance(event, events.BonusPaid):
            return  # what was owed is now cash
        if self._merger is not None:
            self.by_name = worth_in_merger(self._merger, self._market)
        elif self._market:
            self.by_name = worth(event.state, self._market)
        else:
            self.by_name = dict(self.if_over.scores)


def _assets(state: State) -> object:
    return {each.name: (each.cash, each.shares) for each in state.players}, state.board.sizes
