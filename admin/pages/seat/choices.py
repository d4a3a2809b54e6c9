"""A question as the page asks it, and the page's answer as a message.

A question is a value that JSON can hold. Whatever it offers is legal by :mod:`acquire.game`, and
what comes back has to be one of the legal answers, so the page cannot send an illegal one.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias, assert_never

from ....game.disposal import TRADED_FOR_ONE
from ....game.merger import merge
from ....game.placement import Placement, kind_of, named_equals, verify_placement
from ....game.tiles import TILES, Tile, tiles_in
from ....protocol import messages
from ....protocol.messages import PlayerMessage
from ....protocol.question import Question
from ...refereeing.view.frames import board_cells, cell_of, changed_cells
from .choice_hints import HAND, Hints

Fields: TypeAlias = dict[str, Any]


class Refused(Exception):
    """The page's answer is not a legal one; the text says why."""


def nothing_to_decide(asked: Question) -> bool:
    """Return whether all answers are the same move, so that a person need not be asked.

    That is so in a merger whose acquired hotels one holds nothing of, and of an order with which
    nothing can be bought.
    """
    match asked.message:
        case messages.Keep(hotels):
            own = asked.state.player(asked.name).shares
            return not any(own[hotel] for hotel in hotels)
        case messages.Players() | messages.PlayersView():
            return asked.orders() == [()] and asked.ending() is None
    return False


