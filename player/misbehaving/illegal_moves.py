"""The illegal moves of the cast: answers that break one rule of the game, and no other.

Each is a function that lists what breaks the rule, named after the way and described by its
docstring.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias, TypeVar

from ...game.disposal import TRADED_FOR_ONE
from ...game.placement import Kind, Placement, equal_acquired, hotel_choices, kind_of, playable
from ...game.purchase import Order, cost
from ...game.rulebook import (
    DisposalRule,
    EighthHotel,
    End,
    EqualAcquired,
    ForbiddenMerger,
    Hands,
    LooseNeighbours,
    Rulebook,
    StuckHand,
)
from ...game.state import State
from ...game.tiles import GRID, NEIGHBOURS, Mask, Tile, mask_of, near, tiles_in
from ...game.turn import declared_ending
from ...game.violation import Violation
from ...protocol import messages
from ...protocol.messages import PlayerMessage, RefereeMessage
from ...protocol.sayable import MAX_ACQUIRED

_V = Violation
_BROKEN_UNDER: dict[Violation, Callable[[Rulebook], bool]] = {
    _V.BESIDE_LOOSE: lambda rules: rules.loose_neighbours is LooseNeighbours.REFUSED,
    _V.SAFE_MERGER: lambda rules: rules.forbidden_merger is ForbiddenMerger.ANY_SAFE,
    _V.TWO_SAFE: lambda rules: rules.forbidden_merger is ForbiddenMerger.TWO_SAFE,
    _V.EIGHTH_HOTEL: lambda rules: rules.eighth_hotel is EighthHotel.REFUSED,
    _V.WRONG_EQUALS: lambda rules: rules.equal_acquired is EqualAcquired.PLACER_ORDERS,
    _V.PLACEMENT_DUE: lambda rules: rules.stuck_hand is not StuckHand.ENDS_GAME,
    _V.MIXED_ORDER: lambda rules: not rules.mixed_orders,
    _V.NOT_OVER: lambda rules: rules.end is not End.ADMINISTRATOR,
    _V.KEEP_COUNT: lambda rules: rules.disposal is DisposalRule.KEEP_OR_RETURN,
}
"""Whether a rulebook has a rule, and positions in which it can be broken; the others all have."""
MAX_IN_MESSAGE = 25
"""The most certificates of a hotel that a disposal can name; the schema rejects more."""


class Moment(NamedTuple):
    """What the player called ``name`` knows when it has to answer ``question``.

    ``position`` is the one in which the mover places, ``ordering`` the one in which the order is
    given, after the placement; both are the last ones known. ``answer`` is the correct answer, and
    ``question`` is ``None`` at sign-up, where nothing is asked.
    """

    name: str
    question: RefereeMessage | None
    position: State
    ordering: State
    answer: PlayerMessage


Find: TypeAlias = Callable[[Moment], Iterable[PlayerMessage]]
"""Lists the answers that break a rule at a moment; none where the position gives no opening."""


class IllegalMove(NamedTuple):
    """One way to break one rule and no other; ``summary`` describes it to a reader."""

    way: str
    violation: Violation
    summary: str
    find: Find
    applies: Callable[[Rulebook], bool]


_MOVES: dict[str, list[IllegalMove]] = defaultdict(list)


def illegal_moves(step: str, rulebook: Rulebook) -> list[IllegalMove]:
    """Return the illegal moves at a step of the conversation, such as ``turn``."""
    return [move for move in _MOVES[step] if move.applies(rulebook)]


Listing = TypeVar("Listing", bound=Callable[..., Any])


def _illegal(
    steps: str,
    violation: Violation,
    sends: Callable[[Listing], Find],
    applies: Callable[[Rulebook], bool] | None = None,
) -> Callable[[Listing], Listing]:
    """Make a function an illegal move at some steps: its name is the way, its docstring says what.

    ``sends`` makes answers of what it lists.
    """

    def add(listing: Listing) -> Listing:
        way, what = listing.__name__.replace("_", "-"), (listing.__doc__ or "").rstrip(".")
        under = applies or _BROKEN_UNDER.get(violation, lambda _: True)
        move = IllegalMove(way, violation, what[:1].lower() + what[1:], sends(listing), under)
        for step in steps.split():
            _MOVES[step].append(move)
        return listing

    return add


# -- placements ---------------------------------------------------------------------------------


def _placed(find: Callable[[State], Iterable[Placement | None]]) -> Find:
    """Send each placement with an empty order."""
    return lambda moment: (messages.Pbuy(each, ()) for each in find(moment.position))


def _alone(find: Callable[[State], Iterable[Placement]]) -> Find:
    """Send each placement without an order, as for a merger."""
    return lambda moment: (messages.Merge(each) for each in find(moment.position))


def _merging(find: Callable[[State, Tile], Iterable[Placement]]) -> Find:
    """Merge with each tile of the hand that merges, or with the market's, which is asked about."""

    def answers(moment: Moment) -> Iterator[PlayerMessage]:
        state, question = moment.position, moment.question
        if isinstance(question, messages.MarketMerger):
            state, tiles = state._replace(board=question.view.board), [question.tile]
        else:
            tiles = _playable(state, Kind.MERGING)
        for tile in tiles:
            yield from map(messages.Merge, find(state, tile))

    return answers


