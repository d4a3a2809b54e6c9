"""How a game ended, for the terminal: ejections, standings, the ending; and what its log proves."""

import textwrap
from collections.abc import Mapping, Sequence
from itertools import zip_longest

from rich.console import Console
from rich.text import Text

from ....game.state import State
from ..log.reader import RecordedGame
from ..log.verifier import Ejections
from ..play import events
from ..play.outcome import Outcome, Standing
from .board_text import draw, player_rows
from .fitted_table import Column, FittedTable
from .plain_text import plural, printable

SHOWN = 200
WIDTH, HEADING = 80, 12  # columns of what a log proves, and of the headings beside it


def ejection(event: events.Ejected, turn: int | None = None) -> Text:
    """Say who was ejected, in which turn, for which reason, and what came."""
    when = "" if turn is None else f" in turn {turn}" if turn else " at the set-up"
    return Text.assemble(
        (f"Ejected{when}: ", "bold"),
        f"{printable(event.name)} ({event.reason.value}, {event.occasion}). ",
        f"{printable(event.with_hint)}{came(event.data)}",
    )


def came(data: bytes) -> str:
    """Show the offending bytes on a line of their own, if there are any."""
    if not data:
        return ""
    shown = printable(" ".join(data[:SHOWN].decode(errors="backslashreplace").split()))
    return f"\n  came: {shown}{' ...' if len(data) > SHOWN else ''}"


def show_end(
    console: Console, state: State | None, outcome: Outcome, *, ejections: bool = False
) -> None:
    """Show the last position, the standings, and how the game ended; the ejections if asked."""
    if state is not None and state.players:
        at_table = {player.name for player in state.players}
        ejected = [left.name for left in outcome.ejected if left.name not in at_table]
        scores = {place.name: place.score for place in outcome.standings if place.name in at_table}
        rows = player_rows(state, scores if scores.keys() == at_table else None, ejected)
        console.print(draw(state, rows))
    if outcome.standings:
        why = {left.name: left.reason.value for left in outcome.ejected}
        console.print(standings_table(outcome.standings, why))
    for left, turn in zip_longest(outcome.ejected if ejections else (), outcome.ejected_in):
        if left is not None:
            console.print(ejection(left, turn))
    ending = outcome.ending
    kind = "regular" if ending.regular else "irregular"
    console.print(
        Text.assemble(
            (f"{ending.sentence} ", "bold"),
            f"({ending.value}, {kind} ending, after {plural(outcome.turns, 'turn')})",
        )
    )


def standings_table(
    standings: Sequence[Standing], reasons: Mapping[str, str] | None = None
) -> FittedTable:
    """Draw the standings: rank, player, score, and who did not finish, with the reason if known."""
    table = FittedTable(
        Column("rank"), Column("player", text=True), Column("score"), Column("", text=True)
    )
    reasons = reasons or {}
    for rank, name, score, finished in standings:
        reason = reasons.get(name, "")
        note = f"ejected: {reason}" if reason else "" if finished else "ejected"
        table.add_row(str(rank), printable(name), f"{score:,}" if finished else "-", note)
    return table


# -- what a log proves --------------------------------------------------------------------------


def grounds(record: RecordedGame, ejections: Ejections) -> str:
    """Say what follows from the log alone, by the rules, and what nobody can check afterwards.

    It is text of at most 80 columns, without a line feed at the end.
    """
    header = record.header
    told = "every draw, placement, payment and rank"
    if not record.complete:
        told = "every draw, placement and payment up to where the log breaks off"
    seed = "how the seed was chosen"
    if header.given:
        seed = "the bag, and every shuffle of it"
    elif header.commitment:
        seed = "that the seed follows from the committed secret"
    laid_out = any(element.tag == "position" for element in record.elements)
    lists = {
        "Proved": (
            "" if header.given else "the bag, from the seed",
            f"{told}, by the rules",
            _ejected(ejections.by_rule, "for an illegal move, judged again"),
            _ejected(ejections.by_bytes, "for the recorded bytes, judged again"),
        ),
        "Testimony": (
            seed,
            "the positions that were laid out" if laid_out else "",
            "who sent the answers, and when",
            _ejected(ejections.by_clock, "for lateness, a lost connection or an untimely message"),
            _ejected(ejections.unrecorded, "whose bytes are not all in the log"),
        ),
    }
    return "\n".join(
        textwrap.fill(
            "; ".join(filter(None, parts)),
            WIDTH,
            initial_indent=heading.ljust(HEADING),
            subsequent_indent=" " * HEADING,
        )
        for heading, parts in lists.items()
    )


def _ejected(count: int, why: str) -> str:
    return f"{plural(count, 'ejection')} {why}" if count else ""
