"""Forecast a tournament: how many games a plan has, and how long they take."""

import os
import time
from typing import Any, NamedTuple

from admin.tournament.planning.plan import Plan
from admin.tournament.planning.schedule import Game, Schedule
from admin.tournament.playing.built_in import play_built_in_game
from admin.tournament.playing.game_settings import GameSettings
from protocol.rulebook_json import to_json

TRIAL_SECONDS = 0.5
"""For how long games are played to time them."""
START_SECONDS = 0.5
"""CPU time that it takes to start a program, roughly."""
LONG_GAME = 100
"""Turns of a long game."""
FIRST_GAMES = 6
"""Games of the schedule that are listed."""


class Forecast(NamedTuple):
    """The games of a plan; ``quick`` and ``slow`` are estimated durations in seconds.

    ``quick`` is for players who answer at once, timed with built-in players in their places;
    ``slow`` is for players who use all their time in long games, ``None`` for built-in players.
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
        """Return plain values, for JSON."""
        first = [{"game": game.id, "players": list(game.players)} for game in self.first]
        return {**self._asdict(), "first": first}


def forecast(plan: Plan) -> Forecast:
    """Forecast a plan's tournament; plays a few games to time them."""
    general = plan.tournament
    schedule = Schedule(plan, general.seed or 0)
    workers = general.workers or os.cpu_count() or 1
    cores = min(workers, os.cpu_count() or 1)
    total = schedule.total
    first = tuple(game for game, _ in zip(schedule.stage(1), range(FIRST_GAMES), strict=False))
    seconds = _seconds_per_game(plan, first[0])
    slow = None
    if not plan.built_in_only:
        programs = sum(player.command is not None for player in plan.players)
        seconds += START_SECONDS * general.seats * programs / len(plan.players)
        slow = total * (LONG_GAME * plan.turn_clock + plan.clocks.signup) / workers
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
