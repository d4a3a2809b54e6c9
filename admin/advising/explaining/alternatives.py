"""The legal answers where a player broke a rule, in words, and the one closest to what it sent."""

from itertools import groupby
from typing import NamedTuple, assert_never

from ....game.placement import (
    Kind,
    Placement,
    equal_acquired,
    kind_of,
    place,
    playable,
    verify_placement,
)
from ....game.purchase import Order, verify_order
from ....game.rulebook import End, EqualAcquired
from ....game.state import State
from ....game.tiles import Tile, tile_name, tiles_in
from ....protocol import messages
from ....protocol.messages import PlayerMessage
from ....protocol.question import Question
from ...refereeing.view.plain_text import dollars, listed, plural


class Alternative(NamedTuple):
    """Answers of one kind that would have been legal."""

    of: str  # the tile or hotel that they are about
    words: str
    messages: tuple[PlayerMessage, ...]  # all of them; of orders, those for one hotel alone


class Legal(NamedTuple):
    """The legal answers: a heading, the list, and the limits that apply to all of them."""

    heading: str = ""
    alternatives: tuple[Alternative, ...] = ()
    limits: str = ""


def legal_in(question: Question, received: PlayerMessage | None) -> Legal:
    """List the legal answers in place of an illegal one."""
    match question.message:
        case messages.Turn() | messages.TurnView():
            return _in_turn(question, received)
        case messages.Replace():
            new, same = question.legal()
            whole = Alternative("true", "the whole hand is set aside and replaced", (new,))
            kept = Alternative("false", "the hand is kept, and an order comes alone", (same,))
            return Legal("Answers to replace", (whole, kept))
        case messages.Players() | messages.PlayersView():
            return _orders(question, None, "Orders after this merger")
        case messages.Keep(hotels):
            return _keeps(question, hotels)
        case messages.Dispose() as asked:
            return _disposals(question, asked)
        case messages.MarketMerger(tile):
            heading = f"Placements of the market's tile {tile_name(tile)}"
            return Legal(heading, (_of_tile(question, tile, question.placements()),))
        case _:
            assert_never(question.message)


# -- placements ---------------------------------------------------------------------------------


def _in_turn(question: Question, received: PlayerMessage | None) -> Legal:
    state = question.state
    placed = received.placement if isinstance(received, messages.Pbuy) else None
    if placed and not verify_placement(state, placed) and not question.merges(placed):
        return _orders(question, placed, f"Orders after {tile_name(placed.tile)} is placed")
    placements = question.placements()
    if not placements:
        return _orders(question, None, "No tile can be placed, so an order comes alone. Orders")
    tiles = [
        _of_tile(question, tile, list(options))
        for tile, options in groupby(placements, lambda placement: placement.tile)
    ]
    limits = "Add an order to any but a merger, where it is asked for later."
    if stuck := state.mover.hand & ~playable(state):
        limits += f" Cannot be placed now: {' '.join(map(tile_name, tiles_in(stuck)))}."
    return Legal("Tiles in hand that can be placed", tuple(tiles), limits)


def _of_tile(question: Question, tile: Tile, options: list[Placement]) -> Alternative:
    answers = tuple(question.turn_answer(placement) for placement in options)
    return Alternative(tile_name(tile), _what_it_does(question.state, tile, options), answers)


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
            return f"founds a hotel of {size} tiles; name {listed(map(name, hotels), 'or')}"
    touched = [f"{name(hotel)} ({state.board.size(hotel)})" for hotel in state.board.touched(tile)]
    words = f"merges {listed(touched)}; name {listed(map(name, hotels), 'or')}"
    if state.rulebook.equal_acquired is not EqualAcquired.ALPHABETICAL:
        for survivor in hotels:
            if equals := equal_acquired(state.board, tile, survivor):
                words += f"; after {name(survivor)}, if you like, {listed(map(name, equals))} "
                words += "in any order"
    return words


# -- orders -------------------------------------------------------------------------------------


