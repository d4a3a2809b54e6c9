"""``acquire new``: a folder to start a player from."""

import shlex
import sys
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import click


class Language(NamedTuple):
    """A language that there is a starter in: its file, and the command that runs it there."""

    file: str
    command: tuple[str, ...]
    needs: str


LANGUAGES = {
    "python": Language("player.py", ("python3", "player.py"), "Python 3.11"),
    "javascript": Language("player.js", ("node", "player.js"), "node 18"),
    "java": Language("Player.java", ("java", "Player.java"), "Java 17"),
}
PLACES = ("{host}", "{port}", "{name}")
TOURNAMENT = """\
# Your player against built-in ones. Fewer deals are quicker, more give narrower intervals.
[tournament]
name = "My player"
seats = 4
deals = 25

[clocks]
reply = 5.0          # seconds; a course may allow less

[[players]]
name = "me"
directory = "player"
command = {command}

[[players]]
name = "investor"    # planner and simulator are stronger
strategy = "investor"

[[players]]
name = "ordered"
strategy = "ordered"

[[players]]
name = "random"
strategy = "random"
"""
README = """\
# My player

A player of Acquire in {language}, legal in every position. It needs {needs} and `acquire`.

- `player/{file}`: the player. Change the functions under YOUR IDEA, near the end.
- `tournament.toml`: a tournament against built-in players.

Check it after each change, in the folder `player`:

    acquire check -- {command}

Play a tournament, and write a page with every game:

    acquire tournament run tournament.toml
    acquire tournament report tournament.toml

After a change, `run` plays the games of the new version. Why a game was lost is on the page of the
player, which `tournament/index.html` links to.
"""


@click.command(short_help="Create a player to start from, in Python, JavaScript or Java.")
@click.argument("language", type=click.Choice([*LANGUAGES]))
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def new(language: str, folder: Path) -> None:
    """Create FOLDER with a player in LANGUAGE, a tournament file, and a README.

    The player is legal in every position of all five rulebooks; your idea is five small functions.

    \b
        acquire new python my-player
    """
    contents = skeleton(language)
    if existing := [name for name in contents if (folder / name).exists()]:
        _refuse(f"{folder / existing[0]} already exists. Choose another folder.")
    try:
        for name, text in contents.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        _refuse(f"{folder} cannot be written: {error.strerror}.")
    for name in contents:
        click.echo(f"Wrote {folder / name}")
    command = " ".join((*LANGUAGES[language].command, *PLACES))
    click.echo(f"Next: cd {shlex.quote(str(folder / 'player'))} && acquire check -- {command}")


def skeleton(language: str) -> Mapping[str, str]:
    """Return the files of a new player, by their paths in the folder."""
    file, command, needs = LANGUAGES[language]
    player = (files("player") / "starters" / language / file).read_text(encoding="utf-8")
    words = [*command, *PLACES]
    listed = ", ".join(f'"{word}"' for word in words)
    name = {"javascript": "JavaScript"}.get(language, language.capitalize())
    readme = README.format(language=name, needs=needs, file=file, command=" ".join(words))
    return {
        f"player/{file}": player,
        "tournament.toml": TOURNAMENT.format(command=f"[{listed}]"),
        "README.md": readme,
    }


def _refuse(sentence: str) -> None:
    click.echo(f"Error: {sentence}", err=True)
    sys.exit(2)
