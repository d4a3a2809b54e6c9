"""A plan and its forecast in a terminal."""

from collections.abc import Iterable
from pathlib import Path
from typing import assert_never

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ...launching.control_groups import groups_here
from ...launching.sandbox import NoSandbox
from ...refereeing.view.plain_text import printable
from ..arena.player_files import folder_warnings, sandbox_of
from ..planning.facts import Format
from ..planning.plan import Plan
from ..planning.plan_checks import memory_warnings, plan_warnings
from ..planning.schedule import Game
from .forecast import Forecast

LIMITS_BY_KERNEL = (
    "The kernel counts what each program uses, in a control group: memory, processor, threads."
)
LIMITS_BY_LOOKING = (
    "What each program uses is added up ten times a second, as this process may make no control "
    "groups. For closer limits, start it with: systemd-run --user --scope -p Delegate=yes acquire "
    "tournament run FILE"
)


def show_plan(console: Console, plan: Plan, forecast: Forecast, store: Path) -> None:
    """Print a plan's settings, its number of games, the time, the players and the first games.

    ``store`` is where its games will be kept.
    """
    general = plan.tournament
    console.print(Text(printable(general.name), "bold"))
    table = Table(box=None, show_header=False, pad_edge=False)
    blocks = _count(forecast.blocks, "block")
    seatings = f"{general.seatings.value}: {forecast.games_in_block} per table and deal"
    rows = {
        "rulebook": general.rulebook.id + general.rulebook_value().assets.words,
        "players": f"{len(plan.players)}, {general.seats} per table",
        "format": _format_text(plan, forecast),
        "seatings": seatings,
        "bags": _bags_text(plan),
        "games": f"{forecast.games:,} in {blocks}; {forecast.games_a_player:,g} per player",
        "clocks": f"{plan.clocks.reply:g} s per answer, {plan.turn_clock:g} s per turn, "
        f"{plan.game_clock:g} s per game",
        "time": _time_text(forecast),
        "sandbox": sandbox_text(plan, store),
    }
    if any(player.command for player in plan.players):
        rows["limits"] = LIMITS_BY_KERNEL if groups_here() else LIMITS_BY_LOOKING
    for name, value in rows.items():
        table.add_row(name, Text(value))
    console.print(table)
    players = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    players.add_column("player", overflow="fold")
    players.add_column("played by", overflow="fold")
    for player in plan.players:
        how = " ".join(player.command) if player.command else player.kind
        players.add_row(Text(printable(player.name)), Text(printable(how)))
    console.print(players)
    show_schedule(console, plan, forecast.first, "The first games")
    for warning in warnings_of(plan, forecast, store):
        show_warning(console, warning)


def warnings_of(plan: Plan, forecast: Forecast, store: Path) -> list[str]:
    """Return user-facing sentences about what is allowed in a plan, and is perhaps not intended."""
    about_memory = memory_warnings(plan, forecast.workers)
    return [*plan_warnings(plan), *about_memory, *folder_warnings(plan, store)]


def sandbox_text(plan: Plan, store: Path) -> str:
    """Return which sandbox the programs would have here, and why none that is better."""
    try:
        chosen = sandbox_of(plan, store)
    except NoSandbox as error:
        return str(error)
    if chosen is None:
        return "not needed: there are no programs"
    return f"{chosen.sandbox.value}. {chosen.sandbox.sentence} {chosen.why}".strip()


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


def _bags_text(plan: Plan) -> str:
    which = "one for all games of a block" if plan.duplicate else "one for each game"
    if plan.secret_bags:
        return f"{which}, from a secret that is kept until the last game"
    return f"{which}, from the seed"


def _format_text(plan: Plan, forecast: Forecast) -> str:
    general, tables = plan.tournament, _count(forecast.tables, "table")
    match general.format:
        case Format.ROUND_ROBIN:
            return f"round-robin, every combination of {general.seats}: {tables}"
        case Format.GAUNTLET:
            return f"gauntlet, {printable(general.challenger or '')} against the field: {tables}"
        case Format.SWISS:
            return f"Swiss, {_count(general.rounds or 0, 'round')} of {tables}"
        case Format.LADDER:
            blocks = _count(general.deals, "block")
            return f"ladder, in rounds, until every player has played {blocks}"
        case _:
            assert_never(general.format)


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _time_text(forecast: Forecast) -> str:
    at_once = f"{forecast.workers} games at once" if forecast.workers > 1 else "one game at a time"
    quick = f"about {_duration(forecast.quick)}, {at_once}"
    if forecast.slow is None:
        return quick
    if not forecast.measured:
        quick += ", with a guess of what programs need (--try measures it)"
    return (
        f"{quick}, if players answer at once; up to {_duration(forecast.slow)} if they use all "
        "their time"
    )


def _duration(seconds: float) -> str:
    """Format a time in a unit that fits."""
    for size, unit in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{max(seconds, 1):.0f} s"
