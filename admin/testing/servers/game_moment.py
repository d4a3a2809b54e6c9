"""Where a judged game stands: what has happened since the last message that was right.

Also which event was the last to change a value that differs.
"""

from collections.abc import Iterator, Sequence

from ....game.placement import Kind
from ....game.rulebook import DisposalRule, EqualAcquired, Rulebook
from ....game.state import State
from ....game.tiles import Tile, tiles_in
from ....game.turn import Ending
from ...advising.coverage.coverage import RowReader
from ...refereeing.play import events
from ...refereeing.play.events import Event
from ...refereeing.view.plain_text import dollars
from ...refereeing.view.sentences import Sentences
from .requirements import reached_by
from .sent_messages import PLAYERS, RESULTS, SentDifference

MOST_TOLD = 14  # how many events a finding tells
_OF_EVENT = {getattr(events, name): cases for name, cases in reached_by("event").items()}
_OF_ROW = reached_by("row")


class GameMoment:
    """Where the game stands. Set ``before`` and ``last`` before the first turn.

    ``pending`` are the events since the last right message, and ``cases`` those that they come to;
    ``turn`` are the events of the turn. ``cheats`` are the misbehaving players' names in the cast,
    by their names at the table, and ``out`` has how players were ejected. ``over`` is the ending
    once the game is over. ``undrawn`` is the chance that no tile of an ejected player is drawn
    again in as many draws, if all are shuffled into the bag.
    """

    def __init__(
        self, rulebook: Rulebook, seats: int, cheats: dict[str, str] | None = None
    ) -> None:
        self.rulebook = rulebook
        self.cheats = cheats or {}
        self.number = 0
        self.pending: list[Event] = []
        self.turn: list[Event] = []
        self.cases: list[str] = []
        self.out: dict[str, events.Ejected] = {}
        self.over: Ending | None = None
        self.undrawn = 1.0
        self._put_back: set[Tile] = set()
        self._rows = RowReader(rulebook, seats)
        self.before: State  # the position before the pending events
        self.last: State  # the position after the last event

    def take(self, event: Event) -> None:
        """Take an event."""
        rows = self._rows(event)
        self.cases.extend(_OF_EVENT.get(type(event), ()))
        if not isinstance(event, events.TurnBegan | events.Ended):
            self.cases.extend(case for row in rows for case in _OF_ROW.get(row, ()))
        self.cases.extend(self._special(event))
        if isinstance(event, events.TurnBegan):
            self.number, self.turn = event.number, []
        elif isinstance(event, events.Ended):
            self.over, self.turn = event.ending, []
        elif isinstance(event, events.Ejected):
            self.out[event.name] = event
        self.pending.append(event)
        self.turn.append(event)
        now: State = getattr(event, "state", self.last)
        if self._put_back:
            bag = {*self.last.bag}
            for tile in bag - {*now.bag}:
                self.cases += ["ejection/tiles"] * (tile in self._put_back)
                self.undrawn *= 1 - len(bag & self._put_back) / len(bag)
                bag.remove(tile)
        self.last = now

    def _special(self, event: Event) -> Iterator[str]:
        """Yield the cases of an event that depend on what went before."""
        match event:
            case events.Placed(hotel=hotel, tile=tile):
                before = self.last
                touched = before.board.touched(tile)
                if len(touched) > 1:
                    keeps = self.rulebook.disposal is DisposalRule.KEEP_OR_RETURN
                    if keeps or any(each.shares[h] for each in before.players for h in touched):
                        yield "mergers/asked"
                    # hotels are numbered by name: only another order shows that sizes decide
                    sizes = [before.board.sizes[h] for h in sorted(touched) if h != hotel]
                    if sizes != sorted(sizes, reverse=True):
                        yield "mergers/several"
                elif hotel is not None and not before.bank[hotel] and not touched:
                    yield "placing/no-share-left"
            case events.Acquired(hotel=hotel, size=size):
                last = self.turn[-1]  # another order than by name shows that it was followed
                if isinstance(last, events.Acquired) and last.size == size and last.hotel > hotel:
                    yield "mergers/equals-named"
            case events.MarketPlaced(kind=Kind.MERGING):
                yield "mergers/markets-merger"
            case events.BonusPaid():
                ended = any(isinstance(each, events.Ended) for each in self.turn)
                yield "end/bonuses" if ended else "mergers/bonuses"
            case events.Bought(hotel=hotel, state=state):
                if not state.bank[hotel]:
                    yield "buying/last"
                if any(isinstance(each, events.Acquired) for each in self.turn):
                    yield "buying/after-merger"
                if any(isinstance(each, events.Bought) for each in self.turn):
                    yield "buying/mixed"
            case events.SetAside():
                acted = any(isinstance(e, events.Placed | events.NothingPlaced) for e in self.turn)
                yield "drawing/dead-tiles" if acted else "drawing/new-hand"
            case events.TurnBegan(state=state) if not state.bag:
                yield "drawing/empty-bag"
            case events.TurnUndone() if any(isinstance(e, events.Ejected) for e in self.turn):
                yield "ejection/twice"
            case events.Ejected(name=name, bag=bag):
                if bag is not None:
                    self._put_back.update(tiles_in(self.last.player(name).hand))
                if name in self.cheats:
                    yield f"ejection/{self.cheats[name]}"
            case events.Ranked(rank=rank, name=name, finished=True):
                ranked = [each for each in self.turn if isinstance(each, events.Ranked)]
                tied = [each.name for each in ranked if each.rank == rank]
                by_turn = [each.name for each in self.last.players if each.name in (*tied, name)]
                # only another order than by turn shows that ties are by name
                if tied and by_turn != sorted(by_turn):
                    yield "end/tie"
            case events.Ended(ending, _, state):
                yield f"end/{ending.value}"
                off = [hotel for hotel, size in enumerate(state.board.sizes) if not size]
                if any(player.shares[hotel] for player in state.players for hotel in off):
                    yield "end/not-on-board"

    def case_of_order(self, due: Sequence[str], sent: Sequence[str]) -> str:
        """Return the case of a wrong order of acquired hotels: equals by name, or any other."""
        acquired = [each for each in self.turn if isinstance(each, events.Acquired)]
        size = {self.rulebook.hotel_name(each.hotel): each.size for each in acquired}
        by_name = [*map(size.get, due)] == [*map(size.get, sent)] and [*sent] < [*due]
        named = by_name and self.rulebook.equal_acquired is EqualAcquired.PLACER_ORDERS
        return "mergers/equals-named" if named else "mergers/several"

    def settle(self) -> None:
        """Begin anew after a message."""
        self.pending, self.cases, self.before = [], [], self.last

    def told(self, names: Sequence[str]) -> str:
        """Return what happened since the last right message, with the money of some before it."""
        sentence = Sentences(self.rulebook).sentence
        before = [
            f"Before, {player.name} had {dollars(player.cash)}."
            for player in self.before.players
            if player.name in names
        ]
        told = [sentence(each) for each in self.pending if not isinstance(each, events.Ranked)]
        return " ".join([*before, *filter(None, told)][:MOST_TOLD])


