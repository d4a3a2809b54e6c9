"""Random games by the rules engine and by the reference of the tests: the same games.

A game's players choose alike among whatever they may do; the two engines are given the same bits.
"""

import random
from collections.abc import Callable, Sequence
from functools import partial

from acquire.game.disposal import Disposal, dispose, holders, keep
from acquire.game.drawing import refill
from acquire.game.merger import join, merge, pay_bonuses
from acquire.game.placement import Placement, equals_choices, hotel_choices, place, playable
from acquire.game.purchase import buy, verify_order
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.game.state import State, deal
from acquire.game.tiles import TILES, Mask, Tile, tile_name
from acquire.game.turn import ending, pass_turn, pay_out, regular_ending
from bench.rows import Figure, Row, seconds
from bench.rows import compare as compared
from reference.game import Game

NAMES = ("ann", "bob", "cyd", "dan")
HOTELS = [hotel.name for hotel in REVISED.hotels]
Scores = dict[str, int]


def bags(games: int) -> list[list[int]]:
    """Shuffle the bags of ``games`` games."""
    return [random.Random(seed).sample(TILES, len(TILES)) for seed in range(games)]


def nth(tiles: Mask, index: int) -> Tile:
    """Return one tile of a mask, counted row by row from 0."""
    for _ in range(index):
        tiles &= tiles - 1
    return (tiles & -tiles).bit_length() - 1


# -- the engine ---------------------------------------------------------------------------------


def fast(rulebook: Rulebook, bag: Sequence[int], seed: int) -> Scores:
    """Play one game by ``game``."""
    if rulebook is REVISED:
        return fast_revised(bag, seed)
    return fast_classic(bag, seed)


def fast_revised(bag: Sequence[int], seed: int) -> Scores:
    """Any tile, any hotel, 0 to 2 certificates if they can be had."""
    bits = random.Random(seed).getrandbits
    state = deal(REVISED, NAMES, bag)
    while ending(state) is None:
        tiles = playable(state)
        tile = nth(tiles, bits(16) % tiles.bit_count())
        hotels = hotel_choices(state.board, tile)
        placement = Placement(tile, hotels[bits(16) % len(hotels)])
        if state.board.joining >> tile & 1:
            merger = merge(state, placement)
            for player in state.players:
                merger = keep(merger, player.name, [bits(1) == 1 for _ in merger.acquired])
            state = merger.state
        else:
            state = place(state, placement)
        order = (bits(16) % len(HOTELS),) * (bits(16) % 3)
        if order and verify_order(state, order) is None:
            state = buy(state, order)
        drawn = refill(state)
        if not drawn.tiles:
            break
        state = pass_turn(drawn.state)
    return dict(pay_out(state).scores)


def fast_classic(bag: Sequence[int], seed: int) -> Scores:
    """Any tile, any hotel, any disposal, 0 to 3 certificates; the end is declared or not."""
    bits = random.Random(seed).getrandbits
    state = deal(CLASSIC, NAMES, bag)
    while ending(state) is None:
        began = state.players[0].hand
        tiles = playable(state)
        if tiles:
            tile = nth(tiles, bits(16) % tiles.bit_count())
            hotels = hotel_choices(state.board, tile)
            hotel = hotels[bits(16) % len(hotels)]
            if state.board.joining >> tile & 1:
                orders = equals_choices(CLASSIC, state.board, tile, hotel)
                equals = orders[bits(16) % len(orders)]
                state = _merged(state, Placement(tile, hotel, equals), bits)
            else:
                state = place(state, Placement(tile, hotel))
        if count := bits(16) % 4:
            active = [hotel for hotel, size in enumerate(state.board.sizes) if size]
            if active:
                order = tuple([active[bits(16) % len(active)] for _ in range(count)])
                if verify_order(state, order) is None:
                    state = buy(state, order)
        if regular_ending(state) is not None and bits(1):
            break
        drawn = refill(state).state
        state = pass_turn(drawn, idle=drawn.players[0].hand == began)
    return dict(pay_out(state).scores)


