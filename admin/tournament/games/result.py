"""What a tournament keeps of one game."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from .plain_fields import (
    GAME_ID,
    PLAYER,
    FieldCheck,
    check_fields,
    optional,
    text,
    whole,
)
from .verdict import PlayerVerdict

_VERDICTS = tuple(verdict.value for verdict in PlayerVerdict)

MAX_MISSED_SIGN_UPS = 3
"""Sign-ups in a row that a program may miss; then it is not started any more."""
NOT_STARTED = f"It was not started: it had missed {MAX_MISSED_SIGN_UPS} sign-ups in a row."
"""The detail of a game that a program lost so."""


class SeatResult(NamedTuple):
    """One player's result in a game.

    ``rank`` is the place, 1 for the winner. Players who tie share a place and the next one is
    skipped; a player who did not finish has the last place. ``money`` is in dollars, 0 for a
    player who did not finish. ``turn`` is the turn of the ejection, 0 during set-up. ``thought``
    and ``slowest`` are the total time of the player's answers and the longest one, in microseconds,
    0 for built-in players. ``processor`` is CPU time in milliseconds, ``None`` if unknown.
    ``detail`` is what the log says about a lost game, ``cause`` what the referee adds: how the
    program ended, say. ``version`` is that of the program, empty for players that have none.
    """

    player: str
    verdict: PlayerVerdict
    rank: int
    money: int
    detail: str = ""
    turn: int | None = None
    answers: int = 0
    thought: int = 0
    slowest: int = 0
    processor: int | None = None
    cause: str = ""
    version: str = ""

    @property
    def explanation(self) -> str:
        """Why the player lost the game, in a sentence or two; empty if it did not."""
        return " ".join(filter(None, (self.detail, self.cause)))

    @property
    def was_skipped(self) -> bool:
        """Whether the program was not even started, as it had missed sign-ups before."""
        # in stores this detail is the only mark of it
        return self.verdict is PlayerVerdict.NEVER_STARTED and self.detail == NOT_STARTED


class Alarm(NamedTuple):
    """Something suspicious about a player in a game: a sentence. It changes nobody's result."""

    player: str
    what: str


class GameResult(NamedTuple):
    """One game that counts; ``seats`` are in seat order, and the first player moved first.

    The games of a block have the same players and the same bag, with the seats changed.
    ``out_of_step`` is the turn from which the draws differ from those of an undisturbed game with
    the same bag, 0 for the set-up; ``None`` if they never do.
    """

    game: str
    block: str
    seed: int
    ending: str
    turns: int
    out_of_step: int | None
    seats: tuple[SeatResult, ...]
    sandbox: str = ""

    def fields(self) -> dict[str, Any]:
        """Return the result as plain values, for JSON."""
        seats = [{**seat._asdict(), "verdict": seat.verdict.value} for seat in self.seats]
        return {**self._asdict(), "seats": seats}

    @classmethod
    def of(cls, fields: object) -> "GameResult":
        """Return the result that :meth:`fields` wrote; ``InvalidFields`` if it is none."""
        checked = check_fields(fields, _GAME_CHECKS)
        seats = []
        for seat in checked["seats"]:
            found = check_fields(seat, _SEAT_CHECKS)
            seats.append(SeatResult(**{**found, "verdict": PlayerVerdict(found["verdict"])}))
        return cls(**{**checked, "seats": tuple(seats)})


MAX_SEATS = 6
_MANY = whole(0, 10**12)
_TEXT = text(100_000)
_SEAT_CHECKS = {
    "player": PLAYER,
    "verdict": FieldCheck(_VERDICTS.__contains__, "a verdict"),
    "rank": whole(1, MAX_SEATS),
    "money": _MANY,
    "detail": _TEXT,
    "turn": optional(_MANY),
    "answers": _MANY,
    "thought": _MANY,
    "slowest": _MANY,
    "processor": optional(_MANY),
    "cause": _TEXT,
    "version": text(64),
}
_GAME_CHECKS = {
    "game": GAME_ID,
    "block": GAME_ID,
    "seed": whole(0, 10**18),
    "ending": text(40),
    "turns": _MANY,
    "out_of_step": optional(_MANY),
    "seats": FieldCheck(
        lambda value: isinstance(value, list) and 0 < len(value) <= MAX_SEATS,
        f"a list of up to {MAX_SEATS} seats",
    ),
    "sandbox": text(1000),
}
assert tuple(_SEAT_CHECKS) == SeatResult._fields and tuple(_GAME_CHECKS) == GameResult._fields


class FinishedGame(NamedTuple):
    """A game that counts: its result, its compressed log, and the output of players who lost it."""

    result: GameResult
    log: bytes
    outputs: Mapping[str, bytes] = {}
    alarms: tuple[Alarm, ...] = ()


class FailedGame(NamedTuple):
    """A game that does not count: its id, a sentence about why, a traceback if any, its log.

    ``by_machine`` is whether the machine was too busy or lacked something, which may soon be over.
    """

    game: str
    why: str
    detail: str = ""
    log: bytes = b""
    alarms: tuple[Alarm, ...] = ()
    by_machine: bool = False
