"""Other ways to pay bonuses, as a mistaken administrator may; knows nothing of what was sent."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any, TypeAlias

from ....game.merger import bonuses_for
from ....game.rulebook import Rounding, Rulebook, SoleHolder
from ....game.state import State

Pay: TypeAlias = Callable[[State, int, int], Mapping[str, int]]
"""Returns the bonuses of a hotel by player, given the position and the hotel's price."""


def due_bonuses(
    state: State, hotel: int, price: int, rulebook: Rulebook | None = None
) -> dict[str, int]:
    """Return the bonuses of a hotel by player, under the match's rulebook or another."""
    due = bonuses_for(rulebook or state.rulebook, hotel, price, state.players)
    return {each.name: each.amount for each in due}


def at_price(price: Callable[[int], int]) -> Pay:
    """Pay the right multiples of another price."""
    return lambda state, hotel, _: due_bonuses(state, hotel, price(hotel))


def as_held_in(after: State) -> Pay:
    """Pay by what is held in another position."""
    return lambda _, *due: due_bonuses(after, *due)


def _under(**changes: Any) -> Pay:
    return lambda state, hotel, price: due_bonuses(
        state, hotel, price, replace(state.rulebook, **changes)
    )


def _to_mover(*, mine: bool) -> Pay:
    return lambda state, hotel, price: {
        name: paid
        for name, paid in due_bonuses(state, hotel, price).items()
        if (name == state.mover.name) is mine
    }


def _holders(state: State, hotel: int) -> list[list[str]]:
    """Return the holders of a hotel by rank, those who tie in turn order."""
    held = {player.name: player.shares[hotel] for player in state.players}
    counts = sorted({*held.values()} - {0}, reverse=True)
    return [[name for name in held if held[name] == count] for count in counts]


def _ranked(after_tie: int, *, split: bool = True) -> Pay:
    """Pay those with the most 10 times the price, shared; after a tie there, the next so many."""

    def pay(state: State, hotel: int, price: int) -> dict[str, int]:
        book, ranks, found = state.rulebook, _holders(state, hotel), dict[str, int]()
        multiples = 10, after_tie if ranks and len(ranks[0]) > 1 else 5
        for names, multiple in zip(ranks, multiples, strict=False):
            pool = multiple * price
            if split and len(names) > 1:
                pool = book.rounding.share(pool, len(names), book.rounding_step)
            found |= dict.fromkeys(names, pool)
        return found

    return pay


def _first_of_ties(state: State, hotel: int, price: int) -> dict[str, int]:
    return dict(zip(chain(*_holders(state, hotel)), (10 * price, 5 * price), strict=False))


def _both_to_all_who_tied(state: State, hotel: int, price: int) -> dict[str, int]:
    due, (first, *_) = due_bonuses(state, hotel, price), _holders(state, hotel) or [[]]
    return due | dict.fromkeys(first if len(first) > 1 else (), 15 * price)


def _minority_to_all_others(state: State, hotel: int, price: int) -> dict[str, int]:
    due, (first, *others) = due_bonuses(state, hotel, price), _holders(state, hotel) or [[]]
    return {name: due[name] for name in first} | dict.fromkeys(chain(*others), 5 * price)


def _tied_for_second(*multiples: int) -> Pay:
    """Pay those who tie for second so many times the price, in turn order, the others nothing."""

    def pay(state: State, hotel: int, price: int) -> dict[str, int]:
        due = due_bonuses(state, hotel, price)
        match _holders(state, hotel):
            case [[_], [_, _, *_] as tied, *_]:
                paid = {name: each * price for name, each in zip(tied, multiples, strict=False)}
                return due | dict.fromkeys(tied, 0) | paid
        return due

    return pay


BONUSES = "mergers/bonuses"
_ROUNDED = {
    f"shares were rounded {rounding.name.lower()} to {unit}": _under(
        rounding=rounding, rounding_step=step
    )
    for step, unit in {1: "whole dollars", 100: "$100"}.items()
    for rounding in Rounding
}
_MULTIPLES = {
    f"they were {a} and {b} times the price": _under(bonus_multiples=(a, b))
    for a, b in ((5, 10), (10, 10), (20, 10), (10, 3), (5, 5), (10, 2), (5, 2), (1, 1))
}
WAYS: dict[str, dict[str, Pay]] = {
    "mergers/rounding": _ROUNDED,
    "mergers/sole-holder": {
        f"a sole holder got {sole.value}": _under(sole_holder=sole) for sole in SoleHolder
    },
    "mergers/tied-minority": {
        "everybody who tied for second got a whole minority bonus": _tied_for_second(5, 5, 5, 5, 5),
        "of those who tied for second only one got a bonus": _tied_for_second(5),
        "those who tied for second got no bonus": _tied_for_second(0),
    },
    "mergers/tied-majority": {
        "everybody who tied got a whole bonus": _ranked(5, split=False),
        "each of those who tied got both whole bonuses": _both_to_all_who_tied,
        "a tie for the majority shared the majority bonus only": _ranked(0),
        "after a tie for the majority a minority bonus was paid too": _ranked(5),
        "of those who tied only the first got a bonus": _first_of_ties,
    },
    BONUSES: {
        "they were not paid": lambda *_: {},
        "they were paid twice": lambda *due: {n: 2 * a for n, a in due_bonuses(*due).items()},
        "the minority bonus is missing": _under(bonus_multiples=(10,)),
        **_MULTIPLES,
        "every other holder got a whole minority bonus": _minority_to_all_others,
        "only the mover was paid": _to_mover(mine=True),
        "the mover was not paid": _to_mover(mine=False),
    },
}
"""Other ways to pay bonuses, in words, by the case that each fails.

Those that differ only where players tie, share or hold alone come first: a general one that pays
the same there would be wrong in other mergers, too.
"""