def question_fields(asked: Question, seats: int) -> Fields:
    """Return what the page asks, with hints; ``seats`` is how many players sat down."""
    state, hints = asked.state, Hints(asked.known, asked.name, seats)
    match asked.message:
        case messages.Turn() | messages.TurnView():
            return _turn(asked, hints)
        case messages.Players() | messages.PlayersView():
            return {"kind": "order", "purchase": _purchase(asked, None, hints)}
        case messages.Keep(hotels):
            own = state.player(asked.name).shares
            rows = [
                {
                    **{"hotel": hotel, "count": own[hotel], "price": asked.price(hotel)},
                    "hint": hints.kept(hotel, own[hotel], asked.price(hotel)),
                }
                for hotel in hotels
            ]
            return {"kind": "keep", "hotels": rows}
        case messages.Dispose(hotel, price, survivor):
            own = state.player(asked.name).shares
            traded = range(own[survivor], own[survivor] + own[hotel] // TRADED_FOR_ONE + 1)
            return {
                "kind": "dispose",
                **{"hotel": hotel, "price": price, "survivor": survivor, "count": own[hotel]},
                **{
                    "left": state.bank[survivor],
                    "effects": [hints.held(survivor, n) for n in traded],
                },
                "hint": hints.disposal(hotel, price, survivor),
            }
        case messages.MarketMerger(tile):
            options = _options(asked, hints, asked.placements())
            return {"kind": "merger", "tile": cell_of(tile), "options": options}
        case messages.Replace():
            return {"kind": "replace", "hint": hints.replacement()}
        case _:
            assert_never(asked.message)


def _turn(asked: Question, hints: Hints) -> Fields:
    """Return the tiles in hand, what each would do or why it cannot be placed, and what follows."""
    state, legal = asked.state, asked.placements()
    tiles = []
    for tile in tiles_in(state.mover.hand):
        placements = [one for one in legal if one.tile == tile]
        fields: Fields = {"cell": cell_of(tile)}
        if placements:
            fields["kind"] = kind_of(state.board, tile).name.lower()
            fields["does"], fields["hint"] = hints.tile(tile)
            fields["options"] = _options(asked, hints, placements)
        else:
            why = verify_placement(state, Placement(tile))
            assert why is not None, "no placement of the tile is legal"
            rule = why.violation.sentence
            never = bool(state.board.closed >> tile & 1)
            fields |= {"why": str(why), "never": never, "hint": f"{rule} {hints.barred(tile)}"}
        tiles.append(fields)
    none = {} if legal else {"purchase": _purchase(asked, None, hints)}
    told = {"hint": HAND, "stuck": hints.stuck(1), "last": hints.last_turn()}
    return {"kind": "turn", "tiles": tiles, **told, **none}


def _options(asked: Question, hints: Hints, placements: Sequence[Placement]) -> list[Fields]:
    """Return placements of one tile: the hotels named, the board after it, what can be bought."""
    state, found = asked.state, []
    for one in placements:
        equals = named_equals(state.rulebook, state.board, one)
        fields: Fields = {"hotel": one.hotel, "equals": equals}
        if asked.merges(one):
            after = merge(state, one).state
            fields["note"] = hints.survivor(one)
        else:
            after = asked.ordering(one)
            fields["purchase"] = _purchase(asked, one, hints.at(after))
            if one.hotel is not None:
                fields["note"] = hints.at(after).founded(one.hotel)
        fields["board"] = changed_cells(board_cells(state), board_cells(after))
        found.append(fields)
    return found


def _purchase(asked: Question, placement: Placement | None, hints: Hints) -> Fields:
    """Return what has a price, how much of it is left, and whether the end can be declared."""
    state, ending = asked.ordering(placement), asked.ending(placement)
    rulebook, mover = state.rulebook, state.mover
    rows = []
    for hotel, left in enumerate(state.bank):
        if state.price(hotel):
            own = mover.shares[hotel]
            counts = range(own, own + min(rulebook.order_limit, left) + 1)
            size = state.board.size(hotel)
            row = {"hotel": hotel, "size": size, "price": state.price(hotel), "left": left}
            rows.append({**row, "effects": [hints.held(hotel, count) for count in counts]})
    return {
        "cash": mover.cash,
        "limit": rulebook.order_limit,
        "mixed": rulebook.mixed_orders,
        "end": None if ending is None else ending.sentence,
        "ending": "" if ending is None else hints.ending(),
        "hotels": rows,
        "hint": hints.purchase(),
        "stuck": hints.stuck(),
        "last": hints.last_turn(),
    }


# -- answers --------------------------------------------------------------------------------------


def answer(asked: Question, fields: Fields) -> PlayerMessage:
    """Return the page's answer to a question; ``Refused`` if it is not a legal one."""
    try:
        found = _answer(asked, fields)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise Refused("This is not an answer to the question.") from error
    if found not in asked.answers:
        raise Refused("The rules do not allow this answer.")
    return found


def _answer(asked: Question, fields: Fields) -> PlayerMessage:
    order = tuple(sorted(map(_number, fields.get("order") or ())))
    end = fields.get("end") is True
    match asked.message:
        case messages.Turn() | messages.TurnView() if fields.get("tile") is not None:
            placement = _placement(TILES[_number(fields["tile"])], fields)
            return asked.turn_answer(placement, order, end)
        case messages.Turn() | messages.TurnView() | messages.Players() | messages.PlayersView():
            return asked.turn_answer(None, order, end)
        case messages.Keep():
            return messages.KeepAnswer(tuple(map(bool, fields["keep"])))
        case messages.Dispose():
            return messages.DisposeAnswer(_number(fields["sell"]), _number(fields["trade"]))
        case messages.MarketMerger(tile):
            return messages.Merge(_placement(tile, fields))
        case messages.Replace():
            return messages.ReplaceAnswer(bool(fields["replace"]))
        case _:
            assert_never(asked.message)


def _placement(tile: Tile, fields: Fields) -> Placement:
    """Return the placement; equal hotels in alphabetical order are not named."""
    hotel, equals = fields.get("hotel"), tuple(map(_number, fields.get("equals") or ()))
    named = () if equals == tuple(sorted(equals)) else equals
    return Placement(tile, None if hotel is None else _number(hotel), named)


def _number(value: Any) -> int:
    """Return a number that is not negative; ``ValueError`` for anything else."""
    if type(value) is not int or value < 0:
        raise ValueError(value)
    return value
