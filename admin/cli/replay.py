"""``acquire replay``: show or verify a game log."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .console import refuse
from .log_file import read_log
from .whatif_options import plays_on, whatif_options

if TYPE_CHECKING:
    from ..refereeing.log.reader import RecordedGame
    from ..refereeing.log.verifier import Verification
    from ..studying.analysis.analysis import Analysis


@click.command(short_help="Show, draw or verify a game log.")
@click.argument("log", type=click.Path(path_type=Path))
@click.option(
    "--verify",
    is_flag=True,
    help="Verify that the recorded bag and answers give every recorded fact.",
)
@click.option(
    "--svg",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Draw the board into this file: the last position, or the one of --turn.",
)
@click.option(
    "--html",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write one HTML file that shows the game step by step.",
)
@click.option(
    "--turn", type=click.IntRange(0), metavar="N", help="Show this turn; 0 is the set-up."
)
@click.option("--step", "stepping", is_flag=True, help="Step through the game with keys.")
@click.option(
    "--analyse",
    is_flag=True,
    help="Find what every decision was worth: on the page of --html, or in the terminal.",
)
@whatif_options
def replay(
    log: Path,
    verify: bool,
    svg: Path | None,
    html: Path | None,
    turn: int | None,
    stepping: bool,
    analyse: bool,
    **whatif: Any,
) -> None:
    """Show, draw or verify a game log.

    The game is replayed from the bag and the answers in the log. Without options the last position
    and the standings are shown. With --verify one line says whether every recorded fact holds, and
    then what the log proves and what remains the referee's testimony. A log that was cut short, for
    example by a killed referee, is read as far as it goes.

    --html writes a page for a browser; --turn shows one turn in the terminal, --step all of them.

    --analyse plays every legal option of every decision on, many times, and shows which decisions
    were costly, and where the game turned. It takes a minute or more.

    --from plays the game on from a turn, many times: what the player in the seat could not know is
    dealt again at random, another player moves, and the scores are shown beside the real one. All
    players given by --seat get the same deals.

    \b
        acquire replay game.xml --html game.html
        acquire replay game.xml --html game.html --analyse
        acquire replay game.xml --turn 37 --svg turn-37.svg
        acquire replay game.xml --from 57 --seat alice=investor --seat alice=recorded
        acquire replay game.xml --from 57 --seat alice=mine.py:Mine --seat alice=recorded
        acquire replay game.xml --from 57 --seat "alice=python3 player.py {host} {port} {name}"

    Exit codes: 0 all holds, or all was played; 1 the log diverges from the rules (the first
    divergence is shown), or the player of a COMMAND did not connect; 2 the file is not a game log,
    or the options cannot be met; 130 and 143 stopped by SIGINT and SIGTERM, after the results so
    far were shown.
    """
    if plays_on(click.get_current_context()):
        from .whatif import play_on

        play_on(log, whatif)
    if html is not None and whatif["as_json"]:
        raise click.UsageError("--html has the analysis on the page. Give --json without it.")
    record = read_log(log)
    found: Analysis | None = None
    if analyse:
        from .replay_analysis import analysis_of, show

        found = analysis_of(log, whatif["games"], whatif["seed"])
        if html is None:
            show(found, json_wanted=whatif["as_json"])
    shown: Verification | None = None
    if html is not None:
        shown = _write_page(html, record, found)
    if turn is not None or stepping or svg is not None:
        shown = _show_turns(log, record, turn, svg, stepping=stepping)
    if shown is not None:
        _report_missing(log, record, shown)
    if verify or (shown is None and not analyse):
        _verify(log, record, report=verify)


def _print(text: str) -> None:
    """Print a line that may contain names or bytes of a file."""
    from ..refereeing.view.plain_text import printable
    from ..refereeing.view.sentences import shortened

    click.echo(printable(shortened(text)))


def _write(path: Path, text: str, what: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        refuse(f"{path}: {error.strerror}.")
    _print(f"{what} to {path}.")


def _write_page(html: Path, record: "RecordedGame", analysis: "Analysis | None") -> "Verification":
    from ..pages.html.replay_page import page_and_verdict

    found = None
    if analysis is not None:
        from ..studying.analysis.analysis_json import as_json

        found = as_json(analysis)
    text, verdict = page_and_verdict(record, found)
    _write(html, text, "Wrote the replay page")
    return verdict


def _show_turns(
    log: Path, record: "RecordedGame", turn: int | None, svg: Path | None, *, stepping: bool
) -> "Verification":
    """Show a turn, draw its position, or step through all of them, as far as the log holds."""
    from ..pages.html.board_svg import board_svg
    from ..refereeing.view.pager import NoKeys, key_reader, step
    from ..refereeing.view.sentences import missing
    from ..refereeing.view.turn_text import count_turns, draw_turn, turns_of
    from .safe_console import SafeConsole

    turns, verdict = turns_of(record)
    place = next((at for at, each in enumerate(turns) if each.number == turn), None)
    if turn is not None and place is None:
        why = missing(record, verdict)
        refuse(f"{log} has turns 0 to {turns[-1].number}, not {turn}. {why}".rstrip())
    chosen = turns[-1 if place is None else place]
    if svg is not None:
        which = "last position" if place is None else f"position of turn {turn}"
        _write(svg, board_svg(chosen.state), f"Drew the {which}")
    console = SafeConsole()
    if stepping:
        try:
            if not console.is_terminal or not sys.stdin.isatty():
                raise NoKeys("Stepping needs a terminal. Give --turn N for one turn.")
            step(console, turns, place or 0, key_reader())
        except NoKeys as error:
            refuse(str(error))
    elif turn is not None and svg is None:
        console.print(draw_turn(chosen, count_turns(turns)))
    return verdict


def _report_missing(log: Path, record: "RecordedGame", verdict: "Verification") -> None:
    """Print how far the log goes if that is not the end; exit if it diverges."""
    from ..refereeing.view.sentences import missing

    if verdict.divergence is not None:
        _print(f"{log}: diverges: {verdict.divergence}")
        sys.exit(1)
    if what := missing(record, verdict):
        _print(f"{log}: {what}")


def _verify(log: Path, record: "RecordedGame", *, report: bool) -> None:
    """Print whether every recorded fact holds, or show the end of the game."""
    from ...game.turn import Ending
    from ..refereeing.log.verifier import Verifier
    from ..refereeing.view.outcome_text import show_end
    from ..refereeing.view.verdict_text import grounds
    from .safe_console import SafeConsole

    verifier = Verifier(record)
    verdict = verifier.verify()
    if not report and verdict.divergence is None:
        show_end(SafeConsole(), verifier.state, verifier.outcome, ejections=True)
    if verdict.divergence is not None or not (report or record.complete):
        _report_missing(log, record, verdict)
    if not report:
        return
    state = "to its end"
    if not record.complete:
        state = "so far; the log was cut short"
    elif verdict.ending is Ending.INTERRUPTED:
        state = "until it was interrupted"
    _print(f"{log}: all {verdict.facts} facts of {verdict.turns} turns hold, {state}.")
    click.echo(grounds(record, verdict.ejections))
