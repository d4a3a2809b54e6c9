"""The facts about a tournament: one value that is stored with its games, reported and audited.

They are made from the plan once. Whoever has the store or the report alone reads them, checked, and
the audit makes the schedule again from them.
"""

import json
from collections import Counter
from enum import Enum
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, FailFast, Field, TypeAdapter, model_validator

from ..games.checked_json import STRICT, InvalidFields, PlayerName, Sentences, read_checked, shown
from ..games.entries import Entries
from ..games.result import MAX_SEATS, GameResult
from ..store.store import Store
from ..store.store_reader import StoreError

MAX_GAMES = 2_000_000  # games of one tournament; more are a mistake in the file, or take years
MAX_PLAYERS = 1000  # of one tournament: its tables grow with the square, comparisons with the cube
MAX_RATED = 2000  # versions in a ladder that is paired again: a round's work grows with the cube

Seats = Annotated[int, Field(ge=2, le=MAX_SEATS)]
Deals = Annotated[int, Field(ge=1, le=1_000_000)]
Rounds = Annotated[int, Field(ge=1, le=1000)]
Points = Annotated[float, Field(ge=0, le=1e9)]
_Clock = Annotated[float, Field(ge=0, le=1e9)]


class Format(Enum):
    """How it is decided who meets whom."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"
    LADDER = "ladder"


class Seatings(Enum):
    """A set of seat orders; the value is what a tournament file contains."""

    ROTATIONS = "rotations"
    BALANCED = "balanced"
    ALL = "all"


class ScheduleRules(BaseModel):
    """What the schedule follows from, beside the entries and the seed; settings of the plan.

    ``duplicate`` and ``points`` are set here, whether or not the file sets them.
    """

    model_config = ConfigDict(**STRICT, frozen=True)

    seats: Seats
    format: Format
    challenger: PlayerName | None = None
    seatings: Seatings
    deals: Deals
    duplicate: bool
    rounds: Rounds | None = None
    points: Annotated[tuple[Points, ...], FailFast()]

    @model_validator(mode="after")
    def _points_for_each_place(self) -> "ScheduleRules":
        if len(self.points) != self.seats:
            raise ValueError(f"there are {len(self.points)} points for {self.seats} seats")
        return self


class PlayerAndKind(NamedTuple):
    """A player of the tournament, with its kind in a word or two."""

    name: PlayerName
    kind: Sentences


class TournamentFacts(ScheduleRules):
    """What a store says about its tournament; facts of later versions are left out.

    ``total`` are the planned games. ``reply``, ``turn`` and ``game`` are clocks in seconds.
    ``left_out`` are the names of players that could not take part. In a ``public`` copy the
    players' names are aliases. ``languages`` are those of programs, as far as their commands tell.
    """

    name: Annotated[str, Field(max_length=100)]
    total: Annotated[int, Field(ge=0, le=MAX_GAMES)]
    players: Annotated[
        tuple[PlayerAndKind, ...], FailFast(), Field(min_length=1, max_length=MAX_PLAYERS)
    ]
    left_out: Annotated[
        tuple[Annotated[str, Field(max_length=255)], ...], FailFast(), Field(max_length=MAX_GAMES)
    ]
    rulebook: Sentences
    rulebook_json: Sentences
    reply: _Clock
    turn: _Clock
    game: _Clock | None = None
    public: bool = False
    languages: dict[PlayerName, Annotated[str, Field(max_length=20)]] = {}

    @model_validator(mode="after")
    def _distinct_names(self) -> "TournamentFacts":
        if len(set(self.names)) != len(self.names):
            raise ValueError("two players have the same name")
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names."""
        return tuple(player.name for player in self.players)

    def text(self) -> str:
        """Return the facts as a store has them."""
        return json.dumps(self.model_dump(mode="json"))

    def verify_game(self, result: GameResult, entries: Entries) -> None:
        """Verify that a game can be one of the tournament; ``InvalidFields``.

        Its players have to be of the tournament, each in one seat, and their places possible. In a
        game that does not count any more, there may be players that were withdrawn.
        """
        players, known = result.players, {*self.names}
        if not entries.counts(result.game, players):
            known |= {entry.name for entry in entries.all}
        if unknown := sorted(set(players) - known):
            raise InvalidFields(f"{shown(unknown[0])} is not a player of the tournament")
        if len(players) != self.seats or len(set(players)) != len(players):
            raise InvalidFields(f"expected {self.seats} players, each in one seat")
        finished = (seat for seat in result.seats if seat.finished)
        ranks = Counter(seat.rank for seat in finished)
        if any(rank - 1 + sharing > len(players) for rank, sharing in ranks.items()):
            raise InvalidFields("the places of its players are impossible")


_FACTS = TypeAdapter(TournamentFacts)


def read_facts(text: str) -> TournamentFacts:
    """Return the facts in the store's ``shown``; ``InvalidFields`` if one cannot be."""
    return read_checked(_FACTS, text)


def stored_facts(store: Store) -> TournamentFacts:
    """Return what a store says about its tournament; ``StoreError``."""
    text = store.about("shown")
    if text is None:
        raise StoreError(f"{store.path}: no game has been played yet.")
    with store.damage_named("what it says about the tournament"):
        return read_facts(text)
