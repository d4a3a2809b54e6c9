"""The pages with results: the index, which leads to all others, the list of games, one per player.

The index says what the games show and, just as plainly, what they leave open. The page of a player
explains every lost game. Names and everything else that comes from players are text, whatever they
contain.
"""

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from functools import partial
from math import ceil, floor, log10
from typing import NamedTuple

from ....game.turn import Ending
from ...pages.html import html_page
from ...refereeing.view.decisive_turn import DEFINITION
from ...refereeing.view.plain_text import number, printable, shortened
from ...studying.statistics import rating
from ...studying.statistics.intervals import CONFIDENCE, INTERVAL, Estimate
from ..games.entries import given_up_in_words
from ..games.result import GameResult, PlayerVerdict, SeatResult
from ..standings.summary import (
    LADDER_ORDER,
    SeatRow,
    StandingsRow,
    Summary,
    groups_of,
    skipped_in_words,
    tie_in_words,
)
from .game_story import (
    MAX_EXPLAINED,
    GameStory,
    PlayerGames,
    case_command,
    commands_for,
    decisive_sentence,
)
from .published import GAMES, INDEX, LOGS, in_natural_order, page_of_log, player_paths
from .report_content import ReportContent

PACKAGE = "acquire.admin.tournament.reporting"
MAX_NAMED = 6  # players that a sentence names; of more it gives only the number
MAX_GAMES = 2000  # games in a table of the page; all are in the list of the index
MAX_LISTED = 200  # losses of one cause that are listed
MAX_DETAIL = 60  # characters of what was wrong with a player, in the list of all games

Plain = None | str | int | list["Plain"] | dict[str, "Plain"]  # the data of the page's script


MAX_TICKS = 6  # steps between the ticks of a plot's axis
STEPS = (1, 2, 5, 10)  # what a step may be, times a power of ten


class Mark(NamedTuple):
    """One row of a plot: an estimate, its label on the left, a note and a tag on the right."""

    label: str
    estimate: Estimate
    note: str = ""
    tag: str = ""


class Scale(NamedTuple):
    """The range of an axis, the values of its ticks, and how many decimals they have."""

    low: float
    high: float
    ticks: tuple[float, ...]
    digits: int

    def place(self, value: float) -> str:
        """Return the position of a value, in per cent of the axis."""
        return f"{100 * (value - self.low) / (self.high - self.low):.2f}%"


class Finding(NamedTuple):
    """The leaders, the players too close to separate from one of them, and how many others."""

    first: tuple[str, ...]
    close: tuple[str, ...]
    others: int


def page(content: ReportContent, summary: Summary, *, live: bool = False) -> str:
    """Return the page as HTML; the same games give the same page, in any order.

    It is ``live`` while the tournament is being played.
    """
    pages = player_paths([row.player for row in summary.rows])
    played = [row for row in summary.rows if row.games]
    count = sum(row.games for row in played)
    mean = sum(row.points.value * row.games for row in played) / count if count else None
    players = [
        Mark(printable(row.player), row.points, number(row.points.value, 2), row.groups)
        for row in played
    ]
    seats = [
        Mark(f"Seat {row.seat}", row.points, number(row.points.value, 2)) for row in summary.seats
    ]
    return html_page.whole_page(
        PACKAGE,
        "index.html.jinja",
        html_page.stylesheet(PACKAGE, "site.css"),
        has_styles=True,
        kind_in_words=kind_in_words,
        skipped_in_words=skipped_in_words,
        tie_in_words=tie_in_words,
        content=content,
        facts=content.facts,
        planned=max(content.facts.total, summary.games),
        live=live,
        summary=summary,
        finding=_find_first(played),
        richest=_richest_win(content),
        decisive_sentence=decisive_sentence,
        played=played,
        players_plot=_plot("player", players, mean),
        duels={(duel.player, duel.other): duel for duel in summary.crosstable},
        seats_plot=_plot("seat", seats, mean),
        mean=mean,
        interval=INTERVAL,
        confidence=CONFIDENCE,
        unequal_seats=_unequal_seats(summary.seats, mean),
        verdicts=_verdicts(summary),
        endings={ending.value: ending.sentence for ending in Ending},
        given_up=given_up_in_words(content.given_up) if content.given_up else "",
        pages=pages,
        definition=DEFINITION,
        max_named=MAX_NAMED,
        rating=rating.DEFINITION,
        ladder_order=LADDER_ORDER,
    )


