"""What a tournament file asks for: how many games of whom, and how long they may take."""

import os
import time
from collections.abc import Iterable
from typing import Any, NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from admin.tournament.planning.plan import Format, Plan
from admin.tournament.planning.schedule import Game, Schedule
from admin.tournament.playing.built_in import GameSettings, play_built_in_game
from admin.view.plain_text import printable

TRIED = 2.0
"""Seconds for which games are tried."""
START = 0.5
"""Seconds of processor that it takes to launch a player, roughly."""
TURNS = 100
"""Turns of a long game."""
SHOWN = 6
"""Games of the schedule that are shown."""


class Forecast(NamedTuple):
    """What a file asks for; ``quick`` and ``slow`` are estimates in seconds.

    Quick is with players who answer at once, measured with house players in their place; slow is
    with players who take all the time that they are given, in long games.
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

    def fields(self) -> dict[str, Any]:
        """Return plain values."""
        first = [{"game": game.id, "players": list(game.players)} for game in self.first]
        return {**self._asdict(), "first": first}


def estimate(plan: Plan) -> Forecast:
    """Work out what a plan asks for; plays a few games among house players to time them."""
    general = plan.tournament
    schedule = Schedule(plan, general.seed or 0)
    workers = general.workers or os.cpu_count() or 1
    cores = min(workers, os.cpu_count() or 1)
    total = schedule.total
    first = tuple(game for game, _ in zip(schedule.stage(1), range(SHOWN), strict=False))
    seconds = _seconds_a_game(plan, first[0])
    slow = None
    if not plan.built_in_only:
        launched = sum(player.command is not None for player in plan.players)
        seconds += START * general.seats * launched / len(plan.players)
        slow = total * (TURNS * plan.turn_clock + plan.clocks.signup) / workers
    return Forecast(
        games=total,
        blocks=total // schedule.games_in_block,
        tables=schedule.tables,
        games_in_block=schedule.games_in_block,
        games_a_player=round(total * general.seats / len(plan.players), 1),
        workers=workers,
        first=first,
        quick=round(total * seconds / cores, 1),
        slow=slow,
    )


def _seconds_a_game(plan: Plan, game: Game) -> float:
    """Time games of the plan's house players; others are stood in for."""
    general = plan.tournament
    strategies = tuple((player.name, player.strategy or "ordered") for player in plan.players)
    rules = GameSettings(general.rulebook, general.hide_assets, general.duplicate, strategies)
    play_built_in_game(rules, game)  # the first one loads what it needs
    began = time.perf_counter()
    played = 0
    while not played or time.perf_counter() - began < TRIED / 4:
        play_built_in_game(rules, game._replace(seed=played))
        played += 1
    return (time.perf_counter() - began) / played


def show_plan(console: Console, plan: Plan, facts: Forecast) -> None:
    """Say it to a person."""
    general = plan.tournament
    console.print(Text(printable(general.name), "bold"))
    table = Table(box=None, show_header=False, pad_edge=False)
    rows = {
        "rulebook": general.rulebook + (", assets hidden" if general.hide_assets else ""),
        "players": f"{len(plan.players)}, at tables of {general.seats}",
        "format": _format_in_words(plan, facts),
        "seatings": f"{general.seatings.value}: {facts.games_in_block} for every table and bag"
        + (", all with the same bag" if general.duplicate else ", each with a bag of its own"),
        "games": f"{facts.games:,} in {facts.blocks:,} blocks; {facts.games_a_player:,g} a player",
        "clocks": f"{plan.clocks.reply:g} s an answer, {plan.turn_clock:g} s a turn",
        "time": _time_in_words(facts),
    }
    for name, value in rows.items():
        table.add_row(name, Text(value))
    console.print(table)
    players = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    players.add_column("player", overflow="fold")
    players.add_column("plays by", overflow="fold")
    for player in plan.players:
        how = " ".join(player.command) if player.command else player.kind
        players.add_row(Text(printable(player.name)), Text(printable(how)))
    console.print(players)
    show_games(console, plan, facts.first, "The first games")


def show_games(console: Console, plan: Plan, games: Iterable[Game], title: str) -> None:
    """List games, with who sits where."""
    swiss = plan.tournament.format is Format.SWISS
    drawn = "" if plan.tournament.seed is not None else "; as seed 0 would have them"
    rounds = " of the first round" if swiss else ""
    console.print(Text(f"{title}{rounds}, in the order of seats{drawn}:"))
    for game in games:
        who = ", ".join(printable(name) for name in game.players)
        console.print(Text(f"  {game.id}: {who}"), soft_wrap=True)


def _format_in_words(plan: Plan, facts: Forecast) -> str:
    general = plan.tournament
    match general.format:
        case Format.ROUND_ROBIN:
            return f"every combination of {general.seats}: {facts.tables:,} tables"
        case Format.GAUNTLET:
            return f"{general.challenger} against the field: {facts.tables:,} tables"
        case Format.SWISS:
            return f"Swiss: {general.rounds} rounds of {facts.tables:,} tables"


def _time_in_words(facts: Forecast) -> str:
    at_once = f"{facts.workers} at once" if facts.workers > 1 else "one at a time"
    quick = f"about {duration(facts.quick)}, {at_once}"
    if facts.slow is None:
        return quick
    return (
        f"{quick}, with players who answer at once; at most {duration(facts.slow)}, with players "
        "who use all their time"
    )


def duration(seconds: float) -> str:
    """Write a time so that a person can judge it."""
    for size, unit in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{max(seconds, 1):.0f} s"