def _playable(state: State, kind: Kind) -> list[Tile]:
    return [tile for tile in tiles_in(playable(state)) if kind_of(state.board, tile) is kind]


def _hands_of_others(state: State) -> Mask:
    return mask_of([tile for player in state.players[1:] for tile in tiles_in(player.hand)])


@_illegal("turn", _V.NOT_IN_HAND, _placed)
def tile_not_in_hand(state: State) -> Iterable[Placement]:
    """Places a tile that is in no visible hand."""
    known = state.board.occupied | _hands_of_others(state) | state.mover.hand
    return map(Placement, tiles_in(GRID & ~known))


@_illegal("turn", _V.NOT_IN_HAND, _placed, lambda rulebook: rulebook.hands is Hands.OPEN)
def tile_of_another(state: State) -> Iterable[Placement]:
    """Places another player's tile."""
    return map(Placement, tiles_in(_hands_of_others(state)))


@_illegal("turn", _V.NOT_IN_HAND, _placed)
def tile_on_board(state: State) -> Iterable[Placement]:
    """Places a tile that is on the board."""
    return map(Placement, tiles_in(state.board.occupied))


@_illegal("turn", _V.BESIDE_LOOSE, _placed)
def beside_loose(state: State) -> Iterable[Placement]:
    """Places a tile beside a hotel and a loose tile."""
    for tile in tiles_in(state.mover.hand):
        if NEIGHBOURS[tile] & state.board.loose and len(state.board.touched(tile)) == 1:
            yield Placement(tile)


def _forbidden_mergers(state: State) -> Iterator[Placement]:
    size, rulebook = state.board.size, state.rulebook
    loose = state.board.loose if _BROKEN_UNDER[_V.BESIDE_LOOSE](rulebook) else 0
    for tile in tiles_in(state.mover.hand & ~near(loose)):
        touched = sorted(state.board.touched(tile), key=size)
        # The merger is forbidden when its largest hotel is safe, or when its two largest are.
        decisive = 1 if rulebook.forbidden_merger is ForbiddenMerger.ANY_SAFE else 2
        if len(touched) > 1 and size(touched[-decisive]) >= rulebook.safe_size:
            yield Placement(tile, touched[-1])


@_illegal("turn", _V.SAFE_MERGER, _alone)
def safe_merger(state: State) -> Iterable[Placement]:
    """Merges a safe hotel."""
    return _forbidden_mergers(state)


@_illegal("turn", _V.SAFE_MERGER, _alone)
def smallest_safe_merger(state: State) -> Iterable[Placement]:
    """Merges a safe hotel that would not be safe with a tile less."""
    return (
        each
        for each in _forbidden_mergers(state)
        if each.hotel is not None and state.board.size(each.hotel) == state.rulebook.safe_size
    )


@_illegal("turn", _V.TWO_SAFE, _alone)
def merges_two_safe(state: State) -> Iterable[Placement]:
    """Merges two safe hotels."""
    return _forbidden_mergers(state)


@_illegal("turn", _V.EIGHTH_HOTEL, _placed)
def places_an_eighth(state: State) -> Iterable[Placement]:
    """Places a tile that would found an eighth hotel."""
    if 0 not in state.board.sizes:
        return map(
            Placement, tiles_in(state.mover.hand & ~state.board.beside & near(state.board.loose))
        )
    return []


@_illegal("turn", _V.NO_HOTEL_NAMED, _placed)
def founds_unnamed(state: State) -> Iterable[Placement]:
    """Founds a hotel and names none."""
    return map(Placement, _playable(state, Kind.FOUNDING))


@_illegal("turn", _V.HOTEL_NOT_DUE, _placed)
def names_for_growing(state: State) -> Iterable[Placement]:
    """Names the hotel that grows."""
    for tile in _playable(state, Kind.GROWING):
        yield Placement(tile, state.board.touched(tile)[0])


