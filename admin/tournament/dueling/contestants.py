"""The contestants of a duel, as the command line names them.

investor                                   a built-in player
new.py:Mine                                a class in a file, played in this process
"python3 new.py {host} {port} {name}"      a command, as in `acquire check` and tournament files
my-player                                  a folder as it is handed in: with a player.toml, or a
                                           player.py, player.js or Player.java
"""

import itertools
import json
import os
import re
import shlex
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from string import ascii_lowercase
from typing import Any, NamedTuple

from ....protocol.player_names import lookalikes
from ....protocol.plugins import (
    STRATEGIES,
    StrategyFileError,
    class_name,
    load_strategy,
    names_file,
    path_of,
    plugins,
)
from ....protocol.user_error import UserError
from ...launching.player_folder import ReadFolder
from ...launching.program import (
    NO_PORT,
    as_typed,
    exists,
    find_program,
    unknown_placeholder,
    why_not_found,
)
from ...refereeing.view.plain_text import printable
from ..planning.plan import LeftOut
from ..planning.submissions import player_in

MAX_LABEL = 24  # characters of a label; a seat's number may follow it
_SUFFIX = re.compile(r"\.(py|js|mjs|ts|java|jar|class|sh|rb|exe)$")


class Contestant(NamedTuple):
    """Who plays.

    ``settings`` are those of a ``[[players]]`` table. The command of a player in a folder has a
    ``directory`` there; other commands run where the duel was started. ``as_command`` starts it as
    a program, as typed in a shell; it is empty for a built-in player.
    """

    text: str  # as on the command line
    label: str  # its name in the duel
    settings: Mapping[str, Any] = {}
    as_command: str = ""
    names: Sequence[str] = ()  # candidates, each more likely to be unique than the one before
    parts: Sequence[str | Path | ReadFolder] = ()  # what tells it from others; paths are files

    def rerun(self, log: Path, seat: str) -> str:
        """Return the command that repeats a game, or nothing; in a folder it is built first."""
        place = self.settings.get("directory")
        path = shlex.quote(str(log.absolute() if place else log))
        command = f"acquire rerun {path} --seat {shlex.quote(seat)} -- {self.as_command}"
        build = self.settings.get("build")
        built = [as_typed([*_setting(self.settings), *build])] if build else []
        first = [f"cd {shlex.quote(place)}", *built] if place else []
        return " && ".join([*first, command]) if self.as_command else ""


def parse_contestants(texts: Sequence[str], folder: Path) -> list[Contestant]:
    """Return the contestants, each with a label of its own; files and programs are in ``folder``.

    ``UserError`` if one of them cannot play, with the traceback of a class that cannot be
    imported.
    """
    found = {text: _parsed(text, folder) for text in texts}
    for text, one in found.items():
        _verify_written(text, one.settings)
    _verify_own_modules({path_of(text, folder).resolve() for text in texts if names_file(text)})
    labels = _distinct({text: one.names for text, one in found.items()}, texts)
    return [found[text]._replace(label=label) for text, label in zip(texts, labels, strict=True)]


def _parsed(text: str, here: Path) -> Contestant:
    if text in plugins(STRATEGIES):
        return Contestant(text, "", {"strategy": text}, names=(text,), parts=(text,))
    if names_file(text):
        return _class(text, here)
    if text and os.path.isdir(here / text):
        return _folder(text, Path(os.path.abspath(here / text)))
    return _command(text, here)


def _class(text: str, here: Path) -> Contestant:
    try:
        load_strategy(text, here)
    except StrategyFileError as error:
        raise UserError(str(error)) from error
    file, name = path_of(text, here), class_name(text)
    settings = {"strategy": f"{os.path.abspath(file)}:{name}"}  # absolute, for it is in tracebacks
    command = f"acquire play {{host}} {{port}} --name {{name}} --strategy {shlex.quote(text)}"
    names = (name, file.stem, *_by_place(file, f"{file.stem}.{name}"))
    return Contestant(text, "", settings, command, names, (name, file))


def _folder(text: str, folder: Path) -> Contestant:
    player = player_in(folder.parent, folder)
    if isinstance(player, LeftOut):
        raise UserError(f"{text}: {player.why}")
    told = {"command", "build", "environment", "handed_in"}
    own = player.model_dump(include=told, exclude_none=True)
    inside = folder.resolve()
    # `acquire new` puts every player into a folder `player`
    name = inside.parent.name if inside.name == "player" else inside.name
    names = (name, f"{inside.parent.name}-{inside.name}")
    settings, parts = {**own, "directory": str(folder)}, (ReadFolder.of(folder),)
    command = as_typed([*_setting(own), *own["command"]])
    return Contestant(text, "", settings, command, names, parts)


def _setting(settings: Mapping[str, Any]) -> list[str]:
    """Return words that start what follows with the variables of a player, if it has any."""
    variables = [f"{name}={value}" for name, value in settings.get("environment", {}).items()]
    return ["env", *variables] if variables else []


