"""The tables of a tournament in a terminal."""

from collections.abc import Callable, Mapping, Sequence

from rich.console import Console
from rich.text import Text

from ...refereeing.view.fitted_table import Column, FittedTable, fitted
from ...refereeing.view.plain_text import number, plural, printable, shortened
from ...studying.statistics.intervals import INTERVAL, Estimate
from ..games.entries import given_up_in_words
from ..games.result import FailedGame, GameAlarm, GameResult
from .summary import LADDER_ORDER, StandingsRow, Summary, VersionRow, skipped_in_words, tie_in_words

MAX_CROSSTABLE = 12  # most players for whom the crosstable is shown; the report always has it
MAX_OUTPUT_LINES, MAX_LINE_LENGTH = 40, 200
"""How much of a program's output is shown; the report's folder has all that was kept."""
MAX_TIES = 5  # neighbours in the standings for whom it is shown what would separate them
MAX_VOIDS_SHOWN = 10  # the last void games are listed; the report has all


def show_summary(
    console: Console,
    summary: Summary,
    total: int,
    voids: Sequence[FailedGame],
    alarms: Sequence[GameAlarm] = (),
    archived: int = 0,
    given_up: Sequence[str] = (),
) -> None:
    """Print the standings, and all other tables; ``archived`` games do not count any more."""
    games = f"{summary.games} of {total}" if summary.games < total else f"{summary.games}"
    blocks = plural(summary.blocks, "block")
    _print(console, f"{games} {'game' if games == '1' else 'games'} in {blocks}.")
    if archived:
        of = "of earlier versions and of withdrawn players"
        _print(console, f"Archived: {plural(archived, 'game')} {of}.")
    if not summary.games:
        return
    console.print("", _standings(summary), sep="\n")
    console.print(Text(_groups_in_words(summary)), end="\n\n")
    if len(summary.rows) <= MAX_CROSSTABLE:
        console.print(_crosstable(summary))
    console.print(
        fitted(
            summary.seats,
            (Column("seat"), lambda row: str(row.seat)),
            (Column("games", optional=2), lambda row: str(row.games)),
            (Column("points per game"), lambda row: _interval(row.points, 2)),
            (Column("place", optional=1), lambda row: _interval(row.placement, 2)),
            title="By seat",
        )
    )
    if any(row.lost for row in summary.rows):
        console.print(
            fitted(
                summary.verdicts.items(),
                (Column("player", text=True), lambda of: printable(of[0])),
                (Column("games", text=True), lambda of: _counted(of[1])),
                title="Verdicts",
            )
        )
    for player, count in summary.skipped.items():
        console.print(Text(f"{printable(player)}: {skipped_in_words(count)}"), end="\n\n")
    if any(row.thinking is not None for row in summary.times):
        console.print(
            fitted(
                summary.times,
                (Column("player", text=True), lambda row: printable(row.player)),
                (Column("thinking per game", optional=2), lambda row: _known(row.thinking, 3)),
                (Column("longest answer"), lambda row: _known(row.slowest, 3)),
                (Column("CPU per game", optional=1), lambda row: _known(row.processor, 3)),
                title="Time used, s",
            )
        )
    if summary.out_of_step:
        shifted = plural(summary.out_of_step, "game")
        _print(console, f"In {shifted} the draws got out of step; see the logs for the turn.")
    if voids:
        _print(console, f"Void games, to be played again or given up: {len(voids)}", "bold")
    for void in voids[-MAX_VOIDS_SHOWN:]:
        _print(console, f"  {void.game}, attempt {void.attempt}: {printable(void.why)}")
    if given_up:
        _print(console, given_up_in_words(given_up), "bold")
    if alarms:
        where = f"in {plural(len({alarm.game for alarm in alarms}), 'game')}"
        what = f"Alarms: {len(alarms)} {where}; --game ID or the report shows them."
        _print(console, what, "bold")


def _print(console: Console, line: str, style: str = "") -> None:
    console.print(Text(line, style), soft_wrap=True)


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {what}" for what, count in counts.items() if count)


def _interval(estimate: Estimate, digits: int, times: int = 1) -> str:
    value = number(times * estimate.value, digits)
    if estimate.low is None or estimate.high is None:
        return value
    return (
        f"{value} [{number(times * estimate.low, digits)}, {number(times * estimate.high, digits)}]"
    )


def _known(value: float | None, digits: int) -> str:
    return "" if value is None else number(value, digits)


def _standings(summary: Summary) -> FittedTable:
    groups = (Column("group", optional=1, left=True), lambda row: row.groups)

    def played(shown: Callable[[StandingsRow], str]) -> Callable[[StandingsRow], str]:
        return lambda row: shown(row) if row.games else ""

    return fitted(
        summary.rows,
        (Column("rank"), lambda row: str(row.rank)),
        (Column("player", text=True), lambda row: printable(row.player)),
        *(() if summary.by_rating else (groups,)),
        (Column("games", optional=5), lambda row: str(row.games)),
        (Column("points per game"), played(lambda row: _interval(row.points, 2))),
        (Column("place", optional=4), played(lambda row: _interval(row.placement, 2))),
        (Column("wins %", optional=3), played(lambda row: _interval(row.wins, 0, 100))),
        (Column("money", optional=6), played(lambda row: number(row.money.value))),
        (
            Column("rating", optional=0 if summary.by_rating else 7),
            played(lambda row: number(row.rating, 1)),
        ),
        (Column("lost", optional=2), lambda row: str(row.lost or "")),
        title="Standings",
    )


