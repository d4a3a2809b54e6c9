"""How a match ended, for the terminal: ejections, standings, the ending."""

from itertools import zip_longest

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from admin.match import events
from admin.match.outcome import Outcome
from admin.view.board_text import draw
from admin.view.plain_text import plural, printable
from game.state import State

SHOWN = 200
"""How many of the offending bytes are shown; the log has them all."""


def ejection(event: events.Ejected, turn: int | None = None) -> Text:
    """Say who was ejected, in which turn, for which reason, and what came."""
    when = "" if turn is None else f" in turn {turn}" if turn else " at the set-up"
    return Text.assemble(
        (f"Ejected{when}: ", "bold"),
        f"{printable(event.name)} ({event.reason.value}, in answer to <{event.question}>). ",
        f"{printable(event.detail)}{came(event.data)}",
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
    """Show the last position, the standings, and how the match ended; the ejections if asked."""
    if state is not None and state.players:
        console.print(draw(state))
    if outcome.standings:
        console.print(standings_table(outcome))
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


def standings_table(outcome: Outcome) -> Table:
    """Draw the standings: rank, player, score, and why a player did not finish."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("rank", justify="right")
    table.add_column("player", overflow="fold")
    table.add_column("score", justify="right")
    table.add_column("", style="italic")
    why = {left.name: left.reason.value for left in outcome.ejected}
    for rank, name, score, finished in outcome.standings:
        note = f"ejected: {why[name]}" if name in why else ""
        table.add_row(
            str(rank), Text(printable(name)), f"{score:,}" if finished else "-", Text(note)
        )
    return table
