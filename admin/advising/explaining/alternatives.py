"""The legal answers where a player broke a rule, in words and as messages."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import groupby, product
from typing import NamedTuple

from ....game.disposal import TRADED_FOR_ONE, legal_disposals
from ....game.merger import Merger
from ....game.placement import (
    Kind,
    Placement,
    equal_acquired,
    equals_choices,
    hotel_choices,
    kind_of,
    legal_placements,
    place,
    playable,
    verify_placement,
)
from ....game.purchase import Order, verify_order
from ....game.rulebook import End, EqualAcquired
from ....game.state import State
from ....game.tiles import Tile, tile_name, tiles_in
from ....game.turn import verify_declaration
from ....protocol import messages
from ....protocol.messages import PlayerMessage, RefereeMessage
from ..rulebooks.rows import dollars


class Situation(NamedTuple):
    """What a player was asked, and when: ``turn`` is 0 in the set-up.

    ``merger`` is the current one, if any.
    """

    turn: int
    name: str
    question: RefereeMessage
    state: State
    merger: Merger | None = None


VOID = messages.Void()
NEW_HAND = messages.ReplaceAnswer(replaces=True)
SAME_HAND = messages.ReplaceAnswer(replaces=False)


class Alternative(NamedTuple):
    """Answers of one kind that would have been legal: ``of`` is the tile or hotel they are about.

    ``messages`` are all of them. Of orders they are those for one hotel alone.
    """

    of: str
    words: str
    messages: tuple[PlayerMessage, ...]


_REPLACING = (
    Alternative("true", "the whole hand is set aside and replaced", (NEW_HAND,)),
    Alternative("false", "the hand is kept, and an order comes alone", (SAME_HAND,)),
)


class Legal(NamedTuple):
    """The legal answers: a heading, the list, and the limits that apply to all of them."""

    heading: str = ""
    alternatives: tuple[Alternative, ...] = ()
    limits: str = ""


def legal_in(situation: Situation, received: PlayerMessage | None) -> Legal:
    """List the legal answers in place of an illegal one."""
    state = situation.state
    match situation.question:
        case messages.Turn() | messages.TurnView():
            return _in_turn(state, received)
        case messages.Replace():
            return Legal("Answers to replace", _REPLACING)
        case messages.Players() | messages.PlayersView():
            return _orders(state, state, "Orders after this merger", messages.Order)
        case messages.Keep(hotels):
            return _keeps(situation, hotels)
        case messages.Dispose() as question:
            return _disposals(state, situation.name, question)
        case messages.MarketMerger(tile):
            heading = f"Placements of the market's tile {tile_name(tile)}"
            return Legal(heading, (_of_tile(state, tile, market_placements(state, tile)),))
    return Legal()


def expected_in(situation: Situation) -> str:
    """Return which answer was expected, in words."""
    name = situation.state.rulebook.hotel_name
    match situation.question:
        case messages.Turn() | messages.TurnView():
            return "<pbuy>, or for a merger <placement> alone"
        case messages.Replace():
            return "<replace> with a <true/> or a <false/>"
        case messages.Players() | messages.PlayersView():
            return "<order>"
        case messages.Keep(hotels):
            return (
                f"<keep> with a <true/> or a <false/> for each of: {', '.join(map(name, hotels))}"
            )
        case messages.Dispose(hotel):
            return f"<dispose> for the certificates of {name(hotel)}"
        case messages.MarketMerger(tile):
            return f"<placement> of the market's tile {tile_name(tile)}"
    return "<void/>"


def listed(names: Iterable[str], joined: str = "or") -> str:
    """Write names as a list: ``Festival, Sackson or Tower``."""
    *first, last = names
    return f"{', '.join(first)} {joined} {last}" if first else last


# -- placements ---------------------------------------------------------------------------------


def answer_with(state: State, placement: Placement) -> PlayerMessage:
    """Return the answer to ``turn`` that makes a legal placement and orders nothing."""
    if kind_of(state.board, placement.tile) is Kind.MERGING:
        return messages.Merge(placement)
    return messages.Pbuy(placement, ())


def market_placements(state: State, tile: Tile) -> list[Placement]:
    """List the legal placements of a tile of the market's that merges."""
    return [
        Placement(tile, hotel, equals)
        for hotel in hotel_choices(state.board, tile)
        for equals in equals_choices(state.rulebook, state.board, tile, hotel)
    ]


def _legally_placed(state: State, received: PlayerMessage | None) -> Placement | None:
    """Return the placement that an order was sent with, ``None`` if there is no legal one."""
    if not isinstance(received, messages.Pbuy) or received.placement is None:
        return None
    placement = received.placement
    if verify_placement(state, placement) or kind_of(state.board, placement.tile) is Kind.MERGING:
        return None
    return placement


def _in_turn(state: State, received: PlayerMessage | None) -> Legal:
    placed = _legally_placed(state, received)
    if placed is not None:
        heading = f"Orders after {tile_name(placed.tile)} is placed"
        return _orders(place(state, placed), state, heading, partial(messages.Pbuy, placed))
    placements = legal_placements(state)
    if not placements:
        heading = "No tile can be placed, so an order comes alone. Orders"
        return _orders(state, state, heading, partial(messages.Pbuy, None))
    tiles = [
        _of_tile(state, tile, list(options))
        for tile, options in groupby(placements, lambda placement: placement.tile)
    ]
    limits = "Add an order to any but a merger, where it is asked for later."
    if stuck := state.mover.hand & ~playable(state):
        limits += f" Cannot be placed now: {' '.join(map(tile_name, tiles_in(stuck)))}."
    return Legal("Tiles in hand that can be placed", tuple(tiles), limits)


