"""Ratings for games of more than two players: a Plackett-Luce model, fitted to all games at once.

Of the players still without a place, each is the next with a chance in proportion to
``exp(rating / SCALE)``. The fit is the mode of the posterior. It depends on nothing but the set of
games: neither on their order nor on that of the players. Players on the same place count as all
orders of them, in equal parts.

The prior is normal, and weak: its standard deviation is ``SCALE``, which a few games outweigh. It
keeps the rating of a player finite that has won every game.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, groupby
from math import comb, exp, pi
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

START = 25.0  # the rating of a player without a game; the average of all is close to it
SCALE = 25 / 3  # points for `e` times the chance to be next; the uncertainty at first
DEFINITION = (
    "Strength by the Plackett-Luce model for games of more than two players, fitted to all games "
    f"at once. The average is {START:.0f}; against the same opponents, {SCALE:.1f} more multiplies "
    "the odds of the better place by 2.7."
)
"""What a rating is, for people."""
DIGITS = 3
MAX_STEP = 0.5  # the most that a logarithm changes in a step; such steps only improve the fit
PRECISION = 1e-9  # the fit is done when no logarithm would change by more
UNITS = 3600  # parts of a choice: every order of up to six tied players has a whole number

_Floats = NDArray[np.floating[Any]]


class Placing(NamedTuple):
    """The players of one game, and the place of each: 1 is the best, ties share one."""

    players: list[str]
    places: Sequence[float]


class Successor(NamedTuple):
    """Says of a player, before its first game, that it is about as good as ``before``."""

    before: str
    sigma: float  # one standard deviation of the difference between the two


class CountedChoices:
    """How often each player was the next, and how often it was one of whom; in whole ``UNITS``.

    A game is a row of choices: the first of all, then the first of the others, and so on. Sums of
    whole numbers are the same in any order of the games.
    """

    def __init__(self, games: Iterable[Placing] = ()) -> None:
        self.chosen: Counter[str] = Counter()
        self.among: Counter[tuple[str, ...]] = Counter()
        self.add(games)

    def add(self, games: Iterable[Placing]) -> None:
        """Add games, of up to six players each."""
        for names, places in games:
            behind = {*names}
            for _, placed in groupby(sorted(zip(places, names, strict=True)), itemgetter(0)):
                tied = [name for _, name in placed]
                behind.difference_update(tied)
                for size in range(1, len(tied) + 1):
                    weight = UNITS // comb(len(tied), size)
                    for left in combinations(tied, size):  # whom some orders of them leave
                        self.among[tuple(sorted((*left, *behind)))] += weight
                        for name in left:
                            self.chosen[name] += weight // size


class Ratings:
    """The ratings of players, and how certain they are."""

    def __init__(self, number: Mapping[str, int], logs: _Floats, covariance: _Floats) -> None:
        self._number = number
        self._logs = logs
        self._covariance = covariance

    @property
    def logs(self) -> dict[str, float]:
        """The logarithm of every player's chance to be next, 0 for an average one."""
        return {player: float(self._logs[at]) for player, at in self._number.items()}

    def of(self, player: str) -> float:
        """Return the rating of a player."""
        return round(START + SCALE * float(self._logs[self._number[player]]), DIGITS)

    def sigma(self, player: str) -> float:
        """Return the uncertainty of a rating, one standard deviation."""
        at = self._number[player]
        return round(SCALE * float(self._covariance[at, at] ** 0.5), DIGITS)

    def chance(self, one: str, other: str) -> float:
        """Return how likely it is that a player has a better place than another.

        The less is known of the two, the closer to 1/2 (by MacKay's approximation).
        """
        first, second = self._number[one], self._number[other]
        ahead = float(self._logs[first] - self._logs[second])
        known = self._covariance
        of_difference = known[first, first] + known[second, second] - 2 * known[first, second]
        return 1 / (1 + exp(-ahead / (1 + pi * float(of_difference) / 8) ** 0.5))

    def pulls(self, blocks: Iterable[Iterable[Placing]]) -> _Floats:
        """Return how far each block of games pulls the logarithm of each player, in their order.

        To first order, this is the gradient of the block's likelihood by the curvature of the fit.
        The pulls vary as much as blocks do, even if games of a block are alike (a sandwich
        estimator), which the covariance does not know.
        """
        gradients = []
        for games in blocks:
            choices, gradient = CountedChoices(games), np.zeros(len(self._number))
            for player, units in choices.chosen.items():
                gradient[self._number[player]] += units / UNITS
            for names, units in choices.among.items():
                among = [self._number[name] for name in names]
                chances = np.exp(self._logs[among])
                gradient[among] -= units / UNITS * chances / chances.sum()
            gradients.append(gradient)
        return np.array(gradients).reshape(-1, len(self._number)) @ self._covariance


