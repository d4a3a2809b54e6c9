"""Shows, draws or verifies a game for ``acquire replay``.

The page, the analysis and the games played on are imported when they are wanted: extras bring what
they need.
"""

import shlex
import sys
from pathlib import Path
from typing import Any

import click

from ...game.turn import Ending
from ...protocol.plugins import to_install
from ..pages.html.board_svg import board_svg
from ..refereeing.log.reader import RecordedGame, read
from ..refereeing.log.verifier import Verification, Verifier
from ..refereeing.view.outcome_text import grounds, show_end
from ..refereeing.view.plain_text import printable, shortened
from ..refereeing.view.sentences import missing
from ..refereeing.view.turn_text import count_turns, draw_turn, key_reader, step, turns_of
from .console import exit_after, refuse, unwritable_refused
from .replay import ReplayOptions, plays_on
from .safe_console import SafeConsole


def run(options: ReplayOptions) -> None:
    """Show a game as the options say, and exit with 1 if its log diverges."""
    log, whatif = options.log, options.whatif
    if plays_on():
        from .whatif import play_on

        play_on(log, whatif)
    if options.html is not None and whatif.as_json:
        raise click.UsageError("--html has the analysis on the page. Give --json without it.")
    record = read(log)
    analysis: dict[str, Any] | None = None
    stopped_by: int | None = None
    if options.analyse:
        from .replay_analysis import analyse_log

        analysis, stopped_by = analyse_log(options)
    shown: Verification | None = None
    if options.html is not None:
        from ..pages.html.replay_page import page_and_verdict

        text, shown = page_and_verdict(
            record, analysis, f"acquire play --browser --from {shlex.quote(str(log))}"
        )
        _write(options.html, text, "Wrote the replay page")
    if options.gif is not None or options.png is not None:
        _draw_pictures(options, record)
    elif options.turns is not None:
        raise click.UsageError("--turns are those of --gif FILE.")
    if options.turn is not None or options.stepping or options.svg is not None:
        shown = _show_turns(options, record)
    if shown is not None:
        _report_missing(log, record, shown)
    if options.verify or (shown is None and not (options.analyse or options.gif or options.png)):
        _verify(log, record, report=options.verify)
    if stopped_by is not None:
        exit_after(stopped_by)


def _print(text: str) -> None:
    click.echo(printable(shortened(text)))


def _write(path: Path, text: str, what: str) -> None:
    with unwritable_refused(path):
        path.write_text(text, encoding="utf-8")
    _print(f"{what} to {path}.")


def _draw_pictures(options: ReplayOptions, record: RecordedGame) -> None:
    try:
        from ..pages.html.pictures import decisive_picture, write_gif
    except ModuleNotFoundError:
        refuse(f"Pictures need Pillow: {to_install('pictures')}.")
    try:
        if (gif := options.gif) is not None:
            if options.turns is None:
                raise click.UsageError("--gif needs --turns, such as 40-45.")
            write_gif(gif, record, *options.turns)
            _print(f"Wrote {gif}: {gif.stat().st_size / 1000:.0f} KB.")
        if options.png is not None:
            picture, sentence = decisive_picture(record)
            picture.quantize(64).save(options.png, optimize=True)
            _print(f"Wrote {options.png}. {sentence}")
    except OSError as error:
        refuse(f"{error.filename or options.gif}: {error.strerror}.")


def _show_turns(options: ReplayOptions, record: RecordedGame) -> Verification:
    """Show a turn, draw its position, or step through all of them, as far as the log holds."""
    turn, svg = options.turn, options.svg
    turns, verdict = turns_of(record)
    place = next((at for at, each in enumerate(turns) if each.number == turn), None)
    if turn is not None and place is None:
        why = missing(record, verdict)
        last = turns[-1].number
        known = f"{last} (the end)" if last > count_turns(turns) else last
        refuse(f"{options.log} has turns 0 (the set-up) to {known}, not {turn}. {why}".rstrip())
    chosen = turns[-1 if place is None else place]
    if svg is not None:
        which = "last position" if place is None else f"position of turn {turn}"
        _write(svg, board_svg(chosen.state), f"Drew the {which}")
    console = SafeConsole()
    if options.stepping:
        if not console.is_terminal or not sys.stdin.isatty():
            refuse("Stepping needs a terminal. Give --turn N for one turn.")
        step(console, turns, place or 0, key_reader())
    elif turn is not None and svg is None:
        console.print(draw_turn(chosen, count_turns(turns)))
    return verdict


def _report_missing(log: Path, record: RecordedGame, verdict: Verification) -> None:
    """Print how far the log goes if that is not the end; exit if it diverges."""
    if verdict.divergence is not None:
        _print(f"{log}: diverges: {verdict.divergence}")
        sys.exit(1)
    if what := missing(record, verdict):
        _print(f"{log}: {what}")


def _verify(log: Path, record: RecordedGame, *, report: bool) -> None:
    verdict = Verifier(record).verify()
    if not report and verdict.divergence is None:
        show_end(SafeConsole(), verdict.state, verdict.outcome, ejections=True)
    if verdict.divergence is not None or not (report or record.complete):
        _report_missing(log, record, verdict)
    if not report:
        return
    state = "log complete"
    if not record.complete:
        state = "log cut short"
    elif verdict.ending is Ending.INTERRUPTED:
        state = "game interrupted"
    _print(f"{log}: verified: {verdict.facts} facts, {verdict.turns} turns, {state}.")
    click.echo(grounds(record, verdict.ejections))