def _of_tile(state: State, tile: Tile, options: list[Placement]) -> Alternative:
    answers = tuple(answer_with(state, placement) for placement in options)
    return Alternative(tile_name(tile), _what_it_does(state, tile, options), answers)


def _what_it_does(state: State, tile: Tile, options: list[Placement]) -> str:
    name = state.rulebook.hotel_name
    hotels = sorted({option.hotel for option in options if option.hotel is not None})
    match kind_of(state.board, tile):
        case Kind.SINGLETON:
            return "stays unincorporated; name no hotel"
        case Kind.GROWING:
            (grown,) = state.board.touched(tile)
            size = place(state, options[0]).board.size(grown)
            return f"{name(grown)} grows to {size} tiles; name no hotel"
        case Kind.FOUNDING:
            size = place(state, options[0]).board.size(hotels[0])
            return f"founds a hotel of {size} tiles; name {listed(map(name, hotels))}"
    touched = [f"{name(hotel)} ({state.board.size(hotel)})" for hotel in state.board.touched(tile)]
    survivors = listed(map(name, hotels))
    return f"merges {listed(touched, 'and')}; name {survivors}{_equals(state, tile, hotels)}"


def _equals(state: State, tile: Tile, survivors: Sequence[int]) -> str:
    """Return which hotels can be named after the survivor."""
    if state.rulebook.equal_acquired is EqualAcquired.ALPHABETICAL:
        return ""
    name = state.rulebook.hotel_name
    named = [
        f"; after {name(survivor)}, if you like, {listed(map(name, equals), 'and')} in any order"
        for survivor in survivors
        if (equals := equal_acquired(state.board, tile, survivor))
    ]
    return "".join(named)


# -- orders -------------------------------------------------------------------------------------


def most_of(state: State, hotel: int) -> int:
    """Return how many certificates of a hotel the mover may order, if of no other."""
    count = 0
    while verify_order(state, (hotel,) * (count + 1)) is None:
        count += 1
    return count


def _orders(
    state: State, begun: State, heading: str, answer: Callable[[Order], PlayerMessage]
) -> Legal:
    """List the orders of one hotel alone; ``answer`` makes a message of an order.

    ``begun`` is the position at the start of the turn. After a merger it can be the same ``state``:
    no merger is possible where all hotels are safe, and a large hotel survives it.
    """
    rulebook = state.rulebook
    offers = []
    for hotel in range(len(state.bank)):
        if most := most_of(state, hotel):
            orders = tuple(answer((hotel,) * count) for count in range(1, most + 1))
            words = f"up to {most} at {dollars(state.price(hotel))}"
            offers.append(Alternative(rulebook.hotel_name(hotel), words, orders))
    offers.append(Alternative("none", "an order may be empty: <order/>", (answer(()),)))
    mixed = "any mix" if rulebook.mixed_orders else "all of the same hotel"
    limits = (
        f"At most {rulebook.order_limit} certificates, {mixed}, "
        f"for at most {dollars(state.mover.cash)}."
    )
    if rulebook.end is not End.ADMINISTRATOR:
        may = "may" if verify_declaration(state, begun) is None else "may not"
        limits += f" The end {may} be declared, by <end/> at the end of the order."
    return Legal(heading, tuple(offers), limits)


# -- certificates of acquired hotels ------------------------------------------------------------


def _keeps(situation: Situation, acquired: tuple[int, ...]) -> Legal:
    state, merger = situation.state, situation.merger
    assert merger is not None, "keep is asked in a merger"
    name, count = state.rulebook.hotel_name, len(acquired)
    held = state.player(situation.name).shares
    answers = tuple(messages.KeepAnswer(kept) for kept in product((True, False), repeat=count))
    hotels = [
        f"{name(hotel)} ({held[hotel]} held, {dollars(price)} each)"
        for hotel, price in zip(acquired, merger.prices, strict=True)
    ]
    words = f"a <true/> or a <false/> for each, in this order: {', '.join(hotels)}"
    number = f"{count} answer{'' if count == 1 else 's'}"
    return Legal("Answers to keep", (Alternative(number, words, answers),))


def _disposals(state: State, player: str, question: messages.Dispose) -> Legal:
    hotel, survivor, name = question.hotel, question.survivor, state.rulebook.hotel_name
    owned, left = state.player(player).shares[hotel], state.bank[survivor]
    most = min(owned, TRADED_FOR_ONE * left) // TRADED_FOR_ONE * TRADED_FOR_ONE
    words = (
        f"sell 0 to {owned} at {dollars(question.price)} each, trade an even number, "
        f"0 to {most}, for half as many of {name(survivor)}; hold the rest"
    )
    answers = tuple(
        messages.DisposeAnswer(each.sell, each.trade) for each in legal_disposals(owned, left)
    )
    limits = (
        f"{owned} of {name(hotel)} held, so sell and trade are at most {owned} together; the bank "
        f"has {left} of {name(survivor)}."
    )
    return Legal("Disposals", (Alternative(name(hotel), words, answers),), limits)
