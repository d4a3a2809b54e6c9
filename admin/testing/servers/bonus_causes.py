"""Other ways to pay bonuses, to find the one that gives the money that was sent."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ....game.merger import bonuses_for
from ....game.rulebook import Rounding, Rulebook, SoleHolder
from ....game.state import Player, State
from ...refereeing.play import events
from .game_moment import GameMoment

Pay = Callable[[State, int, int], dict[str, int]]
"""Returns the bonuses of a hotel by player, given the position and the hotel's price."""
Price = Callable[[int], int]
"""Returns the price of a hotel."""


def suspect_bonuses(
    moment: GameMoment, money: Mapping[str, int], rulebook: Rulebook
) -> tuple[str, str] | None:
    """Return the case and a sentence, if other bonuses explain these differences of money.

    ``money`` is how much more was sent than expected, by player.
    """
    state, prices = _due(moment)
    ended = any(isinstance(each, events.Ended) for each in moment.turn)
    groups = [[hotel] for hotel in prices] + ([[*prices]] if len(prices) > 1 else [])
    for case, words, pay in _other_ways(moment, rulebook):
        for hotels in groups:
            more: dict[str, int] = {}
            for hotel in hotels:
                due = paid(rulebook, state.players, hotel, prices[hotel])
                other = pay(state, hotel, prices[hotel])
                for name in {**due, **other}:
                    more[name] = more.get(name, 0) + other.get(name, 0) - due.get(name, 0)
            if any(more.values()) and all(more.get(name, 0) == money[name] for name in money):
                named = " and ".join(map(rulebook.hotel_name, hotels))
                where = "end/bonuses" if ended and case == "mergers/bonuses" else case
                return where, f"The bonuses of {named}: {words}."
    return None


def paid(rulebook: Rulebook, players: Sequence[Player], hotel: int, price: int) -> dict[str, int]:
    """Return the bonuses of a hotel by player."""
    return {each.name: each.amount for each in bonuses_for(rulebook, hotel, price, players)}


def _due(moment: GameMoment) -> tuple[State, dict[int, int]]:
    """Return the position in which bonuses are due, and the price of each hotel."""
    for event in moment.turn:
        if isinstance(event, events.Ended):
            state = event.state
            return state, {h: state.price(h) for h, size in enumerate(state.board.sizes) if size}
    acquired = [each for each in moment.turn if isinstance(each, events.Acquired)]
    if not acquired:
        return moment.before, {}
    return acquired[0].state, {each.hotel: each.price for each in acquired}


def other_prices(moment: GameMoment, rulebook: Rulebook) -> Iterator[tuple[str, Price]]:
    """Yield prices at which an acquired hotel may have been taken by mistake, in words."""
    acquired = {each.hotel: each for each in moment.turn if isinstance(each, events.Acquired)}
    sizes = moment.last.board.sizes

    def at(hotel: int, by: int) -> int:
        size = acquired[hotel].size if hotel in acquired else sizes[hotel]
        return rulebook.price(hotel, max(0, min(size + by, 108)))

    def survivors(hotel: int) -> int:
        found = acquired.get(hotel)
        return rulebook.price(found.survivor, sizes[found.survivor]) if found else 0

    yield "the price with the placed tile", lambda hotel: at(hotel, 1)
    yield "the price of one tile less", lambda hotel: at(hotel, -1)
    yield "the price after the merger", lambda hotel: rulebook.price(hotel, 0)
    yield "the survivor's price", survivors
    for other in sorted({price for prices in rulebook.prices for price in prices if price}):
        yield f"a price of ${other}", lambda _, price=other: price  # type: ignore[misc]  # bound


def _other_ways(moment: GameMoment, rulebook: Rulebook) -> Iterator[tuple[str, str, Pay]]:
    """Yield other ways to pay bonuses, each with the case that it fails."""
    bonuses, tied = "mergers/bonuses", "mergers/tied-majority"
    yield bonuses, "they were not paid", lambda *_: {}
    step = {1: "whole dollars", 100: "$100"}
    for dollars, unit in step.items():
        for rounding in Rounding:
            words = f"shares were rounded {rounding.name.lower()} to {unit}"
            yield "mergers/rounding", words, _under(rounding=rounding, rounding_step=dollars)
    for sole in SoleHolder:
        yield "mergers/sole-holder", f"a sole holder got {sole.value}", _under(sole_holder=sole)
    yield tied, "a tie for the majority shared the majority bonus only", _ranked(10, 0, 5)
    yield tied, "after a tie for the majority a minority bonus was paid too", _ranked(10, 5, 5)
    yield tied, "everybody who tied got a whole bonus", _ranked(10, 5, 5, split=False)
    yield tied, "of those who tied only the first got a bonus", _first_of_ties
    yield bonuses, "the minority bonus is missing", _under(bonus_multiples=(10,))
    for first, second in ((5, 10), (10, 10), (20, 10), (10, 3), (5, 5), (10, 2), (5, 2), (1, 1)):
        words = f"they were {first} and {second} times the price"
        yield bonuses, words, _under(bonus_multiples=(first, second))
    yield bonuses, "they were paid twice", _twice
    yield bonuses, "only the mover was paid", lambda *due: _of_mover(_right(*due), due[0], {True})
    yield bonuses, "the mover was not paid", lambda *due: _of_mover(_right(*due), due[0], {False})
    for words, price in other_prices(moment, rulebook):
        yield "mergers/price", f"they were paid at {words}", _at(price)


def _at(price: Price) -> Pay:
    return lambda state, hotel, _: _right(state, hotel, price(hotel))


def _twice(state: State, hotel: int, price: int) -> dict[str, int]:
    return {name: 2 * due for name, due in _right(state, hotel, price).items()}


def _of_mover(due: dict[str, int], state: State, wanted: set[bool]) -> dict[str, int]:
    return {name: paid for name, paid in due.items() if (name == state.mover.name) in wanted}


def _right(state: State, hotel: int, price: int) -> dict[str, int]:
    return paid(state.rulebook, state.players, hotel, price)


def _under(**changes: Any) -> Pay:
    return lambda state, hotel, price: paid(
        replace(state.rulebook, **changes), state.players, hotel, price
    )


def _ranked(majority: int, after_tie: int, minority: int, *, split: bool = True) -> Pay:
    """Pay those with the most, and with the second most, so many times the price, shared."""

    def pay(state: State, hotel: int, price: int) -> dict[str, int]:
        held = {player.name: player.shares[hotel] for player in state.players}
        ranks = sorted({count for count in held.values() if count}, reverse=True)
        tied = bool(ranks) and [*held.values()].count(ranks[0]) > 1
        found: dict[str, int] = {}
        for rank, multiple in zip(ranks, (majority, after_tie if tied else minority), strict=False):
            names = [name for name, count in held.items() if count == rank]
            found |= dict.fromkeys(names, multiple * price // (len(names) if split else 1))
        return found

    return pay


def _first_of_ties(state: State, hotel: int, price: int) -> dict[str, int]:
    order = sorted(state.players, key=lambda player: -player.shares[hotel])
    holders = [player.name for player in order if player.shares[hotel]]
    return dict(zip(holders, (10 * price, 5 * price), strict=False))
