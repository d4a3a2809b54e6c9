"""Which games are given up: they were void too often.

The next run tries them again, unless a later round has begun, which was paired without them: then
they are never played, or a resumed run, and the audit, would pair that round differently. All this
follows from the store alone. So the audit accepts a missing game of an earlier round only after
``MAX_VOIDS`` void attempts.
"""

from collections import Counter
from collections.abc import Iterable

from .entries import Entries
from .result import GameResult

MAX_VOIDS = 5
"""Attempts at a game that may be void in one run before it is given up."""


def given_up(voids: Iterable[str], results: Iterable[GameResult], entries: Entries) -> list[str]:
    """Return the ids of the games that were given up and not played since.

    ``voids`` has the id of a game once for every void attempt; ``results`` are all games. Games of
    earlier entries are nobody's loss.
    """
    played: set[str] = set()
    archived: set[str] = set()
    for result in results:
        played.add(result.game)
        if not entries.counts(result.game, result.players):
            archived.add(result.block)
    return [
        game
        for game, attempts in Counter(voids).items()
        if attempts % MAX_VOIDS == 0 and game not in played and block_of(game) not in archived
    ]


def block_of(game: str) -> str:
    """Return the block of a game, from its id.

    >>> block_of("r12-d1-t3-s2")
    'r12-d1-t3'
    """
    return game.rpartition("-")[0]


def given_up_in_words(games: Iterable[str]) -> str:
    """Return a user-facing sentence about the games that were given up."""
    return f"Given up after {MAX_VOIDS} void attempts: {', '.join(sorted(games))}."
