"""The folders that players have handed in, and the version of every program.

A folder is a player with the folder's name. It may contain ``player.toml``; a folder without runs
as the starters do. What is wrong with one folder concerns that player alone: it is left out, and
the others play.
"""

import hashlib
import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from ....protocol.player_names import appearance, lookalikes, told_alike
from ....protocol.plugins import names_file, path_of
from ....protocol.settings_file import InvalidFile, InvalidSettings, Mistake, parse, told
from ...launching.player_folder import (
    LINK,
    VERSION_DIGITS,
    FolderRefused,
    ReadFolder,
    hash_of_files,
    read_files,
)
from ...launching.program import contains_any, leads_out, parts_of
from ...launching.sandbox_files import home
from ...refereeing.view.plain_text import plural
from .plan import Entrant, LeftOut
from .sections import PlanSection, PlayerSettings, mistakes_of
from .setting_values import Command, Found, Variables

PLAYER_FILE = "player.toml"
MAX_BYTES, MAX_TOLD = 2**16, 10  # bytes of a player's file; its mistakes that are shown
WILDCARDS = "*?["  # what a part of a pattern has that is no plain name
PLACES = ("{host}", "{port}", "{name}")
COMMAND_HINT = (
    f" Write one line into {PLAYER_FILE} there, with the words that start the program: "
    'command = ["perl", "player.pl", "{host}", "{port}", "{name}"]'
)
ARCHIVE = re.compile(r"(.+?)\.(zip|7z|rar|tar|tgz|tar\.\w+)", re.IGNORECASE)
"""The name of a file that should have been unpacked into a folder."""


