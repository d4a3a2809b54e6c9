"""What is wrong with a tournament file, in its own words, and what is perhaps not intended.

:func:`mistake_of` words what pydantic finds in one section. The checks are of what involves several
sections, or the files that they name; the warnings are about a whole plan that can be played.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import comb, sqrt
from pathlib import Path
from statistics import pstdev
from typing import Any

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from ....protocol.settings_file import Mistake, unknown
from ...launching.program import find_program
from ...refereeing.view.plain_text import plural, printable
from ...studying.statistics.estimate import CONFIDENCE, MIN_BLOCKS
from ...studying.statistics.student import critical_distance
from .facts import Format
from .plan import (
    Entrant,
    GeneralSettings,
    GradeSettings,
    GradeStep,
    LobbySettings,
    Plan,
    RemoteSettings,
)
from .schedule import seatings


def mistake_of(place: str, detail: ErrorDetails, section: type[BaseModel]) -> Mistake:
    """Return the mistake that the check of one section has found, in the words of the file."""
    steps = [step for step in detail["loc"] if step not in ("function-after", "tuple")]
    for step in steps:
        place += f"[{step + 1}]" if isinstance(step, int) else f".{step}"
    describe = _SENTENCES.get(detail["type"])
    sentence = describe(detail) if describe else f"{detail['msg']}; it is {detail['input']!r}."
    if detail["type"] == "too_short" and steps[:1] in (["command"], ["build"]):
        sentence = "is empty. Write the program, and each of its arguments."
    if detail["type"] == "extra_forbidden":
        place, _, name = place.rpartition(".")
        inner: dict[object, type[BaseModel]] = {"remote": RemoteSettings, "scale": GradeStep}
        table = inner.get(steps[0], section) if steps[:-1] else section
        sentence = unknown(name, list(table.model_fields), "setting here")
    return Mistake(place, sentence)


def _bound(detail: ErrorDetails, name: str) -> str:
    bound, value = detail.get("ctx", {}).get(name), detail["input"]
    return f"{bound}, not {value}" if isinstance(value, int | float) else f"{bound}"


_SENTENCES: dict[str, Callable[[ErrorDetails], str]] = {
    "setting": lambda detail: detail["msg"],
    "missing": lambda detail: "is missing.",
    "string_type": lambda detail: f"must be a text in quotes, not {detail['input']!r}.",
    "int_type": lambda detail: f"must be a whole number, not {detail['input']!r}.",
    "float_type": lambda detail: f"must be a number, not {detail['input']!r}.",
    "greater_than": lambda detail: f"must be more than {_bound(detail, 'gt')}.",
    "greater_than_equal": lambda detail: f"must be at least {_bound(detail, 'ge')}.",
    "less_than": lambda detail: f"must be less than {_bound(detail, 'lt')}.",
    "less_than_equal": lambda detail: f"must be at most {_bound(detail, 'le')}.",
    "string_too_short": lambda detail: (
        f"must have at least {_bound(detail, 'min_length')} characters."
    ),
    "string_too_long": lambda detail: (
        f"must have at most {_bound(detail, 'max_length')} characters."
    ),
    "too_short": lambda detail: (
        "is empty."
        if isinstance(detail["input"], str)
        else f"must have {_bound(detail, 'min_length')} or more."
    ),
    "too_long": lambda detail: f"must have at most {_bound(detail, 'max_length')}.",
    "finite_number": lambda detail: "must be a finite number.",
    **dict.fromkeys(
        ("model_type", "dict_type"),
        lambda detail: f"must be a table such as {{ ... }}, not {detail['input']!r}.",
    ),
    "bool_type": lambda detail: f"must be true or false, not {detail['input']!r}.",
    "tuple_type": lambda detail: f"must be a list in [ ], not {detail['input']!r}.",
    **dict.fromkeys(
        ("enum", "literal_error"),
        lambda detail: f"must be {detail.get('ctx', {}).get('expected')}, not {detail['input']!r}.",
    ),
}


# -- several sections ---------------------------------------------------------------------------


def player_place(number: int, table: Mapping[str, Any]) -> str:
    """Return the place of a ``[[players]]`` table, as far as it can be named."""
    name = table.get("name")
    named = f" ({printable(name)})" if isinstance(name, str) and name else ""
    return f"players[{number}]{named}"


def check_seats(general: GeneralSettings, names: Sequence[str]) -> Iterator[Mistake]:
    """Yield what is wrong with the number of seats, for the rulebook and the players."""
    try:
        rulebook = general.rulebook_value()
    except ValueError as error:
        yield Mistake("tournament.hide", f"{error}. Remove it.")
        return
    least, most = rulebook.min_players, rulebook.max_players
    if not least <= general.seats <= most:
        yield Mistake(
            "tournament.seats",
            f"must be between {least} and {most} for rulebook {rulebook.id}, not {general.seats}.",
        )
    if names and len(names) < general.seats:
        yield Mistake(
            "players",
            f"There are {len(names)} for a table of {general.seats}. Add players, or set fewer "
            "seats under [tournament].",
        )


def check_format(general: GeneralSettings, names: Sequence[str]) -> Iterator[Mistake]:
    """Yield what is wrong with a gauntlet's challenger and a Swiss tournament's rounds."""
    gauntlet, swiss = general.format is Format.GAUNTLET, general.format is Format.SWISS
    challenger = general.challenger
    if gauntlet and challenger is None:
        yield Mistake("tournament.challenger", "is missing: a gauntlet needs a player's name.")
    elif gauntlet and challenger not in names:
        yield Mistake("tournament.challenger", unknown(str(challenger), names, "player"))
    elif not gauntlet and challenger is not None:
        yield Mistake("tournament.challenger", 'is only for format = "gauntlet". Remove it.')
    if swiss and general.rounds is None:
        yield Mistake("tournament.rounds", "is missing: a Swiss tournament needs a number.")
    elif not swiss and general.rounds is not None:
        yield Mistake(
            "tournament.rounds", 'is only for format = "swiss". Set a higher number of deals.'
        )


def check_points(general: GeneralSettings, _names: Sequence[str]) -> Iterator[Mistake]:
    """Yield what is wrong with the points of the places."""
    points = general.points
    if points is None:
        return
    if len(points) != general.seats:
        yield Mistake(
            "tournament.points",
            f"has {len(points)} numbers for {general.seats} seats. Write one for each place.",
        )
    if sorted(points, reverse=True) != list(points) or len(set(points)) < 2:
        yield Mistake(
            "tournament.points",
            "must not increase from place to place, and the first must be more than the last.",
        )


def check_grades(grades: GradeSettings | None, names: Sequence[str]) -> Iterator[Mistake]:
    """Yield what is wrong with the scale: steps without a condition, players that are unknown."""
    for number, step in enumerate(grades.scale if grades else (), 1):
        place = f"grades.scale[{number}]"
        if (step.points, step.rank, step.above, step.finished) == (None,) * 4:
            sentence = "has no condition. Write points, rank, above or finished beside the grade."
            yield Mistake(place, sentence)
        if step.above is not None and step.above not in names:
            yield Mistake(f"{place}.above", f"{step.above!r} is not a player of this tournament.")


OF_A_COMMAND = frozenset({"directory", "environment", "build", "read_only"})
Check = Callable[[GeneralSettings, Sequence[str]], Iterator[Mistake]]
GENERAL_CHECKS: tuple[tuple[Check, frozenset[str]], ...] = (
    (check_seats, frozenset({"rulebook", "hide", "seats"})),
    (check_format, frozenset({"format", "challenger", "rounds"})),
    (check_points, frozenset({"points", "seats"})),
)
"""The checks of ``[tournament]`` with the players' names, and the settings that each involves."""


