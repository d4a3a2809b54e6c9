"""``acquire new``: a folder to start a player from, or an administrator."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from .giving_up import give_up
from .kits import KITS, NoWheel, kit

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
{build}
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

    {check}

Play a tournament, and write a page with every game:

    acquire tournament run tournament.toml
    acquire tournament report tournament.toml

After a change, `run` plays the games of the new version. Why a game was lost is on the page of the
player, which `tournament/index.html` links to.
"""
ADMINISTRATOR = "administrator"
SERVE = "python3 administrator.py --port 51234 --players 3"
ADMINISTRATOR_README = """\
# My administrator

An administrator of Acquire in Python, rulebook `revised`. So far it signs players up, sends the
first position and asks for the first turn; then it tells all players that it cannot go on.

- `administrator.py`: each TODO is a step of docs/students/write-an-administrator.md of `acquire`.

Start it, and in another terminal three players:

    {serve}
    for name in ann bob cyd; do acquire play 127.0.0.1 51234 --name $name --strategy ordered & done

They say that they were ejected, for the reason `interrupted`. Write the next step, and start them
again; when they print their scores, a whole match was played. `acquire perft` counts what your
rules allow, and `acquire check-server` looks for faults:

    acquire check-server --rulebook revised --seats 3 -- \\
        python3 administrator.py --port {{port}} --players {{seats}}
"""


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


def skeleton(language: str) -> Mapping[str, str | bytes]:
    """Return the files of a new player or administrator, by their paths in the folder."""
    starters = Path(__file__).parents[1] / "starters" / language
    if language == ADMINISTRATOR:
        file = f"{ADMINISTRATOR}.py"
        program = (starters / file).read_text(encoding="utf-8")
        return {file: program, "README.md": ADMINISTRATOR_README.format(serve=SERVE)}
    chosen = LANGUAGES[language]
    player = (starters / chosen.file).read_text(encoding="utf-8")
    name = {"javascript": "JavaScript"}.get(language, language.capitalize())
    readme = README.format(language=name, needs=chosen.needs, file=chosen.file, check=chosen.check)
    build = f"build = {_array(chosen.build)}\n" if chosen.build else ""
    command = _array((*chosen.command, *PLACES))
    return {
        f"player/{chosen.file}": player,
        "tournament.toml": TOURNAMENT.format(command=command, build=build),
        "README.md": readme,
    }


def _array(words: Sequence[str]) -> str:
    return "[{}]".format(", ".join(f'"{word}"' for word in words))
