"""Forecast a tournament: how many games a plan has, and how long they take."""

import os
import time
from collections.abc import Mapping
from pathlib import PurePath
from types import MappingProxyType
from typing import Any, NamedTuple

from ....protocol.rulebook_file import to_json
from ..games.result import MAX_MISSED_SIGN_UPS
from ..planning.facts import Format
from ..planning.plan import Entrant, Plan
from ..planning.qualified_file import TriedVersion
from ..planning.schedule import Game, new_schedule
from ..run.built_in import play_built_in_game
from ..run.game_settings import GameSettings

TRIAL_SECONDS = 0.5
"""For how long games are played to time them."""
BUSY = 0.8
"""The share of the time in which processors are busy; they also wait for programs to end."""
LONG_GAME = 100
"""Turns of a long game."""
FIRST_GAMES = 6
"""Games of the schedule that are listed."""


class Forecast(NamedTuple):
    """The games of a plan; ``quick`` and ``slow`` are estimated durations in seconds.

    ``quick`` is for players who answer at once, timed with built-in players in their places, plus
    the time that programs need, which is ``measured`` if all of them have been tried. ``slow`` is
    for players who use all their time in long games, ``None`` for built-in players.
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

    def fields(self) -> dict[str, Any]:
        """Return plain values, for JSON."""
        first = [{"game": game.id, "players": list(game.players)} for game in self.first]
        return {**self._asdict(), "first": first}


def forecast(plan: Plan, tried: Mapping[str, TriedVersion] = MappingProxyType({})) -> Forecast:
    """Forecast a plan's tournament; plays a few games to time them.

    ``tried`` has what is known of its programs.
    """
    general = plan.tournament
    schedule = new_schedule(plan, general.seed or 0)
    workers = general.workers or os.cpu_count() or 1
    cores = min(workers, os.cpu_count() or 1)
    total = schedule.total
    first = tuple(game for game, _ in zip(schedule.stage(1), range(FIRST_GAMES), strict=False))
    quick = total * _seconds_per_game(plan, first[0]) / cores
    slow = None
    programs = [player for player in plan.players if player.command is not None]
    if not plan.built_in_only:
        quick += total * program_seconds_per_game(plan, tried) / (cores * BUSY)
        quick += seconds_of_no_shows(plan, tried) / workers
        thinking = min(LONG_GAME * plan.turn_clock, general.seats * plan.game_clock)
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
        measured=all(player.name in tried for player in programs),
    )


def _seconds_per_game(plan: Plan, game: Game) -> float:
    """Time some games of built-in players, who stand in for all others."""
    general = plan.tournament
    strategies = tuple((player.name, player.strategy or "ordered") for player in plan.players)
    settings = GameSettings(to_json(general.rulebook_value()), plan.duplicate, strategies)
    play_built_in_game(settings, game)  # the first game loads the modules
    began = time.perf_counter()
    played = 0
    while not played or time.perf_counter() - began < TRIAL_SECONDS:
        play_built_in_game(settings, game._replace(seed=played))
        played += 1
    return (time.perf_counter() - began) / played


LAUNCH_SECONDS = 0.1
"""CPU time of the sandbox and the supervisor of a program, from its start to its end."""
SECONDS_PER_GAME = {"java": 0.8, "node": 0.1, "python": 0.2}
"""CPU time of a simple program in a game, by the beginning of the name of what runs it."""
JAVA_COMPILER = 1.2
"""More if Java compiles the program before each game: ``java Player.java``."""
OTHER_SECONDS = 0.05
CROWDED = 1.2
"""How many times the CPU time of a program alone it needs while others run at the same time."""


def program_seconds_per_game(plan: Plan, tried: Mapping[str, TriedVersion]) -> float:
    """Return the CPU time of all programs in an average game: as measured, or else a guess."""
    general, players = plan.tournament, len(plan.players)
    total = 0.0
    for player in plan.players:
        if player.command is None:
            continue
        share = general.seats / players
        if general.format is Format.GAUNTLET:
            among_others = (general.seats - 1) / (players - 1)
            share = 1.0 if player.name == general.challenger else among_others
        total += share * (LAUNCH_SECONDS + _seconds(player, tried.get(player.name)))
    return total


def _seconds(player: Entrant, tried: TriedVersion | None) -> float:
    if tried is not None and tried.processor is not None:
        return tried.processor * CROWDED
    if tried is not None and tried.absent:
        return 0.0
    first, *others = player.command or ("",)
    name = PurePath(first).name
    compiled = JAVA_COMPILER if any(word.endswith(".java") for word in others) else 0.0
    for start, seconds in SECONDS_PER_GAME.items():
        if name.startswith(start):
            return seconds + (compiled if start == "java" else 0.0)
    return OTHER_SECONDS


def seconds_of_no_shows(plan: Plan, tried: Mapping[str, TriedVersion]) -> float:
    """Return for how long games wait for programs that are known not to sign up."""
    absent = sum(one.name in tried and tried[one.name].absent for one in plan.players)
    return absent * MAX_MISSED_SIGN_UPS * plan.clocks.signup
