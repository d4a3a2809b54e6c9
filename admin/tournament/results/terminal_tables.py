"""A tournament's tables drawn for the terminal."""

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from admin.statistics.estimate import Estimate
from admin.tournament.results.result import GameResult
from admin.tournament.results.store import VoidGame
from admin.tournament.results.summary import Summary
from admin.tournament.results.verdict import PlayerVerdict
from admin.view.plain_text import printable

WIDEST_CROSSTABLE = 12
"""Players up to whom the crosstable fits a terminal; the report has it always."""
LAST_LINES, LONGEST_LINE = 40, 200
"""How much is shown of what a player printed; the report's folder has all that was kept."""
SHOWN_VOIDS = 10
"""Voids that are told one by one, the last ones; the report has them all."""


def show_summary(console: Console, summary: Summary, total: int, voids: Sequence[VoidGame]) -> None:
    """Draw the standings, and all tables around them."""
    far = f"{summary.games} of {total} games" if summary.games < total else f"{total} games"
    console.print(Text(f"{far} in {summary.blocks} blocks."))
    if not summary.games:
        return
    console.print(_standings(summary))
    console.print(Text(_groups_in_words(summary)))
    if len(summary.rows) <= WIDEST_CROSSTABLE:
        console.print(_crosstable(summary))
    console.print(_seats(summary))
    lost = sum(row.lost for row in summary.rows)
    if lost:
        console.print(_verdicts(summary))
    if any(row.thinking is not None for row in summary.times):
        console.print(_times(summary))
    if summary.out_of_step:
        count = summary.out_of_step
        console.print(Text(f"Draws fell out of step in {count} games; the logs say when."))
    if voids:
        console.print(Text(f"Void, and played again or given up: {len(voids)}.", "bold"))
    for void in voids[-SHOWN_VOIDS:]:
        why = f"  {void.game}, attempt {void.attempt}: {printable(void.why)}"
        console.print(Text(why), soft_wrap=True)


def _table(title: str, *columns: str) -> Table:
    """Begin a table: the first column is text, the others are numbers."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    first, *numbers = columns
    table.add_column(first, overflow="fold")
    for column in numbers:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _interval(estimate: Estimate, digits: int) -> str:
    """Write a mean, and the bounds of its interval where there is one."""
    value = f"{estimate.value:,.{digits}f}"
    if estimate.low is None or estimate.high is None:
        return value
    return f"{value} [{estimate.low:,.{digits}f}, {estimate.high:,.{digits}f}]"


def _standings(summary: Summary) -> Table:
    table = Table(title="Standings", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for column, left in (("rank", False), ("player", True), ("group", True)):
        table.add_column(column, justify="left" if left else "right", overflow="fold")
    for column in ("games", "points a game", "placement", "wins %", "money", "rating", "lost"):
        table.add_column(column, justify="right", no_wrap=True)
    for row in summary.rows:
        wins = Estimate(*(None if one is None else 100 * one for one in row.wins))  # type: ignore[arg-type]  # the value is there
        table.add_row(
            str(row.rank),
            Text(printable(row.player)),
            row.groups,
            str(row.games),
            _interval(row.points, 2),
            _interval(row.placement, 2),
            _interval(wins, 0),
            f"{row.money.value:,.0f}",
            f"{row.rating.mu:.1f} ± {row.rating.sigma:.1f}",
            str(row.lost or ""),
        )
    return table


def _groups_in_words(summary: Summary) -> str:
    """Say what the letters mean, and what the bounds are."""
    bounds = "In [ ] is the 95 % interval, by bootstrap over blocks. "
    if all(row.points.low is None for row in summary.rows):
        bounds = "There are too few blocks for intervals. "
    return bounds + "Players who share a letter cannot be told apart by these games."


def _crosstable(summary: Summary) -> Table:
    """How often the player of the row was placed before the one of the column, in per cent."""
    players = [row.player for row in summary.rows]
    columns = [printable(name)[:12] for name in players]
    table = _table("Placed before, %", "", *columns)
    shares = {(duel.player, duel.other): duel.share for duel in summary.crosstable}
    for player in players:
        cells = [
            "" if (share := shares.get((player, other))) is None else f"{100 * share:.0f}"
            for other in players
        ]
        table.add_row(Text(printable(player)), *cells)
    return table


def _seats(summary: Summary) -> Table:
    table = _table("By seat", "seat", "games", "points a game", "placement")
    for row in summary.seats:
        table.add_row(
            str(row.seat), str(row.games), _interval(row.points, 2), _interval(row.placement, 2)
        )
    return table


def _verdicts(summary: Summary) -> Table:
    occurred = {verdict for counts in summary.verdicts.values() for verdict in counts}
    columns = [verdict.value for verdict in PlayerVerdict if verdict.value in occurred]
    table = _table("Verdicts", "player", *columns)
    for player, counts in summary.verdicts.items():
        table.add_row(Text(printable(player)), *(str(counts.get(name) or "") for name in columns))
    return table


def _times(summary: Summary) -> Table:
    table = _table(
        "Time used", "player", "answers, s a game", "longest answer, s", "processor, s a game"
    )
    for row in summary.times:
        cells = [
            "" if value is None else f"{value:.3f}"
            for value in (row.thinking, row.slowest, row.processor)
        ]
        table.add_row(Text(printable(row.player)), *cells)
    return table


def show_games_of(console: Console, player: str, results: Sequence[GameResult]) -> None:
    """List a player's games, with what became of the player in each."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("game", "seat", "place", "money", "turns", "verdict", "why"):
        table.add_column(
            column, justify="right" if column in ("seat", "place", "money", "turns") else "left"
        )
    for result in results:
        for number, seat in enumerate(result.seats, 1):
            if seat.player == player:
                table.add_row(
                    result.game,
                    str(number),
                    str(seat.rank),
                    f"{seat.money:,}",
                    str(result.turns),
                    seat.verdict.value,
                    Text(printable(seat.detail)),
                )
    console.print(table)


def show_game(console: Console, result: GameResult, outputs: dict[str, bytes]) -> None:
    """Draw one game: who sat where, what became of each, what losers printed."""
    ended = f"{result.ending} after {result.turns} turns, seed {result.seed}."
    console.print(Text(f"{result.game}: {ended}", "bold"))
    table = _table("", "player", "seat", "place", "money", "verdict", "answers", "longest, s")
    for number, seat in enumerate(result.seats, 1):
        table.add_row(
            Text(printable(seat.player)),
            str(number),
            str(seat.rank),
            f"{seat.money:,}",
            seat.verdict.value,
            str(seat.answers),
            f"{seat.slowest / 1e6:.3f}",
        )
    console.print(table)
    for seat in result.seats:
        if seat.verdict is not PlayerVerdict.FINISHED:
            when = (
                "" if seat.turn is None else f" in turn {seat.turn}" if seat.turn else " at set-up"
            )
            console.print(
                Text.assemble(
                    (f"{printable(seat.player)}: {seat.verdict.value}{when}. ", "bold"),
                    f"{seat.verdict.sentence} {printable(seat.detail)}",
                )
            )
        if printed := outputs.get(seat.player):
            console.print(Text(f"The end of what {printable(seat.player)} printed:"))
            for line in printed.decode(errors="replace").splitlines()[-LAST_LINES:]:
                cut = line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]} ..."
                console.print(Text(f"  {printable(cut)}"), soft_wrap=True)