# -- the last event that changed a value that differs, where no mistaken rule explains it --------

_COUNTS = {"cash": "cash", "shares": "certificates", "bank": "bank"}
_CHANGES: dict[type, dict[str, str]] = {
    events.Placed: {"holds": "board", "the unincorporated tiles are": "board", "hand": "hand"},
    events.BonusPaid: {"cash": "cash"},
    events.Drew: {"hand": "hand"},
    **dict.fromkeys(
        (events.FoundersShare, events.Returned, events.Sold, events.Traded, events.Bought), _COUNTS
    ),
}
"""What an event changes, each with what it is called."""
_OF_KIND = {
    Kind.SINGLETON: "placing/alone",
    Kind.FOUNDING: "placing/founding",
    Kind.GROWING: "placing/growing",
    Kind.MERGING: "mergers/joining",
}
_ORDER = "The acquired hotels are not in their order."
_FIXED = {
    "cash": ("buying/price", ""),
    "shares": ("buying/price", ""),
    "bank": ("buying/bank", "The bank is not what the players' certificates leave."),
    "hand": ("drawing/tile", ""),
    "score": ("end/scores", "The scores are wrong."),
    "holds": ("placing/board", ""),
    "the unincorporated tiles are": ("placing/board", ""),
    PLAYERS: ("conversation/turn-order", "The players are not in turn order."),
    RESULTS: ("end/order", "The results are not by falling score, ties by name."),
    "the results are for": ("end/ejected", "The results are not those of the players there."),
    "the count is": ("mergers/market", ""),
    "the hotels are": ("mergers/several", _ORDER),
    "the hotel is": ("mergers/several", _ORDER),
    "the price is": ("mergers/price", ""),
}
"""The case and a sentence for a value that differs, where nothing better is known."""


def last_change(wrong: SentDifference, moment: GameMoment) -> tuple[str, str, str]:
    """Return the case that fails, what is suspected, and a sentence, which may be empty."""
    for event in reversed(moment.turn):
        fields = _CHANGES.get(type(event), {})
        hotels = getattr(event, "hotel", None), getattr(event, "survivor", None)
        own = wrong.who in ("", getattr(event, "name", ""))
        if wrong.field not in fields or not own:
            continue
        if wrong.field in ("shares", "bank") and wrong.hotel not in hotels:
            continue
        case = _OF_EVENT.get(type(event), ("mergers/bonuses",))[0]
        if isinstance(event, events.Placed) and wrong.field != "hand":
            case = _OF_KIND[event.kind]
        if case == "buying/price" and wrong.field == "bank":
            case = "buying/bank"
        what = f"{wrong.who}'s {fields[wrong.field]}" if wrong.who else f"The {fields[wrong.field]}"
        are = "are" if wrong.field == "shares" else "is"
        told = Sentences(moment.rulebook).sentence(event)
        return case, f"{case} {wrong.field}", f"{what} {are} wrong after this: {told}"
    case, words = _FIXED.get(wrong.field, ("conversation/position", ""))
    if words == _ORDER:
        case = moment.case_of_order(wrong.expected, wrong.sent)
    return case, wrong.field, words
