"""Checks of a tournament file that involve several sections, or the files that it names."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ....protocol.settings_file import Mistake, unknown
from ...launching.program import find_program
from ...refereeing.view.plain_text import printable
from .facts import Format
from .plan import Entrant, GeneralSettings, GradeSettings, LobbySettings


def player_place(number: int, table: Mapping[str, Any]) -> str:
    """Return the place of a ``[[players]]`` table, as far as it can be named."""
    name = table.get("name")
    named = f" ({printable(name)})" if isinstance(name, str) and name else ""
    return f"players[{number}]{named}"


def check_names(names: Iterable[str]) -> Iterator[Mistake]:
    """Yield the names that several players have."""
    for name, count in Counter(names).items():
        if name and count > 1:
            yield Mistake("players", f"{count} have the name {name!r}. Give each its own name.")


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
"""Settings of a player that belong to its command."""
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
