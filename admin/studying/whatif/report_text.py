"""The report for a terminal."""

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from ...refereeing.view.fitted_table import Column, FittedTable
from ...refereeing.view.plain_text import plural, printable
from ..statistics.intervals import INTERVAL, Estimate
from ..statistics.plots import number
from .report import RealResult, Spread, WhatIfReport
from .single_game import ABSENT
from .variant import Variant


def draw_report(report: WhatIfReport) -> RenderableType:
    """Draw a report for a terminal."""
    parts: list[RenderableType] = [_head(report)]
    for seat, results in report.results.items():
        parts += [Text(), _table(seat, results, report.real[seat])]
        parts += [Text(line) for line in _notes(results)]
    found = [each for results in report.results.values() for each in results.values() if each]
    if found:
        parts += [Text(), Text(_legend(found))]
    return Group(*parts)


def _head(report: WhatIfReport) -> Text:
    dealt = "the other players' hands and the bag" if report.hands else "the bag"
    text = Text.assemble(
        (f"From turn {report.turn}, {printable(report.mover)} to move", "bold"),
        f": played on with {dealt} redealt, seed {report.seed}.",
    )
    for name, strategy, instead in report.opponents:
        why = f", in place of {instead}" if instead else ", as in the game"
        text.append(f"\n  {printable(f'{name} is played by {strategy}{why}')}.")
    return text


def _table(seat: str, results: Mapping[Variant, Spread | None], real: RealResult) -> FittedTable:
    headings = ("games", "mean", "median", "wins %", "vs the first")
    columns = (Column("played by", text=True), *map(Column, headings))
    table = FittedTable(*columns, title=f"Score of {printable(seat)}", dense=True)
    played = [(variant, found) for variant, found in results.items() if found is not None]
    for place, (variant, found) in enumerate(played, start=1):
        lower, median, upper = found.quartiles
        table.add_row(
            f"{place} {printable(variant.label)}",
            str(len(found.scores)),
            estimate_lines(found.mean),
            f"{number(median)}\n{number(lower)}..{number(upper)}",
            estimate_lines(times(found.wins, 100)),
            estimate_lines(found.difference.score, signed=True) if found.difference else "",
        )
    score = real.standing.score if real.standing and real.standing.finished else None
    table.add_row(
        "the real game", "1", "-" if score is None else number(score), "", _rank(real), ""
    )
    return table


def times(estimate: Estimate, factor: int) -> Estimate:
    """Return an estimate in other units: so many of them are one of the old."""
    _, *bounds = estimate
    return Estimate(estimate.value * factor, *(bound and bound * factor for bound in bounds))


def estimate_lines(estimate: Estimate, *, signed: bool = False) -> str:
    """Write a mean, and under it the bounds of its interval where there is one."""
    value, *bounds = (
        f"{'+' if signed and round(bound) > 0 else ''}{number(bound)}"
        for bound in estimate
        if bound is not None
    )
    return f"{value}\n{'..'.join(bounds)}".rstrip()


def _rank(real: RealResult) -> str:
    if real.left_in is not None:
        return f"ejected in turn {real.left_in}" if real.left_in else "ejected at the set-up"
    return f"rank {real.standing.rank}" if real.standing else "interrupted"


def _notes(results: Mapping[Variant, Spread | None]) -> Iterator[str]:
    """Yield what went wrong in the games."""
    for variant, found in results.items():
        label = printable(variant.label)
        if found is None:
            yield f"{label}: no game was played."
            continue
        for reason, count in found.lost.items():
            what = "did not connect for" if reason == ABSENT else f"ejected ({reason}) in"
            yield f"{label}: {what} {plural(count, 'game')}, which score 0."
        if found.amended:
            games = plural(found.amended, "game")
            yield f"{label}: in {games} part of the move was no longer legal."


def _legend(results: Sequence[Spread]) -> str:
    """Explain the numbers, and over what differences are taken if there are any."""
    intervals = f"under a mean its {INTERVAL}"
    if any(found.mean.low is None for found in results):
        intervals = "there are no intervals for fewer than five games"
    text = f"Under a median are the quartiles; {intervals}."
    pairs = [found.difference.games for found in results if found.difference]
    if not pairs:
        return text
    some = min(pairs) < max(len(found.scores) for found in results)
    only = " Only games that both have played count." if some else ""
    return (
        f'{text}\n"vs the first" is the mean difference from player 1, game by game: in the same '
        f"game all\nhave the same deal, and the others the same random choices.{only}"
    )
