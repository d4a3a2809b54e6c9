"""Forecast a tournament: how many games a plan has, and how long they take; show both."""

import os
import shlex
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, assert_never

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ...launching.control_groups import groups_here
from ...launching.program import Program
from ...launching.sandbox import NoSandbox, Sandbox, has_own_user_in_bwrap, shown_in_bwrap
from ...launching.sandbox_files import shown_in_words, toolchains, without_hidden
from ...launching.starting import ENV
from ...refereeing.table.run import cores
from ...refereeing.view.fitted_table import Column, FittedTable
from ...refereeing.view.plain_text import plural, printable
from ..arena.player_files import Programs
from ..planning.facts import Format
from ..planning.plan import Plan
from ..planning.plan_file import memory_warnings, plan_warnings
from ..planning.qualified_file import TriedVersion
from ..planning.schedule import Game, new_schedule
from ..planning.submissions import folder_of_hand_ins
from ..run.built_in import game_settings, play_built_in_game

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
FOR_OTHERS, ENTERED_BY_OTHERS = 0o077, 0o011  # bits in the modes of files and folders
TRIAL_SECONDS = 0.05  # for how long games are played to time them
BUSY = 0.8  # share of the time that processors are busy; they also wait for programs to end
LONG_GAME = 100  # turns of a long game
FIRST_GAMES = 6  # games of the schedule that are listed
LAUNCH_SECONDS = 0.1  # CPU time of a program's sandbox and supervisor, from start to end
GUESSED_SECONDS = 0.3  # assumed CPU time of a program per game; it is 0.05 s in C, 2 s in Java
CROWDED = 1.2  # factor on a program's CPU time while others run at the same time
BUSY_LOAD = 0.5  # other processes that compute, from which on the machine is called busy


class Forecast(NamedTuple):
    """The games of a plan; ``quick`` and ``slow`` are estimated durations in seconds.

    ``quick`` is for players who answer at once, timed with built-in players in their places, plus
    the time that programs need, which is ``measured`` if all of them have been tried. ``slow`` is
    for players who use all their time in long games, ``None`` for built-in players. ``load`` is how
    many other processes computed in the last minute; the times are for a machine as busy as that.
    """

    games: int
    blocks: int
    tables: int
    games_in_block: int
    games_a_player: float
    workers: int
    first: tuple[Game, ...]
    quick: float
    slow: float | None
    measured: bool
    load: float

    def fields(self) -> dict[str, Any]:
        """Return plain values, for JSON."""
        first = [{"game": game.id, "players": list(game.players)} for game in self.first]
        return {**self._asdict(), "first": first}


def forecast(
    plan: Plan, tried: Mapping[str, TriedVersion] = MappingProxyType({}), load: float | None = None
) -> Forecast:
    """Forecast a plan's tournament; plays a few games to time them.

    ``tried`` has what is known of its programs; ``load`` is that of the last minute by default.
    """
    general = plan.tournament
    schedule = new_schedule(plan, general.seed or 0)
    workers = general.workers or cores()
    load = os.getloadavg()[0] if load is None else load
    processors = min(processors_for(workers, os.cpu_count() or 1, load), cores())
    total = schedule.total
    first = tuple(game for game, _ in zip(schedule.stage(1), range(FIRST_GAMES), strict=False))
    quick = total * _seconds_per_game(plan, first[0]) / processors
    slow = None
    if not plan.built_in_only:
        quick += total * program_seconds_per_game(plan, tried) / (processors * BUSY)
        clocks = plan.table_clocks
        thinking = min(LONG_GAME * clocks.turn, general.seats * clocks.game)
        slow = total * (thinking + plan.clocks.signup) / workers
    return Forecast(
        games=total,
        blocks=total // schedule.games_in_block,
        tables=schedule.tables,
        games_in_block=schedule.games_in_block,
        games_a_player=round(total * general.seats / len(plan.players), 1),
        workers=workers,
        first=first,
        quick=round(quick, 1),
        slow=slow,
        measured=all(player.name in tried for player in plan.programs),
        load=round(load, 1),
    )


