"""Ratings for games of more than two players, by the Plackett-Luce model of openskill.

Such a rating depends on the order of the games, which has no meaning here. So the games are
shuffled several times and the ratings averaged. What other shuffles would change is then well below
the uncertainty that the rating states.
"""

import random
from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

from openskill.models import PlackettLuce, PlackettLuceRating

RATED_GAMES = 80_000
"""Games that are rated in all shuffles together, which takes two or three seconds."""
MAX_SHUFFLES = 50
MIN_SHUFFLES = 4
DIGITS = 3


class Rating(NamedTuple):
    """A player's strength, and its uncertainty (one standard deviation)."""

    mu: float
    sigma: float


class Placing(NamedTuple):
    """The players of one game, and the place of each: 1 is the best, ties share one."""

    players: list[str]
    places: list[float]


def rate(players: Sequence[str], games: Sequence[Placing], seed: int = 0) -> dict[str, Rating]:
    """Return every player's rating; a player without a game keeps the initial one.

    The result depends on the order of ``games``, so sort them first.
    """
    rounds = []
    for number in range(shuffles(len(games))):
        shuffled = list(games)
        random.Random(f"rating {seed} {number}").shuffle(shuffled)
        rounds.append(_rate_in_order(players, shuffled))
    return {
        player: Rating(
            round(fmean(ratings[player].mu for ratings in rounds), DIGITS),
            round(fmean(ratings[player].sigma for ratings in rounds), DIGITS),
        )
        for player in players
    }


def shuffles(games: int) -> int:
    """Return over how many shuffles to average: the fewer games, the more."""
    return max(MIN_SHUFFLES, min(MAX_SHUFFLES, RATED_GAMES // max(1, games)))


def _rate_in_order(
    players: Sequence[str], placings: Sequence[Placing]
) -> dict[str, PlackettLuceRating]:
    # programs do not learn during a tournament, so no uncertainty is added per game (tau)
    model = PlackettLuce(tau=0.0)
    ratings = {player: model.rating() for player in players}
    for names, order in placings:
        teams = [[ratings[name]] for name in names]
        for name, (rating,) in zip(names, model.rate(teams, ranks=order), strict=True):
            ratings[name] = rating
    return ratings