def _groups_in_words(summary: Summary) -> str:
    """Explain the letters and the intervals, and what would separate the players of a group."""
    intervals = [row.points.low is not None for row in summary.rows]
    words = [f"[ ] is the {INTERVAL}, over blocks of games."]
    if not any(intervals):
        words = ["There are too few blocks for intervals."]
    elif not all(intervals):
        words.append("There is none with too few blocks, or if nearly all are won or lost.")
    letters = "Players who share a group letter are too close to separate."
    words.append(LADDER_ORDER if summary.by_rating else letters)
    lines = [" ".join(words)]
    for tie in summary.ties[:MAX_TIES]:
        lines.append(f"{printable(tie.player)} and {printable(tie.other)}: {tie_in_words(tie)}")
    if (more := len(summary.ties) - MAX_TIES) > 0:
        lines.append(f"{more} more neighbours share a letter; --json has all.")
    return "\n".join(lines)


def _crosstable(summary: Summary) -> FittedTable:
    """Show how often the player of the row placed before the one of the column, in per cent."""
    players = [row.player for row in summary.rows]
    columns = [Column(str(at), optional=at) for at in range(1, len(players) + 1)]
    table = FittedTable(Column("", text=True), *columns, title="Row placed before column, %")
    shares = {(duel.player, duel.other): duel.share for duel in summary.crosstable}
    for at, player in enumerate(players, 1):
        cells = [
            "" if (share := shares.get((player, other))) is None else number(100 * share)
            for other in players
        ]
        table.add_row(f"{at:>{len(str(len(players)))}} {printable(player)}", *cells)
    return table


def show_games_of(
    console: Console,
    player: str,
    results: Sequence[GameResult],
    versions: Sequence[VersionRow] = (),
) -> None:
    """List a player's games, with the player's result in each, and its versions if several."""
    if len(versions) > 1:
        version = Column("version", left=True)
        console.print(
            fitted(
                versions,
                (version, lambda row: printable(row.entry.version or row.entry.kind)),
                (Column("games"), lambda row: str(row.games)),
                (Column("points per game"), lambda row: _known(row.points, 2)),
                (Column("place", optional=1), lambda row: _known(row.place, 2)),
                (Column("lost"), lambda row: str(row.lost or "")),
                (Column("now", left=True), lambda row: "plays" if row.entry.last is None else ""),
                title="Versions, with archived games",
            )
        )
    console.print(
        fitted(
            (
                (game, number, seat)
                for game in results
                for number, seat in enumerate(game.seats, 1)
                if seat.player == player
            ),
            (Column("game", left=True), lambda of: of[0].game),
            (Column("seat", optional=3), lambda of: str(of[1])),
            (Column("place"), lambda of: str(of[2].rank)),
            (Column("money", optional=2), lambda of: f"{of[2].money:,}"),
            (Column("turns", optional=4), lambda of: str(of[0].turns)),
            (Column("verdict", optional=1, left=True), lambda of: of[2].verdict.value),
            (Column("why", text=True), lambda of: printable(of[2].explanation)),
        )
    )


def show_game(
    console: Console,
    result: GameResult,
    outputs: dict[str, bytes],
    alarms: Sequence[GameAlarm] = (),
) -> None:
    """Print one game: its seats with their results, alarms, the output of programs that lost it."""
    ended = f"{result.ending} after {plural(result.turns, 'turn')}, seed {result.seed}."
    console.print(Text(f"{result.game}: {ended}", "bold"))
    table = fitted(
        enumerate(result.seats, 1),
        (Column("player", text=True), lambda of: printable(of[1].player)),
        (Column("seat", optional=2), lambda of: str(of[0])),
        (Column("place"), lambda of: str(of[1].rank)),
        (Column("money"), lambda of: f"{of[1].money:,}"),
        (Column("verdict", left=True), lambda of: of[1].verdict.value),
        (Column("answers", optional=4), lambda of: str(of[1].answers)),
        (Column("longest, s", optional=3), lambda of: f"{of[1].slowest / 1e6:.3f}"),
    )
    console.print(table)
    for alarm in alarms:
        where = f"Alarm in void attempt {alarm.attempt}: " if alarm.attempt else "Alarm: "
        words = f"{printable(alarm.player)}: {printable(alarm.what)}"
        console.print(Text.assemble((where, "bold"), words), soft_wrap=True)
    for seat in result.seats:
        name = printable(seat.player)
        if not seat.finished:
            when = {None: "", 0: " during set-up"}.get(seat.turn, f" in turn {seat.turn}")
            head = (f"{name}: {seat.verdict.value}{when}. ", "bold")
            why = f"{seat.verdict.sentence} {printable(seat.explanation)}"
            console.print(Text.assemble(head, why))
        if printed := outputs.get(seat.player):
            _print(console, f"End of the output of {name}:")
            for line in printed.decode(errors="replace").splitlines()[-MAX_OUTPUT_LINES:]:
                _print(console, f"  {printable(shortened(line, MAX_LINE_LENGTH))}")