def _richest_win(content: ReportContent) -> tuple[GameResult, SeatResult, GameStory] | None:
    """Return the game that was won with the most money, and was drawn; the first one of several."""
    wins = (
        (result, max(result.seats, key=lambda seat: seat.money), content.stories[result.game])
        for result in in_natural_order(content.results)
        if result.game in content.stories and content.stories[result.game].board
    )
    return max(wins, key=lambda each: each[1].money, default=None)


def games_page(content: ReportContent, summary: Summary) -> str:
    """Return the page with the list of all games as HTML."""
    games = in_natural_order(content.results)
    pages = player_paths([row.player for row in summary.rows])
    return html_page.whole_page(
        PACKAGE,
        "games.html.jinja",
        html_page.stylesheet(PACKAGE, "site.css"),
        html_page.script(PACKAGE, "games.js"),
        content=content,
        facts=content.facts,
        summary=summary,
        verdicts=_verdicts(summary),
        table_seats=max((len(game.seats) for game in games), default=content.facts.seats),
        data=html_page.embedded(_games_data(content, summary, games, pages)),
    )


def player_page(
    content: ReportContent,
    summary: Summary,
    name: str,
    games: PlayerGames,
    *,
    notice: str = "",
    minimal: Container[str] = (),
) -> str:
    """Return the page of a player as HTML; ``notice`` says what the page leaves out.

    ``minimal`` are the paths of the shortest matches with a loss.
    """
    causes = games.by_number()
    # the first cause of each verdict has the verdict as its anchor
    first = {cause.verdict: cause for cause in reversed(causes)}
    kind = dict(content.facts.players).get(name, "")
    return html_page.whole_page(
        PACKAGE,
        "player.html.jinja",
        html_page.stylesheet(PACKAGE, "site.css"),
        tournament=content.facts.name,
        name=name,
        kind=kind_in_words(kind, content.facts.languages.get(name, "")),
        players=len(summary.rows),
        logs=content.logs,
        minimal=minimal,
        page_of_log=page_of_log,
        case_command=partial(case_command, content.facts),
        notice=notice,
        duels=[duel for duel in summary.crosstable if duel.player == name],
        alarms=[alarm for alarm in content.alarms if alarm.player == name],
        history=content.history.get(name, ()),
        pages={other: path.rpartition("/")[2] for other, path in content.player_paths.items()},
        row=next((row for row in summary.rows if row.player == name), None),
        causes=[
            (each, each.verdict.value if first[each.verdict] is each else "") for each in causes
        ],
        commands_for=commands_for,
        decisive_sentence=decisive_sentence,
        max_explained=MAX_EXPLAINED,
        max_listed=MAX_LISTED,
        finished=games.finished[:MAX_GAMES],
        left_out=max(0, len(games.finished) - MAX_GAMES),
        lost=sum(len(cause.losses) for cause in causes),
        interval=INTERVAL,
        definition=DEFINITION,
        index=f"../{INDEX}",
        folder=f"../{GAMES}",
    )


def kind_in_words(kind: str, language: str = "") -> str:
    """Return what a kind of player is called on pages; a program has a language if it is known."""
    what, _, strategy = kind.partition(" ")
    own = strategy if ":" in strategy else f"built-in {strategy}"
    return {"strategy": own, "command": f"{language} program".strip()}.get(what, kind)


def _verdicts(summary: Summary) -> list[PlayerVerdict]:
    return [PlayerVerdict(value) for value in next(iter(summary.verdicts.values()), {})]