def processors_for(workers: int, processors: int, load: float) -> float:
    """Return how many processors ``workers`` games keep busy beside ``load`` other processes.

    All share them alike.

    >>> processors_for(4, 2, 0), processors_for(1, 2, 1), processors_for(2, 2, 6)
    (2, 1, 0.5)
    """
    return min(workers, processors, processors * workers / (workers + load))


def _seconds_per_game(plan: Plan, game: Game) -> float:
    """Return the CPU time of a game of built-in players, who stand in for all others."""
    strategies = {player.name: player.strategy or "ordered" for player in plan.players}
    settings = game_settings(plan)._replace(strategies=strategies)
    play_built_in_game(settings, game)  # the first game loads the modules
    began, played = time.process_time(), 0
    while not played or time.process_time() - began < TRIAL_SECONDS:
        play_built_in_game(settings, game._replace(seed=played))
        played += 1
    return (time.process_time() - began) / played


def program_seconds_per_game(plan: Plan, tried: Mapping[str, TriedVersion]) -> float:
    """Return the CPU time of all programs in an average game: as measured, or else a guess."""
    general, players = plan.tournament, len(plan.players)
    total = 0.0
    for player in plan.programs:
        share = general.seats / players
        if general.format is Format.GAUNTLET:
            among_others = (general.seats - 1) / (players - 1)
            share = 1.0 if player.name == general.challenger else among_others
        found, seconds = tried.get(player.name), GUESSED_SECONDS
        if found is not None and found.processor is not None:
            seconds = found.processor * CROWDED
        total += share * (LAUNCH_SECONDS + seconds)
    return total


# -- in a terminal ------------------------------------------------------------------------------

LIMITS_BY_KERNEL = (
    "The kernel counts what each program uses, in a control group: memory, processor, threads."
)
LIMITS_BY_LOOKING = (
    "What each program uses is added up ten times a second, as this process may make no control "
    "groups. Programs can hide memory from that. For firm limits, start it with: systemd-run "
    "--user --scope -p Delegate=yes acquire tournament run FILE"
)


def show_plan(console: Console, plan: Plan, forecast: Forecast, store: Path, file: Path) -> None:
    """Print a plan's settings, its number of games, the time, the players and the first games.

    ``store`` is where its games will be kept, ``file`` the tournament file.
    """
    general = plan.tournament
    console.print(Text(printable(general.name), "bold"))
    bags = "one for all games of a block" if plan.duplicate else "one for each game"
    origin = "a secret that is kept until the last game" if plan.secret_bags else "the seed"
    table = Table(box=None, show_header=False, pad_edge=False)
    blocks = plural(forecast.blocks, "block")
    sandbox, also = sandbox_words(plan, store)
    rows = {
        "rulebook": general.rulebook.id + general.rulebook_value().assets.words,
        "players": f"{len(plan.players)}, {general.seats} per table",
        "format": _format_text(plan, forecast),
        "seatings": f"{general.seatings.value}: {forecast.games_in_block} per table and deal",
        "bags": f"{bags}, from {origin}",
        "games": f"{forecast.games:,} in {blocks}; {forecast.games_a_player:,g} per player",
        "clocks": "{:g} s per answer, {:g} s per turn, {:g} s per game".format(*plan.table_clocks),
        "time": _time_text(forecast),
        "sandbox": sandbox,
    }
    if plan.programs:
        rows["limits"] = LIMITS_BY_KERNEL if groups_here() else LIMITS_BY_LOOKING
    for name, value in rows.items():
        table.add_row(name, Text(value))
    console.print(table)
    if also:
        console.print(Text(f"Programs also see: {printable(also)}"), soft_wrap=True)
    players = FittedTable(Column("player", text=True), Column("played by", text=True))
    for player in plan.players:
        how = " ".join(player.command) if player.command else player.kind
        players.add_row(printable(player.name), printable(how))
    console.print(players)
    show_schedule(console, plan, forecast.first, "The first games")
    for warning in warnings_of(plan, forecast, store, file):
        show_warning(console, warning)


def warnings_of(plan: Plan, forecast: Forecast, store: Path, file: Path) -> list[str]:
    """Return user-facing sentences about what is allowed in a plan, and is perhaps not intended."""
    about_memory = memory_warnings(plan, forecast.workers)
    found = [*plan_warnings(plan), *about_memory, *Programs(plan, store).warnings()]
    return [*found, *_mode_warnings(plan, file)]


