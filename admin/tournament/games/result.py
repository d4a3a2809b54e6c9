"""What a tournament keeps of one game: the verdict on every player, and the points.

A game in which the referee itself may be at fault has no verdicts: it is void, and played again.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, NamedTuple

from pydantic import FailFast, Field, TypeAdapter

from ....game.sentenced import Sentenced
from ...refereeing.view.plain_text import json_values
from .checked_json import (
    STRICT,
    Count,
    GameId,
    InvalidFields,
    PlayerName,
    Sentences,
    read_checked,
    shown,
)

MAX_SEATS = 6
MAX_MISSED_SIGN_UPS = 3  # sign-ups a program may miss in a row; then it is not started any more
NOT_STARTED = f"It was not started: it had missed {MAX_MISSED_SIGN_UPS} sign-ups in a row."
"""The detail of a game that a program lost so."""


class PlayerVerdict(Sentenced):
    """How one player's game ended; the value is what tables and files contain.

    All but the first and the last two are reasons for which the referee ejects.
    """

    FINISHED = "finished", "Played to the end of the game."
    ILLEGAL = "illegal", "Broke a rule of the game."
    MALFORMED = ("malformed", "Sent bytes that are not XML, or not XML that this protocol accepts.")
    INVALID = "invalid", "Sent XML that does not follow the schema."
    OUT_OF_TURN = "out-of-turn", "Sent a message that was not expected."
    TIMED_OUT = "timed-out", "Sent no complete answer in time."
    DISCONNECTED = "disconnected", "Closed or lost the connection."
    CRASHED = "crashed", "It ended with an error, or was stopped at a limit."
    NEVER_STARTED = "never-started", "Did not sign up in time."


class SeatResult(NamedTuple):
    """One player's result in a game.

    ``rank`` is the place, 1 for the winner. Players who tie share a place and the next one is
    skipped; a player who did not finish has the last place.
    """

    player: PlayerName
    verdict: PlayerVerdict
    rank: Annotated[int, Field(ge=1, le=MAX_SEATS)]
    money: Count  # in dollars, 0 for a player who did not finish
    detail: Sentences = ""  # what the log says about a lost game
    turn: Count | None = None  # the turn of the ejection, 0 during set-up
    answers: Count = 0
    thought: Count = 0  # total time of its answers in microseconds, 0 for built-in players
    slowest: Count = 0  # the longest of these times
    processor: Count | None = None  # CPU time in milliseconds, None if unknown
    cause: Sentences = ""  # what the referee adds: how the program ended, say
    version: Annotated[str, Field(max_length=64)] = ""  # the program's, if it has one

    @property
    def finished(self) -> bool:
        """Whether the player played to the end of the game."""
        return self.verdict is PlayerVerdict.FINISHED

    @property
    def explanation(self) -> str:
        """Why the player lost the game, in a sentence or two; empty if it did not."""
        return " ".join(filter(None, (self.detail, self.cause)))

    @property
    def was_skipped(self) -> bool:
        """Whether the program was not even started, as it had missed sign-ups before."""
        # in stores this detail is the only mark of it
        return self.verdict is PlayerVerdict.NEVER_STARTED and self.detail == NOT_STARTED


class GameResult(NamedTuple):
    """One game that counts; ``seats`` are in seat order, and the first player moved first.

    The games of a block have the same players and the same bag, with the seats changed.
    ``out_of_step`` is the turn from which the draws differ from those of an undisturbed game with
    the same bag, 0 for the set-up; ``None`` if they never do.
    """

    game: GameId
    block: GameId
    seed: Annotated[int, Field(ge=0, le=10**18)]
    ending: Annotated[str, Field(max_length=40)]
    turns: Count
    out_of_step: Count | None
    seats: Annotated[tuple[SeatResult, ...], FailFast(), Field(min_length=1, max_length=MAX_SEATS)]
    sandbox: Annotated[str, Field(max_length=1000)] = ""

    @property
    def players(self) -> list[str]:
        """The players in seat order."""
        return [seat.player for seat in self.seats]

    @property
    def places(self) -> list[int]:
        """The place of every seat; players who did not finish share one behind the last."""
        return [seat.rank if seat.finished else len(self.seats) + 1 for seat in self.seats]

    def text(self) -> str:
        """Return the result as a store has it; the same result gives the same text."""
        return json.dumps(json_values(self), ensure_ascii=False, separators=(",", ":"))


_RESULT = TypeAdapter(GameResult, config=STRICT)


def read_result(game: object, text: object) -> GameResult:
    """Return the result in a row of a game; ``InvalidFields`` if it is none."""
    if not isinstance(text, str):
        raise InvalidFields(f"{shown(text)} is not text")
    result = read_checked(_RESULT, text)
    if result.game != game:
        raise InvalidFields(f"it is of game {shown(result.game)}")
    return result


def game_points(result: GameResult, points: Sequence[float]) -> dict[str, float]:
    """Return each player's points; ``points`` are those of the places, first place first.

    Players who tie share the points of the places that they occupy together. A player who did not
    finish has no points; points that remain are given to nobody.
    """
    finished = [seat for seat in result.seats if seat.finished]
    sharing = Counter(seat.rank for seat in finished)
    earned = dict.fromkeys(result.players, 0.0)
    for seat in finished:
        places = range(seat.rank - 1, seat.rank - 1 + sharing[seat.rank])
        earned[seat.player] = sum(points[place] for place in places) / len(places)
    return earned


def log_name(game: str) -> str:
    """Return the name of the file with the compressed log of a game."""
    return f"{game}.xml.gz"


# -- games as they are played and stored --------------------------------------------------------


class Alarm(NamedTuple):
    """Something suspicious about a player in a game: a sentence. It changes nobody's result."""

    player: PlayerName
    what: Sentences


class GameAlarm(NamedTuple):
    """An alarm with the game in which it was raised; ``attempt`` is 0 for one that counts."""

    game: str
    attempt: int
    player: str
    what: str


class FinishedGame(NamedTuple):
    """A game that counts: its result, its compressed log, and the output of players who lost it."""

    result: GameResult
    log: bytes
    outputs: Mapping[str, bytes] = {}
    alarms: tuple[Alarm, ...] = ()


class FailedGame(NamedTuple):
    """A game that does not count: its id, a sentence about why, a traceback if any, its log."""

    game: str
    why: str
    detail: str = ""
    log: bytes = b""
    alarms: tuple[Alarm, ...] = ()
    by_machine: bool = False  # it was too busy or lacked something, which may soon be over
    attempt: int = 0  # counts the void attempts at the game, from 1; a run numbers them
