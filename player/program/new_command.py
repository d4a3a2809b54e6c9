"""``acquire new``: a folder to start a player from, or an administrator."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from .kits import KITS, NoWheel, kit
from .play_command import give_up

PLACES = ("{host}", "{port}", "{name}")


class Language(NamedTuple):
    """A language that there is a starter in: its file, and the command that runs it there.

    ``build`` comes before, after each change.
    """

    file: str
    command: tuple[str, ...]
    needs: str
    build: tuple[str, ...] = ()

    @property
    def check(self) -> str:
        """The command line that checks a player."""
        words = " ".join((*self.command, *PLACES))
        return " && ".join(filter(None, (" ".join(self.build), f"acquire check -- {words}")))


LANGUAGES = {
    "python": Language("player.py", ("python3", "player.py"), "Python 3.11"),
    "javascript": Language("player.js", ("node", "player.js"), "node 18"),
    "java": Language("Player.java", ("java", "Player"), "Java 17", ("javac", "Player.java")),
}
ADMINISTRATOR = "administrator"
SERVE = "python3 administrator.py --port 51234 --players 3"
STARTERS = Path(__file__).parents[1] / "starters"


@click.command(short_help="Create a player to start from, or a kit for grading.")
@click.argument("language", type=click.Choice([*LANGUAGES, ADMINISTRATOR, *KITS]))
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def new(language: str, folder: Path) -> None:
    """Create FOLDER with a player in LANGUAGE, a tournament file, and a README.

    The player is legal in every position of all five rulebooks; your idea is five small functions.
    With `administrator` it is a server in Python instead, which you complete step by step. With
    `gradescope` or `github` it is a kit for grading players, with this program's wheel in it.

    \b
        acquire new python my-player
        acquire new administrator my-administrator
        acquire new gradescope autograder
    """
    try:
        contents = kit(language) if language in KITS else skeleton(language)
    except NoWheel as error:
        give_up(str(error))
    if existing := [name for name in contents if (folder / name).exists()]:
        give_up(f"{folder / existing[0]} already exists. Choose another folder.")
    try:
        for name, content in contents.items():
            data = content.encode() if isinstance(content, str) else content
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
            if data.startswith(b"#!"):
                (folder / name).chmod(0o755)
    except OSError as error:
        give_up(f"{folder} cannot be written: {error.strerror}.")
    for name in contents:
        click.echo(f"Wrote {folder / name}")
    if language in KITS:
        click.echo(f"Next: read {folder / 'README.md'}")
        return
    inside = folder if language == ADMINISTRATOR else folder / "player"
    run = SERVE if language == ADMINISTRATOR else LANGUAGES[language].check
    click.echo(f"Next: cd {shlex.quote(str(inside))} && {run}")


def skeleton(language: str) -> Mapping[str, str]:
    """Return the files of a new player or administrator, by their paths in the folder."""
    if language == ADMINISTRATOR:
        files = (f"{ADMINISTRATOR}.py", "README.md")
        return {file: _starter(f"{ADMINISTRATOR}/{file}") for file in files}
    chosen = LANGUAGES[language]
    name = {"javascript": "JavaScript"}.get(language, language.capitalize())
    build = f"build = {_array(chosen.build)}\n" if chosen.build else ""
    return {
        f"player/{chosen.file}": _starter(f"{language}/{chosen.file}"),
        "tournament.toml": _starter("tournament.toml").format(
            command=_array((*chosen.command, *PLACES)), build=build
        ),
        "README.md": _starter("README.md").format(
            language=name, needs=chosen.needs, file=chosen.file, check=chosen.check
        ),
    }


def _starter(file: str) -> str:
    return (STARTERS / file).read_text(encoding="utf-8")


def _array(words: Sequence[str]) -> str:
    return "[{}]".format(", ".join(f'"{word}"' for word in words))
