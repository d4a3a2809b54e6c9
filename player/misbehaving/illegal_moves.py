"""The illegal moves of the cast: answers that break one rule of the game, and no other.

``illegal_moves.toml`` lists them, each with the rule that it breaks. Here are the answers among
which one is looked for; whether it breaks the rule, :mod:`acquire.game` says.
"""

import tomllib
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from itertools import combinations
from typing import NamedTuple, TypeAlias

from ...game.disposal import TRADED_FOR_ONE
from ...game.placement import (
    Kind,
    Placement,
    equal_acquired,
    hotel_choices,
    kind_of,
    legal_placements,
    playable,
    verify_placement,
)
from ...game.purchase import Order, cost, verify_order
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
from ...game.tiles import GRID, NEIGHBOURS, Mask, Tile, mask_of, tiles_in
from ...game.turn import declared_ending
from ...game.violation import Violation
from ...protocol import messages
from ...protocol.messages import PlayerMessage, RefereeMessage
from ...protocol.sayable import MAX_ACQUIRED

_V = Violation
_BROKEN_UNDER: dict[Violation | str, Callable[[Rulebook], bool]] = {
    _V.BESIDE_LOOSE: lambda rules: rules.loose_neighbours is LooseNeighbours.REFUSED,
    _V.SAFE_MERGER: lambda rules: rules.forbidden_merger is ForbiddenMerger.ANY_SAFE,
    _V.TWO_SAFE: lambda rules: rules.forbidden_merger is ForbiddenMerger.TWO_SAFE,
    _V.EIGHTH_HOTEL: lambda rules: rules.eighth_hotel is EighthHotel.REFUSED,
    _V.WRONG_EQUALS: lambda rules: rules.equal_acquired is EqualAcquired.PLACER_ORDERS,
    _V.PLACEMENT_DUE: lambda rules: rules.stuck_hand is not StuckHand.ENDS_GAME,
    _V.MIXED_ORDER: lambda rules: not rules.mixed_orders,
    _V.NOT_OVER: lambda rules: rules.end is not End.ADMINISTRATOR,
    _V.KEEP_COUNT: lambda rules: rules.disposal is DisposalRule.KEEP_OR_RETURN,
    "tile-of-another": lambda rules: rules.hands is Hands.OPEN,
    "founds-an-eighth": lambda rules: rules.eighth_hotel is not EighthHotel.REFUSED,
}
"""Whether a rulebook has a rule, and positions in which it can be broken, or in that way.

All others can be broken under any rulebook.
"""
MAX_IN_MESSAGE = 25  # most certificates of a hotel in a disposal; the schema rejects more


class Moment(NamedTuple):
    """What a player knows when it has to answer; both positions are the last ones known."""

    name: str  # the player's
    question: RefereeMessage | None  # None at sign-up, where nothing is asked
    position: State  # the one in which the mover places
    ordering: State  # the one in which the order is given, after the placement
    answer: PlayerMessage  # the correct answer


Find: TypeAlias = Callable[[Moment, Violation], Iterable[PlayerMessage]]
"""Lists the answers that break a rule at a moment; none where the position gives no opening."""


class IllegalMove(NamedTuple):
    """One way to break one rule and no other; ``summary`` describes it to a reader."""

    way: str
    violation: Violation
    summary: str

    def act(self, moment: Moment) -> PlayerMessage | None:
        """Return an answer that breaks the rule; ``None`` where there is no opening."""
        return next(iter(_FINDS[self.way](moment, self.violation)), None)


_LISTED = tomllib.loads(
    files("acquire.player.misbehaving").joinpath("illegal_moves.toml").read_text("utf-8")
)


def illegal_moves(step: str, rulebook: Rulebook) -> list[IllegalMove]:
    """Return the illegal moves at a step of the conversation, such as ``turn``."""
    impossible = {key for key, is_broken in _BROKEN_UNDER.items() if not is_broken(rulebook)}
    moves = (
        IllegalMove(way, Violation[row["breaks"]], row["text"])
        for way, row in _LISTED.items()
        if step in row["at"].split()
    )
    return [move for move in moves if not impossible & {move.way, move.violation}]


# -- placements ---------------------------------------------------------------------------------

Placements: TypeAlias = Callable[[State, Tile], Iterable[Placement]]
"""Lists placements of a tile."""


def _with_each(kind: Kind, placements: Placements) -> Find:
    """Place the tiles of a kind, of the hand or the market's, which is asked about."""

    def answers(moment: Moment, rule: Violation) -> Iterator[PlayerMessage]:
        state, question = moment.position, moment.question
        if isinstance(question, messages.MarketMerger):  # as if its tile were the only one in hand
            mover = state.mover._replace(hand=1 << question.tile)
            state = state._replace(board=question.view.board, players=(mover, *state.players[1:]))
        for tile in tiles_in(state.mover.hand):
            for placement in placements(state, tile) if kind_of(state.board, tile) is kind else ():
                illegal = verify_placement(state, placement)
                if illegal is not None and illegal.violation is rule:
                    merges = kind is Kind.MERGING
                    yield messages.Merge(placement) if merges else messages.Pbuy(placement, ())

    return answers


