"""``acquire duel``: play until it is decided whether one program is better than others."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from ..refereeing.view.plain_text import json_text
from .console import refuse, refuse_on_windows
from .options import (
    LIMIT_OPTIONS,
    NamedRulebook,
    reply_timeout_option,
    rulebook_option,
    sandbox_option,
    seed_option,
    turn_timeout_option,
)
from .player_options import LIMITS
from .tournament_store import errors_refused

if TYPE_CHECKING:
    from rich.console import Console

    from ..tournament.dueling.duel_evidence import DuelEvidence, DuelQuestion
    from ..tournament.dueling.duel_plan import DuelSettings, Lineup
    from ..tournament.dueling.duel_report import DuelReport
    from ..tournament.planning.plan import Plan

EXIT_CODES = {"stronger": 0, "weaker": 1, "equal": 3, "undecided": 4}
DUELS = Path("duels")
"""Where the folders of duels are, unless another is given."""
PLAN, RESULT = "duel.toml", "duel.json"
"""The files of a duel in its folder, beside the store of its tournament."""


def _limit_options(command: Any) -> Any:
    for option in reversed(LIMIT_OPTIONS):
        command = option(command)
    return command


@click.command(short_help="Find out whether one player is better than others.")
@click.argument("mine")
@click.argument("others", metavar="OTHER...", nargs=-1, required=True)
@rulebook_option
@click.option(
    "--seats",
    type=click.IntRange(2, 6),
    metavar="N",
    help="Players at a table.  [default: 4; against several, all of them and MINE]",
)
@click.option(
    "--measure",
    type=click.Choice(["points", "wins", "money"]),
    default="points",
    show_default=True,
    help="What is compared: points (one for each player placed behind), wins, or the share of the "
    "money at the table.",
)
@click.option(
    "--margin",
    type=click.FloatRange(0, min_open=True),
    metavar="D",
    help="The smallest difference worth knowing, in points per game, or in per cent of wins or "
    "money.  [default: 0.05 points for each seat at the table, which is to be placed before an "
    "opponent in 55 of 100 games; 5 % of wins; 1 % of money]",
)
@click.option(
    "--error-rate",
    type=click.FloatRange(0, 0.5, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    metavar="P",
    help="How likely a verdict may be wrong.",
)
@click.option(
    "--max-games",
    type=click.IntRange(1, 1_000_000),
    default=4000,
    show_default=True,
    metavar="N",
    help="Games after which it ends undecided; when a duel goes on, at least as many as before.",
)
@seed_option("Deal the bags of this seed, to repeat a duel.  [default: random, or from a secret]")
@click.option(
    "--concurrency",
    type=click.IntRange(1, 1024),
    metavar="N",
    help="Games played at once.  [default: one per core]",
)
@click.option(
    "--log-dir",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Folder for all games. If it has the same duel, that goes on.  [default: a new one in "
    "duels/]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@reply_timeout_option("a program")
@turn_timeout_option("a program")
@sandbox_option("auto", "What programs are kept in; they can read the current folder.")
@_limit_options
def duel(mine: str, others: tuple[str, ...], rulebook: NamedRulebook, **values: Any) -> None:
    """Play until it is decided whether MINE is better than OTHER, or than several others.

    \b
        acquire duel new.py:Mine old.py:Mine
        acquire duel "python3 new.py {host} {port} {name}" investor
        acquire duel mine.py:Mine investor ordered random

    Each is a built-in player (`acquire play --list`), a class in a file, or a command. Against one
    opponent each has half of the seats; against several, MINE has one and they share the rest
    evenly. A block of games is the same deal with the seats rotated. After every block the interval
    of the difference is computed. The question is decided when the interval excludes 0 (stronger,
    weaker), or when it lies within the margin (equal).

    The interval holds after all blocks at once, so stopping early does no harm: at most 5 of 100
    duels end with a wrong verdict (--error-rate), whatever the programs. A player that does not
    finish a game loses it; a game that the referee could not judge does not count.

    Exit codes: 0 MINE is stronger; 1 it is weaker; 3 they are equal within the margin; 4 the games
    ran out; 2 it could not begin; 130 and 143 stopped by SIGINT and SIGTERM: the result so far is
    shown, and --log-dir goes on with it.
    """
    from .safe_console import SafeConsole

    refuse_on_windows("A duel", "Here, the library plays games: `acquire.play_game`.")
    console = SafeConsole(stderr=bool(values["as_json"]))
    here = Path.cwd()
    lineup, question = _question(mine, others, rulebook, values, here)
    folder = values["log_dir"] or _new_folder(lineup)
    plan = _write_plan(folder, lineup, _settings(rulebook, values), here)
    report, stopped_by = _play(console, plan, lineup, question, folder, values["concurrency"])
    _show(console, report, as_json=values["as_json"])
    sys.exit(128 + stopped_by if stopped_by else EXIT_CODES[report.evidence.verdict.value])


# -- before it begins ---------------------------------------------------------------------------


def _question(
    mine: str,
    others: tuple[str, ...],
    rulebook: NamedRulebook,
    values: Mapping[str, Any],
    here: Path,
) -> "tuple[Lineup, DuelQuestion]":
    """Return who sits where, and what is asked; refuse if somebody cannot play."""
    from ..tournament.dueling.contestants import InvalidContestant, parse_contestants
    from ..tournament.dueling.duel_evidence import DuelQuestion
    from ..tournament.dueling.duel_plan import InvalidDuel, lineup
    from ..tournament.dueling.measures import Measure

    try:
        contestants = parse_contestants((mine, *others), here)
        seated = lineup(contestants, rulebook.value, values["seats"])
    except (InvalidContestant, InvalidDuel) as error:
        refuse(str(error))
    if values["max_games"] < seated.games_in_block:
        refuse(
            f"--max-games {values['max_games']}: one block has {seated.games_in_block} games here. "
            "Allow more."
        )
    measure = Measure(values["measure"])
    margin = values["margin"]
    question = DuelQuestion(
        measure,
        seated.teams[0],
        seated.seats,
        seated.games_in_block,
        measure.default_margin(seated.seats) if margin is None else margin / measure.scale,
        values["error_rate"],
    )
    most = max(question.bounds)
    if question.margin >= most:
        refuse(
            f"--margin {margin:g}: no difference is greater than {most * measure.scale:g}"
            f"{measure.unit} here. Give a smaller one."
        )
    return seated, question


def _settings(rulebook: NamedRulebook, values: Mapping[str, Any]) -> "DuelSettings":
    from ..tournament.dueling.duel_plan import DuelSettings

    clocks = {"reply": values["reply_timeout"]}
    if values["turn_timeout"] is not None:
        clocks["turn"] = values["turn_timeout"]
    limits = {name: values[name] for name in LIMITS} | {"sandbox": values["sandbox"]}
    return DuelSettings(rulebook.given, values["max_games"], clocks, limits, values["seed"])


def _new_folder(lineup: "Lineup") -> Path:
    """Return a folder that is not there yet, named after the first two contestants."""
    labels = [one.label for one in lineup.contestants[:2]]
    name = "-".join("".join(char if char.isalnum() else "-" for char in one) for one in labels)
    number, folder = 1, DUELS / name
    while folder.exists():
        number += 1
        folder = DUELS / f"{name}-{number}"
    return folder


def _write_plan(folder: Path, lineup: "Lineup", settings: "DuelSettings", here: Path) -> "Plan":
    """Write the duel's tournament file and read it; refuse if another duel is there."""
    import tomllib

    from ...protocol.settings_file import InvalidFile
    from ..tournament.dueling.duel_plan import continued, duel_file, is_same_duel
    from ..tournament.planning.plan_file import read_plan

    file = folder / PLAN
    try:
        before = tomllib.loads(file.read_text()) if file.exists() else None
        if before is not None:
            settings = continued(settings, before, lineup.games_in_block)
        text = duel_file(lineup, settings, folder, here)
        if before is not None and not is_same_duel(before, tomllib.loads(text)):
            refuse(
                f"{folder} has another duel: other players or settings. Give another --log-dir, or "
                "none."
            )
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return read_plan(file)
    except OSError as error:
        refuse(f"{file} cannot be written: {error.strerror}. Give another --log-dir.")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError):
        refuse(f"{file} is not the file of a duel. Give another --log-dir.")
    except InvalidFile as error:
        refuse(str(error))