def _orders(question: Question, placement: Placement | None, heading: str) -> Legal:
    """List the orders of one hotel alone that may come with a placement."""
    state, rulebook = question.ordering(placement), question.state.rulebook
    legal, offers = question.orders(placement), []
    for hotel in range(len(state.bank)):
        if orders := [order for order in legal if {*order} == {hotel}]:
            words = f"up to {len(orders)} at {dollars(state.price(hotel))}"
            answers = tuple(question.turn_answer(placement, order) for order in orders)
            offers.append(Alternative(rulebook.hotel_name(hotel), words, answers))
    nothing = question.turn_answer(placement)
    offers.append(Alternative("none", "an order may be empty: <order/>", (nothing,)))
    mixed = "any mix" if rulebook.mixed_orders else "all of the same hotel"
    limits = (
        f"At most {rulebook.order_limit} certificates, {mixed}, "
        f"for at most {dollars(state.mover.cash)}."
    )
    if rulebook.end is not End.ADMINISTRATOR:
        may = "may not" if question.ending(placement) is None else "may"
        limits += f" The end {may} be declared, by <end/> at the end of the order."
    return Legal(heading, tuple(offers), limits)


# -- certificates of acquired hotels ------------------------------------------------------------


def _keeps(question: Question, acquired: tuple[int, ...]) -> Legal:
    name, held = question.state.rulebook.hotel_name, question.state.player(question.name).shares
    hotels = [
        f"{name(hotel)} ({held[hotel]} held, {dollars(question.price(hotel))} each)"
        for hotel in acquired
    ]
    words = f"a <true/> or a <false/> for each, in this order: {', '.join(hotels)}"
    answers = Alternative(plural(len(acquired), "answer"), words, tuple(question.legal()))
    return Legal("Answers to keep", (answers,))


def _disposals(question: Question, asked: messages.Dispose) -> Legal:
    state, name = question.state, question.state.rulebook.hotel_name
    owned, left = state.player(question.name).shares[asked.hotel], state.bank[asked.survivor]
    most = max(disposal.trade for disposal in question.disposals())
    words = (
        f"sell 0 to {owned} at {dollars(asked.price)} each, trade an even number, "
        f"0 to {most}, for half as many of {name(asked.survivor)}; hold the rest"
    )
    limits = (
        f"{owned} of {name(asked.hotel)} held, so sell and trade are at most {owned} together; "
        f"the bank has {left} of {name(asked.survivor)}."
    )
    answers = tuple(question.legal())
    return Legal("Disposals", (Alternative(name(asked.hotel), words, answers),), limits)


# -- one correct answer -------------------------------------------------------------------------


def suggest(question: Question, received: PlayerMessage | None) -> PlayerMessage:
    """Return the legal answer nearest to the one received, which is ``None`` if not parsed."""
    match question.message, received:
        case _, messages.Pbuy(wanted, order, end):
            placement = _nearest(question.placements(), wanted)
            return question.turn_answer(placement, *_affordable(question, placement, order, end))
        case _, messages.Merge(wanted):
            return question.turn_answer(_nearest(question.placements(), wanted))
        case _, messages.Order(order, end):
            return messages.Order(*_affordable(question, None, order, end))
        case messages.Keep(hotels), messages.KeepAnswer(decisions):
            return messages.KeepAnswer((decisions + (True,) * len(hotels))[: len(hotels)])
        case _, messages.DisposeAnswer(sell, trade):
            less = [one for one in question.disposals() if one.sell <= sell and one.trade <= trade]
            nearest = max(less, key=lambda one: (one.trade, one.sell))
            return messages.DisposeAnswer(nearest.sell, nearest.trade)
    return question.simplest()


def _nearest(options: list[Placement], wanted: Placement | None) -> Placement | None:
    """Return the very placement if it is legal, else one with its tile, or its hotel, or any."""
    if wanted is None:
        return options[0] if options else None
    return max(
        options,
        key=lambda option: (
            option.tile == wanted.tile,
            option.hotel == wanted.hotel,
            option.equals == wanted.equals,
            not option.equals,
        ),
        default=None,
    )


def _affordable(
    question: Question, placement: Placement | None, order: Order, end: bool
) -> tuple[Order, bool]:
    """Return as much of an order, from its beginning, as is legal; the end too, if it may come."""
    if placement is not None and question.merges(placement):
        return (), False
    state = question.ordering(placement)
    kept: Order = ()
    for hotel in order:
        if verify_order(state, (*kept, hotel)) is None:
            kept = (*kept, hotel)
    return kept, end and question.ending(placement) is not None
