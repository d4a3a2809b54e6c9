"""What a duel has shown: in sentences, in a terminal with a picture, and as values for programs."""

import shlex
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from ...refereeing.view.fitted_table import Column, fitted
from ...refereeing.view.plain_text import listed, number, plural, printable
from ..games.result import GameResult
from .duel_evidence import DuelEvidence, DuelQuestion, DuelVerdict, Losses, Measure
from .duel_plan import Lineup

MAX_NAMED = 3  # opponents that a sentence names; more are counted
MAX_WIDTH = 76  # columns of the picture, on however wide a terminal
MAX_FAULTS = 3  # causes of lost games that are shown
MAX_OUTPUT_LINES = 10
STYLES = {
    DuelVerdict.STRONGER: "bold green",
    DuelVerdict.WEAKER: "bold red",
    DuelVerdict.EQUAL: "bold cyan",
    DuelVerdict.UNDECIDED: "bold yellow",
}
IN_ASCII = str.maketrans("━┣┫●─┴┼", "=[]o-'+")
"""The signs of the picture: the bar, its ends and the mean; the axis, the margin and zero."""


class TeamRow(NamedTuple):
    """What a contestant has per game and seat, in the games that count."""

    label: str
    text: str
    seats: tuple[str, ...]
    points: float
    wins: float
    money: float  # in dollars
    lost: int  # games, times seats, that it did not finish
    behind: float | None  # share of meetings placed behind the challenger; a tie counts half


class DuelReport(NamedTuple):
    """The evidence of a duel, the games lost in it, and how far it was played."""

    evidence: DuelEvidence
    losses: Losses
    folder: Path  # where the files of the duel are
    played: int  # how many games were played in all
    left: int  # how many more games its tournament file has

    def rows(self) -> list[TeamRow]:
        """Return a row for every contestant, the challenger first."""
        games, lineup = self.evidence.games, self.evidence.question.lineup
        kinds = [
            [Measure.POINTS.of(game) for game in games],
            [Measure.WINS.of(game) for game in games],
            [{seat.player: float(seat.money) for seat in game.seats} for game in games],
        ]
        rows = []
        for one, names in zip(lineup.contestants, lineup.teams, strict=True):
            points, wins, money = (
                fmean([game[name] for game in kind for name in names if name in game] or [0.0])
                for kind in kinds
            )
            lost = sum(
                seat.player in names and not seat.finished for game in games for seat in game.seats
            )
            behind = None if one is lineup.mine else _behind(games, lineup.teams[0], names)
            rows.append(TeamRow(one.label, one.text, names, points, wins, money, lost, behind))
        return rows

    def fields(self) -> dict[str, Any]:
        """Return the values for JSON; numbers are as measured, so wins and money are shares."""
        evidence, question = self.evidence, self.evidence.question
        return {
            "verdict": evidence.verdict.value,
            "sentence": verdict_sentence(evidence),
            "measure": question.measure.value,
            "difference": evidence.value if evidence.blocks else None,
            **evidence.bounds._asdict(),
            "margin": question.margin,
            "error_rate": question.error_rate,
            "games": len(evidence.games),
            "blocks": evidence.blocks,
            "games_in_block": question.lineup.games_in_block,
            "games_played": self.played,
            "more_games": evidence.forecast(),
            "contestants": self.rows(),
            "unfinished": self.losses.unfinished,
            "faults": self.losses.faults,
            "worst_games": self.losses.worst,
            "folder": str(self.folder),
        }


def _behind(
    games: Iterable[GameResult], mine: Collection[str], names: Collection[str]
) -> float | None:
    """Return the share of meetings in which one of mine placed before one of the others."""
    found = []
    for game in games:
        order = dict(zip(game.players, game.places, strict=True))
        met = [(order[own], order[name]) for own in mine for name in names if name in order]
        found += [(1 + (other > own) - (other < own)) / 2 for own, other in met]
    return fmean(found) if found else None


# -- in words -----------------------------------------------------------------------------------


def opponents_in_words(lineup: Lineup) -> str:
    """Return the opponents' names, or how many there are; of several, their average is meant."""
    names = [printable(one.label) for one in lineup.contestants[1:]]
    text = f"its {len(names)} opponents" if len(names) > MAX_NAMED else listed(names)
    return text if len(names) == 1 else f"the average of {text}"


def signed(value: float, measure: Measure) -> str:
    """Return a difference as people read it, with its sign."""
    return number(value * measure.scale, measure.digits, signed=True)


