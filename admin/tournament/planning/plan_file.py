"""Read a tournament file: a plan, or the mistakes in it, each with its place.

All mistakes within sections are told at once; if there are none, all that involve several. Warnings
are about what a plan may say, and is perhaps not intended.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import sqrt
from pathlib import Path
from statistics import pstdev
from typing import Any, NamedTuple

from pydantic import ValidationError

from ....protocol.player_names import lookalikes, told_alike
from ....protocol.settings_file import InvalidFile, InvalidSettings, Mistake, parse, unknown
from ...refereeing.view.plain_text import plural
from ...studying.statistics.intervals import CONFIDENCE, MIN_BLOCKS, critical_distance
from .facts import MAX_GAMES, MAX_PLAYERS, Format
from .plan import Entrant, LeftOut, Plan
from .roster import Student, read_roster, with_teams_as_named
from .schedule import new_schedule, seatings
from .sections import GradeSettings, TournamentFile, mistakes_of
from .submissions import read_submissions, with_version


def read_plan(path: Path) -> Plan:
    """Read a tournament file; ``InvalidFile`` with the mistakes in it."""
    folder, data = _parsed(path)
    file = _checked(path, folder, data)
    general, mistakes = file.tournament, list[Mistake]()
    found = [with_version(folder, player) for player in file.players]
    players = [one for one in found if isinstance(one, Entrant)]
    mistakes += (Mistake(f"players ({o.name})", o.why) for o in found if isinstance(o, LeftOut))
    left_out, students = list[LeftOut](), tuple[Student, ...]()
    try:
        if general.submissions is not None:
            found = read_submissions(folder, general.submissions, {one.name for one in found})
            players += (one for one in found if isinstance(one, Entrant))
            left_out += (one for one in found if isinstance(one, LeftOut))
    except InvalidSettings as error:
        mistakes += error.mistakes
    try:
        if general.roster is not None:
            students = read_roster(folder / general.roster)
    except InvalidSettings as error:
        mistakes += error.mistakes
    names = [*(one.name for one in players), *(one.name for one in left_out)]
    students = with_teams_as_named(students, names)
    more = {"players": tuple(players), "left_out": tuple(left_out), "roster": students}
    plan = Plan(**dict(file) | more, folder=folder)
    together = [*_mistakes_together(plan)]
    mistakes += together
    if mistakes:
        if any(mistake.place == "players" for mistake in together):  # perhaps there are too few
            mistakes += (Mistake(f"submissions ({name})", why) for name, why in left_out)
        raise InvalidFile(path, mistakes)
    return plan


class Grading(NamedTuple):
    """How a course is graded: the scale, and the students if there is a roster."""

    settings: GradeSettings
    students: tuple[Student, ...]


def read_grading(path: Path) -> Grading | None:
    """Return how the players of a tournament file are graded, ``None`` if they are not.

    The rest of the file is not read, so players may be missing by now. ``InvalidFile``.
    """
    folder, data = _parsed(path)
    grades = _checked(path, folder, {"grades": data["grades"]} if "grades" in data else {}).grades
    students: tuple[Student, ...] = ()
    match data.get("tournament"):
        case {"roster": str(roster)}:
            try:
                students = read_roster(folder / roster)
            except InvalidSettings as error:
                raise InvalidFile(path, error.mistakes) from None
    return None if grades is None else Grading(grades, students)


def _parsed(path: Path) -> tuple[Path, dict[str, Any]]:
    data = parse(path, "`acquire tournament init FILE` writes a new one.")
    return Path(os.path.abspath(path)).parent, data


def _checked(path: Path, folder: Path, data: Mapping[str, Any]) -> TournamentFile:
    players = data.get("players")
    tables = players if isinstance(players, list) else []
    names = [str(one.get("name", "")) for one in tables if isinstance(one, dict)]
    twice = [
        Mistake("players", f"{_told_twice(group)} Give each its own name.")
        for group in lookalikes(filter(None, names))
    ]
    try:
        file = TournamentFile.model_validate(data, context={"folder": folder})
    except ValidationError as error:
        raise InvalidFile(path, [*mistakes_of(error, TournamentFile, data), *twice]) from None
    if twice:
        raise InvalidFile(path, twice)
    return file


def _told_twice(names: Sequence[str]) -> str:
    different = dict.fromkeys(names)
    same = f"{len(names)} have the name {names[0]!r}."
    return told_alike(different) if len(different) > 1 else same


def _mistakes_together(plan: Plan) -> Iterator[Mistake]:
    """Yield what is wrong with several sections, or with players that are not in the file."""
    general, names = plan.tournament, plan.names
    if not names and general.submissions is None:
        yield Mistake("players", "There are none. Write a [[players]] table for each.")
    elif len(names) < general.seats:
        yield Mistake(
            "players",
            f"There are {len(names)} for a table of {general.seats}. Add players, or set fewer "
            "seats under [tournament].",
        )
    elif len(names) > MAX_PLAYERS:
        yield Mistake("players", f"There are {len(names):,}; the maximum is {MAX_PLAYERS:,}.")
    if general.format is Format.GAUNTLET and general.challenger not in names:
        yield Mistake("tournament.challenger", unknown(str(general.challenger), names, "player"))
    if plan.lobby.port == 0 and any(player.remote is not None for player in plan.players):
        why = "is missing: remote players must know it. Set one, such as 51234."
        yield Mistake("lobby.port", why)
    for number, step in enumerate(plan.grades.scale if plan.grades else (), 1):
        if step.above is not None and step.above not in names:
            why = f"{step.above!r} is not a player of this tournament."
            yield Mistake(f"grades.scale[{number}].above", why)
    if (total := new_schedule(plan).total) > MAX_GAMES:
        yield Mistake(
            "tournament",
            f"results in {total:,} games; the maximum is {MAX_GAMES:,}. Set fewer deals, other "
            'seatings, or format = "swiss".',
        )


# -- warnings -----------------------------------------------------------------------------------


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
        f"A player may have games in {plural(blocks, 'block')} only, and intervals and groups need "
        f"{MIN_BLOCKS}: the results may not show who is better. Set deals = {enough} or more."
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
    at_once = workers * min(len(plan.programs), plan.tournament.seats)
    allowed = at_once * plan.limits.memory
    there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if allowed > there:
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
    if general.format is Format.LADDER:
        return general.deals
    tables = new_schedule(plan).tables * (general.rounds or 1)
    challengers = int(general.format is Format.GAUNTLET)  # who have a place at every table
    return general.deals * (tables * (general.seats - challengers) // (players - challengers))
