"""The contestants of a duel, as the command line names them.

investor                                   a built-in player
new.py:Mine                                a class in a file, played in this process
"python3 new.py {host} {port} {name}"      a command, as in `acquire check` and tournament files
my-player                                  a folder as it is handed in: with a player.toml, or a
                                           player.py, player.js or Player.java
"""

import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ....protocol.plugins import STRATEGIES, load_strategy, plugins
from ....protocol.strategy_file import StrategyFileError, names_file, path_of
from ...launching.program import PLACEHOLDERS, as_typed, find_program
from ...refereeing.view.plain_text import printable
from ..planning.plan import LeftOut
from ..planning.submissions import player_in

MAX_LABEL = 24
"""Characters of a label; a seat's number may follow it."""
_SUFFIX = re.compile(r"\.(py|js|mjs|ts|java|jar|class|sh|rb|exe)$")


class InvalidContestant(Exception):
    """A contestant cannot play; user-facing message."""


class Contestant(NamedTuple):
    """Who plays: ``text`` as on the command line, ``label`` its name in the duel.

    Exactly one of ``strategy``, a name or ``FILE.py:CLASS``, and ``command`` is not empty.
    ``folder`` is where a player was handed in, which may have a ``build`` and variables.
    """

    text: str
    label: str
    strategy: str = ""
    command: tuple[str, ...] = ()
    folder: Path | None = None
    build: tuple[str, ...] = ()
    environment: Mapping[str, str] = {}

    @property
    def as_command(self) -> str:
        """The command that starts it as a program, as typed in a shell; none if it is built in.

        There is none either for a folder, in which it may have to be built first.
        """
        if self.folder is not None:
            return ""
        if self.command:
            return as_typed(self.command)
        if names_file(self.strategy):
            strategy = shlex.quote(self.strategy)
            return f"acquire play {{host}} {{port}} --name {{name}} --strategy {strategy}"
        return ""


def parse_contestants(texts: Sequence[str], folder: Path) -> list[Contestant]:
    """Return the contestants, each with a label of its own; files and programs are in ``folder``.

    ``InvalidContestant`` if one of them cannot play, with the traceback of a class that cannot be
    imported.
    """
    found = [_parse(text, folder) for text in texts]
    _verify_own_modules(found, folder)
    labels = _distinct({each.text: [*_names(each, folder)] for each in found}, texts)
    return [one._replace(label=label) for one, label in zip(found, labels, strict=True)]


def _parse(text: str, folder: Path) -> Contestant:
    known = plugins(STRATEGIES)
    if text in known:
        return Contestant(text, "", strategy=text)
    if names_file(text):
        try:
            load_strategy(text, folder)
        except StrategyFileError as error:
            raise InvalidContestant(str(error)) from error
        return Contestant(text, "", strategy=text)
    if text and (folder / text).is_dir():
        return _in_folder(text, folder / text)
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise InvalidContestant(f"{text!r} cannot be parsed as a command: {error}.") from error
    if len(words) == 1 and words[0].endswith(".py"):
        raise InvalidContestant(
            f"{text!r}: name a class in it, such as '{text}:Mine', or write the command that "
            f"starts it: 'python3 {text} {{host}} {{port}} {{name}}'."
        )
    if not words or find_program(words[0], folder) is None:
        raise InvalidContestant(
            f"{text!r} is neither a built-in player ({', '.join(known)}), nor FILE.py:CLASS, nor a "
            "folder, nor a command whose program can be found, such as 'python3 my.py {host} "
            "{port} {name}'."
        )
    for name in re.findall(r"\{(\w+)\}", text):
        if name not in PLACEHOLDERS:
            raise InvalidContestant(
                f"{text!r}: {{{name}}} is not a placeholder. Use {{host}}, {{port}} and {{name}}."
            )
    return Contestant(text, "", command=words)


