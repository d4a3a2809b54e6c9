"""What of an answer no message can say, be it legal or not.

What a program sends is validated by a schema. A player in this process can return anything, which
would break the referee, or the log of its game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from ..game.placement import Placement
from ..game.rulebook import End, EqualAcquired, Rulebook
from ..game.tiles import TILES
from . import messages
from .dialect import Dialect
from .messages import PlayerMessage

MAX_ACQUIRED: Final = 3
"""A tile has four neighbours, and one of the hotels beside it survives."""


def unsayable(answer: PlayerMessage, rulebook: Rulebook) -> str | None:
    """Return what of an answer no message can say under a rulebook; ``None`` if all can be said.

    >>> from acquire import CLASSIC
    >>> unsayable(messages.Order((7,)), CLASSIC)
    'an order of (7,)'
    """
    match answer:
        case messages.Pbuy(placement=None) if Dialect.of(rulebook) is Dialect.COURSE:
            return "no placement"
        case messages.Pbuy(placed, order, end):
            placement = None if placed is None else _in_placement(placed, rulebook)
            return placement or _in_order(order, end, rulebook)
        case messages.Order(order, end):
            return _in_order(order, end, rulebook)
        case messages.Merge(placed):
            return _in_placement(placed, rulebook)
        case messages.KeepAnswer(kept):
            right = _all_in(kept, (False, True), MAX_ACQUIRED) and len(kept) > 0
            return None if right else f"the decisions {kept!r}"
        case messages.DisposeAnswer() | messages.ReplaceAnswer() if (
            Dialect.of(rulebook) is Dialect.COURSE
        ):
            return repr(answer)
        case messages.DisposeAnswer(sell, trade):
            right = _all_in((sell, trade), range(rulebook.certificates + 1), 2)
            return None if right else f"sales of {sell!r} and trades of {trade!r}"
        case messages.Void() | messages.ReplaceAnswer() | messages.SignUp():
            return None
        case _:
            assert_never(answer)


def _in_placement(placed: object, rulebook: Rulebook) -> str | None:
    if not isinstance(placed, Placement):
        return f"a placement of {placed!r}"
    hotels, named = range(len(rulebook.hotels)), [placed.hotel, *placed.equals]
    may_order = rulebook.equal_acquired is EqualAcquired.PLACER_ORDERS
    right = _all_in(named, hotels, MAX_ACQUIRED + 1 if may_order else 1) or named == [None]
    if right and placed.tile in TILES:
        return None
    return f"a placement of tile {placed.tile!r} that names {named}"


def _in_order(order: object, end: object, rulebook: Rulebook) -> str | None:
    if end and rulebook.end is End.ADMINISTRATOR:
        return "a declared end"
    right = _all_in(order, range(len(rulebook.hotels)), rulebook.order_limit)
    return None if right else f"an order of {order!r}"


def _all_in(given: object, known: Sequence[object], most: int) -> bool:
    if not isinstance(given, tuple | list) or len(given) > most:
        return False
    return all(map(known.__contains__, given))