@_illegal("turn", _V.HOTEL_NOT_DUE, _placed)
def names_for_nothing(state: State) -> Iterable[Placement]:
    """Names a hotel for a loose tile."""
    for tile in _playable(state, Kind.SINGLETON):
        if not NEIGHBOURS[tile] & state.board.loose:
            yield Placement(tile, 0)


@_illegal(
    "turn",
    _V.HOTEL_NOT_DUE,
    _placed,
    lambda rulebook: rulebook.eighth_hotel is not EighthHotel.REFUSED,
)
def founds_an_eighth(state: State) -> Iterable[Placement]:
    """Names a hotel to found when all seven are on the board."""
    for tile in _playable(state, Kind.SINGLETON):
        if NEIGHBOURS[tile] & state.board.loose:
            yield Placement(tile, 0)


@_illegal("turn", _V.HOTEL_ON_BOARD, _placed)
def founds_again(state: State) -> Iterable[Placement]:
    """Founds a hotel that is on the board."""
    on_board = [hotel for hotel, tiles in enumerate(state.board.hotels) if tiles]
    for tile in _playable(state, Kind.FOUNDING):
        for hotel in on_board:
            yield Placement(tile, hotel)


@_illegal("turn", _V.NOT_A_MERGER, _alone)
def merges_nothing(state: State) -> Iterable[Placement]:
    """Sends a bare placement that is not a merger."""
    for tile in tiles_in(playable(state)):
        if kind_of(state.board, tile) is not Kind.MERGING:
            yield Placement(tile, hotel_choices(state.board, tile)[0])


@_illegal("turn", _V.MERGER_WITH_ORDER, _placed)
def merges_with_order(state: State) -> Iterable[Placement]:
    """Sends an order together with a merger."""
    for tile in _playable(state, Kind.MERGING):
        yield Placement(tile, hotel_choices(state.board, tile)[0])


@_illegal("merger", _V.OTHER_TILE, _merging)
def another_tile(state: State, tile: Tile) -> Iterable[Placement]:
    """Places a tile of its own."""
    for other in tiles_in(state.mover.hand):
        yield Placement(other, hotel_choices(state.board, tile)[0])


@_illegal("turn merger", _V.NO_HOTEL_NAMED, _merging)
def merges_unnamed(state: State, tile: Tile) -> Iterable[Placement]:
    """Merges hotels and names none."""
    yield Placement(tile)


@_illegal("turn merger", _V.NOT_INVOLVED, _merging)
def survivor_not_involved(state: State, tile: Tile) -> Iterable[Placement]:
    """Names a survivor that does not take part in the merger."""
    for hotel in range(len(state.board.hotels)):
        if hotel not in state.board.touched(tile):
            yield Placement(tile, hotel)


@_illegal("turn merger", _V.NOT_LARGEST, _merging)
def survivor_not_largest(state: State, tile: Tile) -> Iterable[Placement]:
    """Names a survivor that is not the largest hotel."""
    for hotel in state.board.touched(tile):
        if hotel not in hotel_choices(state.board, tile):
            yield Placement(tile, hotel)


@_illegal("turn merger", _V.WRONG_EQUALS, _merging)
def equals_wrong(state: State, tile: Tile) -> Iterable[Placement]:
    """Orders hotels that are not acquired and equal in size."""
    survivor = hotel_choices(state.board, tile)[0]
    assert survivor is not None, "a merger has a survivor"
    expected = equal_acquired(state.board, tile, survivor)
    for wrong in ((survivor,), tuple(expected[:1]), tuple(expected + expected[:1])):
        if wrong and len(wrong) <= MAX_ACQUIRED:
            yield Placement(tile, survivor, wrong)


@_illegal("turn", _V.PLACEMENT_DUE, _placed)
def places_none(state: State) -> Iterable[None]:
    """Places nothing although it has a playable tile."""
    return [None] if playable(state) else []


# -- orders, and declarations of an end that is not there yet -----------------------------------


def _replace_order(
    answer: PlayerMessage, order: Order | None = None, *, end: bool = False
) -> Iterator[PlayerMessage]:
    """Give the answer with another order, or with the same one where ``order`` is ``None``.

    Nothing where the answer has no order: a merger's comes later.
    """
    match answer:
        case messages.Pbuy(placement, correct):
            yield messages.Pbuy(placement, correct if order is None else order, end)
        case messages.Order(correct):
            yield messages.Order(correct if order is None else order, end)


def _ordered(find: Callable[[State], Iterable[Order]]) -> Find:
    """Send each order with the correct placement, or alone after a merger."""
    return lambda moment: (
        answer for order in find(moment.ordering) for answer in _replace_order(moment.answer, order)
    )


def _on_sale(state: State) -> list[int]:
    return [hotel for hotel in range(len(state.bank)) if state.price(hotel)]