def _merged(state: State, placement: Placement, bits: Callable[[int], int]) -> State:
    merger = join(state, placement)
    for hotel in merger.acquired:
        merger = pay_bonuses(merger, (hotel,))
        for name in holders(merger, hotel):
            owned = merger.state.player(name).shares[hotel]
            most = min(owned // 2, merger.state.bank[merger.survivor])
            trade = 2 * (bits(16) % (most + 1))
            sell = bits(16) % (owned - trade + 1)
            merger = dispose(merger, name, hotel, Disposal(sell, trade))
    return merger.state


# -- the reference ------------------------------------------------------------------------------


def by_reference(rulebook: Rulebook, bag: Sequence[str], seed: int) -> Scores:
    """Play the same random game by the reference."""
    if rulebook is REVISED:
        return revised_by_reference(bag, seed)
    return classic_by_reference(bag, seed)


def revised_by_reference(bag: Sequence[str], seed: int) -> Scores:
    """As `fast_revised`."""
    bits = random.Random(seed).getrandbits
    game = Game("revised", NAMES, bag)
    while game.ending() is None:
        placements = game.legal_placements()
        tiles = list(dict.fromkeys(tile for tile, _, _ in placements))
        tile = tiles[bits(16) % len(tiles)]
        hotels = [hotel for at, hotel, _ in placements if at == tile]
        hotel = hotels[bits(16) % len(hotels)]
        merging = game.kind(tile) == "merging"
        game.place(tile, hotel)
        if merging:
            for player in [player.name for player in game.players]:
                game.keep(player, [bits(1) == 1 for _ in game.acquired])
        order = (HOTELS[bits(16) % len(HOTELS)],) * (bits(16) % 3)
        if order and order in game.legal_orders():
            game.buy(order)
        game.end_turn()
    return dict(game.scores())


def classic_by_reference(bag: Sequence[str], seed: int) -> Scores:
    """As `fast_classic`."""
    bits = random.Random(seed).getrandbits
    game = Game("classic", NAMES, bag)
    while game.ending() is None:
        game.begin_turn()
        placements = game.legal_placements()
        if placements:
            tiles = list(dict.fromkeys(tile for tile, _, _ in placements))
            tile = tiles[bits(16) % len(tiles)]
            hotels = list(dict.fromkeys(hotel for at, hotel, _ in placements if at == tile))
            hotel = hotels[bits(16) % len(hotels)]
            equals: tuple[str, ...] = ()
            if len(game.hotels_beside(tile)) > 1:
                orders = [named for at, to, named in placements if (at, to) == (tile, hotel)]
                equals = orders[bits(16) % len(orders)]
            game.place(tile, hotel, equals)
            for acquired in game.acquired:
                _dispose(game, acquired, bits)
        active = sorted(game.hotels)
        if (count := bits(16) % 4) and active:
            order = tuple([active[bits(16) % len(active)] for _ in range(count)])
            if tuple(sorted(order)) in game.legal_orders():
                game.buy(order)
        if game.large_or_safe() and bits(1):
            break
        game.end_turn()
    return dict(game.scores())


def _dispose(game: Game, hotel: str, bits: Callable[[int], int]) -> None:
    game.pay_bonuses(hotel)
    for player in [player for player in game.players if player.shares[hotel]]:
        owned = player.shares[hotel]
        trade = 2 * (bits(16) % (min(owned // 2, game.bank(game.survivor)) + 1))
        game.dispose(player.name, hotel, bits(16) % (owned - trade + 1), trade)


def compare(rulebook: Rulebook, games: int) -> None:
    """Check that both play the same games; ``AssertionError`` when they do not."""
    for seed, bag in enumerate(bags(games)):
        names = [tile_name(tile) for tile in bag]
        assert fast(rulebook, bag, seed) == by_reference(rulebook, names, seed), (rulebook.id, seed)


def measure(rulebook: Rulebook, quick: bool) -> Figure:
    """Compare the rules engine with the reference, after checking that they agree."""
    compare(rulebook, 20)
    games = 30 if quick else 100
    dealt = bags(games)
    names = [[tile_name(tile) for tile in bag] for bag in dealt]

    def all_fast() -> None:
        for seed, bag in enumerate(dealt):
            fast(rulebook, bag, seed)

    def all_by_reference() -> None:
        for seed, bag in enumerate(names):
            by_reference(rulebook, bag, seed)

    found = compared(
        lambda: seconds(all_fast) / games,
        lambda: seconds(all_by_reference) / games,
        3 if quick else 9,
        "ms",
        1000,
    )
    return found._replace(ratio=1 / found.ratio)


ROWS = tuple(
    Row(
        f"reference-{rulebook.id}",
        f"random game of {rulebook.id}: engine / reference rules of the tests",
        12,
        partial(measure, rulebook),
        fast=True,
    )
    for rulebook in (REVISED, CLASSIC)
)