def check_lobby(lobby: LobbySettings, folder: Path, *, remote: bool) -> Iterator[Mistake]:
    """Yield what is wrong with port and TLS; ``remote`` is whether there are remote players."""
    if remote and lobby.port == 0:
        yield Mistake(
            "lobby.port", "is missing: remote players must know it. Set one, such as 51234."
        )
    if (lobby.certificate is None) != (lobby.key is None):
        missing = "certificate" if lobby.certificate is None else "key"
        yield Mistake(
            f"lobby.{missing}", "is missing: TLS needs a certificate and its key (PEM files)."
        )
        return
    for name in ("certificate", "key"):
        file = getattr(lobby, name)
        if file is not None and not os.access(folder / file, os.R_OK):
            yield Mistake(f"lobby.{name}", f"{file!r} cannot be read in {folder}.")
            return
    if lobby.certificate is not None and lobby.key is not None:
        from ...refereeing.table.listeners import CannotListen, tls_context

        try:
            tls_context(str(folder / lobby.certificate), str(folder / lobby.key))
        except CannotListen as error:
            yield Mistake("lobby.key", str(error))


def check_read_only(place: str, table: object, folder: Path) -> Iterator[Mistake]:
    """Yield the files and folders of ``read_only`` in a table that are not there."""
    match table:
        case {"read_only": list(paths)}:
            for number, path in enumerate(paths, 1):
                if isinstance(path, str) and path and not os.path.exists(folder / path):
                    yield Mistake(
                        f"{place}.read_only[{number}]",
                        f"{path!r} does not exist in {folder}. Create it, or remove it.",
                    )


def check_player(place: str, table: Mapping[str, Any], folder: Path) -> Iterator[Mistake]:
    """Yield what is wrong with how one player plays."""
    ways = [way for way in ("command", "strategy", "remote") if way in table]
    misspelt = not ways and table.keys() - Entrant.model_fields.keys()
    if len(ways) != 1 and not misspelt:  # a misspelt setting is a mistake already
        found = f"has {' and '.join(ways)}" if ways else "has none of command, strategy and remote"
        yield Mistake(
            place,
            f"{found}. A player needs exactly one: command (a list of arguments), strategy (a "
            "built-in player) or remote (with a secret).",
        )
    elif ways and "command" not in table and (wrong := sorted(table.keys() & OF_A_COMMAND)):
        yield Mistake(place, f"has {' and '.join(wrong)}, which only a command can have.")
    yield from check_read_only(place, table, folder)
    yield from _check_command(place, table, folder)


def _check_command(place: str, table: Mapping[str, Any], folder: Path) -> Iterator[Mistake]:
    """Yield what is wrong with the programs of a player and its folder."""
    if not isinstance(table.get("command"), list | tuple):
        return
    directory = table.get("directory", "")
    if not isinstance(directory, str):
        return
    runs_in = folder / directory
    if not runs_in.is_dir():
        yield Mistake(
            f"{place}.directory",
            f"{directory!r} is not a folder in {folder}. Create it, or name another one.",
        )
        return
    setting = "build" if "build" in table else "command"  # a build may make the program itself
    match table[setting]:
        case [str(program), *_] if "{" not in program and find_program(program, runs_in) is None:
            where = f"not a program in {runs_in}" if "/" in program else "not found in PATH"
            yield Mistake(
                f"{place}.{setting}[1]",
                f"{program!r} is {where}. Write a program that can be run, such as 'python3', and "
                "each of its arguments as a separate text.",
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