def _unnamed(_: State, tile: Tile) -> Iterable[Placement]:
    return [Placement(tile)]


def _named(state: State, tile: Tile) -> Iterable[Placement]:
    return [Placement(tile, hotel) for hotel in range(len(state.bank))]


def _named_touched(state: State, tile: Tile) -> Iterable[Placement]:
    return [Placement(tile, hotel) for hotel in state.board.touched(tile)]


def _named_beside_loose(state: State, tile: Tile) -> Iterable[Placement]:
    return _named(state, tile) if NEIGHBOURS[tile] & state.board.loose else ()


def _named_alone(state: State, tile: Tile) -> Iterable[Placement]:
    return () if NEIGHBOURS[tile] & state.board.loose else _named(state, tile)


def _into_largest(state: State, tile: Tile) -> Iterable[Placement]:
    """Merge into the largest hotel, where no unincorporated tile forbids that as well."""
    refused = _BROKEN_UNDER[_V.BESIDE_LOOSE](state.rulebook)
    if not (refused and NEIGHBOURS[tile] & state.board.loose):
        yield Placement(tile, sorted(state.board.touched(tile), key=state.board.size)[-1])


def _into_just_safe(state: State, tile: Tile) -> Iterable[Placement]:
    for each in _into_largest(state, tile):
        if each.hotel is not None and state.board.size(each.hotel) == state.rulebook.safe_size:
            yield each


def _with_wrong_equals(state: State, tile: Tile) -> Iterable[Placement]:
    survivor = hotel_choices(state.board, tile)[0]
    assert survivor is not None, "a merger has a survivor"
    expected = equal_acquired(state.board, tile, survivor)
    for wrong in ((survivor,), tuple(expected[:1]), tuple(expected + expected[:1])):
        if wrong and len(wrong) <= MAX_ACQUIRED:
            yield Placement(tile, survivor, wrong)


def _hands_of_others(state: State) -> Mask:
    return mask_of([tile for player in state.players[1:] for tile in tiles_in(player.hand)])


def _unseen(state: State) -> Mask:
    return GRID & ~(state.board.occupied | _hands_of_others(state) | state.mover.hand)


def _placing(tiles: Callable[[State], Mask]) -> Find:
    return lambda moment, _: (
        messages.Pbuy(Placement(tile), ()) for tile in tiles_in(tiles(moment.position))
    )


def _placing_none(moment: Moment, _: Violation) -> Iterable[PlayerMessage]:
    return [messages.Pbuy(None, ())] if playable(moment.position) else []


def _in_the_other_form(moment: Moment, rule: Violation) -> Iterator[PlayerMessage]:
    """Send a merger with an order, or any other placement without one."""
    with_order = rule is _V.MERGER_WITH_ORDER
    for each in legal_placements(moment.position):
        if (kind_of(moment.position.board, each.tile) is Kind.MERGING) is with_order:
            yield messages.Pbuy(each, ()) if with_order else messages.Merge(each)


def _another_tile(moment: Moment, _: Violation) -> Iterator[PlayerMessage]:
    assert isinstance(moment.question, messages.MarketMerger)
    survivor, *_others = hotel_choices(moment.question.view.board, moment.question.tile)
    for tile in tiles_in(moment.position.mover.hand):
        yield messages.Merge(Placement(tile, survivor))


# -- orders, and declarations of an end that is not there yet -----------------------------------


def _replace_order(
    answer: PlayerMessage, order: Order | None = None, *, end: bool = False
) -> Iterator[PlayerMessage]:
    """Give the answer with another order, or its own; nothing where it has none, as in a merger."""
    match answer:
        case messages.Pbuy(placement, correct):
            yield messages.Pbuy(placement, correct if order is None else order, end)
        case messages.Order(correct):
            yield messages.Order(correct if order is None else order, end)


def _ordering(orders: Callable[[State], Iterable[Order]]) -> Find:
    """Send orders with the correct placement, or alone after a merger."""

    def answers(moment: Moment, rule: Violation) -> Iterator[PlayerMessage]:
        for order in orders(moment.ordering):
            illegal = verify_order(moment.ordering, order)
            if illegal is not None and illegal.violation is rule:
                yield from _replace_order(moment.answer, order)

    return answers


def _of_one_hotel(state: State) -> list[Order]:
    counts = range(1, state.rulebook.order_limit + 1)
    return [(hotel,) * count for hotel in range(len(state.bank)) for count in counts]


