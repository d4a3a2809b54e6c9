"""The index of a report: the page with all results, which leads to those of players and games.

The page says what the games show and, just as plainly, what they leave open. Names and everything
else that comes from players are text on it, whatever they contain.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ....game.turn import Ending
from ...pages.html.html_page import INLINE, content_security_policy, embedded, stylesheet, template
from ...pages.html.joined_script import script
from ...refereeing.view.decisive_turn import DEFINITION
from ...refereeing.view.plain_text import printable
from ...studying.statistics.estimate import CONFIDENCE, INTERVAL, Estimate
from ...studying.statistics.plots import Mark, interval_plot, number
from ..games.given_up import given_up_in_words
from ..games.result import GameResult, SeatResult
from ..games.verdict import PlayerVerdict
from ..standings.summary import (
    LADDER_ORDER,
    Duel,
    SeatRow,
    StandingsRow,
    Summary,
    skipped_in_words,
    tie_in_words,
)
from ..standings.version_history import VersionRow
from ..store.stored_rows import GameAlarm
from .page_files import GAMES, LOGS, player_paths
from .report_content import ReportContent

MAX_NAMED = 6
"""Players that a sentence names; of more it gives only the number."""
MAX_DETAIL = 60
"""Characters of what was wrong with a player, in the list of all games."""
MAX_DEPTH = 50
"""The strongest colour of a cell, in per cent: the number has to stay legible."""
FULL_DEPTH_AT = 0.3
"""The distance to one half from which a share has the strongest colour."""

Plain = None | str | int | list["Plain"] | dict[str, "Plain"]
"""The data of the page's script."""


class Finding(NamedTuple):
    """The leaders, all players too close to separate from them, and if there is only one player."""

    first: tuple[str, ...]
    close: tuple[str, ...]
    alone: bool


class Cell(NamedTuple):
    """A cell of the crosstable: ``tone`` is more or less than one half, ``depth`` in per cent."""

    duel: Duel
    tone: str
    depth: int


def page(content: ReportContent, summary: Summary, *, live: bool = False) -> str:
    """Return the page as HTML; the same games give the same page, in any order.

    It is ``live`` while the tournament is being played.
    """
    facts, games = content.facts, in_natural_order(content.results)
    pages = player_paths([row.player for row in summary.rows])
    played = [row for row in summary.rows if row.games]
    mean = _mean([(row.points, row.games) for row in played])
    package = "acquire.admin.tournament.reporting"
    filters = {"number": number, "skipped_in_words": skipped_in_words, "tie_in_words": tie_in_words}
    scripts = script(package, "index.js")
    return template(package, "index.html.jinja", **filters).render(
        policy=content_security_policy(INLINE, scripts),
        style=stylesheet(package, "site.css"),
        script=scripts,
        facts=facts,
        planned=max(facts.total, summary.games),
        sandboxes=content.sandboxes(),
        all_series=content.series,
        key=content.key if content.signed else None,
        live=live,
        kinds=dict(facts.players),
        summary=summary,
        finding=_find_first(played),
        played=played,
        players_plot=_players_plot(played, mean),
        crosstable=_crosstable(summary),
        seats_plot=_seats_plot(summary.seats, mean),
        seat_numbers=[row.seat for row in summary.seats],
        mean=mean,
        interval=INTERVAL,
        confidence=CONFIDENCE,
        unequal_seats=_unequal_seats(summary.seats, mean),
        verdicts=_verdicts(summary),
        endings=_endings(summary),
        timed=any(row.thinking is not None or row.processor is not None for row in summary.times),
        voids=content.voids,
        given_up=given_up_in_words(content.given_up) if content.given_up else "",
        alarms=content.alarms,
        table_seats=max((len(game.seats) for game in games), default=facts.seats),
        logs_given=content.logs,
        pages=pages,
        definition=DEFINITION,
        versions=_versions(content.history),
        max_named=MAX_NAMED,
        ladder_order=LADDER_ORDER,
        data=embedded(_games_data(summary, games, pages, content.alarms, logs=content.logs)),
    )


def in_natural_order(results: Iterable[GameResult]) -> list[GameResult]:
    """Return games in the order of their ids, with d2 before d10."""
    return sorted(results, key=_natural_order)


def _natural_order(game: GameResult) -> list[tuple[int, str]]:
    """Return a sort key that puts d2 before d10."""
    return [(int(part or 0), word) for word, part in re.findall(r"(\D*)(\d*)", game.game)]


# -- tables -------------------------------------------------------------------------------------


def _mean(estimates: Sequence[tuple[Estimate, int]]) -> float | None:
    """Return the mean over all games, ``None`` if there are none."""
    games = sum(count for _, count in estimates)
    return sum(one.value * count for one, count in estimates) / games if games else None


def _find_first(rows: Sequence[StandingsRow]) -> Finding | None:
    """Return the leaders, ``None`` if no player has a game."""
    if not rows:
        return None
    letters = _letters(rows)
    first = tuple(row.player for row in rows if row.rank == rows[0].rank)
    close = tuple(
        row.player
        for row, own in zip(rows, letters, strict=True)
        if row is rows[0] or own & letters[0]
    )
    return Finding(first, close, alone=len(rows) == 1)


