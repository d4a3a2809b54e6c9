"""Placeholders and variables of a program, and how it is located."""

import os
import sys
from pathlib import Path

import pytest

from acquire.admin.launching.program import Program, find_program, shown_for

HERE = Path("/")


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("{host}:{port}", "127.0.0.1:51234"),
        ("--name={name}", "--name=ada"),
        ("{name}{name}", "adaada"),
        ("{token} {0} {} {HOST}", "{token} {0} {} {HOST}"),
        ("{{host}}", "{127.0.0.1}"),
    ],
)
def test_placeholders_are_replaced_and_other_braces_stay(text: str, filled: str) -> None:
    program = Program((sys.executable, text), HERE, {"WORD": text}).filled(51234, "ada")
    assert program.command == (sys.executable, filled)
    assert program.environment == {
        "ACQUIRE_HOST": "127.0.0.1",
        "ACQUIRE_PORT": "51234",
        "ACQUIRE_NAME": "ada",
        "WORD": filled,
    }


def test_value_of_a_placeholder_is_not_searched_for_placeholders() -> None:
    program = Program((sys.executable, "{name} {port}"), HERE).filled(1, "{host}")
    assert program.command == (sys.executable, "{host} 1")


@pytest.fixture
def player(tmp_path: Path) -> Path:
    """A program in a folder of its own."""
    file = tmp_path / "ada" / "player"
    file.parent.mkdir()
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    return file


def test_program_with_a_slash_is_found_from_its_folder(player: Path) -> None:
    assert find_program("./player", player.parent) == str(player)
    assert find_program("./player", player.parent.parent) is None


def test_program_without_a_slash_is_found_on_path(
    player: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(player.parent))
    assert find_program("player", HERE) == str(player)
    monkeypatch.setenv("PATH", str(player.parent.parent))
    assert find_program("player", player.parent) is None


def test_program_in_a_relative_folder_is_found_from_within_it(
    player: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(player.parent.parent)
    program = Program(("./player", "{port}"), Path("ada")).filled(51234, "ada")
    assert program.command == (str(player), "51234")
    assert program.directory == player.parent


def test_program_that_is_not_found_stays_as_written() -> None:
    program = Program(("./none-{port}",), HERE).filled(51234, "ada")
    assert program.command == ("./none-51234",)


# -- what a program sees of what its command names ------------------------------------------------


def test_file_is_shown_with_its_folder_and_a_pipe_alone(player: Path) -> None:
    pipe = player.parent / "pipe"
    os.mkfifo(pipe)
    assert shown_for(player, ()) == player.parent
    assert shown_for(pipe, ()) == pipe
    assert shown_for(player.parent, ()) == player.parent
    assert shown_for(Path("/usr/file"), ()) == Path("/usr/file")


@pytest.mark.parametrize("linked", [False, True], ids=["file", "link"])
def test_folder_is_not_shown_with_what_is_kept_apart(player: Path, linked: bool) -> None:
    elsewhere = player.parents[1] / "elsewhere"
    elsewhere.touch()
    private = player.parent / "private"
    private.symlink_to(elsewhere) if linked else private.touch()
    assert shown_for(player, [private]) == player
    assert shown_for(player.parent, [private]) is None
    behind = player.parents[1] / "behind"
    behind.symlink_to(player.parent)
    assert shown_for(behind, [player]) is None
