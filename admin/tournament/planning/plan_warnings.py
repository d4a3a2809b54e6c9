"""What a tournament file may say, and is perhaps not intended: sentences about a whole plan."""

import os
from collections.abc import Iterator
from itertools import pairwise
from math import comb, sqrt
from statistics import pstdev

from ...refereeing.view.plain_text import plural
from ...studying.statistics.intervals import CONFIDENCE, MIN_BLOCKS, critical_distance
from .facts import Format
from .plan import Plan
from .schedule import seatings


def plan_warnings(plan: Plan) -> Iterator[str]:
    """Yield user-facing sentences: about players, bags that somebody could predict, blocks."""
    yield from (f"{name} cannot play and is left out. {why}" for name, why in plan.left_out)
    yield from plan.notes
    yield from _roster_warnings(plan)
    if not plan.built_in_only and plan.tournament.seed is not None:
        yield (
            "tournament.seed is set: whoever reads it knows every bag. Remove it, unless the run "
            "must be reproducible."
        )
    if not plan.built_in_only and plan.duplicate:
        yield (
            "tournament.duplicate is true: a player that remembers the tiles of one game can "
            "predict the draws of all other games of its block. Remove it, unless you trust all "
            "players."
        )
    yield from _block_warnings(plan)
    yield from _grade_warnings(plan)


def _roster_warnings(plan: Plan) -> Iterator[str]:
    if not plan.roster:
        return
    expected = dict.fromkeys(student.player for student in plan.roster)
    handed_in = {*plan.names, *(name for name, _ in plan.left_out)}
    if missing := [name for name in expected if name not in handed_in]:
        yield f"Nothing was handed in by {', '.join(missing)} of the roster."
    programs = (player.name for player in plan.players if player.strategy is None)
    if unknown := [name for name in programs if name not in expected]:
        yield (
            f"The roster does not have {', '.join(unknown)}: neither a team nor an id is called so."
        )


def _block_warnings(plan: Plan) -> Iterator[str]:
    """Warn if players will have too few blocks for an interval, and say what is enough."""
    if plan.tournament.format is Format.LADDER:
        return  # which has no intervals to speak of
    blocks = blocks_of_a_player(plan)
    if not 0 < blocks < MIN_BLOCKS:
        return
    deals = plan.tournament.deals
    enough = -(-MIN_BLOCKS * deals // blocks)
    yield (
        f"Every player will have games in {plural(blocks, 'block')}, and intervals and groups need "
        f"{MIN_BLOCKS}: the results will not show who is better. Set deals = {enough} or more."
    )


def _grade_warnings(plan: Plan) -> Iterator[str]:
    """Warn if the steps of the scale are finer than the intervals of points will be.

    They are expected to be those of equal players: then every place is equally likely.
    """
    scale = plan.grades.scale if plan.grades else ()
    steps = sorted({step.points for step in scale if step.points is not None})
    blocks, general = blocks_of_a_player(plan), plan.tournament
    if len(steps) < 2 or blocks < MIN_BLOCKS or general.format is Format.LADDER:
        return
    gap = min(higher - lower for lower, higher in pairwise(steps))
    games, spread = len(seatings(general.seatings, general.seats)), pstdev(plan.points)

    def reach(blocks: int) -> float:
        distance = critical_distance(CONFIDENCE, blocks - 1)
        return distance * spread / sqrt(blocks * games)

    enough = general.deals
    while 2 * reach(blocks * enough // general.deals) > gap:
        enough += -(-enough // 20)
    if enough > general.deals:
        yield (
            f"Grades are as little as {gap:g} points per game apart, and the interval of a "
            f"player's points will reach about {reach(blocks):.2f} to each side: chance decides "
            f"between such grades. Set deals = {enough} or more, or wider steps."
        )


def memory_warnings(plan: Plan, workers: int) -> Iterator[str]:
    """Warn if all programs of ``workers`` games together may use more memory than there is."""
    programs = sum(player.command is not None for player in plan.players)
    at_once = workers * min(programs, plan.tournament.seats)
    allowed = at_once * plan.limits.memory
    there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if programs and allowed > there:
        yield (
            f"{plural(at_once, 'program')} at once may use {allowed / 2**30:.1f} GiB together "
            f"(limits.memory), and this machine has {there / 2**30:.1f}. Games in which it runs "
            "out of memory are void. Set a lower limit, or fewer workers."
        )


def blocks_of_a_player(plan: Plan) -> int:
    """Return in how many blocks every player will have a game, at least.

    Who challenges all others has more, and so may a player who sits out no round of a Swiss
    tournament.
    """
    general, players = plan.tournament, len(plan.players)
    if general.format is Format.GAUNTLET:
        return general.deals * comb(players - 2, general.seats - 2)
    if general.format is Format.ROUND_ROBIN:
        return general.deals * comb(players - 1, general.seats - 1)
    if general.format is Format.LADDER:
        return general.deals
    rounds = general.rounds or 1
    seated = players // general.seats * general.seats
    return general.deals * (rounds * seated // players)