def difference_in_words(evidence: DuelEvidence) -> str:
    """Return the difference and its interval, with the unit."""
    measure = evidence.question.measure
    if evidence.blocks and evidence.spans_everything:
        return f"{signed(evidence.value, measure)}{measure.unit} so far, too early to tell"
    low, high = (signed(each, measure).lstrip("+") for each in evidence.bounds)
    return f"{signed(evidence.value, measure)}{measure.unit} [{low}, {high}]"


def verdict_sentence(evidence: DuelEvidence) -> str:
    """Return the verdict as one sentence."""
    question, verdict = evidence.question, evidence.verdict
    lineup, games = question.lineup, plural(len(evidence.games), "game")
    mine, others = printable(lineup.mine.label), opponents_in_words(lineup)
    if not evidence.blocks:
        block = plural(lineup.games_in_block, "game")
        return f"Undecided: no block of {block} was played to its end."
    found = f"{difference_in_words(evidence)}, {games}."
    if verdict is DuelVerdict.UNDECIDED:
        return f"Undecided, {mine} against {others}: {found}"
    if verdict is DuelVerdict.EQUAL:
        margin = f"{question.margin * question.measure.scale:g}"
        return f"{mine} and {others} are equal within {margin}: {found}"
    if evidence.broken:
        found = f"{mine if verdict is DuelVerdict.WEAKER else others} finished none of {games}."
    return f"{mine} is {verdict.value} than {others}: {found}"


def forecast_in_words(evidence: DuelEvidence, left: int | None = None) -> str:
    """Return how many more games would lead to a verdict; ``left`` are those still allowed."""
    if evidence.decided:
        return ""
    more = evidence.forecast()
    if more is None:
        return "How many more games it takes cannot be told yet."
    fewer = f"; --max-games leaves {left:,}" if left is not None and more > left else ""
    return f"About {more:,} more games if it stays like this{fewer}."


def opening(question: DuelQuestion, rulebook: str) -> Text:
    """Return a line about who plays, in which seats, and one about the margin."""
    lineup, mine = question.lineup, len(question.lineup.teams[0])
    return Text.assemble(
        (printable(lineup.mine.label), "bold"),
        f" ({plural(mine, 'seat')}) against ",
        (opponents_in_words(lineup), "bold"),
        f" ({plural(lineup.seats - mine, 'seat')}), rulebook {rulebook}.\n",
        f"A difference below {question.margin * question.measure.scale:g}{question.measure.unit} "
        "counts as none.",
    )


# -- the picture --------------------------------------------------------------------------------