DEFAULT_RUNS: dict[str, Mapping[str, Sequence[str]]] = {
    "player.py": {"command": ("python3", "player.py", *PLACES)},
    "player.js": {"command": ("node", "player.js", *PLACES)},
    "Player.java": {
        # without the second compiler and its threads, a game takes half the CPU time
        "command": ("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "Player", *PLACES),
        "build": ("javac", "Player.java"),
    },
}
"""How a folder without ``player.toml`` runs, by a file in it: the first that is there."""
INTERPRETERS = {run["command"][0] for run in DEFAULT_RUNS.values()}
JAVA_SOURCE = {"command": ("java", "Player.java", *PLACES)}
"""How it runs where there is no ``javac``; ``java`` may still be able to compile it each time."""


class PlayerFile(PlanSection):
    """``player.toml``: how the program of a folder is built and started, in that folder."""

    command: Command | None = None
    build: Command | None = None
    environment: Variables = Field(default_factory=dict)

    def wrong(self, folder: Path | None) -> Iterator[Found]:
        """Yield what leads out of the folder."""
        words = {
            "command": self.command or (),
            "build": self.build or (),
            "environment": self.environment.values(),
        }
        for setting, texts in words.items():
            for part in parts_of(texts):
                if leads_out(part):
                    yield (setting,), f"{part!r} is not in the folder. Hand in all that is needed."


def read_submissions(
    plan_folder: Path, pattern: str, taken: Iterable[str]
) -> list[Entrant | LeftOut]:
    """Read all folders that match a pattern, such as ``handed-in/*``, in the order of their names.

    No folder plays whose name looks like one that is ``taken`` in the tournament file, or like that
    of another folder: nobody knows which of them is meant by it. ``InvalidSettings`` if there is
    none, several have the same name, or it is not a pattern of relative paths.
    """
    try:
        matches = sorted(plan_folder.glob(pattern))
    except (NotImplementedError, ValueError) as error:
        why = f"{pattern!r} is not a pattern of folders: {error}."
        raise InvalidSettings([Mistake("tournament.submissions", why)]) from None
    shown = [match for match in matches if not match.name.startswith(".")]
    counts = Counter(match.name for match in shown if match.is_dir())
    in_file = {appearance(name): name for name in taken}
    found: list[Entrant | LeftOut] = []
    for match in shown:
        if match.is_dir():
            player = _read_hand_in(plan_folder, pattern, match)
            name = player.name
            if isinstance(player, Entrant) and (taken_by := in_file.get(appearance(name))):
                same = "The tournament file has a player of this name."
                why = same if taken_by == name else told_alike([name, taken_by])
                player = LeftOut(name, f"{why} Rename the folder.")
            found.append(player)
        elif (packed := ARCHIVE.fullmatch(match.name)) and packed[1] not in counts:
            what = f"{match.name} is an archive, and not a folder"
            found.append(LeftOut(packed[1], f"{what}. Unpack it into the folder {packed[1]}."))
    why = "" if found else f"{pattern!r} matches no folder in {plan_folder}."
    for name, count in counts.most_common(1):
        if count > 1:
            why = (
                f"{pattern!r} matches {count} folders named {name!r}, and each player has the name "
                "of its folder. Choose another pattern, or rename them."
            )
    if why:
        raise InvalidSettings([Mistake("tournament.submissions", why)])
    return [*_without_lookalikes(found)]


def _without_lookalikes(found: Sequence[Entrant | LeftOut]) -> Iterator[Entrant | LeftOut]:
    names = [one.name for one in found if isinstance(one, Entrant)]
    alike = {name: group for group in lookalikes(names) for name in group}
    for one in found:
        if isinstance(one, Entrant) and (group := alike.get(one.name)):
            why = f"{told_alike(group)} None of them plays. Rename or remove folders."
            yield LeftOut(one.name, why)
        else:
            yield one


def folder_of_hand_ins(plan_folder: Path, pattern: str) -> Path:
    """Return the folder that all folders of a pattern are in.

    >>> folder_of_hand_ins(Path("course"), "handed-in/group-?/*").as_posix()
    'course/handed-in'
    """
    plain = takewhile(lambda part: not set(part) & set(WILDCARDS), Path(pattern).parts[:-1])
    return plan_folder.joinpath(*plain)


def _read_hand_in(plan_folder: Path, pattern: str, folder: Path) -> Entrant | LeftOut:
    """Read a folder; if it is refused, nothing else in it is read, not even how it runs."""
    inside = folder.relative_to(folder_of_hand_ins(plan_folder, pattern))
    # nothing has to be looked up through a link of somebody else's
    if any(place.is_symlink() for place in (folder, *folder.parents)[: len(inside.parts)]):
        return LeftOut(folder.name, "The folder is a link. Put the folder itself there.")
    try:
        read = ReadFolder.of(folder)
        if read.refusal:
            return LeftOut(folder.name, read.refusal)
        found = player_in(plan_folder, folder)
        return found if isinstance(found, LeftOut) else with_version(plan_folder, found, read)
    except Exception as error:  # a bug, from which nobody else has to suffer
        from ...refereeing.table.run import write_crash_report  # it imports trio, which takes long

        return LeftOut(folder.name, f"The folder cannot be read. {write_crash_report(error)}")


def player_in(plan_folder: Path, folder: Path) -> PlayerSettings | LeftOut:
    """Return the player whose program is in a folder, without its version."""
    file = folder / PLAYER_FILE
    fields: dict[str, Any] = {}
    try:
        is_there = os.path.lexists(file) and not file.is_dir()
        for _, kind, raw in read_files(folder, [file] if is_there else []):
            if kind == LINK or len(raw) > MAX_BYTES:
                large = f"The file is larger than {MAX_BYTES} bytes."
                what = "The file is a link. Put the file itself there." if kind == LINK else large
                raise InvalidFile(file, [Mistake("", what)])
            fields = parse(file, "", raw)
        found = PlayerFile.model_validate(fields)
        run = _default_run(folder) if found.command is None else {}
        if run is None:
            known = ", ".join(DEFAULT_RUNS)
            why = f"The folder has no {PLAYER_FILE} with a command, and none of {known}."
            return LeftOut(folder.name, f"{why}{_nested_hint(folder) or COMMAND_HINT}")
        own = {"name": folder.name, "directory": os.path.relpath(folder, plan_folder)}
        fields = {**run, **found.model_dump(exclude_none=True), **own, "handed_in": True}
        return PlayerSettings.model_validate(fields, context={"folder": plan_folder})
    except FolderRefused as error:
        return LeftOut(folder.name, str(error))
    except InvalidFile as error:
        mistakes = [*error.mistakes]
    except ValidationError as error:
        mistakes = mistakes_of(error, PlayerFile, fields)
    told_of = [f"{PLAYER_FILE}:"] if file.is_file() else []
    return LeftOut(folder.name, " ".join([*told_of, *told(mistakes, MAX_TOLD)]))


def _default_run(folder: Path) -> Mapping[str, Sequence[str]] | None:
    for name, run in DEFAULT_RUNS.items():
        if (folder / name).is_file():
            can_build = "build" not in run or shutil.which(run["build"][0])
            return run if can_build else JAVA_SOURCE
    return None


def _nested_hint(folder: Path) -> str:
    """Return which folder in a folder has the program, as many archives unpack to, or nothing.

    Several in it are hand-ins, and the pattern is one folder short.
    """
    names = (PLAYER_FILE, *DEFAULT_RUNS)
    inner = sorted({path.parent.name for name in names for path in folder.glob(f"*/{name}")})
    packed = [path.name for path in sorted(folder.iterdir()) if ARCHIVE.fullmatch(path.name)]
    if not inner:
        return f" But it has {packed[0]}. Unpack it there." if packed else ""
    if len(inner) == 1:
        return f" But {inner[0]} in it has. Move what is in there up, into {folder.name}."
    return (
        f" But {inner[0]} and {plural(len(inner) - 1, 'more folder')} in it have. Move what is in "
        f"one of them up, into {folder.name}; or, if each is a hand-in, write "
        f'"{folder.name}/*" for {folder.name} in the pattern.'
    )


# -- versions -----------------------------------------------------------------------------------


def with_version(
    plan_folder: Path, player: PlayerSettings, handed_in: ReadFolder | None = None
) -> Entrant | LeftOut:
    """Return a player with its version and its folder as it was read, or why it has no version.

    ``handed_in`` is the folder of a player that was handed in, as it was read already. What reads a
    folder later goes by what was found here (:attr:`.Entrant.read_folder`), so that all of a run
    has one version of it.

    The version of a program is the first 12 hexadecimal digits of a hash of the command, the
    variables, and all files in the player's folder. Of a folder that contains the tournament file,
    or that cannot be copied, only those that the command names count. That of a strategy file
    follows from the file alone; a built-in or remote player has none.
    """
    folder, read, version = folder_of(plan_folder, player), ReadFolder(), ""
    try:
        if player.strategy is not None and names_file(player.strategy):
            path = path_of(player.strategy, plan_folder)
            version = hash_of_files(path.parent, [path])
        elif player.command is not None:
            if not contains_any(folder, (plan_folder, *home())):
                read = handed_in or ReadFolder.of(folder)
            files = read.version or hash_of_files(folder, named_files(player, folder))
            parts = [player.command, player.build, sorted(player.environment.items()), files]
            version = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:VERSION_DIGITS]
    except FolderRefused as error:
        return LeftOut(player.name, str(error))
    found = {"version": version, "read_folder": read}
    return Entrant.model_construct(player.model_fields_set, **dict(player) | found)


def folder_of(plan_folder: Path, player: PlayerSettings) -> Path:
    """Return the folder that a player's command is run in, unless it is copied."""
    return Path(os.path.normpath(plan_folder / (player.directory or "")))


def named_files(player: PlayerSettings, folder: Path) -> Iterator[Path]:
    """Yield the files in a folder that a player's command and build name."""
    for word in dict.fromkeys((*(player.command or ()), *(player.build or ()))):
        path = folder / word
        try:
            if word and path.is_file() and path.is_relative_to(folder):
                yield path
        except (OSError, ValueError):  # a word that is no path at all
            continue
