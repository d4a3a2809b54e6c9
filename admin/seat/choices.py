"""A question as the page asks it, and the page's answer as a message.

A question is a value that JSON can hold. Whatever it offers is legal by :mod:`game`, and what comes
back is verified by :mod:`game` again, so the page cannot send an illegal answer.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

from admin.seat.known_position import Memory
from admin.view.frames import board_cells, cell_of
from game.disposal import TRADED_FOR_ONE, legal_disposals
from game.merger import merge
from game.placement import (
    Kind,
    Placement,
    equals_choices,
    hotel_choices,
    kind_of,
    legal_placements,
    place,
    verify_hotels,
    verify_no_placement,
    verify_placement,
)
from game.purchase import verify_order
from game.state import State
from game.tiles import TILES, Tile, tiles_in
from game.turn import declared_ending, verify_declaration
from game.violation import Illegal
from protocol import messages
from protocol.messages import AdministratorMessage, PlayerMessage

Fields: TypeAlias = dict[str, Any]


class Refused(Exception):
    """The page's answer is not a legal one; the text says why."""


def question(memory: Memory, message: AdministratorMessage) -> Fields | None:
    """Return what the page asks; ``None`` if the message is only acknowledged.

    ``memory`` has heard the message.
    """
    known = memory.known
    match message:
        case messages.Turn() | messages.TurnView():
            assert known is not None
            return _turn(known.state)
        case messages.Players() | messages.PlayersView():
            assert known is not None and memory.begun is not None
            return {"kind": "order", "purchase": _purchase(known.state, memory.begun)}
        case messages.Keep(hotels):
            assert known is not None
            own = known.state.player(memory.name)
            return {
                "kind": "keep",
                "hotels": [
                    {"hotel": hotel, "count": own.shares[hotel], "price": known.state.price(hotel)}
                    for hotel in hotels
                ],
            }
        case messages.Dispose(hotel, price, survivor):
            assert known is not None
            owned = known.state.player(memory.name).shares[hotel]
            return {
                "kind": "dispose",
                **{"hotel": hotel, "price": price, "survivor": survivor, "count": owned},
                "left": known.state.bank[survivor],
            }
        case messages.MarketMerger(tile):
            assert known is not None
            return {
                "kind": "merger",
                "tile": cell_of(tile),
                "options": _options(known.state, _market_placements(known.state, tile)),
            }
        case messages.Replace():
            return {"kind": "replace"}
    return None


def _turn(state: State) -> Fields:
    """Return the tiles in hand, what each would do or why it cannot be placed, and what follows."""
    legal = legal_placements(state)
    tiles = []
    for tile in tiles_in(state.mover.hand):
        placements = [one for one in legal if one.tile == tile]
        fields: Fields = {"cell": cell_of(tile)}
        if placements:
            fields |= {"does": _does(state, tile), "options": _options(state, placements)}
        else:
            why = verify_placement(state, Placement(tile))
            fields["why"] = "" if why is None else str(why)
        tiles.append(fields)
    none = {} if legal else {"purchase": _purchase(state, state)}
    return {"kind": "turn", "tiles": tiles, **none}


def _does(state: State, tile: Tile) -> str:
    """Say what a tile does, shortly."""
    board, name = state.board, state.rulebook.hotel_name
    kind = kind_of(board, tile)
    match kind:
        case Kind.FOUNDING:
            return "founds a hotel" if hotel_choices(board, tile) != [None] else "stays alone"
        case Kind.GROWING:
            return f"{name(board.grown_by(tile))} grows"
        case Kind.MERGING:
            return f"merges {' and '.join(map(name, board.touched(tile)))}"
        case Kind.SINGLETON:
            return "stays alone"


def _options(state: State, placements: Sequence[Placement]) -> list[Fields]:
    """Return placements of one tile: the hotels named, the board after it, what can be bought."""
    found = []
    for one in placements:
        equals = [*one.equals]
        if not equals and any(other.equals for other in placements if other.hotel == one.hotel):
            equals = sorted(next(o.equals for o in placements if o.hotel == one.hotel and o.equals))
        fields: Fields = {"hotel": one.hotel, "equals": equals}
        if kind_of(state.board, one.tile) is Kind.MERGING:
            after = merge(state, one).state
        else:
            after = place(state, one)
            fields["purchase"] = _purchase(after, state)
        before = board_cells(state)
        fields["board"] = [
            [cell, what] for cell, what in enumerate(board_cells(after)) if what != before[cell]
        ]
        found.append(fields)
    return found


