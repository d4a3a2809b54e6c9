"""Explains the ejections of a game for ``acquire explain``."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.padding import Padding
from rich.text import Text

from ...protocol.plugins import to_install
from ..advising.explaining.explanation import Findings, as_json, findings
from ..advising.explaining.explanation_text import draw_explanation
from ..advising.explaining.money import MoneyStory, money_story
from ..refereeing.log.reader import RecordedGame, read
from ..refereeing.view.fitted_table import Column, FittedTable
from ..refereeing.view.outcome_text import show_end
from ..refereeing.view.plain_text import printable
from .console import echo_json, exit_after, refuse
from .explain import ExplainOptions
from .safe_console import SafeConsole

if TYPE_CHECKING:  # an extra brings what it needs
    from ..studying.analysis.words import Decided

MOST_ROWS = 12  # about how many turns the table of net worth has


def run(options: ExplainOptions) -> None:
    """Explain ejections, and exit with 0 if there was one."""
    log, seat = options.log, options.seat
    record = read(log)
    names = record.header.names
    if seat is not None and seat not in names:
        refuse(f"{log}: no player is called {seat!r}. There are: {', '.join(map(repr, names))}.")
    found = findings(record, seat)
    story, decided, stopped_by = None, None, None
    if seat is not None and not found.explanations and found.verdict.divergence is None:
        story = money_story(record, seat)
        if options.games and record.complete:
            decided, stopped_by = _decided(options, seat)
    if options.as_json:
        outcome = found.verdict.outcome
        fields: dict[str, Any] = {
            "log": str(log),
            "rulebook": record.header.rulebook.id,
            "players": names,
            "complete": record.complete,
            "divergence": found.verdict.divergence,
            "turns": found.verdict.turns,
            "ending": outcome.ending.value,
            "standings": [standing._asdict() for standing in outcome.standings],
            "explanations": [as_json(each) for each in found.explanations],
            "money": story and story.fields(),
            "decided": decided and decided.fields(),
        }
        echo_json(fields)
    else:
        _show(log, record, found, seat)
        if story is not None:
            _show_story(story, decided)
    explained = bool(found.explanations or story) and found.verdict.divergence is None
    exit_after(stopped_by, 0 if explained else 1)


def _decided(options: ExplainOptions, name: str) -> "tuple[Decided | None, int | None]":
    """Analyse what decided the game; ``None`` where the extra for it is not installed."""
    try:
        from ..studying.analysis.analysis import work_on
        from ..studying.analysis.words import Decided
        from .replay_analysis import analysed
    except ModuleNotFoundError:
        needed = to_install("tournament")
        click.echo(f"What decided the game takes an analysis, which needs: {needed}.", err=True)
        return None, None
    work = work_on(options.log.read_bytes(), options.games, None, (name,))
    analysis, stopped_by = analysed(work)
    return Decided(analysis, name), stopped_by


def _show_story(story: MoneyStory, decided: "Decided | None") -> None:
    console = SafeConsole()
    parts = [("What decided it", decided.sentences())] if decided else []
    parts.append(("By net worth", story.sentences()))
    for title, sentences in parts:
        console.print(Text(f"\n{title}", "bold"))
        for sentence in sentences:
            console.print(Padding(Text(printable(sentence)), (0, 0, 0, 2)))
    names = [*story.worths[1]] if story.worths else []
    table = FittedTable(Column("turn"), *(Column(printable(name)) for name in names), dense=True)
    every = max(1, len(story.worths) // MOST_ROWS)
    for turn, worths in story.worths.items():
        if turn % every == 1 % every or turn not in story.movers:
            cells = [f"{worths[name]:,}" if name in worths else "" for name in names]
            table.add_row("end" if turn not in story.movers else str(turn), *cells)
    console.print(Padding(table, (1, 0, 0, 2)))


def _show(log: Path, record: RecordedGame, found: Findings, seat: str | None) -> None:
    console = SafeConsole()
    for number, explanation in enumerate(found.explanations):
        if number:
            console.print("\n" + "─" * min(console.width, 80) + "\n")
        console.print(draw_explanation(explanation))
    divergence = found.verdict.divergence
    if divergence is not None:
        console.say(f"{log}: diverges: {divergence}", "It is explained as far as it holds.")
    if found.explanations:
        if divergence is None:
            console.say("", "To play the game again with a program, which COMMAND starts:")
            for each in found.explanations:
                words = f"{shlex.quote(str(log))} --seat {shlex.quote(each.name)}"
                console.say(f"  acquire rerun {words} -- COMMAND", copied=True)
        return
    who = "Nobody was" if seat is None else f"The player called {seat!r} was not"
    so_far = " as far as the log holds" if divergence is not None else ""
    players = ", ".join(record.header.names)
    console.say(
        f"{who} ejected{so_far}.", f"Played, rulebook {record.header.rulebook.id}: {players}."
    )
    if not record.complete:
        console.say(f"The log was cut short in turn {found.verdict.turns}.")
    elif divergence is None:
        show_end(console, None, found.verdict.outcome, ejections=True)
    if seat is None and divergence is None:
        console.say("", "To see what decided the game for one of them, NAME:")
        console.say(f"  acquire explain {shlex.quote(str(log))} --seat NAME", copied=True)
