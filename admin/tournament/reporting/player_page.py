"""The page of one player: the results, and every lost game with what explains it."""

from ...pages.html.html_page import content_security_policy, stylesheet, template
from ...refereeing.view.decisive_turn import DEFINITION
from ...studying.statistics.intervals import INTERVAL
from ...studying.statistics.plots import number
from ..standings.summary import Summary
from .index_page import PACKAGE, kind_in_words
from .losses import PlayerGames, case_command
from .page_files import GAMES, INDEX, page_of_log
from .report_content import ReportContent

MAX_GAMES = 2000
"""Games in a table of the page; all are in the list of the index."""
MAX_LISTED = 200
"""Losses of one cause that are listed."""


def player_page(
    content: ReportContent, summary: Summary, name: str, games: PlayerGames, notice: str = ""
) -> str:
    """Return the page of a player as HTML; ``notice`` says what the page leaves out."""
    causes = games.by_number()
    # the first cause of each verdict has the verdict as its anchor
    first = {cause.verdict: cause for cause in reversed(causes)}
    style = stylesheet(PACKAGE, "site.css")
    return template(PACKAGE, "player.html.jinja", number=number, kind=kind_in_words).render(
        policy=content_security_policy(style),
        style=style,
        tournament=content.facts.name,
        name=name,
        kind=dict(content.facts.players).get(name, ""),
        players=len(summary.rows),
        logs=content.logs,
        minimal=content.minimal,
        page_of_log=page_of_log,
        case_command=case_command,
        notice=notice,
        duels=[duel for duel in summary.crosstable if duel.player == name],
        alarms=[alarm for alarm in content.alarms if alarm.player == name],
        history=content.history.get(name, ()),
        pages={other: path.rpartition("/")[2] for other, path in content.player_paths.items()},
        row=next((row for row in summary.rows if row.player == name), None),
        causes=[
            (each, each.verdict.value if first[each.verdict] is each else "") for each in causes
        ],
        max_listed=MAX_LISTED,
        finished=games.finished[:MAX_GAMES],
        left_out=max(0, len(games.finished) - MAX_GAMES),
        lost=sum(len(cause.losses) for cause in causes),
        interval=INTERVAL,
        definition=DEFINITION,
        index=f"../{INDEX}",
        folder=f"../{GAMES}",
    )
