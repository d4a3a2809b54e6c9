"""What a tournament keeps of one game."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from admin.tournament.results.verdict import PlayerVerdict


class SeatResult(NamedTuple):
    """One player's result in a game.

    ``rank`` is the place, 1 for the winner. Players who tie share a place and the next one is
    skipped; a player who did not finish has the last place. ``money`` is in dollars, 0 for a
    player who did not finish. ``turn`` is the turn of the ejection, 0 during set-up. ``thought``
    and ``slowest`` are the total time of the player's answers and the longest one, in microseconds,
    0 for built-in players. ``processor`` is CPU time in milliseconds, ``None`` if unknown.
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

    def fields(self) -> dict[str, Any]:
        """Return the result as plain values, for JSON."""
        seats = [{**seat._asdict(), "verdict": seat.verdict.value} for seat in self.seats]
        return {**self._asdict(), "seats": seats}

    @classmethod
    def of(cls, fields: dict[str, Any]) -> "GameResult":
        """Return the result that :meth:`fields` wrote."""
        seats = tuple(
            SeatResult(**{**seat, "verdict": PlayerVerdict(seat["verdict"])})
            for seat in fields["seats"]
        )
        return cls(**{**fields, "seats": seats})


class FinishedGame(NamedTuple):
    """A game that counts: its result, its compressed log, and the output of players who lost it."""

    result: GameResult
    log: bytes
    outputs: Mapping[str, bytes] = {}


class FailedGame(NamedTuple):
    """A game that does not count: its id, a sentence about why, a traceback if any, its log."""

    game: str
    why: str
    detail: str = ""
    log: bytes = b""
