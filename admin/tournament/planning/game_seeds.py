"""The seed of every game, from which its bag and the built-in players' choices follow.

    public    from the tournament's seed: whoever knows it knows every bag. For built-in players
              only, and for runs that have to be reproducible (`seed` in the file)
    secret    from the secret of a series of deals, which is revealed after the last game: for
              players that could make use of what they know

The commitment to a secret is public before the first game, the secret itself when all planned games
count. When others follow, since the plan was extended or players have changed, another series
begins, so nothing is ever revealed about games to come. Who meets whom follows from the
tournament's seed, whatever the secret. A seed keeps the size that logs have always had, for it only
has to withstand guessing for the length of a game.

:func:`check_seed` says afterwards whether a game has the seed that it had to have.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, NamedTuple

from pydantic import FailFast, Field, TypeAdapter

from ...refereeing.play.dealer import seed_from
from ..games.checked_json import STRICT, Digest, read_checked
from ..games.entries import number_in
from ..store.store import Store

DealNumber = Annotated[int, Field(ge=1, le=10**6)]


class Series(NamedTuple):
    """Games with one secret: up to the deal or round ``last``, of the tables up to ``tables``.

    Games of an earlier series do not belong to it; ``first`` is the first deal or round that no
    earlier series has. ``commitment`` is the SHA-256 digest of the secret, and ``secret`` the 32
    bytes themselves, both in hexadecimal digits. Until all games count, ``secret``, ``last`` and
    ``tables`` are ``None``; in rounds ``tables`` stays so.
    """

    number: DealNumber
    first: DealNumber
    commitment: Digest
    last: DealNumber | None = None
    secret: Digest | None = None
    tables: Annotated[int, Field(ge=1, le=10**60)] | None = None

    def has(self, game: str) -> bool:
        """Whether a game, given by its id, belongs to this series or to an earlier one."""
        if self.last is None:
            return True
        if number := number_in(game, "r"):
            return number <= self.last
        deal = int(game.partition("-")[0][1:])
        return deal <= self.last and (self.tables is None or number_in(game, "t") <= self.tables)


_SERIES = TypeAdapter(Annotated[tuple[Series, ...], FailFast()], config=STRICT)


def stored_series(store: Store) -> tuple[Series, ...]:
    """Return the series of a tournament, none if its bags follow from its seed; ``StoreError``."""
    with store.damage_named("the series of deals"):
        return read_series(store.about("series"))


def read_series(written: str | None) -> tuple[Series, ...]:
    """Return the series in a store's ``series``; ``InvalidFields``."""
    return read_checked(_SERIES, "[]" if written is None else written)


def store_series(store: Store, series: tuple[Series, ...], **facts: str) -> None:
    """Store all series of a tournament, together with other facts about it."""
    store.note(series=json.dumps([each._asdict() for each in series]), **facts)


class GameSeed(NamedTuple):
    """A game's seed, and the commitment to the secret that it was derived from, if there is one."""

    value: int
    commitment: str = ""


def seed_of(seed: int, what: str) -> int:
    """Derive the seed of a part of a tournament from the tournament's own, irreversibly.

    The log of a game contains its seed, which must not reveal those of other games.
    """
    return seed_from(hashlib.sha256(f"acquire tournament {seed} {what}".encode()).digest())


@dataclass(frozen=True, slots=True)
class Seeds:
    """Gives every game of a tournament its seed, always the same.

    Without ``series`` it follows from the ``seed`` of the tournament, else from the secret of the
    series, of ``secrets`` by number; ``KeyError`` if there is none. With ``duplicate`` all games of
    a block have the same bag.
    """

    seed: int
    duplicate: bool
    series: Sequence[Series] = ()
    secrets: Mapping[int, bytes] = field(default_factory=dict, repr=False)

    def seed_of_game(self, game: str, block: str, voids: int = 0) -> GameSeed:
        """Return the seed of a game, by its id and block; ``voids`` attempts did not count.

        After these, a game with a bag of its own from a secret is dealt another one, for the
        players have seen the first.
        """
        what = block if self.duplicate else game
        if not self.series:
            return GameSeed(seed_of(self.seed, what))
        if voids and not self.duplicate:
            what = f"{game} attempt {voids + 1}"
        series = series_of(game, self.series)
        digest = hmac.digest(self.secrets[series.number], f"bag {what}".encode(), "sha256")
        return GameSeed(seed_from(digest), series.commitment)


def series_of(game: str, series: Sequence[Series]) -> Series:
    """Return the series that a game belongs to, from its id; ``StopIteration`` if it has none.

    >>> both = Series(1, 1, "e3b0", last=2, tables=15), Series(2, 3, "5d81")
    >>> [series_of(game, both).number for game in ("d2-t15-s4", "d3-t1-s1", "d1-t16-s1")]
    [1, 2, 2]
    >>> [series_of(game, both).number for game in ("r2-d1-t99-s1", "r3-d1-t1-s1")]
    [1, 2]
    """
    return next(each for each in series if each.has(game))


def check_seed(found: GameSeed, game: str, block: str, seeds: Seeds, voids: int = 0) -> bool | None:
    """Return whether a game has the seed and commitment that it had to have; both are in its log.

    ``None`` if the commitment is right, and the secret of the series has not been revealed yet. A
    game has no commitment where ``seeds`` have no series. ``voids`` are the attempts at this game
    that did not count before it.
    """
    if seeds.series:
        own = series_of(game, seeds.series)
        if found.commitment != own.commitment:
            return False
        if own.secret is None:
            return None
        secret = bytes.fromhex(own.secret)
        if hashlib.sha256(secret).hexdigest() != own.commitment:
            return False
        seeds = replace(seeds, secrets={own.number: secret})
    return found == seeds.seed_of_game(game, block, voids)
