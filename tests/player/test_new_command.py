"""`acquire new` writes a player that can be checked and entered in a tournament at once."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest
from command_line import ACQUIRE
from loops import for_each

from acquire.admin.tournament.planning.plan_file import read_plan
from acquire.player.program.new_command import LANGUAGES

ROOT = Path(__file__).parents[2]


def new(language: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [ACQUIRE, "new", language, str(folder)]
    return subprocess.run(command, capture_output=True, text=True)


@for_each("language", LANGUAGES)
def test_skeleton_is_the_starter_with_a_valid_tournament(language: str, tmp_path: Path) -> None:
    folder = tmp_path / language / "my player"
    written = new(language, folder)
    assert written.returncode == 0, written.stderr
    starters = (ROOT / "player" / "starters" / language).iterdir()
    (starter,) = (file for file in starters if file.is_file())  # not what Python leaves there
    assert (folder / "player" / starter.name).read_bytes() == starter.read_bytes()
    plan = read_plan(folder / "tournament.toml")
    assert plan.names == ("me", "investor", "ordered", "random")
    command = " ".join(plan.entrant("me").command or ())
    assert f"acquire check -- {command}" in written.stdout
    enter, *_ = written.stdout.partition("Next: ")[2].split(" && ")
    assert shlex.split(enter) == ["cd", str(folder / "player")]
    assert f"acquire check -- {command}" in (folder / "README.md").read_text()
    assert f"player/{starter.name}" in (folder / "README.md").read_text()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "tournament.toml").write_text("mine")
    refused = new("python", tmp_path)
    assert refused.returncode == 2 and "already exists. Choose another folder." in refused.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["tournament.toml"]
    assert new("cobol", tmp_path / "other").returncode == 2


def check(language: str, folder: Path, *options: str) -> None:
    assert new(language, folder).returncode == 0
    command = [*LANGUAGES[language].command, "{host}", "{port}", "{name}"]
    checked = subprocess.run(
        [ACQUIRE, "check", "--strict", *options, "--", *command],
        cwd=folder / "player",
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout


def test_skeleton_passes_a_check(tmp_path: Path) -> None:
    check("python", tmp_path / "mine", "--only", "1.1", "--only", "14.1")


@pytest.mark.soak
@pytest.mark.parametrize("language", LANGUAGES)
def test_skeletons_pass_the_whole_check(language: str, tmp_path: Path) -> None:
    check(language, tmp_path / "mine", "--connect-timeout", "60")
