"""Ratings of players for games of more than two, by the Plackett-Luce model of openskill.

A rating of this kind hangs on the order of the games, in which nothing lies here: the games of a
tournament are shuffled several times, and the ratings that come out are averaged. What another
set of shuffles would have changed is then well below the uncertainty that the rating states.
"""

import random
from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

from openskill.models import PlackettLuce, PlackettLuceRating

RATED = 80_000
"""How many games are rated in all, shuffles together, which takes two or three seconds."""
MOST_SHUFFLES = 50
FEWEST_SHUFFLES = 4
DIGITS = 3


class Rating(NamedTuple):
    """A rating for games of more than two: strength and its uncertainty, one standard deviation."""

    mu: float
    sigma: float


class Placing(NamedTuple):
    """The players of one game, and the place of each: 1 is the best, ties share."""

    players: list[str]
    places: list[float]


def rate(players: Sequence[str], games: Sequence[Placing], seed: int = 0) -> dict[str, Rating]:
    """Return every player's rating; a player without a game keeps the initial one.

    The result depends on the order of ``games``: sort them by something stable first.
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
    """Return how many orders of this many games are averaged: the fewer games, the more."""
    return max(FEWEST_SHUFFLES, min(MOST_SHUFFLES, RATED // max(1, games)))


def _rate_in_order(
    players: Sequence[str], placings: Sequence[Placing]
) -> dict[str, PlackettLuceRating]:
    # Programs do not learn during a tournament: no uncertainty is added from game to game (tau).
    model = PlackettLuce(tau=0.0)
    ratings = {player: model.rating() for player in players}
    for names, order in placings:
        teams = [[ratings[name]] for name in names]
        for name, (rating,) in zip(names, model.rate(teams, ranks=order), strict=True):
            ratings[name] = rating
    return ratings