def _can_pay(state: State, order: Order) -> bool:
    return cost(state, order) <= state.mover.cash


@_illegal("turn order", _V.MIXED_ORDER, _ordered)
def mixed(state: State) -> Iterable[Order]:
    """Orders certificates of two hotels."""
    for order in combinations(_on_sale(state), 2):
        if all(state.bank[hotel] for hotel in order) and _can_pay(state, order):
            yield order


@_illegal("turn order", _V.NO_PRICE, _ordered)
def no_price(state: State) -> Iterable[Order]:
    """Orders a certificate without a price."""
    for hotel, left in enumerate(state.bank):
        if left and not state.price(hotel):
            yield (hotel,)


@_illegal("turn order", _V.SOLD_OUT, _ordered)
def sold_out(state: State) -> Iterable[Order]:
    """Orders more certificates than the bank has."""
    for hotel in _on_sale(state):
        order = (hotel,) * (state.bank[hotel] + 1)
        if len(order) <= state.rulebook.order_limit and _can_pay(state, order):
            yield order


@_illegal("turn order", _V.TOO_DEAR, _ordered)
def too_dear(state: State) -> Iterable[Order]:
    """Orders more than it can pay for."""
    for hotel in _on_sale(state):
        for count in range(1, min(state.bank[hotel], state.rulebook.order_limit) + 1):
            if not _can_pay(state, order := (hotel,) * count):
                yield order


@_illegal("turn order", _V.NOT_OVER, lambda find: find)
def declares_falsely(moment: Moment) -> Iterable[PlayerMessage]:
    """Declares the end of a game that is not over."""
    if declared_ending(moment.ordering, begun=moment.position) is None:
        yield from _replace_order(moment.answer, end=True)


# -- answers about acquired certificates --------------------------------------------------------


def _deciding(find: Callable[[int], int]) -> Find:
    """Send a wrong number of decisions, given the right one, where the schema accepts it."""

    def answers(moment: Moment) -> Iterator[PlayerMessage]:
        assert isinstance(moment.answer, messages.KeepAnswer)
        if 1 <= (count := find(len(moment.answer.decisions))) <= MAX_ACQUIRED:
            yield messages.KeepAnswer((True,) * count)

    return answers


@_illegal("keep", _V.KEEP_COUNT, _deciding)
def one_too_many(due: int) -> int:
    """Decides on one hotel more than was acquired."""
    return due + 1


@_illegal("keep", _V.KEEP_COUNT, _deciding)
def one_too_few(due: int) -> int:
    """Decides on one hotel less than was acquired."""
    return due - 1


def _disposing(find: Callable[[int, int], Iterable[tuple[int, int]]]) -> Find:
    """Send (sell, trade), given the certificates owned, and those of the survivor in the bank."""

    def answers(moment: Moment) -> Iterator[PlayerMessage]:
        question = moment.question
        assert isinstance(question, messages.Dispose)
        shares = {seat.name: seat.shares or () for seat in question.view.players}
        owned, left = shares[moment.name][question.hotel], question.view.bank[question.survivor]
        for sell, trade in find(owned, left):
            if max(sell, trade) <= MAX_IN_MESSAGE:
                yield messages.DisposeAnswer(sell, trade)

    return answers


@_illegal("dispose", _V.ODD_TRADE, _disposing)
def odd_trade(owned: int, left: int) -> Iterable[tuple[int, int]]:
    """Trades an odd number."""
    return [(0, 1)] if left else []


@_illegal("dispose", _V.NOT_OWNED, _disposing)
def sells_too_many(owned: int, left: int) -> Iterable[tuple[int, int]]:
    """Sells more than it has."""
    return [(owned + 1, 0)]


@_illegal("dispose", _V.NOT_OWNED, _disposing)
def trades_too_many(owned: int, left: int) -> Iterable[tuple[int, int]]:
    """Trades more than it has."""
    trade = (owned // TRADED_FOR_ONE + 1) * TRADED_FOR_ONE
    return [(0, trade)] if trade <= TRADED_FOR_ONE * left else []


@_illegal("dispose", _V.NOT_OWNED, _disposing)
def sells_what_it_trades(owned: int, left: int) -> Iterable[tuple[int, int]]:
    """Sells and trades more than it has."""
    return [(owned - 1, TRADED_FOR_ONE)] if owned >= TRADED_FOR_ONE and left else []


@_illegal("dispose", _V.TRADE_TOO_LARGE, _disposing)
def trade_sold_out(owned: int, left: int) -> Iterable[tuple[int, int]]:
    """Trades for more than the bank has."""
    trade = TRADED_FOR_ONE * (left + 1)
    return [(0, trade)] if owned >= trade else []
