"""Random games by the rules engine and by the clear rules of the tests: the same games."""

import random
from collections.abc import Sequence

from clear_rules import ClearGame

from game.merger import keep, merge
from game.placement import Placement, hotel_choices, place, playable
from game.purchase import buy, verify_order
from game.rulebook import REVISED
from game.state import deal
from game.tiles import TILES, tile_name, tiles_in
from game.turn import draw, ending, pass_turn, pay_out

NAMES = ("ann", "bob", "cyd", "dan")
HOTELS = [hotel.name for hotel in REVISED.hotels]
Scores = dict[str, int]


def bags(games: int) -> list[list[int]]:
    """Shuffle the bags of so many games."""
    return [random.Random(seed).sample(TILES, len(TILES)) for seed in range(games)]


def fast(bag: Sequence[int], seed: int) -> Scores:
    """Play one game by ``game``: any tile, any hotel, 0 to 2 certificates if they can be had."""
    chance = random.Random(seed).random
    state = deal(REVISED, NAMES, bag)
    while ending(state) is None:
        tiles = tiles_in(playable(state))
        tile = tiles[int(chance() * len(tiles))]
        hotels = hotel_choices(state.board, tile)
        placement = Placement(tile, hotels[int(chance() * len(hotels))])
        if state.board.joining >> tile & 1:
            merger = merge(state, placement)
            for player in state.players:
                merger = keep(merger, player.name, [chance() < 0.5 for _ in merger.acquired])
            state = merger.state
        else:
            state = place(state, placement)
        order = (int(chance() * len(HOTELS)),) * int(chance() * 3)
        if order and verify_order(state, order) is None:
            state = buy(state, order)
        state, drawn = draw(state)
        if drawn is None:
            break
        state = pass_turn(state)
    return dict(pay_out(state).scores)


def clear(bag: Sequence[str], seed: int) -> Scores:
    """Play the same random game by the clear rules."""
    chance = random.Random(seed).random
    game = ClearGame(NAMES, bag)
    while game.ending() is None:
        placements = game.legal_placements()
        tiles = list(dict.fromkeys(tile for tile, _ in placements))
        tile = tiles[int(chance() * len(tiles))]
        hotels = [hotel for at, hotel in placements if at == tile]
        hotel = hotels[int(chance() * len(hotels))]
        merging = game.kind(tile) == "merging"
        game.place(tile, hotel)
        if merging:
            for player in [player.name for player in game.players]:
                game.keep(player, [chance() < 0.5 for _ in game.acquired])
        order = (HOTELS[int(chance() * len(HOTELS))],) * int(chance() * 3)
        if order and order in game.legal_orders():
            game.buy(order)
        if game.draw() is None:
            break
        game.next_turn()
    return dict(game.scores())


def compare(games: int) -> None:
    """Check that both play the same games; ``AssertionError`` when they do not."""
    for seed, bag in enumerate(bags(games)):
        assert fast(bag, seed) == clear([tile_name(tile) for tile in bag], seed), seed
