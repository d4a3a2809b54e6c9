"""Cases for a rulebook that is none of the five, made from those of the nearest of them.

A case's drawing and sentences are about the numbers of the five rulebooks: prices, safe sizes, 25
certificates. So the cases are made with the numbers of the nearest rulebook, and each position is
then laid out under the one to be checked. A case is kept if everything that its sentences can be
about is the same in both.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from functools import partial

from ....game.board import lay_out
from ....game.drawing import refill
from ....game.market import takes_part
from ....game.placement import legal_placements
from ....game.purchase import legal_orders
from ....game.rulebook import Rulebook
from ....game.rulebooks import RULEBOOKS
from ....game.state import Player, State, position
from ....game.tiles import Tile, mask_of, tiles_in
from ....game.turn import pay_out, regular_ending
from ...refereeing.play.referee import Segment
from .case import Case

NUMBERS = (
    *("cash", "hand_size", "certificates", "bonus_multiples", "rounding", "rounding_step"),
    *("safe_size", "final_size", "order_limit", "min_players", "max_players"),
    "market_for_two",
)
"""What a case's sentences and drawings take from the rulebook that it is made for."""
FEW = 3
"""Certificates left in the bank: fewer of them can limit an order or a trade."""


def with_usual_numbers(rulebook: Rulebook) -> Rulebook:
    """Return a rulebook with the choices and hotel names of this one, but the nearest's numbers.

    The hotels have the price tiers of the nearest, too, unless as many are in each tier here.
    """
    nearest = max(RULEBOOKS.values(), key=lambda known: _likeness(known, rulebook))
    hotels = rulebook.hotels
    if Counter(hotel.tier for hotel in hotels) != Counter(hotel.tier for hotel in nearest.hotels):
        hotels = tuple(
            hotel._replace(tier=usual.tier)
            for hotel, usual in zip(hotels, nearest.hotels, strict=True)
        )
    by_tier = dict(zip([hotel.tier for hotel in nearest.hotels], nearest.prices, strict=True))
    prices = tuple(by_tier[hotel.tier] for hotel in hotels)
    numbers = {name: getattr(nearest, name) for name in NUMBERS}
    return replace(rulebook, hotels=hotels, prices=prices, **numbers)


def _likeness(known: Rulebook, rulebook: Rulebook) -> tuple[bool, int]:
    """Rate how alike two rulebooks are: first by the mergers that they forbid, as drawings are."""
    agreed = [
        getattr(known, field.name) == getattr(rulebook, field.name) for field in fields(known)
    ]
    return known.forbidden_merger is rulebook.forbidden_merger, sum(agreed)


def adapt(cases: Iterable[Case], rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases that apply to a rulebook, laid out under it."""
    for case in cases:
        seats, usual = len(case.script.seats), case.script.rulebook
        target = rulebook
        if usual.assets is not rulebook.assets:  # in a case about hidden assets
            target = replace(rulebook, assets=usual.assets)
        if not rulebook.min_players <= seats <= rulebook.max_players:
            continue
        if takes_part(target, seats) is not takes_part(usual, seats):
            continue
        segments = [_laid_out(segment, target) for segment in case.script.segments]
        kept = [segment for segment in segments if segment is not None]
        texts = f"{case.title} {case.expected} {case.hint}"
        facts = partial(_facts, about_money=case.section.slug == "buying" or "$" in texts)
        if len(kept) == len(segments) and all(
            segment.turns is None or facts(segment) == facts(drawn)
            for segment, drawn in zip(kept, case.script.segments, strict=True)
        ):
            script = replace(case.script, rulebook=target, segments=tuple(kept))
            yield replace(case, script=script)


def _laid_out(segment: Segment, rulebook: Rulebook) -> Segment | None:
    """Lay out a position under another rulebook; ``None`` if that is impossible.

    Hands keep their tiles, since a case is about them. In a game that is played to its end they
    are filled or cut to the size of the rulebook.
    """
    state, turns = segment
    players, bag = state.players, state.bag
    if turns is None and state.rulebook.hand_size != rulebook.hand_size:
        players, bag = _with_hands_of(rulebook.hand_size, state)
    board = lay_out(rulebook, state.board.loose, state.board.hotels)
    try:
        laid = position(rulebook, board, players, bag)
    except ValueError:  # the players hold more certificates than there are
        return None
    if any(player.hand.bit_count() > rulebook.hand_size for player in players):
        return None
    return Segment(laid._replace(aside=state.aside, idle=state.idle), turns)


def _with_hands_of(size: int, state: State) -> tuple[tuple[Player, ...], tuple[Tile, ...]]:
    """Return the players with hands of this size, as far as the bag goes, and the bag."""
    players, bag = [], list(state.bag)
    for player in state.players:
        tiles = [*tiles_in(player.hand)]
        missing = max(size - len(tiles), 0)
        tiles, bag = [*tiles, *bag[:missing]], [*bag[missing:], *tiles[size:]]
        players.append(player._replace(hand=mask_of(tiles[:size])))
    return tuple(players), tuple(bag)


def _facts(segment: Segment, *, about_money: bool) -> object:
    """Return what the sentences of a case can be about: what is legal, safe, sold out or over."""
    state, turns = segment
    rulebook, sizes, cash = state.rulebook, state.board.sizes, state.mover.cash
    prices = [state.price(hotel) for hotel in range(len(sizes))]
    money: object = [0 < price <= cash for price in prices]
    if about_money:
        money = prices, legal_orders(state), pay_out(state).bonuses
    placements, hand = legal_placements(state), state.mover.hand
    if placements:
        hand &= hand - 1  # one tile is placed
    played = state._replace(players=(state.mover._replace(hand=hand), *state.players[1:]))
    most = sum(sizes) + state.board.loose.bit_count() + (turns or 0)
    return (
        placements,
        [size >= rulebook.safe_size for size in sizes],
        [min(left, FEW) for left in state.bank],
        len(refill(played).tiles),
        regular_ending(state),
        most >= rulebook.final_size,  # a hotel might end the game in these turns
        money,
    )
