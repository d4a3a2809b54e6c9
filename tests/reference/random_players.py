"""Players that choose at random, and break a rule now and then, whatever drives their game."""

import random
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from acquire.admin.refereeing.play.dealer import Dealer
from acquire.game import market
from acquire.game.rulebook import Rulebook
from acquire.game.state import State, deal

Transcript: TypeAlias = list[tuple[str, object]]
Named: TypeAlias = tuple[str, str | None, tuple[str, ...]]
"""A placement in words: the tile, the hotel named with it, the order of equal acquired hotels."""


class Tendencies(NamedTuple):
    """Probabilities.

    ``keeps`` of keeping the certificates of an acquired hotel; ``names``, ``buys`` and ``trades``
    of preferring a placement that names a hotel, the largest orders, and trading as many as
    possible; ``replaces`` of replacing a hand without a playable tile; ``declares`` of ending the
    game; ``breaks`` of breaking a rule at any question.
    """

    keeps: float = 0.5
    names: float = 0.0
    buys: float = 0.0
    trades: float = 0.0
    replaces: float = 0.7
    declares: float = 0.2
    breaks: float = 0.0


VARIED = [
    Tendencies(),
    Tendencies(keeps=0.0, names=0.5, buys=0.5, trades=0.5),
    Tendencies(keeps=1.0, names=1.0, buys=0.9, trades=0.9, declares=0.0),
    Tendencies(keeps=0.9, names=0.9, buys=0.9, trades=0.3, declares=0.1, breaks=0.004),
    Tendencies(declares=0.0, breaks=0.015),
]


class RuleBroken(Exception):
    """Raised where a player breaks a rule instead of choosing."""


class RandomPlayers:
    """All players' choices in one game, from one random source, recorded as they are made.

    Two of the same seed choose alike as long as they are asked alike: the first question that is
    asked otherwise shows in the transcript. Twenty-five successive seeds are all tendencies at
    every size of table.
    """

    def __init__(
        self,
        rulebook: Rulebook,
        seed: int,
        tendencies: Tendencies | None = None,
        start: State | None = None,
        dealer: Dealer | None = None,
    ) -> None:
        """Deal a game, or go on from ``start``."""
        sizes = range(rulebook.min_players, rulebook.max_players + 1)
        self.rulebook = rulebook
        self.seed = seed
        self.tendencies = tendencies or VARIED[seed // len(sizes) % len(VARIED)]
        self.dealer = dealer or Dealer(seed)
        self.dealt = start is None
        names = "abcdef"[: sizes[seed % len(sizes)]]
        self.start = start or deal(rulebook, names, self.dealer.bag)
        self.names = [player.name for player in start.players] if start else list(names)
        self.with_market = market.takes_part(rulebook, len(self.names))
        self.transcript: Transcript = []
        self._chance = random.Random(f"{rulebook.id} {seed}")

    def record(self, what: str, fact: object) -> None:
        """Add a fact to the transcript."""
        self.transcript.append((what, fact))

    def place(self, options: Sequence[Named]) -> int:
        """Choose a placement; like all that choose among options, return its index."""
        naming = [index for index, (_, hotel, _) in enumerate(options) if hotel is not None]
        return self._choose("place", options, self.tendencies.names, naming)

    def survivor(self, options: Sequence[Named]) -> int:
        """Choose who survives a merger by the market's tile."""
        return self._choose("survivor", options)

    def order(self, options: Sequence[tuple[str, ...]]) -> int:
        """Choose an order."""
        most = max(map(len, options))
        large = [index for index, order in enumerate(options) if len(order) == most]
        return self._choose("order", options, self.tendencies.buys, large)

    def dispose(self, name: str, options: Sequence[tuple[int, int]]) -> int:
        """Choose how many certificates to sell, and how many to trade."""
        self.record("holder", name)
        most = max(trade for _, trade in options)
        trading = [index for index, (_, trade) in enumerate(options) if trade == most]
        return self._choose("dispose", options, self.tendencies.trades, trading)

    def keep(self, name: str, acquired: Sequence[str]) -> list[bool]:
        """Choose for each acquired hotel whether to keep its certificates."""
        self._may_break("keep")
        decisions = [self._happens(self.tendencies.keeps) for _ in acquired]
        self.record("keep", (name, list(acquired), decisions))
        return decisions

    def replace(self) -> bool:
        """Choose whether to replace a hand without a playable tile."""
        replaced = self._happens(self.tendencies.replaces)
        self.record("replace", replaced)
        return replaced

    def declare(self) -> bool:
        """Choose whether to end the game."""
        declared = self._happens(self.tendencies.declares)
        self.record("declare", declared)
        return declared

    def _choose(
        self,
        what: str,
        options: Sequence[object],
        inclined: float = 0.0,
        preferred: Sequence[int] = (),
    ) -> int:
        self.record(f"{what}?", list(options))
        self._may_break(what)
        prefer = preferred if self._happens(inclined) else ()
        choice = self._chance.choice(prefer or range(len(options)))
        self.record(what, options[choice])
        return choice

    def _may_break(self, question: str) -> None:
        if self._happens(self.tendencies.breaks):
            self.record("broken", question)
            raise RuleBroken

    def _happens(self, probability: float) -> bool:
        return self._chance.random() < probability
