"""What a tournament keeps of one game: who sat where, and what became of each."""

from typing import Any, NamedTuple

from admin.tournament.results.verdict import PlayerVerdict


class SeatResult(NamedTuple):
    """One player's game.

    ``rank`` is the place, 1 for the winner; equals share one and the next is left out, and who did
    not finish has the last. ``money`` is in dollars, 0 for a player who did not finish; ``turn`` is
    the one of the ejection, 0 at the set-up. Times are of the whole game: what the player took to
    answer, its longest answer, both in microseconds and 0 for players of the house; the
    processor's in milliseconds, if known.
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
    """One game that counts. ``seats`` stand in seat order, the first one's player moved first.

    Games of a block are played by the same players with the same bag, seats apart.
    ``out_of_step`` is the turn from which the draws are no longer those that the bag would have
    given in an undisturbed game, 0 at the set-up; ``None`` where they always were.
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
