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
    hidden = _hidden_hands(state, viewer)
    held = {name: hand & ~revealed for name, hand in hidden.items()}
    unseen = sorted(
        [*state.bag[len(drawn) :], *(tile for hand in held.values() for tile in tiles_in(hand))]
    )
    random.Random(f"acquire dealt anew {seed} {game}").shuffle(unseen)
    players: list[Player] = []
    for player in state.players:
        if player.name in hidden:
            known = player.hand & revealed
            hand = [unseen.pop() for _ in range(held[player.name].bit_count())]
            player = player._replace(hand=known | mask_of(hand))
        players.append(player)
    bag: tuple[Tile, ...] = (*drawn, *unseen)
    return state._replace(players=tuple(players), bag=bag)


def _hidden_hands(state: State, viewer: str) -> dict[str, Mask]:
    """Return the hands that the viewer cannot see, by name, in turn order."""
    if state.rulebook.hands is Hands.OPEN:
        return {}
    return {player.name: player.hand for player in state.players if player.name != viewer}


def strategy_seed(seed: int, game: int, name: str) -> int:
    """Return the seed of the player called ``name`` in a game: the same for every variant."""
    return random.Random(f"acquire played on {seed} {game} {name}").randrange(SEEDS)