def draw_interval(evidence: DuelEvidence, width: int, *, ascii_only: bool = False) -> list[Text]:
    """Draw the interval above an axis with zero, the margin on both sides, and their values.

    The axis ends at four times the margin, or at eight times it, and so on, as is needed.
    """
    question, bounds = evidence.question, evidence.bounds
    measure, margin = question.measure, question.margin
    needed = min(max(map(abs, bounds)), max(map(abs, question.bounds)))
    reach = 4 * margin
    while reach < needed:
        reach *= 2
    last = min(width, MAX_WIDTH) - 1

    def place(value: float) -> int:
        return round((min(max(value / reach, -1), 1) + 1) / 2 * last)

    (first, end), inside = map(place, bounds), [place(-margin), place(margin)]
    bar = [" "] * first + ["━"] * (end + 1 - first)
    bar[first], bar[end] = "┣", "┫"
    if evidence.blocks:
        bar[place(evidence.value)] = "●"
    axis = ["─"] * (last + 1)
    axis[inside[0]] = axis[inside[1]] = "┴"
    axis[place(0)] = "┼"
    labels = [" "] * (last + 1)
    values = [("weaker", 0), ("stronger", last), ("0", place(0))]
    values += [(signed(value, measure), place(value)) for value in (-margin, margin)]
    for text, at in values:
        start = min(max(at - len(text) // 2, 0), last + 1 - len(text))
        stop = start + len(text)
        if not "".join(labels[max(start - 1, 0) : stop + 1]).strip():  # there is room
            labels[start:stop] = text
    signs = IN_ASCII if ascii_only else {}
    line = Text("".join(axis).translate(signs), "dim")
    line.stylize("not dim cyan", inside[0], inside[1] + 1)
    above = Text("".join(bar).translate(signs), STYLES[evidence.verdict])
    return [above, line, Text("".join(labels).rstrip(), "dim")]


# -- at the end ---------------------------------------------------------------------------------


def show_report(console: Console, report: DuelReport) -> None:
    """Print what was lost, the means, the picture, and the verdict with what to do next."""
    evidence, folder = report.evidence, shlex.quote(str(report.folder))
    console.print()
    for line in (*_faults(report), *_worst(report)):
        # a command is not wrapped, so that it can be copied
        soft_wrap = isinstance(line, Text) and line.plain.startswith("    ")
        console.print(line, soft_wrap=soft_wrap)
    if evidence.blocks:
        if (counted := len(evidence.games)) < report.played:
            until = " up to the verdict" if evidence.decided else ""
            console.print(f"Of {report.played} games {counted} count: whole blocks{until}.")
        console.print(
            fitted(
                report.rows(),
                (Column("contestant", left=True), lambda row: printable(row.label)),
                (Column("seats", 1), lambda row: str(len(row.seats))),
                (Column("points per game"), lambda row: number(row.points, 2)),
                (Column("wins"), lambda row: _share(row.wins)),
                (Column("behind", 3), lambda row: _share(row.behind)),
                (Column("money per game", 2), lambda row: f"${number(row.money)}"),
                (Column("not finished"), lambda row: str(row.lost or "")),
            )
        )
        plain = console.options.ascii_only
        for picture in draw_interval(evidence, console.width - 2, ascii_only=plain):
            console.print(Text(" ").append_text(picture))
        console.print()
    console.print(Text(verdict_sentence(evidence), STYLES[evidence.verdict]))
    if evidence.verdict is DuelVerdict.UNDECIDED:
        console.print(Text(forecast_in_words(evidence)))
        allowed = report.left >= evidence.question.lineup.games_in_block
        advice = "" if allowed else " and a higher --max-games"
        again = f"To go on: the same command with --log-dir {folder}{advice}"
        console.print(Text(again), soft_wrap=True)
    if not evidence.broken:  # that verdict does not rest on the interval
        rate = f"{100 * evidence.question.error_rate:g}"
        console.print(Text(f"At most {rate} of 100 duels end with a wrong verdict.", "dim"))
    show = f"acquire tournament show {folder}/duel.toml"
    if evidence.broken and evidence.verdict is DuelVerdict.STRONGER:
        opponent = shlex.quote(evidence.question.lineup.teams[1][0])
        console.print(Text(f"To see why: {show} --player {opponent}"), soft_wrap=True)
    console.print(Text(f"All games: {show}", "dim"), soft_wrap=True)


def _share(share: float | None) -> str:
    return "" if share is None else f"{share:.0%}"


def _faults(report: DuelReport) -> Iterator[Text | Padding]:
    """Yield the causes for which games were not finished."""
    losses, mine = report.losses, printable(report.evidence.question.lineup.mine.label)
    if not losses.unfinished:
        return
    lost = f"{losses.unfinished} of {plural(report.played, 'game')} ({losses.verdicts})"
    yield Text(f"{mine} did not finish {lost}, and lost them:", "bold")
    for fault in losses.faults[:MAX_FAULTS]:
        head = Text(f"  {fault.games} {fault.verdict.value}", "bold red")
        yield head.append(f"  {printable(fault.title)}" if fault.title else "", "not bold default")
        output = "\n".join(map(printable, fault.output.splitlines()[-MAX_OUTPUT_LINES:]))
        for text in filter(None, (Text(printable(fault.sentence)), Text(output, "dim"))):
            yield Padding(text, (0, 0, 0, 4), expand=False)
        yield from (Text(f"    {command}", "cyan") for command in fault.commands)
    if (left := len(losses.faults) - MAX_FAULTS) > 0:
        yield Text(f"  and {plural(left, 'other cause')}: see {report.folder}/duel.json")
    if losses.not_replayed:
        yield Text(
            f"  and {plural(losses.not_replayed, 'more game')}, not replayed for their causes"
        )
    yield Text()


def _worst(report: DuelReport) -> Iterator[Text]:
    """Yield a line about each game: the players in the order of their places, with their money."""
    question, worst = report.evidence.question, report.losses.worst
    mine = question.lineup.teams[0]
    if worst:
        yield Text(f"The worst games of {printable(question.lineup.mine.label)}:", "bold")
    for game in worst:
        parts = [
            Text(f"{printable(name)} ${money:,}", "bold" if name in mine else "")
            for name, _, money in game.places
        ]
        difference = f"{signed(game.difference, question.measure)}  "
        line = Text.assemble((f"  {game.game}  ", "bold"), difference, Text(", ").join(parts))
        line.no_wrap, line.overflow = True, "ellipsis"
        yield line
        yield from (Text(f"    {command}", "cyan") for command in game.commands)