def _in_folder(text: str, folder: Path) -> Contestant:
    """Return the player in a folder, which runs as one that was handed in."""
    found = player_in(folder.parent, folder)
    if isinstance(found, LeftOut):
        raise InvalidContestant(f"{text}: {found.why}")
    return Contestant(
        text,
        "",
        command=found.command or (),
        folder=folder,
        build=found.build or (),
        environment=found.environment,
    )


def same_programs(contestants: Sequence[Contestant], folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the labels of each contestant that is the same program as one before, and of that one.

    What a command or a class names is compared byte by byte.
    """
    seen: dict[object, str] = {}
    for one in contestants:
        file, _, own = one.strategy.rpartition(":")
        words = one.command or ((file, own) if names_file(one.strategy) else (one.strategy,))
        paths = [folder / word for word in words]
        key = tuple(
            path.read_bytes() if word and path.is_file() else word
            for word, path in zip(words, paths, strict=True)
        )
        if key in seen:
            yield one.label, seen[key]
        seen.setdefault(key, one.label)


# -- modules of classes -------------------------------------------------------------------------


def _verify_own_modules(contestants: Sequence[Contestant], folder: Path) -> None:
    """Refuse two classes that import different modules of the same name.

    In one process both would get the module that was imported first.
    """
    files = {
        path_of(one.strategy, folder).resolve() for one in contestants if names_file(one.strategy)
    }
    folders = {file.parent for file in files}
    beside = Counter(path.stem for place in folders for path in place.glob("*.py"))
    for name, count in sorted(beside.items()):
        module = sys.modules.get(name)
        path = Path(getattr(module, "__file__", None) or "").resolve()
        if count > 1 and path.parent in folders and path not in files:
            raise InvalidContestant(
                f"Several folders have a module {name}.py, and in one process all classes would "
                f"import that of {path.parent}. Give one of them another name, or start a class as "
                "a program of its own: 'acquire play {host} {port} --name {name} --strategy "
                "FILE.py:CLASS'."
            )


# -- labels -------------------------------------------------------------------------------------


def _names(contestant: Contestant, folder: Path) -> Iterator[str]:
    """Yield names for a contestant, each more likely to be its own than the one before."""
    if contestant.folder is not None:
        inside = contestant.folder.resolve()
        # `acquire new` puts every player into a folder `player`
        yield inside.parent.name if inside.name == "player" else inside.name
        yield f"{inside.parent.name}-{inside.name}"
        return
    if contestant.command:
        # what is run: a file, else the last plain word
        plain = [word for word in contestant.command[1:] if "{" not in word and word[:1] != "-"]
        files = [word for word in plain if (folder / word).is_file()]
        script = next(iter(files), plain[-1] if plain else contestant.command[0])
        name = _SUFFIX.sub("", Path(script).name)
    elif names_file(contestant.strategy):
        script, _, own = contestant.strategy.rpartition(":")
        yield own
        yield Path(script).stem
        name = f"{Path(script).stem}.{own}"
    else:
        yield contestant.strategy
        return
    yield name
    place = (folder / script).resolve().parent.name
    yield place
    yield f"{place}-{name}"


def _distinct(names: Mapping[str, Sequence[str]], texts: Sequence[str]) -> list[str]:
    """Choose the first kind of names that all differ; whoever plays twice gets letters as well."""
    labels: dict[str, str] = {}
    for level in range(max(map(len, names.values()))):
        labels = {text: _fitted(own[min(level, len(own) - 1)]) for text, own in names.items()}
        if len({*labels.values()}) == len(labels):
            break
    found: list[str] = []
    for text in texts:
        label = labels[text]
        letters = (f"{label}-{letter}" for letter in "bcdefghijklmnopqrstuvwxyz")
        while label in found:
            label = next(letters)
        found.append(label)
    return found


def _fitted(name: str) -> str:
    """Return a name that a player can have; one that ends like ``.2`` is that of a second seat."""
    fitted = printable(name).replace(":", "-").strip()[:MAX_LABEL].strip() or "player"
    return re.sub(r"\.(\d+)$", r"-\1", fitted)
