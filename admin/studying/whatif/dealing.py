"""Redeals what is hidden from a player.

The tiles that a player cannot see (in the bag and, if hands are hidden, in other hands) are
collected, shuffled and dealt: every hand gets as many as it had, the rest is the bag. The board,
tiles set aside, cash and certificates stay. Cash and certificates stay even if the table hides
them: they were gained openly, so a player that keeps count knows them.

The true deal has no influence: the tiles are sorted before they are shuffled.
"""

import random

from ....game.rulebook import Hands
from ....game.state import Player, State
from ....game.tiles import Mask, Tile, mask_of, tiles_in

SEEDS = 1 << 32
"""How many different seeds a strategy can get."""


def redeal(
    state: State,
    viewer: str,
    seed: int,
    game: int,
    *,
    revealed: Mask = 0,
    drawn: tuple[Tile, ...] = (),
) -> State:
    """Return a position that the player called ``viewer`` cannot distinguish from ``state``.

    It depends only on the seed, the game's number and what the viewer sees. The viewer may know
    more, from what came later: tiles in a hand that were ``revealed``, and the first tiles of the
    bag that were ``drawn`` for all to see.
    """
    hidden = state.rulebook.hands is not Hands.OPEN
    held = {p.name: p.hand & ~revealed for p in state.players if hidden and p.name != viewer}
    unseen = sorted(
        [*state.bag[len(drawn) :], *(tile for hand in held.values() for tile in tiles_in(hand))]
    )
    random.Random(f"acquire dealt anew {seed} {game}").shuffle(unseen)
    players: list[Player] = []
    for player in state.players:
        if player.name in held:
            known = player.hand & revealed
            hand = [unseen.pop() for _ in range(held[player.name].bit_count())]
            player = player._replace(hand=known | mask_of(hand))
        players.append(player)
    bag: tuple[Tile, ...] = (*drawn, *unseen)
    return state._replace(players=tuple(players), bag=bag)


def strategy_seed(seed: int, game: int, name: str) -> int:
    """Return the seed of the player called ``name`` in a game: the same for every variant."""
    return random.Random(f"acquire played on {seed} {game} {name}").randrange(SEEDS)
