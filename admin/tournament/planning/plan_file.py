"""Read a tournament file: a plan, or the mistakes in it, each with its place.

All mistakes within sections are told at once; if there are none, all that involve several.
"""

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from ....protocol.settings_file import InvalidFile, InvalidSettings, Mistake, parse, unknown
from .facts import MAX_GAMES, Format
from .plan import Entrant, LeftOut, Plan
from .roster import Student, read_roster
from .schedule import new_schedule
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
    more = {"players": tuple(players), "left_out": tuple(left_out), "roster": students}
    plan = Plan(**dict(file) | more, folder=folder)
    mistakes += _mistakes_together(plan)
    if mistakes:
        # perhaps there are too few players
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
    """Return the folder of a file, and what the file contains."""
    data = parse(path, "`acquire tournament init FILE` writes a new one.")
    return Path(os.path.abspath(path)).parent, data


def _checked(path: Path, folder: Path, data: Mapping[str, Any]) -> TournamentFile:
    """Return the sections of a file; ``InvalidFile``."""
    twice = [*_names_twice(data.get("players"))]
    try:
        file = TournamentFile.model_validate(data, context={"folder": folder})
    except ValidationError as error:
        raise InvalidFile(path, [*mistakes_of(error, TournamentFile, data), *twice]) from None
    if twice:
        raise InvalidFile(path, twice)
    return file


def _names_twice(players: object) -> Iterator[Mistake]:
    tables = players if isinstance(players, list) else []
    names = Counter(str(one.get("name", "")) for one in tables if isinstance(one, dict))
    for name, count in names.items():
        if name and count > 1:
            yield Mistake("players", f"{count} have the name {name!r}. Give each its own name.")


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
