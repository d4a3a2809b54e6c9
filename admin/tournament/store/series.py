"""The series of games of a tournament whose bags are secret, as its store has them.

A series has a secret of its own. Its commitment is known before its first game, and the secret is
revealed after its last one. When all games were played and others follow, since the plan was
extended or players have changed, another series begins, for which nothing has been revealed.
"""

import json
from typing import Annotated, NamedTuple

from pydantic import FailFast, Field, TypeAdapter

from ..games.checked_json import STRICT, Digest, read_checked
from ..games.entries import round_of, table_of
from .store import Store

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
        number = round_of(game)
        if number is not None:
            return number <= self.last
        deal = int(game.partition("-")[0][1:])
        return deal <= self.last and (self.tables is None or table_of(game) <= self.tables)


def stored_series(store: Store) -> tuple[Series, ...]:
    """Return the series of a tournament; empty if its bags follow from its seed.

    ``StoreError`` if they are damaged.
    """
    with store.damage_named("the series of deals"):
        return read_series(store.about("series"))


def read_series(written: str | None) -> tuple[Series, ...]:
    """Return the series in a store's ``series``; ``InvalidFields``."""
    return read_checked(_SERIES, "[]" if written is None else written)


_SERIES = TypeAdapter(Annotated[tuple[Series, ...], FailFast()], config=STRICT)


def store_series(store: Store, series: tuple[Series, ...], **facts: str) -> None:
    """Store all series of a tournament, together with other facts about it."""
    store.note(series=json.dumps([each._asdict() for each in series]), **facts)
