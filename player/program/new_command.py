"""``acquire new``: a folder to start a player from, or an administrator, or a kit for grading.

A kit grades with ``acquire check``, on Gradescope or on GitHub with GitHub Classroom. It has the
wheel of this project, made anew from the files that are installed.
"""

import base64
import hashlib
import io
import shlex
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import click

from ...protocol.user_error import UserError

PLACES = ("{host}", "{port}", "{name}")


class Language(NamedTuple):
    """A language that there is a starter in: its file, and the command that runs it there."""

    file: str
    command: tuple[str, ...]
    needs: str
    build: tuple[str, ...] = ()  # runs before the command, after each change

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
DISTRIBUTION = "acquire-referee"
GRADESCOPE = (
    *("setup.sh", "run_autograder", "weights.toml", "hidden/hidden.toml"),
    *("Containerfile", "README.md"),
)
GITHUB = {"acquire.yml": ".github/workflows/acquire.yml", "README.md": "README.md"}
"""The files of the kit for GitHub, beside those that it has from the other, and where they go."""
KITS = ("gradescope", "github")
STARTERS = Path(__file__).parents[1] / "starters"


@click.command(short_help="Create a player to start from, or a kit for grading.")
@click.argument("language", type=click.Choice([*LANGUAGES, ADMINISTRATOR, *KITS]))
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def new(language: str, folder: Path) -> None:
    """Create FOLDER with a player in Python, JavaScript or Java, a tournament file, and a README.

    The player is legal in every position of all five rulebooks; your idea is five small functions.
    With `administrator` it is a server in Python instead, which you complete step by step. With
    `gradescope` or `github` it is a kit for grading players, with this program's wheel in it.

    \b
        acquire new python my-player
        acquire new administrator my-administrator
        acquire new gradescope autograder

    Exit codes: 0 created; 2 the folder is not empty, or cannot be written.
    """
    contents = kit(language) if language in KITS else skeleton(language)
    existing = [folder / name for name in contents if (folder / name).exists()]
    if language != "github":  # that kit may go into a repository; .git and the like may be anywhere
        existing += folder.glob("[!.]*")
    if existing:
        advice = "Choose another" if language == "github" else "Choose a new or an empty"
        raise UserError(f"{existing[0]} already exists. {advice} folder.")
    try:
        for name, content in contents.items():
            data = content.encode() if isinstance(content, str) else content
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
            if data.startswith(b"#!"):
                (folder / name).chmod(0o755)
    except OSError as error:
        raise UserError(f"{folder} cannot be written: {error.strerror}.") from error
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


# -- kits ---------------------------------------------------------------------------------------


def kit(name: str) -> Mapping[str, bytes]:
    """Return the files of a kit by their paths in its folder."""
    shared = {file: (STARTERS / "gradescope" / file).read_bytes() for file in GRADESCOPE}
    wheel, content = made_wheel()
    shared[wheel] = content
    if name == "gradescope":
        return shared
    del shared["README.md"]
    own = {place: (STARTERS / "github" / file).read_bytes() for file, place in GITHUB.items()}
    return {**own, **{f".github/grading/{file}": text for file, text in shared.items()}}


def made_wheel() -> tuple[str, bytes]:
    """Return the file name and the content of a wheel of what is installed."""
    try:
        metadata = distribution(DISTRIBUTION)
    except PackageNotFoundError as error:
        why = f"{DISTRIBUTION} is not installed, so its wheel cannot be made. Install it with pip."
        raise UserError(why) from error
    stem = f"{DISTRIBUTION.replace('-', '_')}-{metadata.version}"
    contents = dict(_package(Path(str(files("acquire"))), "acquire"))
    for name in ("METADATA", "entry_points.txt"):
        contents[f"{stem}.dist-info/{name}"] = (metadata.read_text(name) or "").encode()
    tag = "Wheel-Version: 1.0\nGenerator: acquire new\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    contents[f"{stem}.dist-info/WHEEL"] = tag.encode()
    record = "".join(f"{path},{_digest(data)},{len(data)}\n" for path, data in contents.items())
    contents[f"{stem}.dist-info/RECORD"] = f"{record}{stem}.dist-info/RECORD,,\n".encode()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in contents.items():
            wheel.writestr(zipfile.ZipInfo(path), data, zipfile.ZIP_DEFLATED)
    return f"{stem}-py3-none-any.whl", file.getvalue()


def _package(folder: Path, name: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a package; in a checkout, links lead to its parts."""
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path.name != "__pycache__":
            yield from _package(path, f"{name}/{path.name}")
        elif path.is_file() and path.suffix not in (".pyc", ".so"):
            yield f"{name}/{path.name}", path.read_bytes()


def _digest(data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
    return f"sha256={digest.decode().rstrip('=')}"
