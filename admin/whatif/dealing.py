"""What is hidden from a player, dealt anew.

The tiles that a player cannot see, those in the bag and, where hands are hidden, those of the
others, are put in a heap, shuffled and dealt: every hand gets as many as it had, the rest is the
bag. The board, the tiles that were set aside, cash and certificates stay. Cash and certificates
stay where a table hides them, too: they were gained openly, so a player who keeps count knows them.

Nothing of the true deal comes through: the heap is sorted before it is shuffled.
"""

import random

from game.rulebook import Hands
from game.state import Player, State
from game.tiles import Mask, Tile, mask_of, tiles_in

SEEDS = 1 << 32
"""How many seeds a strategy may get."""


def dealt_anew(state: State, viewer: str, seed: int, game: int) -> State:
    """Return a position that the player called ``viewer`` cannot tell from ``state``.

    It hangs on the seed, the game's number, and what the viewer sees, alone.
    """
    hidden = _hidden_hands(state, viewer)
    heap = sorted([*state.bag, *(tile for hand in hidden.values() for tile in tiles_in(hand))])
    random.Random(f"acquire dealt anew {seed} {game}").shuffle(heap)
    players: list[Player] = []
    for player in state.players:
        if player.name in hidden:
            hand = [heap.pop() for _ in range(player.hand.bit_count())]
            player = player._replace(hand=mask_of(hand))
        players.append(player)
    bag: tuple[Tile, ...] = tuple(heap)
    return state._replace(players=tuple(players), bag=bag)


def _hidden_hands(state: State, viewer: str) -> dict[str, Mask]:
    """Return the hands that the viewer cannot see, by name, in turn order."""
    if state.rulebook.hands is Hands.OPEN:
        return {}
    return {player.name: player.hand for player in state.players if player.name != viewer}


def strategy_seed(seed: int, game: int, name: str) -> int:
    """Return the seed of whoever plays for ``name`` in a game: the same in every variant."""
    return random.Random(f"acquire played on {seed} {game} {name}").randrange(SEEDS)