def _find_first(rows: Sequence[StandingsRow]) -> Finding | None:
    """Return the leaders, ``None`` if no player has a game."""
    if not rows:
        return None
    groups = groups_of(rows)
    first = tuple(row.player for row in rows if row.rank == rows[0].rank)
    theirs = set().union(*(groups[name] for name in first))
    close = tuple(name for name, own in groups.items() if name not in first and own & theirs)
    return Finding(first, close, len(rows) - len(first))


def _unequal_seats(
    seats: Sequence[SeatRow], mean: float | None
) -> list[tuple[str, list[int]]] | None:
    """Return the seats whose interval is above the mean, and below; ``None`` without intervals."""
    if mean is None or any(row.points.low is None or row.points.high is None for row in seats):
        return None
    more = [row.seat for row in seats if row.points.low is not None and row.points.low > mean]
    fewer = [row.seat for row in seats if row.points.high is not None and row.points.high < mean]
    return [(tone, numbers) for tone, numbers in (("more", more), ("fewer", fewer)) if numbers]


def _games_data(
    content: ReportContent, summary: Summary, games: Sequence[GameResult], pages: Mapping[str, str]
) -> Plain:
    """Return the games for the page's script: players and verdicts are indices into lists."""
    players = [row.player for row in summary.rows]
    numbers = {player: at for at, player in enumerate(players)}
    verdicts = [verdict.value for verdict in PlayerVerdict]
    alarmed = Counter(alarm.game for alarm in content.alarms if not alarm.attempt)

    def seat_data(seat: SeatResult) -> Plain:
        short = shortened(seat.explanation, MAX_DETAIL)  # the page of the player has all of it
        lost: list[Plain] = [] if seat.finished else [seat.turn, short]
        verdict = verdicts.index(seat.verdict.value)
        return [numbers[seat.player], verdict, seat.rank, seat.money, *lost]

    return {
        "players": list(players),
        "verdicts": list(verdicts),
        "pages": [pages[player] for player in players],
        "logs": LOGS if content.logs else None,
        "replays": GAMES if content.logs else None,
        "duplicate": content.facts.duplicate,
        "games": [
            [
                *(game.game, game.ending, game.turns, game.out_of_step),
                [seat_data(seat) for seat in game.seats],
                alarmed[game.game],
            ]
            for game in games
        ],
    }


# -- plots --------------------------------------------------------------------------------------


def _plot(of: str, marks: Sequence[Mark], mean: float | None) -> str:
    words = "; ".join(f"{mark.label} {number(mark.estimate.value, 2)}" for mark in marks)
    title = f"Points per game by {of}"
    return interval_plot(f"{of}s-plot", title, f"Averages: {words}.", marks, mean)


def interval_plot(
    key: str, title: str, description: str, marks: Sequence[Mark], reference: float | None = None
) -> str:
    """Draw a dot and its interval for every mark, and a dashed line at ``reference``.

    ``key`` identifies the plot on the page; ``title`` and ``description`` are for readers who
    cannot see it.
    """
    shown = [value for mark in marks for value in (*mark.estimate, reference) if value is not None]
    return html_page.template(PACKAGE, "plot.svg.jinja").render(
        key=key,
        title=title,
        description=description,
        marks=marks,
        reference=reference,
        scale=scale_of(shown),
    )


def scale_of(values: Sequence[float]) -> Scale:
    """Choose an axis from one round number to another that contains all values."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    if high - low < 1e-9:  # a single value is in the middle of its axis
        low, high = low - 0.5, high + 0.5
    size = 10.0 ** floor(log10((high - low) / MAX_TICKS))
    step = next(
        step * size
        for step in STEPS
        if ceil(high / (step * size)) - floor(low / (step * size)) <= MAX_TICKS or step == 10
    )
    first, last = floor(low / step), ceil(high / step)
    digits = max(0, -floor(log10(step)))
    ticks = tuple(round(count * step, digits) for count in range(first, last + 1))
    return Scale(ticks[0], ticks[-1], ticks, digits)
