"""All randomness of a game, from one seed: the bag, and the bag after each ejection."""

import random
from collections.abc import Sequence

from ....game.tiles import TILES, Tile

SEEDS = 10**18  # the number of seeds: what fits into a log


class Dealer:
    """A game's own random source, the same for the same seed and game number."""

    def __init__(self, seed: int, game: int = 1) -> None:
        self._random = random.Random(f"acquire {seed} {game}")
        self.bag = self.shuffle(TILES)  # all 108 tiles in the order in which they will be drawn

    def shuffle(self, tiles: Sequence[Tile]) -> tuple[Tile, ...]:
        """Return the tiles in a new order; every call continues the random source."""
        order = list(tiles)
        self._random.shuffle(order)
        return tuple(order)


def seed_from(digest: bytes) -> int:
    """Return the seed that follows from a digest."""
    return int.from_bytes(digest) % SEEDS


def new_seed() -> int:
    """Return a random seed, one of too many to be found by trying.

    A player that knew the seed would know the bag and all hands.
    """
    return random.SystemRandom().randrange(SEEDS)