def _command(text: str, here: Path) -> Contestant:
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UserError(f"{text!r} cannot be parsed as a command: {error}.") from error
    if len(words) == 1 and words[0].endswith(".py"):
        raise UserError(
            f"{text!r}: name a class in it, such as '{text}:Mine', or write the command that "
            f"starts it: 'python3 {text} {{host}} {{port}} {{name}}'."
        )
    if not words or find_program(words[0], here) is None:
        if words and (len(words) > 1 or exists(here / words[0])):
            raise UserError(f"{words[0]!r}: {why_not_found(words[0], here)}")
        raise UserError(
            f"{text!r} is neither a built-in player ({', '.join(plugins(STRATEGIES))}), nor "
            "FILE.py:CLASS, nor a folder, nor a command whose program can be found, such as "
            "'python3 my.py {host} {port} {name}'."
        )
    if unknown := unknown_placeholder([text]):
        raise UserError(f"{text!r}: {unknown}")
    # what is run: a file, else the last plain word
    plain = [word for word in words[1:] if "{" not in word and word[:1] != "-"] or words[:1]
    script = here / next((word for word in plain if os.path.isfile(here / word)), plain[-1])
    names = _by_place(script, _SUFFIX.sub("", script.name))
    parts = [here / word if os.path.isfile(here / word) else word for word in words]
    return Contestant(text, "", {"command": words}, as_typed(words), names, parts)


def _by_place(script: Path, name: str) -> tuple[str, str, str]:
    place = script.resolve().parent.name
    return name, place, f"{place}-{name}"


def _verify_written(text: str, settings: Mapping[str, Any]) -> None:
    """Refuse settings that no tournament file can have, which is UTF-8; names of files may not be.

    The path of a file or folder has the names of the folders above it, too.
    """
    try:
        json.dumps(settings, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        found = settings.get("directory", settings.get("strategy", text))
        raise UserError(
            f"{text!r} cannot play: there are bytes that are not UTF-8 in {found!r}. Rename the "
            "file or folder, or give another argument."
        ) from None


def same_programs(contestants: Sequence[Contestant]) -> Iterator[tuple[str, str]]:
    """Yield the labels of each contestant that is the same program as one before, and of that one.

    A folder, and what a command or a class names, is compared byte by byte.
    """
    seen: dict[Sequence[object], str] = {}
    for one in contestants:
        key = tuple(part.read_bytes() if isinstance(part, Path) else part for part in one.parts)
        if key in seen:
            yield one.label, seen[key]
        seen.setdefault(key, one.label)


def port_notes(contestants: Sequence[Contestant]) -> Iterator[str]:
    """Yield a note about each command that is not told the port to connect to."""
    for one in contestants:
        words = (*one.settings.get("command", ()), *one.settings.get("environment", {}).values())
        if words and not any("{port}" in word for word in words):
            yield f"Note: {one.label}: {NO_PORT}"


# -- modules of classes -------------------------------------------------------------------------


def _verify_own_modules(files: Collection[Path]) -> None:
    """Refuse classes that import different modules of the same name."""
    folders = {file.parent for file in files}
    beside = Counter(path.stem for place in folders for path in place.glob("*.py"))
    for name, count in sorted(beside.items()):
        path = Path(getattr(sys.modules.get(name), "__file__", None) or "").resolve()
        if count > 1 and path.parent in folders and path not in files:
            raise UserError(
                f"Several folders have a module {name}.py, and in one process all classes would "
                f"import that of {path.parent}. Give one of them another name, or start a class as "
                "a program of its own: 'acquire play {host} {port} --name {name} --strategy "
                "FILE.py:CLASS'."
            )


# -- labels -------------------------------------------------------------------------------------


def _distinct(names: Mapping[str, Sequence[str]], texts: Sequence[str]) -> list[str]:
    """Choose the first kind of names that all differ; whoever plays twice gets letters as well.

    Numbers follow the letters: that there are more players than seats is found out later.
    """
    labels: dict[str, str] = {}
    for level in range(max(map(len, names.values()))):
        labels = {text: _fitted(own[min(level, len(own) - 1)]) for text, own in names.items()}
        if not lookalikes(labels.values()):
            break
    found: list[str] = []
    for text in texts:
        label = labels[text]
        letters = itertools.chain(ascii_lowercase[1:], itertools.count(27))
        while lookalikes([*found, label]):
            label = f"{labels[text]}-{next(letters)}"
        found.append(label)
    return found


def _fitted(name: str) -> str:
    """Return a name that a player can have; one that ends like ``.2`` is that of a second seat."""
    fitted = printable(name).replace(":", "-").strip()[:MAX_LABEL].strip() or "player"
    return re.sub(r"\.(\d+)$", r"-\1", fitted)