# -- the games ----------------------------------------------------------------------------------


def _play(
    console: "Console",
    plan: "Plan",
    lineup: "Lineup",
    question: "DuelQuestion",
    folder: Path,
    workers: int | None,
) -> "tuple[DuelReport, int | None]":
    """Play until it is decided; return what it has shown, and the signal that stopped it."""
    from ..tournament.driving.driver import play_tournament
    from ..tournament.dueling.duel_evidence import DuelEvidence
    from ..tournament.dueling.duel_report import DuelReport
    from ..tournament.dueling.duel_watching import DuelWatch
    from ..tournament.dueling.worst_games import losses_of
    from ..tournament.run.tournament_run import TournamentRun
    from ..tournament.store.store import Store

    evidence, stopped_by = DuelEvidence(question), None
    _show_opening(console, lineup, evidence, plan, folder)
    with errors_refused(), Store.open_to_write((folder / PLAN).with_suffix(".sqlite")) as store:
        with DuelWatch(console, lineup, evidence) as watch:
            run = TournamentRun(plan, store, watch)
            watch.players_changed(run.changes, run.archived)
            watch.started(run.progress, run.results())
            if not evidence.decided:
                concurrency = workers or os.cpu_count() or 1
                stopped_by = play_tournament(run, watch, concurrency, None, watch=watch)
        results = run.results()
        losses = losses_of(store, results, lineup, question.measure, folder)
    played, total = run.progress
    return DuelReport(lineup, evidence, losses, folder, played, total - played), stopped_by


def _show_opening(
    console: "Console", lineup: "Lineup", evidence: "DuelEvidence", plan: "Plan", folder: Path
) -> None:
    from ..tournament.dueling.duel_text import opening

    console.print(opening(lineup, evidence, plan.tournament.rulebook.id))
    console.print(f"Games are kept in {folder}.", highlight=False, soft_wrap=True)


def _show(console: "Console", report: "DuelReport", *, as_json: bool) -> None:
    """Print the result, and write it to the folder of the duel."""
    from ..tournament.dueling.duel_text import show_report

    text = json_text(report.fields(), indent=2)
    file = report.folder / RESULT
    try:
        file.write_text(f"{text}\n")
    except OSError as error:
        _refuse_file(file, error)
    if as_json:
        click.echo(text)
    else:
        show_report(console, report)


def _refuse_file(file: Path, error: OSError) -> NoReturn:
    refuse(f"{file} cannot be written: {error.strerror}.", 1)