def _market_placements(state: State, tile: Tile) -> list[Placement]:
    return [
        Placement(tile, hotel, equals)
        for hotel in hotel_choices(state.board, tile)
        for equals in equals_choices(state.rulebook, state.board, tile, hotel)
    ]


def _purchase(state: State, begun: State) -> Fields:
    """Return what can be bought, for how much, and whether the end can be declared."""
    rulebook, mover = state.rulebook, state.mover
    ending = declared_ending(state, begun)
    return {
        "cash": mover.cash,
        "limit": rulebook.order_limit,
        "mixed": rulebook.mixed_orders,
        "end": None if ending is None else ending.sentence,
        "hotels": [
            {"hotel": hotel, "price": state.price(hotel), "left": left, "own": mover.shares[hotel]}
            for hotel, left in enumerate(state.bank)
            if state.price(hotel) and left
        ],
    }


# -- answers --------------------------------------------------------------------------------------


def answer(memory: Memory, message: AdministratorMessage, fields: Fields) -> PlayerMessage:
    """Return the page's answer to a message; ``Refused`` if it is not a legal one."""
    try:
        return _answer(memory, message, fields)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise Refused("This is not an answer to the question.") from error


def _answer(memory: Memory, message: AdministratorMessage, fields: Fields) -> PlayerMessage:
    assert memory.known is not None
    state = memory.known.state
    match message:
        case messages.Turn() | messages.TurnView():
            return _turn_answer(state, fields)
        case messages.Players() | messages.PlayersView():
            assert memory.begun is not None
            return messages.Order(*_order(state, memory.begun, fields))
        case messages.Keep(hotels):
            decisions = tuple(map(bool, fields["keep"]))
            if len(decisions) != len(hotels):
                raise Refused("Every acquired hotel needs an answer.")
            return messages.KeepAnswer(decisions)
        case messages.Dispose(hotel, _, survivor):
            sell, trade = _number(fields["sell"]), _number(fields["trade"])
            owned, left = state.player(memory.name).shares[hotel], state.bank[survivor]
            if (sell, trade) not in [tuple(one) for one in legal_disposals(owned, left)]:
                raise Refused(_why_not_disposed(owned, left, sell, trade))
            return messages.DisposeAnswer(sell, trade)
        case messages.MarketMerger(tile):
            placement = _placement(tile, fields)
            _refuse(verify_hotels(state.rulebook, state.board, placement))
            return messages.Merge(placement)
        case messages.Replace():
            return messages.ReplaceAnswer(bool(fields["replace"]))
    raise Refused("Nothing is asked.")


def _turn_answer(state: State, fields: Fields) -> PlayerMessage:
    if fields.get("tile") is None:
        _refuse(verify_no_placement(state))
        return messages.Pbuy(None, *_order(state, state, fields))
    placement = _placement(TILES[_number(fields["tile"])], fields)
    _refuse(verify_placement(state, placement))
    if kind_of(state.board, placement.tile) is Kind.MERGING:
        return messages.Merge(placement)
    return messages.Pbuy(placement, *_order(place(state, placement), state, fields))


def _placement(tile: Tile, fields: Fields) -> Placement:
    hotel = fields.get("hotel")
    equals = tuple(map(_number, fields.get("equals") or ()))
    return Placement(tile, None if hotel is None else _number(hotel), equals)


def _order(state: State, begun: State, fields: Fields) -> tuple[tuple[int, ...], bool]:
    order = tuple(sorted(map(_number, fields.get("order") or ())))
    if any(hotel >= len(state.bank) for hotel in order):
        raise Refused("There is no such hotel.")
    _refuse(verify_order(state, order))
    end = fields.get("end") is True
    if end:
        _refuse(verify_declaration(state, begun))
    return order, end


def _number(value: Any) -> int:
    """Return a number that is not negative; ``ValueError`` for anything else."""
    if type(value) is not int or value < 0:
        raise ValueError(value)
    return value


def _refuse(why: Illegal | None) -> None:
    if why is not None:
        raise Refused(str(why))


def _why_not_disposed(owned: int, left: int, sell: int, trade: int) -> str:
    if trade % TRADED_FOR_ONE:
        return "Certificates are traded two for one."
    if sell + trade > owned:
        return f"{sell + trade} of {owned} certificates cannot be sold or traded."
    return f"The bank has {left} certificates to trade for."
