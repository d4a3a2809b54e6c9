"""What the programs of a tournament cost: CPU time, and time that games wait for them in vain."""

from collections.abc import Mapping
from pathlib import PurePath

from ..games.result import MAX_MISSED_SIGN_UPS
from ..planning.facts import Format
from ..planning.plan import Entrant, Plan
from ..planning.qualified_file import TriedVersion

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
