"""Which cases the events of a game come to."""

from collections.abc import Iterator, Sequence

from ....game.placement import Kind, equal_acquired, largest_of
from ....game.rulebook import DisposalRule
from ....game.state import State
from ....game.tiles import NEIGHBOURS
from ...refereeing.play import events
from ...refereeing.play.events import Event


def milestones(event: Event, before: State, turn: Sequence[Event]) -> Iterator[str]:
    """Yield the cases that an event comes to.

    ``before`` is the position before it, ``turn`` the events of the turn so far.
    """
    match event:
        case events.Placed():
            yield "placing/board"
            yield from _placed(event, before)
        case events.FoundersShare():
            yield "placing/founders-share"
        case events.NothingPlaced():
            yield "placing/skipped"
        case events.Acquired(survivor, hotel, size, price, state):
            yield "mergers/price"
            yield from _holders(hotel, price, state)
            if size and before.board.sizes[survivor] - size >= before.rulebook.safe_size:
                yield "mergers/safe-acquires"
        case events.BonusPaid():
            ended = any(isinstance(each, events.Ended) for each in turn)
            yield "end/bonuses" if ended else "mergers/bonuses"
        case events.Returned():
            yield "mergers/returned"
        case events.Sold():
            yield "mergers/sold"
        case events.Traded():
            yield "mergers/traded"
        case events.Bought(_, hotel, count, _, state):
            yield from _bought(hotel, count, state, turn)
        case events.Drew():
            yield "drawing/tile"
            yield "drawing/new-tile"
        case events.SetAside(_, _, state):
            begun = isinstance(turn[-1], events.TurnBegan) if turn else False
            yield "drawing/new-hand" if begun else "drawing/dead-tiles"
        case events.HandKept():
            yield "drawing/hand-kept"
        case events.MarketDrew():
            yield "mergers/market"
        case events.MarketPlaced(kind=kind):
            yield "mergers/markets-tile"
            if kind is Kind.MERGING:
                yield "mergers/markets-merger"
        case events.Declared():
            yield "end/declared"
        case events.TurnBegan(_, _, state):
            yield "conversation/turn"
            if not state.bag:
                yield "drawing/empty-bag"
        case events.TurnUndone():
            yield "ejection/undone"
        case events.Ejected():
            yield "ejection/goods"
            yield "ejection/goes-on"
        case events.Ended(ending, _, state):
            yield f"end/{ending.value}"
            yield from ("end/moment", "end/order", "end/scores")
            off = [hotel for hotel, size in enumerate(state.board.sizes) if not size]
            if any(player.shares[hotel] for player in state.players for hotel in off):
                yield "end/not-on-board"


def _placed(event: events.Placed, before: State) -> Iterator[str]:
    board, tile, rulebook = before.board, event.tile, before.rulebook
    loose = NEIGHBOURS[tile] & board.loose
    match event.kind:
        case Kind.SINGLETON:
            yield "placing/eighth-hotel" if loose else "placing/alone"
        case Kind.FOUNDING:
            yield "placing/founding"
            if event.hotel is not None and not before.bank[event.hotel]:
                yield "placing/no-share-left"
        case Kind.GROWING:
            yield "placing/growing"
            if loose:
                yield "placing/absorbing"
        case Kind.MERGING:
            hotels = board.touched(tile)
            yield "mergers/joining"
            if len(largest_of(board, hotels)) > 1:
                yield "mergers/equal-survivor"
            if len(hotels) > 2:
                yield "mergers/several"
            if event.hotel is not None and equal_acquired(board, tile, event.hotel):
                yield "mergers/equals-named"
            if loose:
                yield "mergers/absorbing"
            keeps = rulebook.disposal is DisposalRule.KEEP_OR_RETURN
            held = any(player.shares[hotel] for player in before.players for hotel in hotels)
            if keeps or held:
                yield "mergers/asked"


def _holders(hotel: int, price: int, state: State) -> Iterator[str]:
    """Yield the ways in which the bonuses of an acquired hotel may be due."""
    held = sorted((player.shares[hotel] for player in state.players), reverse=True)
    if not held or not held[0]:
        yield "mergers/nobody"
        return
    first, rest = held.count(held[0]), [count for count in held if count < held[0]]
    if first > 1:
        yield "mergers/tied-majority"
    elif rest and rest[0] and rest.count(rest[0]) > 1:
        yield "mergers/tied-minority"
    if not any(rest) and first == 1:
        yield "mergers/sole-holder"
    tied = first if first > 1 else rest.count(rest[0]) if rest and rest[0] else 1
    multiples = state.rulebook.bonus_multiples
    pooled = price * (sum(multiples[:tied]) if first > 1 else sum(multiples[1 : 1 + tied]))
    if tied > 1 and pooled % (tied * state.rulebook.rounding_step):
        yield "mergers/rounding"


def _bought(hotel: int, count: int, state: State, turn: Sequence[Event]) -> Iterator[str]:
    yield "buying/price"
    yield "buying/bank"
    if not state.board.sizes[hotel]:
        yield "buying/off-board"
    if not state.bank[hotel]:
        yield "buying/last"
    if any(isinstance(each, events.Acquired) for each in turn):
        yield "buying/after-merger"
    others = [each for each in turn if isinstance(each, events.Bought) and each.hotel != hotel]
    if others:
        yield "buying/mixed"
