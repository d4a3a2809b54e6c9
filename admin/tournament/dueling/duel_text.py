"""A duel in a terminal: the interval beside zero and the margin, and the result."""

import shlex
from collections.abc import Callable, Iterator
from typing import TypeAlias

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from ...refereeing.view.fitted_table import Column, FittedTable, fitted
from ...refereeing.view.plain_text import plural, printable
from .duel_evidence import DuelEvidence, DuelVerdict
from .duel_plan import Lineup
from .duel_report import DuelReport, margin_in_words, opponents_in_words, signed, verdict_sentence
from .worst_games import LossCause, WorstGame

MAX_WIDTH = 76
"""Columns of the picture, on however wide a terminal."""
MAX_FAULTS = 3
"""Causes of lost games that are shown."""
MAX_OUTPUT_LINES = 10
STYLES = {
    DuelVerdict.STRONGER: "bold green",
    DuelVerdict.WEAKER: "bold red",
    DuelVerdict.EQUAL: "bold cyan",
    DuelVerdict.UNDECIDED: "bold yellow",
}
IN_ASCII = str.maketrans("━┣┫●─┴┼", "=[]o-'+")
"""The signs of the picture: the bar, its ends and the mean; the axis, the margin and zero."""


def draw_interval(evidence: DuelEvidence, width: int, *, ascii_only: bool = False) -> list[Text]:
    """Draw the interval above an axis with zero and the margin on both sides.

    The axis ends at four times the margin, or at eight times it, and so on, as is needed.
    """
    question, bounds = evidence.question, evidence.bounds
    reach = 4 * question.margin
    most = max(abs(bound) for bound in bounds)
    limit = max(map(abs, question.bounds))
    while reach < min(most, limit):
        reach *= 2
    last = min(width, MAX_WIDTH) - 1

    def place(value: float) -> int:
        return round((min(max(value / reach, -1), 1) + 1) / 2 * last)

    first, end = place(bounds.low), place(bounds.high)
    bar = [" "] * (last + 1)
    bar[first : end + 1] = "━" * (end + 1 - first)
    bar[first], bar[end] = "┣", "┫"
    if evidence.blocks:
        bar[place(evidence.value)] = "●"
    inside = (place(-question.margin), place(question.margin))
    axis = ["─"] * (last + 1)
    for at in inside:
        axis[at] = "┴"
    axis[place(0)] = "┼"
    signs = IN_ASCII if ascii_only else {}
    line = Text("".join(axis).translate(signs), "dim")
    line.stylize("not dim cyan", inside[0], inside[1] + 1)
    above = Text("".join(bar).rstrip().translate(signs), STYLES[evidence.verdict])
    return [above, line, _labels(evidence, place, last)]