def _mode_warnings(plan: Plan, file: Path) -> Iterator[str]:
    """Yield one sentence about what others on this machine can read of a course."""
    general = plan.tournament
    if general.submissions is None or os.name == "nt":
        return
    roster = [file.parent / general.roster] if general.roster is not None else []
    handed_in = folder_of_hand_ins(file.parent, general.submissions)
    commands = [
        f"chmod {mode:o} {shlex.join(map(str, found))}"
        for mode, paths in ((PRIVATE_FILE, [file, *roster]), (PRIVATE_FOLDER, [handed_in]))
        if (found := [path for path in paths if _others_can_read(path)])
    ]
    if commands:
        yield f"Others on this machine can read files of the course. Run: {' && '.join(commands)}"


def _others_can_read(path: Path) -> bool:
    """Whether a file is open to its group or to everyone, and so are all folders above it."""
    path = path.resolve()
    return bool(path.stat().st_mode & FOR_OTHERS) and all(
        above.stat().st_mode & ENTERED_BY_OTHERS for above in path.parents
    )


def sandbox_words(plan: Plan, store: Path) -> tuple[str, str]:
    """Return which sandbox the programs would have here, and why none that is better.

    Return also what all of them see of this machine in bubblewrap, beyond the system's folders.
    What only the command of one program names is not in it.
    """
    programs = Programs(plan, store)
    try:
        chosen = programs.sandbox()
    except NoSandbox as error:
        return str(error), ""
    if chosen is None:
        return "not needed: there are no programs", ""
    users = seen = ""
    if chosen.sandbox is Sandbox.BWRAP:
        read_only = tuple(path for player in plan.players for path in programs.read_only(player))
        program = Program((ENV,), plan.folder, visible=read_only)
        alone = has_own_user_in_bwrap(program, shown_in_bwrap(program))
        users = "Each program has a user of its own." if alone else "All programs share your user."
        seen = shown_in_words(without_hidden(toolchains(None, ()), read_only, ()))
    words = (f"{chosen.sandbox.value}.", chosen.sandbox.sentence, users, chosen.why)
    return " ".join(filter(None, words)), seen


def show_warning(console: Console, warning: str) -> None:
    """Print a warning about a plan."""
    console.print(Text.assemble(("Warning: ", "bold"), printable(warning)), soft_wrap=True)


def show_schedule(console: Console, plan: Plan, games: Iterable[Game], title: str) -> None:
    """Print games with their players, in seat order."""
    swiss = " of the first round" if plan.tournament.format is Format.SWISS else ""
    seed = "" if plan.tournament.seed is not None else "; an example, with seed 0"
    console.print(Text(f"{title}{swiss}, with the players in seat order{seed}:"))
    for game in games:
        names = ", ".join(printable(name) for name in game.players)
        console.print(Text(f"  {game.id}: {names}"), soft_wrap=True)


def _format_text(plan: Plan, forecast: Forecast) -> str:
    general, tables = plan.tournament, plural(forecast.tables, "table")
    match general.format:
        case Format.ROUND_ROBIN:
            return f"round-robin, every combination of {general.seats}: {tables}"
        case Format.GAUNTLET:
            return f"gauntlet, {printable(general.challenger or '')} against the field: {tables}"
        case Format.SWISS:
            return f"Swiss, {plural(general.rounds or 0, 'round')} of {tables}"
        case Format.LADDER:
            blocks = plural(general.deals, "block")
            return f"ladder, in rounds, until every player has played {blocks}"
        case _:
            assert_never(general.format)


def _time_text(forecast: Forecast) -> str:
    at_once = f"{forecast.workers} games at once" if forecast.workers > 1 else "one game at a time"
    quick = f"about {_duration(forecast.quick)}, {at_once}"
    if forecast.load >= BUSY_LOAD:
        quick += f" beside what this machine computes now (load {forecast.load:g})"
    if forecast.slow is None:
        return quick
    if not forecast.measured:
        quick += ", with a guess of what programs need (--try measures it)"
    return (
        f"{quick}, if players answer at once; up to {_duration(forecast.slow)} if they use all "
        "their time"
    )


def _duration(seconds: float) -> str:
    for size, unit in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{max(seconds, 1):.0f} s"
