"""Read a tournament file: a plan, or all mistakes in it, each with its place."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from ....protocol.settings_file import InvalidFile, InvalidSettings, Mistake, parse, unknown
from ...launching.limits import SandboxLimits, limits_from
from . import plan_checks
from .facts import MAX_GAMES
from .plan import (
    ClockSettings,
    Entrant,
    GeneralSettings,
    GradeSettings,
    LeftOut,
    LobbySettings,
    Plan,
)
from .plan_checks import mistake_of
from .roster import Student, read_roster
from .schedule import new_schedule
from .submissions import Submissions, read_submissions, with_version, without_names

SECTIONS = ("tournament", "clocks", "limits", "lobby", "grades", "players")

S = TypeVar("S", bound=BaseModel)


def read_plan(path: Path) -> Plan:
    """Read a tournament file; ``InvalidFile`` with all mistakes in it."""
    reader = _Reader(Path(os.path.abspath(path)).parent)
    plan = reader.read(parse(path, "`acquire tournament init FILE` writes a new one."))
    if reader.mistakes or plan is None:
        raise InvalidFile(path, reader.mistakes)
    return plan


class Grading(NamedTuple):
    """How a course is graded: the scale, and the students if there is a roster."""

    settings: GradeSettings
    students: tuple[Student, ...]


def read_grading(path: Path) -> Grading | None:
    """Return how the players of a tournament file are graded, ``None`` if they are not.

    The rest of the file is not read, so players may be missing by now. ``InvalidFile``.
    """
    reader = _Reader(Path(os.path.abspath(path)).parent)
    data = parse(path, "`acquire tournament init FILE` writes a new one.")
    grading = reader.read_grading(data)
    if reader.mistakes:
        raise InvalidFile(path, reader.mistakes)
    return grading


class _Reader:
    """Reads one file, and collects the mistakes in it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._bad_settings: set[str] = set()
        """Settings of [tournament] that are wrong on their own."""
        self.mistakes: list[Mistake] = []

    def read(self, data: Mapping[str, Any]) -> Plan | None:
        """Check each section, then what involves several; ``None`` if there are mistakes."""
        self._add(
            Mistake(name, unknown(name, SECTIONS, "section of a tournament file"))
            for name in data
            if name not in SECTIONS
        )
        general = self._section(data, "tournament", GeneralSettings)
        clocks = self._section(data, "clocks", ClockSettings)
        limits = self._limits(data)
        lobby = self._section(data, "lobby", LobbySettings)
        readable = general or self._valid_part(data.get("tournament"))
        players = self._players(data.get("players"), required=readable.submissions is None)
        submissions = without_names(
            self._submissions(readable.submissions), {player.name for player in players}
        )
        self._check_together(readable, lobby, data, submissions)
        roster = self._roster(readable.roster)
        grades = self._grades(data)
        if self.mistakes:  # perhaps there are too few players
            self._add(Mistake(f"submissions ({name})", why) for name, why in submissions.left_out)
        if self.mistakes or not (general and clocks and limits and lobby):
            return None
        found = [with_version(self._folder, player) for player in players]
        self._add(Mistake(f"players ({o.name})", o.why) for o in found if isinstance(o, LeftOut))
        if self.mistakes:
            return None
        own = (each for each in found if isinstance(each, Entrant))
        plan = Plan(
            tournament=general,
            clocks=clocks,
            limits=limits,
            lobby=lobby,
            players=(*own, *submissions.players),
            folder=self._folder,
            left_out=submissions.left_out,
            roster=roster,
            grades=grades,
        )
        self._add(plan_checks.check_grades(grades, plan.names))
        if (total := new_schedule(plan).total) > MAX_GAMES:
            sentence = (
                f"results in {total:,} games; the maximum is {MAX_GAMES:,}. Set fewer deals, other "
                'seatings, or format = "swiss".'
            )
            self._add([Mistake("tournament", sentence)])
        return plan

    def read_grading(self, data: Mapping[str, Any]) -> Grading | None:
        """Check what grades depend on alone."""
        general = data.get("tournament")
        roster = general.get("roster") if isinstance(general, dict) else None
        settings = self._grades(data)
        students = self._roster(roster if isinstance(roster, str) else None)
        return None if settings is None else Grading(settings, students)

    def _grades(self, data: Mapping[str, Any]) -> GradeSettings | None:
        return self._section(data, "grades", GradeSettings) if "grades" in data else None

    def _add(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes += mistakes

    # -- each section on its own ----------------------------------------------------------------

    def _section(self, data: Mapping[str, Any], name: str, section: type[S]) -> S | None:
        value = self._table(data, name)
        return None if value is None else self._checked(value, name, section)

    def _limits(self, data: Mapping[str, Any]) -> SandboxLimits | None:
        value = self._table(data, "limits")
        try:
            return None if value is None else limits_from(value)
        except InvalidSettings as error:
            self._add(
                Mistake(f"limits.{place}".removesuffix("."), sentence)
                for place, sentence in error.mistakes
            )
            return None

    def _table(self, data: Mapping[str, Any], name: str) -> dict[str, Any] | None:
        value = data.get(name, {})
        if isinstance(value, dict):
            return value
        sentence = f"must be a table. Write [{name}] on a line, with its settings below."
        self._add([Mistake(name, sentence)])
        return None

    def _checked(self, value: Mapping[str, Any], place: str, section: type[S]) -> S | None:
        try:
            return section.model_validate(value, context={"folder": self._folder})
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                self._add([mistake_of(place, detail, section)])
                if section is GeneralSettings:
                    self._bad_settings.add(str(detail["loc"][0]))
            return None

    def _submissions(self, pattern: str | None) -> Submissions:
        if pattern is None:
            return Submissions((), ())
        try:
            found = read_submissions(self._folder, pattern)
        except ValueError as error:
            self._add([Mistake("tournament.submissions", str(error))])
            return Submissions((), ())
        if not any(found):
            sentence = f"{pattern!r} matches no folder in {self._folder}."
            self._add([Mistake("tournament.submissions", sentence)])
        return found

    def _roster(self, name: str | None) -> tuple[Student, ...]:
        if name is None:
            return ()
        students, mistakes = read_roster(self._folder / name)
        self._add(mistakes)
        return tuple(students)

    def _players(self, value: object, *, required: bool) -> tuple[Entrant, ...]:
        if not required and value is None:
            return ()
        if value is None or value == []:
            sentence = "There are none. Write a [[players]] table for each."
            self._add([Mistake("players", sentence)])
            return ()
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            sentence = "must be a list of tables. Write [[players]] above each."
            self._add([Mistake("players", sentence)])
            return ()
        checked = [
            self._checked(table, plan_checks.player_place(number, table), Entrant)
            for number, table in enumerate(value, 1)
        ]
        return tuple(player for player in checked if player is not None)

    # -- several sections -----------------------------------------------------------------------

    def _valid_part(self, value: object) -> GeneralSettings:
        """Return the settings of a wrong [tournament] that are right, to check the rest with."""
        settings = value if isinstance(value, dict) else {}
        return GeneralSettings.model_validate(
            {
                name: setting
                for name, setting in settings.items()
                if name in GeneralSettings.model_fields and name not in self._bad_settings
            },
            context={"folder": self._folder},
        )

    def _check_together(
        self,
        general: GeneralSettings,
        lobby: LobbySettings | None,
        data: Mapping[str, Any],
        submissions: Submissions,
    ) -> None:
        players = data.get("players")
        tables = (
            [table for table in players if isinstance(table, dict)]
            if isinstance(players, list)
            else []
        )
        names = [str(table.get("name", "")) for table in tables]
        names += [player.name for player in submissions.players]
        self._add(
            Mistake("players", f"{count} have the name {name!r}. Give each its own name.")
            for name, count in Counter(names).items()
            if name and count > 1
        )
        for check, settings in plan_checks.GENERAL_CHECKS:
            if not settings & self._bad_settings:
                self._add(check(general, names))
        if lobby is not None:
            remote = any("remote" in table for table in tables)
            self._add(plan_checks.check_lobby(lobby, self._folder, remote=remote))
        self._add(plan_checks.check_read_only("limits", data.get("limits"), self._folder))
        for number, table in enumerate(tables, 1):
            place = plan_checks.player_place(number, table)
            self._add(plan_checks.check_player(place, table, self._folder))
