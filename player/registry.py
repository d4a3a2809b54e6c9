"""The players of the house by name."""

from player.strategies import LargestAlpha, Ordered, Random, SmallestAnti
from player.strategy import Strategy

STRATEGIES: dict[str, type[Strategy]] = {
    "random": Random,
    "ordered": Ordered,
    "largest-alpha": LargestAlpha,
    "smallest-anti": SmallestAnti,
}
