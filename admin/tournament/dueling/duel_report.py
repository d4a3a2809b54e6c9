"""What a duel has shown, in sentences and as plain values for programs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from ...refereeing.view.plain_text import listed, plural, printable
from .duel_evidence import DuelEvidence, DuelVerdict
from .duel_plan import Lineup
from .measures import Measure
from .worst_games import Losses

MAX_NAMED = 3
"""Opponents that a sentence names; more are counted."""


class TeamRow(NamedTuple):
    """What a contestant has per game and seat, in the games that count.

    ``lost`` are the games, times seats, that it did not finish; money is in dollars.
    """

    label: str
    text: str
    seats: tuple[str, ...]
    points: float
    wins: float
    money: float
    lost: int


@dataclass(frozen=True, slots=True)
class DuelReport:
    """The result of a duel; ``folder`` has its files, ``played`` are all games.

    ``left`` are the games that its tournament file still has.
    """

    lineup: Lineup
    evidence: DuelEvidence
    losses: Losses
    folder: Path
    played: int
    left: int

    def rows(self) -> list[TeamRow]:
        """Return a row for every contestant, the challenger first."""
        lineup = self.lineup
        return [
            TeamRow(one.label, one.text, names, *self._means(names))
            for one, names in zip(lineup.contestants, lineup.teams, strict=True)
        ]

    def _means(self, names: tuple[str, ...]) -> tuple[float, float, float, int]:
        """Return points, wins and money per game and seat, and the seats that were lost."""
        games = self.evidence.games
        money = ({seat.player: float(seat.money) for seat in game.seats} for game in games)
        lost = sum(
            seat.player in names and not seat.finished for game in games for seat in game.seats
        )
        return (
            _mean_of(names, map(Measure.POINTS.of, games)),
            _mean_of(names, map(Measure.WINS.of, games)),
            _mean_of(names, money),
            lost,
        )

    def fields(self) -> dict[str, Any]:
        """Return plain values, for JSON; numbers are as measured, so wins and money are shares."""
        evidence, question = self.evidence, self.evidence.question
        return {
            "verdict": evidence.verdict.value,
            "sentence": verdict_sentence(self),
            "measure": question.measure.value,
            "difference": evidence.value if evidence.blocks else None,
            "low": evidence.bounds.low,
            "high": evidence.bounds.high,
            "margin": question.margin,
            "error_rate": question.error_rate,
            "games": len(evidence.games),
            "blocks": evidence.blocks,
            "games_in_block": question.games_in_block,
            "games_played": self.played,
            "more_games": evidence.forecast(),
            "contestants": [row._asdict() for row in self.rows()],
            "unfinished": self.losses.unfinished,
            "faults": [
                {**fault._asdict(), "verdict": fault.verdict.value} for fault in self.losses.faults
            ],
            "worst_games": [game._asdict() for game in self.losses.worst],
            "folder": str(self.folder),
        }


def _mean_of(names: tuple[str, ...], games: Iterable[Mapping[str, float]]) -> float:
    """Return the mean of what some players have of each game, 0 without a game."""
    return fmean([game[name] for game in games for name in names if name in game] or [0.0])


def opponents_in_words(lineup: Lineup) -> str:
    """Return the opponents' names, or how many there are."""
    names = [printable(one.label) for one in lineup.contestants[1:]]
    return f"its {len(names)} opponents" if len(names) > MAX_NAMED else listed(names)


def signed(value: float, measure: Measure) -> str:
    """Return a difference as people read it, with its sign."""
    text = f"{value * measure.scale:+.{measure.digits}f}"
    zero = f"{0:.{measure.digits}f}"
    return zero if text[1:] == zero else text.replace("-", "\N{MINUS SIGN}")


def interval_in_words(evidence: DuelEvidence) -> str:
    """Return the bounds of the difference, in brackets."""
    low, high = (signed(each, evidence.question.measure).lstrip("+") for each in evidence.bounds)
    return f"[{low}, {high}]"


def difference_in_words(evidence: DuelEvidence) -> str:
    """Return the difference and its interval, with the unit."""
    measure = evidence.question.measure
    return f"{signed(evidence.value, measure)}{measure.unit} {interval_in_words(evidence)}"


def margin_in_words(evidence: DuelEvidence) -> str:
    """Return the smallest difference worth knowing, with its unit."""
    measure = evidence.question.measure
    return f"{evidence.question.margin * measure.scale:g}{measure.unit}"


def verdict_sentence(report: DuelReport) -> str:
    """Return the verdict as one sentence."""
    lineup, evidence = report.lineup, report.evidence
    mine, others = printable(lineup.mine.label), opponents_in_words(lineup)
    if not evidence.blocks:
        block = plural(evidence.question.games_in_block, "game")
        return f"Undecided: no block of {block} was played to its end."
    games = f"{plural(len(evidence.games), 'game')}"
    found = f"{difference_in_words(evidence)}, {games}."
    match evidence.verdict:
        case DuelVerdict.STRONGER | DuelVerdict.WEAKER:
            return f"{mine} is {evidence.verdict.value} than {others}: {found}"
        case DuelVerdict.EQUAL:
            margin = f"{evidence.question.margin * evidence.question.measure.scale:g}"
            return f"{mine} and {others} are equal within {margin}: {found}"
        case DuelVerdict.UNDECIDED:
            return f"Undecided, {mine} against {others}: {found}"
