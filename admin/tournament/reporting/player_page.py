"""The page of one player: the results, and every lost game with what explains it."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...pages.html.html_page import content_security_policy, stylesheet, template
from ...refereeing.view.decisive_turn import DEFINITION
from ...studying.statistics.estimate import INTERVAL
from ...studying.statistics.plots import number
from ..standings.summary import Duel, StandingsRow
from ..standings.version_history import VersionRow
from ..store.stored_rows import GameAlarm
from .losses import Cause, PlayerGames
from .page_files import GAMES, INDEX

MAX_GAMES = 2000
"""Games in a table of the page; all are in the list of the index."""

MAX_LISTED = 200
"""Losses of one cause that are listed."""


@dataclass(frozen=True, slots=True)
class PlayerFacts:
    """A player's results; ``row`` is ``None`` without a game, ``duels`` are those against others.

    ``pages`` are the names of all players' pages, by player. ``logs`` is whether the report has
    logs and pages of games. ``notice`` says what the page leaves out, ``history`` has the
    versions of the program.
    """

    name: str
    kind: str
    row: StandingsRow | None
    players: int
    duels: Sequence[Duel]
    alarms: Sequence[GameAlarm]
    games: PlayerGames
    pages: dict[str, str]
    logs: bool
    notice: str = ""
    history: Sequence[VersionRow] = ()


def player_page(tournament: str, facts: PlayerFacts) -> str:
    """Return the page of a player as HTML."""
    package = "acquire.admin.tournament.reporting"
    style = stylesheet(package, "site.css")
    return template(package, "player.html.jinja", number=number).render(
        policy=content_security_policy(style),
        style=style,
        tournament=tournament,
        facts=facts,
        pages={name: path.rpartition("/")[2] for name, path in facts.pages.items()},
        row=facts.row,
        causes=_with_anchors(facts.games.by_number()),
        max_listed=MAX_LISTED,
        finished=facts.games.finished[:MAX_GAMES],
        left_out=max(0, len(facts.games.finished) - MAX_GAMES),
        lost=sum(len(cause.losses) for cause in facts.games.causes.values()),
        interval=INTERVAL,
        definition=DEFINITION,
        index=f"../{INDEX}",
        folder=f"../{GAMES}",
    )


def _with_anchors(causes: Sequence[Cause]) -> list[tuple[Cause, str]]:
    """Return the causes, the first one of each verdict with the verdict as its anchor."""
    first = {cause.verdict: cause for cause in reversed(causes)}
    return [
        (cause, cause.verdict.value if first[cause.verdict] is cause else "") for cause in causes
    ]