def _in_bank(state: State) -> list[Order]:
    return [order for order in _of_one_hotel(state) if len(order) <= state.bank[order[0]]]


def _affordable(state: State) -> list[Order]:
    return [order for order in _of_one_hotel(state) if cost(state, order) <= state.mover.cash]


def _of_two_hotels(state: State) -> list[Order]:
    single = [hotel for hotel in range(len(state.bank)) if not verify_order(state, (hotel,))]
    return [each for each in combinations(single, 2) if cost(state, each) <= state.mover.cash]


def _declaring(moment: Moment, _: Violation) -> Iterator[PlayerMessage]:
    if declared_ending(moment.ordering, begun=moment.position) is None:
        yield from _replace_order(moment.answer, end=True)


# -- answers about acquired certificates --------------------------------------------------------


def _deciding(more: int) -> Find:
    """Send so many decisions more than are due, where the schema accepts it."""

    def answers(moment: Moment, _: Violation) -> Iterator[PlayerMessage]:
        assert isinstance(moment.answer, messages.KeepAnswer)
        if 1 <= (count := len(moment.answer.decisions) + more) <= MAX_ACQUIRED:
            yield messages.KeepAnswer((True,) * count)

    return answers


def _disposing(find: Callable[[int, int], tuple[int, int]]) -> Find:
    """Send (sell, trade), given the certificates owned, and those of the survivor in the bank."""

    def answers(moment: Moment, rule: Violation) -> Iterator[PlayerMessage]:
        question = moment.question
        assert isinstance(question, messages.Dispose)
        shares = {seat.name: seat.shares or () for seat in question.view.players}
        owned, left = shares[moment.name][question.hotel], question.view.bank[question.survivor]
        sell, trade = find(owned, left)
        broken = {
            _V.ODD_TRADE: trade % TRADED_FOR_ONE > 0,
            _V.NOT_OWNED: sell + trade > owned,
            _V.TRADE_TOO_LARGE: trade > TRADED_FOR_ONE * left,
        }
        is_alone = [each for each, is_broken in broken.items() if is_broken] == [rule]
        if is_alone and max(sell, trade) <= MAX_IN_MESSAGE:
            yield messages.DisposeAnswer(sell, trade)

    return answers


_FINDS: dict[str, Find] = {
    "tile-not-in-hand": _placing(_unseen),
    "tile-of-another": _placing(_hands_of_others),
    "tile-on-board": _placing(lambda state: state.board.occupied),
    "beside-loose": _with_each(Kind.GROWING, _unnamed),
    "safe-merger": _with_each(Kind.MERGING, _into_largest),
    "smallest-safe-merger": _with_each(Kind.MERGING, _into_just_safe),
    "merges-two-safe": _with_each(Kind.MERGING, _into_largest),
    "places-an-eighth": _with_each(Kind.SINGLETON, _unnamed),
    "founds-unnamed": _with_each(Kind.FOUNDING, _unnamed),
    "names-for-growing": _with_each(Kind.GROWING, _named_touched),
    "names-for-nothing": _with_each(Kind.SINGLETON, _named_alone),
    "founds-an-eighth": _with_each(Kind.SINGLETON, _named_beside_loose),
    "founds-again": _with_each(Kind.FOUNDING, _named),
    "merges-nothing": _in_the_other_form,
    "merges-with-order": _in_the_other_form,
    "another-tile": _another_tile,
    "merges-unnamed": _with_each(Kind.MERGING, _unnamed),
    "survivor-not-involved": _with_each(Kind.MERGING, _named),
    "survivor-not-largest": _with_each(Kind.MERGING, _named_touched),
    "equals-wrong": _with_each(Kind.MERGING, _with_wrong_equals),
    "places-none": _placing_none,
    "mixed": _ordering(_of_two_hotels),
    "no-price": _ordering(_in_bank),
    "sold-out": _ordering(_affordable),
    "too-dear": _ordering(_in_bank),
    "declares-falsely": _declaring,
    "one-too-many": _deciding(1),
    "one-too-few": _deciding(-1),
    "odd-trade": _disposing(lambda owned, left: (0, 1)),
    "sells-too-many": _disposing(lambda owned, left: (owned + 1, 0)),
    "trades-too-many": _disposing(
        lambda owned, left: (0, (owned // TRADED_FOR_ONE + 1) * TRADED_FOR_ONE)
    ),
    "sells-what-it-trades": _disposing(
        lambda owned, left: (owned - 1, TRADED_FOR_ONE if owned > 1 else 0)
    ),
    "trade-sold-out": _disposing(lambda owned, left: (0, TRADED_FOR_ONE * (left + 1))),
}
"""How a move of ``illegal_moves.toml`` is looked for."""
