"""The moves that break a rule, as data: each finds, in a position, an answer that breaks just that.

A foul is a way, the rule broken, whether a rulebook has that rule at all, how to find the answers
in a moment, and the way in words. Where a position gives no occasion, nothing is found.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import NamedTuple, TypeAlias

from game.disposal import TRADED_FOR_ONE
from game.placement import (
    Kind,
    Placement,
    equal_acquired,
    hotel_choices,
    kind_of,
    playable,
)
from game.purchase import Order, cost
from game.rulebook import (
    Disposal,
    EighthHotel,
    End,
    EqualAcquired,
    ForbiddenMerger,
    Hands,
    LooseNeighbours,
    Rulebook,
    StuckHand,
)
from game.state import State
from game.tiles import GRID, NEIGHBOURS, Mask, Tile, mask_of, tiles_in
from game.turn import regular_ending
from game.violation import Violation
from protocol import messages
from protocol.messages import AdministratorMessage, PlayerMessage


class Moment(NamedTuple):
    """What a player knows when it is to answer ``question``.

    ``position`` is the one in which the mover places, ``ordering`` the one in which the order is
    given, after the placement; both are the last ones known. ``answer`` is the right one.
    """

    question: AdministratorMessage | None
    position: State
    ordering: State
    answer: PlayerMessage


class Foul(NamedTuple):
    """One way to break a rule."""

    way: str
    violation: Violation
    find: Callable[[Moment], Iterator[PlayerMessage]]
    summary: str
    concerns: Callable[[Rulebook], bool] = lambda _: True
    """Whether the rulebook has the rule, and gives occasion to break it."""


# -- placements ---------------------------------------------------------------------------------


def _bare(tiles: Iterable[Tile]) -> Iterator[PlayerMessage]:
    for tile in tiles:
        yield messages.Pbuy(Placement(tile), ())


def _hand(state: State, kind: Kind) -> Iterator[Tile]:
    """List the tiles that the mover can place and that do this."""
    for tile in tiles_in(playable(state)):
        if kind_of(state.board, tile) is kind:
            yield tile


def _others_hands(state: State) -> Mask:
    return mask_of([tile for player in state.players[1:] for tile in tiles_in(player.hand)])


def _not_in_hand(state: State) -> Iterator[PlayerMessage]:
    known = state.board.occupied | _others_hands(state) | state.mover.hand
    return _bare(tiles_in(GRID & ~known))


def _of_another(state: State) -> Iterator[PlayerMessage]:
    return _bare(tiles_in(_others_hands(state)))


def _on_board(state: State) -> Iterator[PlayerMessage]:
    return _bare(tiles_in(state.board.occupied))


def _beside_loose(state: State) -> Iterator[PlayerMessage]:
    for tile in tiles_in(state.mover.hand):
        if NEIGHBOURS[tile] & state.board.loose and len(state.board.touched(tile)) == 1:
            yield messages.Pbuy(Placement(tile), ())


def _safe_merger(state: State) -> Iterator[PlayerMessage]:
    size, rulebook = state.board.size, state.rulebook
    at_once = rulebook.loose_neighbours is LooseNeighbours.REFUSED
    for tile in tiles_in(state.mover.hand):
        touched = sorted(state.board.touched(tile), key=size)
        if len(touched) < 2 or (at_once and NEIGHBOURS[tile] & state.board.loose):
            continue
        least = touched[-1 if rulebook.forbidden_merger is ForbiddenMerger.ANY_SAFE else -2]
        if size(least) >= rulebook.safe_size:
            yield messages.Merge(Placement(tile, touched[-1]))


def _places_an_eighth(state: State) -> Iterator[PlayerMessage]:
    if 0 not in state.board.sizes:
        for tile in tiles_in(state.mover.hand & ~state.board.beside):
            if NEIGHBOURS[tile] & state.board.loose:
                yield messages.Pbuy(Placement(tile), ())


def _founds_unnamed(state: State) -> Iterator[PlayerMessage]:
    return _bare(_hand(state, Kind.FOUNDING))


def _merges_unnamed(state: State) -> Iterator[PlayerMessage]:
    for tile in _hand(state, Kind.MERGING):
        yield messages.Merge(Placement(tile))


def _names_for_growing(state: State) -> Iterator[PlayerMessage]:
    for tile in _hand(state, Kind.GROWING):
        yield messages.Pbuy(Placement(tile, state.board.touched(tile)[0]), ())


def _names_for_nothing(state: State) -> Iterator[PlayerMessage]:
    for tile in _hand(state, Kind.SINGLETON):
        if not NEIGHBOURS[tile] & state.board.loose:
            yield messages.Pbuy(Placement(tile, 0), ())


def _founds_an_eighth(state: State) -> Iterator[PlayerMessage]:
    for tile in _hand(state, Kind.SINGLETON):
        if NEIGHBOURS[tile] & state.board.loose:
            yield messages.Pbuy(Placement(tile, 0), ())


def _founds_again(state: State) -> Iterator[PlayerMessage]:
    for tile in _hand(state, Kind.FOUNDING):
        for hotel, tiles in enumerate(state.board.hotels):
            if tiles:
                yield messages.Pbuy(Placement(tile, hotel), ())


def _merges_nothing(state: State) -> Iterator[PlayerMessage]:
    for tile in tiles_in(playable(state)):
        if kind_of(state.board, tile) is not Kind.MERGING:
            yield messages.Merge(Placement(tile, hotel_choices(state.board, tile)[0]))


def _merges_with_order(state: State) -> Iterator[PlayerMessage]:
    for tile in _hand(state, Kind.MERGING):
        yield messages.Pbuy(Placement(tile, hotel_choices(state.board, tile)[0]), ())


def _survivors_not_involved(state: State, tile: Tile) -> Iterator[PlayerMessage]:
    for hotel in range(len(state.board.hotels)):
        if hotel not in state.board.touched(tile):
            yield messages.Merge(Placement(tile, hotel))


def _not_involved(state: State) -> Iterator[PlayerMessage]:
    for tile in _hand(state, Kind.MERGING):
        yield from _survivors_not_involved(state, tile)


def _not_largest(state: State) -> Iterator[PlayerMessage]:
    for tile in _hand(state, Kind.MERGING):
        for hotel in state.board.touched(tile):
            if hotel not in hotel_choices(state.board, tile):
                yield messages.Merge(Placement(tile, hotel))


def _wrong_equals(state: State) -> Iterator[PlayerMessage]:
    for tile in _hand(state, Kind.MERGING):
        survivor = hotel_choices(state.board, tile)[0]
        assert survivor is not None, "a merger has one"
        due = equal_acquired(state.board, tile, survivor)
        for wrong in ((survivor,), tuple(due[:1]), tuple(due + due[:1])):
            if wrong and len(wrong) <= MOST_ACQUIRED:
                yield messages.Merge(Placement(tile, survivor, wrong))


def _places_none(state: State) -> Iterator[PlayerMessage]:
    if playable(state):
        yield messages.Pbuy(None, ())


def _in(
    find: Callable[[State], Iterator[PlayerMessage]],
) -> Callable[[Moment], Iterator[PlayerMessage]]:
    """Look in the position before the turn."""
    return lambda moment: find(moment.position)


def _loose_refused(rulebook: Rulebook) -> bool:
    return rulebook.loose_neighbours is LooseNeighbours.REFUSED


def _eighth_refused(rulebook: Rulebook) -> bool:
    return rulebook.eighth_hotel is EighthHotel.REFUSED


def _others_are_seen(rulebook: Rulebook) -> bool:
    return rulebook.hands is Hands.OPEN


_V = Violation

PLACEMENTS: tuple[Foul, ...] = (
    Foul("tile-not-in-hand", _V.NOT_IN_HAND, _in(_not_in_hand), "places a tile that is in the bag"),
    Foul(
        "tile-of-another",
        _V.NOT_IN_HAND,
        _in(_of_another),
        "places another player's tile",
        _others_are_seen,
    ),
    Foul("tile-on-board", _V.NOT_IN_HAND, _in(_on_board), "places a tile that is on the board"),
    Foul(
        "beside-loose",
        _V.BESIDE_LOOSE,
        _in(_beside_loose),
        "joins a loose tile to a hotel",
        _loose_refused,
    ),
    Foul("safe-merger", _V.SAFE_MERGER, _in(_safe_merger), "merges a safe hotel"),
    Foul(
        "places-an-eighth",
        _V.EIGHTH_HOTEL,
        _in(_places_an_eighth),
        "places a tile that would found one more than there are",
        _eighth_refused,
    ),
    Foul(
        "founds-unnamed", _V.NO_HOTEL_NAMED, _in(_founds_unnamed), "founds a hotel and names none"
    ),
    Foul("merges-unnamed", _V.NO_HOTEL_NAMED, _in(_merges_unnamed), "merges hotels and names none"),
    Foul(
        "names-for-growing", _V.HOTEL_NOT_DUE, _in(_names_for_growing), "names the hotel that grows"
    ),
    Foul(
        "names-for-nothing",
        _V.HOTEL_NOT_DUE,
        _in(_names_for_nothing),
        "names a hotel for a loose tile",
    ),
    Foul(
        "founds-an-eighth",
        _V.HOTEL_NOT_DUE,
        _in(_founds_an_eighth),
        "founds one more than there are",
        lambda rulebook: not _eighth_refused(rulebook),
    ),
    Foul(
        "founds-again", _V.HOTEL_ON_BOARD, _in(_founds_again), "founds a hotel that is on the board"
    ),
    Foul(
        "merges-nothing",
        _V.NOT_A_MERGER,
        _in(_merges_nothing),
        "sends a placement alone, no merger",
    ),
    Foul(
        "merges-with-order",
        _V.MERGER_WITH_ORDER,
        _in(_merges_with_order),
        "orders along with a merger",
    ),
    Foul(
        "survivor-not-involved",
        _V.NOT_INVOLVED,
        _in(_not_involved),
        "names a survivor not involved",
    ),
    Foul(
        "survivor-not-largest",
        _V.NOT_LARGEST,
        _in(_not_largest),
        "names a survivor not the largest",
    ),
    Foul(
        "equals-wrong",
        _V.WRONG_EQUALS,
        _in(_wrong_equals),
        "orders hotels that are not the equal acquired ones",
        lambda rulebook: rulebook.equal_acquired is EqualAcquired.PLACER_ORDERS,
    ),
    Foul(
        "places-none",
        _V.PLACEMENT_DUE,
        _in(_places_none),
        "places nothing although it can",
        lambda rulebook: rulebook.stuck_hand is not StuckHand.ENDS_GAME,
    ),
)


# -- orders -------------------------------------------------------------------------------------


def _priced(state: State) -> list[int]:
    return [hotel for hotel in range(len(state.bank)) if state.price(hotel)]


def _mixed(state: State) -> Iterator[Order]:
    for order in combinations(_priced(state), 2):
        if all(state.bank[hotel] for hotel in order) and cost(state, order) <= state.mover.cash:
            yield order


def _unpriced(state: State) -> Iterator[Order]:
    for hotel in range(len(state.bank)):
        if not state.price(hotel):
            yield (hotel,)


def _sold_out(state: State) -> Iterator[Order]:
    for hotel in _priced(state):
        order = (hotel,) * (state.bank[hotel] + 1)
        if len(order) <= state.rulebook.order_limit and cost(state, order) <= state.mover.cash:
            yield order


def _too_dear(state: State) -> Iterator[Order]:
    for hotel in _priced(state):
        for count in range(1, min(state.bank[hotel], state.rulebook.order_limit) + 1):
            if count * state.price(hotel) > state.mover.cash:
                yield (hotel,) * count


def _ordering(
    find: Callable[[State], Iterator[Order]],
) -> Callable[[Moment], Iterator[PlayerMessage]]:
    """Give the order with the placement of the right answer, or by itself after a merger."""

    def answers(moment: Moment) -> Iterator[PlayerMessage]:
        for order in find(moment.ordering):
            match moment.answer:
                case messages.Pbuy(placement):
                    yield messages.Pbuy(placement, order)
                case messages.Order():
                    yield messages.Order(order)

    return answers


def _declares_falsely(moment: Moment) -> Iterator[PlayerMessage]:
    """Add the declaration to the right answer, where the game could not be ended."""
    if regular_ending(moment.ordering) is not None:
        return
    match moment.answer:
        case messages.Pbuy(placement, order):
            yield messages.Pbuy(placement, order, end=True)
        case messages.Order(order):
            yield messages.Order(order, end=True)


ORDERS: tuple[Foul, ...] = (
    Foul(
        "mixed",
        _V.MIXED_ORDER,
        _ordering(_mixed),
        "orders certificates of two hotels",
        lambda rulebook: not rulebook.mixed_orders,
    ),
    Foul("no-price", _V.NO_PRICE, _ordering(_unpriced), "orders a certificate that has no price"),
    Foul("sold-out", _V.SOLD_OUT, _ordering(_sold_out), "orders more than the bank has"),
    Foul("too-dear", _V.TOO_DEAR, _ordering(_too_dear), "orders more than the cash can pay"),
    Foul(
        "declares-falsely",
        _V.NOT_OVER,
        _declares_falsely,
        "declares the end of a game that is not over",
        lambda rulebook: rulebook.end is End.DECLARED,
    ),
)
"""An order goes with a placement, or by itself after a merger."""


# -- what becomes of acquired certificates ------------------------------------------------------

MOST_ACQUIRED = 3
"""A tile has four neighbours, and one of the hotels beside it survives."""
MOST_CERTIFICATES = 25


def _deciding(by: int) -> Callable[[Moment], Iterator[PlayerMessage]]:
    """Decide on more hotels than were acquired, or less, where the schema takes it."""

    def answers(moment: Moment) -> Iterator[PlayerMessage]:
        assert isinstance(moment.answer, messages.Kept)
        count = len(moment.answer.decisions) + by
        if 1 <= count <= MOST_ACQUIRED:
            yield messages.Kept((True,) * count)

    return answers


KEEPS: tuple[Foul, ...] = (
    Foul(
        "one-too-many",
        _V.KEEP_COUNT,
        _deciding(1),
        "decides on one hotel more than was acquired",
        lambda rulebook: rulebook.disposal is Disposal.KEEP_OR_RETURN,
    ),
    Foul(
        "one-too-few",
        _V.KEEP_COUNT,
        _deciding(-1),
        "decides on one hotel less than was acquired",
        lambda rulebook: rulebook.disposal is Disposal.KEEP_OR_RETURN,
    ),
)

Find: TypeAlias = Callable[[int, int], Iterator[tuple[int, int]]]
"""From the certificates owned, and those of the survivor in the bank, to (sell, trade)."""


def _disposing(find: Find) -> Callable[[Moment], Iterator[PlayerMessage]]:
    def answers(moment: Moment) -> Iterator[PlayerMessage]:
        question = moment.question
        assert isinstance(question, messages.Dispose)
        seen = {player.name: player for player in question.sight.players}
        owner = next(seen[p.name] for p in moment.position.players if p.name in seen and p.hand)
        owned, left = owner.shares[question.hotel], question.sight.bank[question.survivor]
        for sell, trade in find(owned, left):
            if max(sell, trade) <= MOST_CERTIFICATES:
                yield messages.Disposal(sell, trade)

    return answers


def _odd_trade(owned: int, left: int) -> Iterator[tuple[int, int]]:
    if left:
        yield 0, 1


def _sells_too_many(owned: int, left: int) -> Iterator[tuple[int, int]]:
    yield owned + 1, 0


def _trades_too_many(owned: int, left: int) -> Iterator[tuple[int, int]]:
    trade = (owned // TRADED_FOR_ONE + 1) * TRADED_FOR_ONE
    if trade <= TRADED_FOR_ONE * left:
        yield 0, trade


def _trades_and_sells_too_many(owned: int, left: int) -> Iterator[tuple[int, int]]:
    if owned >= TRADED_FOR_ONE and left:
        yield owned - 1, TRADED_FOR_ONE


def _trades_sold_out(owned: int, left: int) -> Iterator[tuple[int, int]]:
    if owned >= TRADED_FOR_ONE * (left + 1):
        yield 0, TRADED_FOR_ONE * (left + 1)


DISPOSALS: tuple[Foul, ...] = (
    Foul("odd-trade", _V.ODD_TRADE, _disposing(_odd_trade), "trades an odd number"),
    Foul("sells-too-many", _V.NOT_OWNED, _disposing(_sells_too_many), "sells more than it has"),
    Foul("trades-too-many", _V.NOT_OWNED, _disposing(_trades_too_many), "trades more than it has"),
    Foul(
        "sells-what-it-trades",
        _V.NOT_OWNED,
        _disposing(_trades_and_sells_too_many),
        "sells and trades more than it has",
    ),
    Foul(
        "trade-sold-out",
        _V.TRADE_TOO_LARGE,
        _disposing(_trades_sold_out),
        "trades for more than the bank has",
    ),
)


# -- the survivor of the market's merger --------------------------------------------------------


def _for_market(
    find: Callable[[State, Tile], Iterator[PlayerMessage]],
) -> Callable[[Moment], Iterator[PlayerMessage]]:
    def answers(moment: Moment) -> Iterator[PlayerMessage]:
        question = moment.question
        assert isinstance(question, messages.MarketMerger)
        return find(moment.position._replace(board=question.sight.board), question.tile)

    return answers


def _another_tile(state: State, tile: Tile) -> Iterator[PlayerMessage]:
    for other in tiles_in(state.mover.hand):
        yield messages.Merge(Placement(other, hotel_choices(state.board, tile)[0]))


MARKET: tuple[Foul, ...] = (
    Foul("another-tile", _V.OTHER_TILE, _for_market(_another_tile), "places a tile of its own"),
    Foul(
        "survivor-not-involved",
        _V.NOT_INVOLVED,
        _for_market(_survivors_not_involved),
        "names a survivor not involved",
    ),
)