def _letters(rows: Sequence[StandingsRow]) -> list[frozenset[str]]:
    """Split the letters of the groups, which have blanks between them if some have two letters.

    The first such group is aa, which single letters written together cannot be.
    """
    blanks = any(" " in row.groups or row.groups == "aa" for row in rows)
    return [frozenset(row.groups.split() if blanks else row.groups) for row in rows]


def _crosstable(summary: Summary) -> list[tuple[str, list[Cell | None]]]:
    """Return the rows of the crosstable, with ``None`` on the diagonal."""
    duels = {(duel.player, duel.other): duel for duel in summary.crosstable}
    order = [row.player for row in summary.rows]
    return [
        (one, [_cell(duels[one, other]) if one != other else None for other in order])
        for one in order
    ]


def _cell(duel: Duel) -> Cell:
    distance = 0.0 if duel.share is None else duel.share - 0.5
    depth = round(MAX_DEPTH * min(1.0, abs(distance) / FULL_DEPTH_AT))
    return Cell(duel, "more" if distance > 0 else "less", depth)


def _unequal_seats(
    seats: Sequence[SeatRow], mean: float | None
) -> list[tuple[str, list[int]]] | None:
    """Return the seats whose interval is above the mean (more) or below it (fewer).

    ``None`` if there are no intervals.
    """
    if mean is None or any(row.points.low is None or row.points.high is None for row in seats):
        return None
    more = [row.seat for row in seats if row.points.low is not None and row.points.low > mean]
    fewer = [row.seat for row in seats if row.points.high is not None and row.points.high < mean]
    return [(tone, numbers) for tone, numbers in (("more", more), ("fewer", fewer)) if numbers]


def _verdicts(summary: Summary) -> list[PlayerVerdict]:
    """Return the verdicts that occurred, in the order of the summary."""
    counts = next(iter(summary.verdicts.values()), {})
    return [PlayerVerdict(value) for value in counts]


def _versions(
    history: Mapping[str, Sequence[VersionRow]],
) -> list[tuple[str, Sequence[VersionRow]]]:
    """Return the players that have had several versions, or were withdrawn, with these."""
    return [
        (player, rows)
        for player, rows in history.items()
        if len(rows) > 1 or any(row.entry.last is not None for row in rows)
    ]


def _endings(summary: Summary) -> list[tuple[str, str, int, float]]:
    """Return code, sentence, count and percentage of every ending."""
    sentences = {ending.value: ending.sentence for ending in Ending}
    return [
        (code, sentences.get(code, ""), count, 100 * count / max(1, summary.games))
        for code, count in summary.endings.items()
    ]


# -- plots --------------------------------------------------------------------------------------


def _players_plot(rows: Sequence[StandingsRow], mean: float | None) -> str:
    marks = [
        Mark(printable(row.player), row.points, number(row.points.value, 2), row.groups)
        for row in rows
    ]
    words = "; ".join(f"{mark.label} {number(mark.estimate.value, 2)}" for mark in marks)
    return interval_plot(
        "players-plot", "Points per game by player", f"Averages: {words}.", marks, mean
    )


def _seats_plot(rows: Sequence[SeatRow], mean: float | None) -> str:
    marks = [Mark(f"Seat {row.seat}", row.points, number(row.points.value, 2)) for row in rows]
    words = "; ".join(f"{mark.label} {number(mark.estimate.value, 2)}" for mark in marks)
    return interval_plot(
        "seats-plot", "Points per game by seat", f"Averages: {words}.", marks, mean
    )


# -- all games, for the page's script -----------------------------------------------------------


def _games_data(
    summary: Summary,
    games: Sequence[GameResult],
    pages: Mapping[str, str],
    alarms: Sequence[GameAlarm],
    *,
    logs: bool,
) -> Plain:
    """Return the games, with players and verdicts as indices into lists."""
    players = [row.player for row in summary.rows]
    numbers = {player: at for at, player in enumerate(players)}
    verdicts = [verdict.value for verdict in PlayerVerdict]
    alarmed = Counter(alarm.game for alarm in alarms if not alarm.attempt)
    return {
        "players": list(players),
        "verdicts": list(verdicts),
        "pages": [pages[player] for player in players],
        "logs": LOGS if logs else None,
        "replays": GAMES if logs else None,
        "games": [
            [
                *(game.game, game.ending, game.turns, game.out_of_step),
                [_seat_data(seat, numbers, verdicts) for seat in game.seats],
                alarmed[game.game],
            ]
            for game in games
        ],
    }


def _seat_data(seat: SeatResult, numbers: dict[str, int], verdicts: list[str]) -> Plain:
    lost: list[Plain] = [seat.turn, _short(seat.explanation)] if not seat.finished else []
    verdict = verdicts.index(seat.verdict.value)
    return [numbers[seat.player], verdict, seat.rank, seat.money, *lost]


def _short(text: str) -> str:
    """Return the beginning of a sentence; the page of the player has all of it."""
    return text if len(text) <= MAX_DETAIL else f"{text[: MAX_DETAIL - 1].rstrip()}…"