def _labels(evidence: DuelEvidence, place: Callable[[float], int], last: int) -> Text:
    """Label zero, the margin where there is room, and both ends."""
    measure, margin = evidence.question.measure, evidence.question.margin
    cells = [" "] * (last + 1)

    def write(text: str, at: int) -> None:
        start = min(max(at - len(text) // 2, 0), last + 1 - len(text))
        before, after = max(start - 1, 0), start + len(text) + 1
        if "".join(cells[before:after]).strip():
            return
        cells[start : start + len(text)] = text

    write("weaker", 0)
    write("stronger", last)
    write("0", place(0))
    for value in (-margin, margin):
        write(signed(value, measure), place(value))
    return Text("".join(cells).rstrip(), "dim")


def forecast_in_words(evidence: DuelEvidence, left: int | None = None) -> str:
    """Return how many more games would lead to a verdict; ``left`` are those still allowed."""
    if evidence.decided:
        return ""
    more = evidence.forecast()
    if more is None:
        return "How many more games it takes cannot be told yet."
    text = f"About {more:,} more games if it stays like this"
    return (
        f"{text}; --max-games leaves {left:,}." if left is not None and more > left else f"{text}."
    )


def opening(lineup: Lineup, evidence: DuelEvidence, rulebook: str) -> Text:
    """Return a line about who plays, in which seats, and one about the margin."""
    others = lineup.seats - lineup.per_table
    return Text.assemble(
        (printable(lineup.mine.label), "bold"),
        f" ({plural(lineup.per_table, 'seat')}) against ",
        (opponents_in_words(lineup), "bold"),
        f" ({plural(others, 'seat')}), rulebook {rulebook}.\n",
        f"A difference below {margin_in_words(evidence)} counts as none.",
    )


# -- at the end ---------------------------------------------------------------------------------


def show_report(console: Console, report: DuelReport) -> None:
    """Print what was lost, the means, the picture, and the verdict with what to do next."""
    evidence = report.evidence
    console.print()
    for line, wrapped in (*_faults(report), *_worst(report)):
        console.print(line, soft_wrap=not wrapped)
    if evidence.blocks:
        console.print(_table(report))
        plain = console.options.ascii_only
        for picture in draw_interval(evidence, console.width - 2, ascii_only=plain):
            console.print(Text(" ").append_text(picture))
        console.print()
    console.print(Text(verdict_sentence(report), STYLES[evidence.verdict]))
    for line, wrapped in _next(report):
        console.print(line, soft_wrap=not wrapped)


def _table(report: DuelReport) -> FittedTable:
    return fitted(
        report.rows(),
        (Column("contestant", left=True), lambda row: printable(row.label)),
        (Column("seats", 1), lambda row: str(len(row.seats))),
        (Column("points per game"), lambda row: f"{row.points:.2f}"),
        (Column("wins"), lambda row: f"{100 * row.wins:.0f} %"),
        (Column("money per game", 2), lambda row: f"${row.money:,.0f}"),
        (Column("not finished"), lambda row: str(row.lost or "")),
    )


Line: TypeAlias = tuple[Text | Padding, bool]
"""What is printed, and whether it is wrapped; a command is not, so that it can be copied."""


def _command(text: str) -> Line:
    return Text(f"    {text}", "cyan"), False


def _indented(text: str, style: str = "") -> Line:
    return Padding(Text(text, style), (0, 0, 0, 4), expand=False), True


def _faults(report: DuelReport) -> Iterator[Line]:
    losses, mine = report.losses, printable(report.lineup.mine.label)
    if not losses.unfinished:
        return
    played = plural(report.played, "game")
    yield (
        Text(f"{mine} did not finish {losses.unfinished} of {played}, and lost them:", "bold"),
        True,
    )
    for fault in losses.faults[:MAX_FAULTS]:
        yield from _fault(fault)
    if (left := len(losses.faults) - MAX_FAULTS) > 0:
        yield Text(f"  and {plural(left, 'other cause')}: see {report.folder}/duel.json"), False
    if losses.not_replayed:
        yield Text(f"  and {plural(losses.not_replayed, 'more game')}"), True
    yield Text(), True


def _fault(fault: LossCause) -> Iterator[Line]:
    head = Text(f"  {fault.games} {fault.verdict.value}", "bold red")
    if fault.title:
        head.append(f"  {printable(fault.title)}", "not bold default")
    yield head, True
    yield _indented(printable(fault.sentence))
    if fault.output:
        lines = fault.output.splitlines()[-MAX_OUTPUT_LINES:]
        yield _indented("\n".join(map(printable, lines)), "dim")
    yield from map(_command, fault.commands)


def _worst(report: DuelReport) -> Iterator[Line]:
    if not report.losses.worst:
        return
    yield Text(f"The worst games of {printable(report.lineup.mine.label)}:", "bold"), True
    for game in report.losses.worst:
        yield _game(game, report), True
        yield from map(_command, game.commands)


def _game(game: WorstGame, report: DuelReport) -> Text:
    """Return a line about a game: the players in the order of their places, with their money."""
    mine = {*report.lineup.teams[0]}
    difference = signed(game.difference, report.evidence.question.measure)
    parts = [
        Text(f"{printable(name)} ${money:,}", "bold" if name in mine else "")
        for name, _, money in game.places
    ]
    line = Text.assemble((f"  {game.game}  ", "bold"), f"{difference}  ", Text(", ").join(parts))
    line.no_wrap, line.overflow = True, "ellipsis"
    return line


def _next(report: DuelReport) -> Iterator[Line]:
    evidence, folder = report.evidence, shlex.quote(str(report.folder))
    if evidence.verdict is DuelVerdict.UNDECIDED:
        yield Text(forecast_in_words(evidence)), True
        advice = (
            "" if report.left >= evidence.question.games_in_block else " and a higher --max-games"
        )
        yield Text(f"To go on: the same command with --log-dir {folder}{advice}"), False
    rate = f"{100 * evidence.question.error_rate:g}"
    yield Text(f"At most {rate} of 100 duels end with a wrong verdict.", "dim"), True
    yield Text(f"All games: acquire tournament show {folder}/duel.toml", "dim"), False