def rate(
    players: Iterable[str],
    games: Iterable[Placing] | CountedChoices,
    successors: Mapping[str, Successor] | None = None,
    before: Ratings | None = None,
) -> Ratings:
    """Rate players by their games, which may be in any order.

    The fit begins with the ratings ``before`` the last of them; it ends at the same ones, but for
    the last bits.
    """
    number = {player: at for at, player in enumerate(sorted(players))}
    choices = games if isinstance(games, CountedChoices) else CountedChoices(games)
    known = {} if before is None else before.logs
    start = np.array([known.get(player, 0.0) for player in number])
    return Ratings(number, *_fit(number, choices, _prior(number, successors or {}), start))


def _prior(number: Mapping[str, int], successors: Mapping[str, Successor]) -> _Floats:
    """Return the inverse of the covariance of the logarithms before the first game."""
    precision = np.zeros((len(number), len(number)))
    for player, at in number.items():
        if player in successors:
            before, sigma = successors[player]
            pair = np.ix_(*[[at, number[before]]] * 2)
            precision[pair] += np.array([[1, -1], [-1, 1]]) * (SCALE / sigma) ** 2
        else:
            precision[at, at] += 1.0
    return precision


def _fit(
    number: Mapping[str, int], choices: CountedChoices, prior: _Floats, logs: _Floats
) -> tuple[_Floats, _Floats]:
    """Return the most likely logarithms, and their covariance; by Newton's method from ``logs``."""
    nobody = len(number)
    chosen = np.array([choices.chosen[player] / UNITS for player in number])
    rows = sorted(choices.among.items())  # sums of floats depend on their order
    times = np.array([units / UNITS for _, units in rows])
    width = max((len(names) for names, _ in rows), default=0)
    filled = [[*(number[name] for name in names), *[nobody] * width][:width] for names, _ in rows]
    among = np.array(filled, np.int64).reshape(len(rows), width)

    def derivatives(logs: _Floats) -> tuple[_Floats, _Floats]:
        """Return the gradient of the logarithm of the posterior, and minus its Hessian."""
        size = nobody + 1
        weights = np.append(np.exp(logs), 0.0)[among]
        chances = weights / weights.sum(axis=1, keepdims=True)
        expected = chances * times[:, None]
        sums = np.bincount(among.ravel(), expected.ravel(), size)
        pairs = among[:, :, None] * size + among[:, None, :]
        products = expected[:, :, None] * chances[:, None, :]
        both = np.bincount(pairs.ravel(), products.ravel(), size**2).reshape(size, size)
        hessian = (np.diag(sums) - both)[:-1, :-1]
        return chosen - sums[:-1] - prior @ logs, hessian + prior

    largest = 1.0
    while largest > PRECISION:
        gradient, precision = derivatives(logs)
        step = np.linalg.solve(precision, gradient)
        largest = float(np.abs(step).max(initial=0.0))
        logs = logs + step * min(1.0, MAX_STEP / max(largest, MAX_STEP))
    return logs, np.linalg.inv(derivatives(logs)[1])
