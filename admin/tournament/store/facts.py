"""What a store says about its tournament, for readers that have the store or the report alone."""

from collections import Counter
from typing import Any

from ..games.entries import Entries
from ..games.plain_fields import (
    BOOLEAN,
    PLAYER,
    FieldCheck,
    InvalidFields,
    check_fields,
    many,
    number,
    optional,
    read_json,
    shown,
    text,
    whole,
)
from ..games.result import GameResult
from ..games.verdict import PlayerVerdict

MAX_GAMES = 2_000_000
MAX_PLAYERS = 100_000
_SHORT = text(64)
_PLAYER_AND_KIND = FieldCheck(
    lambda value: (
        isinstance(value, list)
        and len(value) == 2
        and PLAYER.holds(value[0])
        and text(200).holds(value[1])
    ),
    "a player and its kind",
)
_CHECKS = {
    "name": text(100),
    "total": whole(0, MAX_GAMES),
    "players": many(_PLAYER_AND_KIND, 1, MAX_PLAYERS),
    "left_out": many(text(255), 0, MAX_PLAYERS),
    "points": many(number(0, 1e9), 2, 6),
    "rulebook": _SHORT,
    "rulebook_json": text(100_000),
    "seats": whole(2, 6),
    "format": _SHORT,
    "challenger": optional(PLAYER),
    "seatings": _SHORT,
    "deals": whole(1, 1_000_000),
    "duplicate": BOOLEAN,
    "rounds": optional(whole(1, 1000)),
    "reply": number(0, 1e9),
    "turn": number(0, 1e9),
    "game": optional(number(0, 1e9)),
    "pairing": optional(_SHORT),
}
_NEW = {"game": None, "pairing": None}
"""Facts that older stores do not have."""


def read_facts(text: str) -> dict[str, Any]:
    """Return the facts in the store's ``shown``; ``InvalidFields`` if one cannot be."""
    found = read_json(text)
    facts = check_fields(
        {**_NEW, **found} if isinstance(found, dict) else found, _CHECKS, more=True
    )
    if len(facts["points"]) != facts["seats"]:
        raise InvalidFields(f"there are {len(facts['points'])} points for {facts['seats']} seats")
    names = [name for name, _ in facts["players"]]
    if len(set(names)) != len(names):
        raise InvalidFields("two players have the same name")
    return facts


def check_game(result: GameResult, facts: dict[str, Any], entries: Entries | None = None) -> None:
    """Verify that a game can be one of the tournament; ``InvalidFields``.

    Its players have to be of the tournament, each in one seat, and their places possible. With
    ``entries``, players that were withdrawn are allowed.
    """
    players = [seat.player for seat in result.seats]
    known = {name for name, _ in facts["players"]}
    if entries is not None:
        known |= {entry.name for entry in entries.all}
    if unknown := sorted(set(players) - known):
        raise InvalidFields(f"{shown(unknown[0])} is not a player of the tournament")
    if len(players) != facts["seats"] or len(set(players)) != len(players):
        raise InvalidFields(f"expected {facts['seats']} players, each in one seat")
    ranks = Counter(seat.rank for seat in result.seats if seat.verdict is PlayerVerdict.FINISHED)
    if any(rank - 1 + sharing > len(players) for rank, sharing in ranks.items()):
        raise InvalidFields("the places of its players are impossible")
