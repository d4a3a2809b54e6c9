"""Tournaments of programs that run in copies of their folders, some of them built there."""

import ctypes
import os
import re
import shutil
import struct
import sys
from pathlib import Path

import pytest
from command_line import succeed
from tournament_process import (
    PLAY,
    PYTHON,
    STARTER,
    PlayerEntry,
    TournamentFolder,
    built_in,
    eventually,
    of_kind,
    seat_of,
)

from acquire.admin.tournament.games.result import PlayerVerdict

MADE = [*PYTHON, "made/player.py", *PLAY[-3:]]
BUILD = """
import os, shutil
print('building')
os.mkdir('made')
shutil.copy('source', 'made/player.py')
"""


def built(folder: TournamentFolder, name: str, build: str) -> PlayerEntry:
    """Return a player whose program is made by a script from a file."""
    (folder.folder / name).mkdir()
    shutil.copy(STARTER, folder.folder / name / "source")
    command = {"command": MADE, "build": [*PYTHON, "-c", build], "directory": name}
    return PlayerEntry(name, command)


def test_what_programs_print_has_no_folder_of_ours(folder: TournamentFolder) -> None:
    """The report shows it to all, and they would read where the instructor keeps the course."""
    (folder.folder / "ada").mkdir()
    (folder.folder / "ada" / "main.py").write_text("import os; os.chdir('/'); none")
    ada = PlayerEntry("ada", {"command": [*PYTHON, "main.py", *PLAY[-3:]], "directory": "ada"})
    folder.write_beside(ada, general={"outputs": "all"})
    folder.play()
    output, *_ = (folder.outputs(game)["ada"] for game in folder.results())
    assert b'File "main.py", line 1' in output


def test_player_is_built_once_and_one_that_cannot_be_loses(folder: TournamentFolder) -> None:
    log = folder.folder / "log"
    players = [
        built(folder, "ada", f"{BUILD}\nopen({str(log)!r}, 'a').write('built ')"),
        built(folder, "bob", f"{BUILD}\nprint(os.getcwd() + '/a.c:7'); raise SystemExit(3)"),
    ]
    settings = {"seats": 3, "deals": 1}
    folder.write([*players, *built_in("ordered")], tournament=settings)
    trouble = of_kind("trouble", folder.play("--workers", "2"))[0]
    told = trouble["sentence"]
    assert "bob could not be built, and loses its games. It ended with exit code 3." in told
    (output,) = re.findall(rf"{re.escape(str(folder.folder))}/cup\.builds/\S*output", told)
    assert Path(output).read_text() == "building\na.c:7\n", "no folder of ours"
    for game, result in folder.results().items():
        assert seat_of(result, "ada").verdict is PlayerVerdict.FINISHED
        bob = seat_of(result, "bob")
        assert bob.verdict is PlayerVerdict.NEVER_STARTED
        assert bob.explanation == "It could not be built. It ended with exit code 3."
        assert folder.outputs(game) == {"bob": b"building\na.c:7\n"}
    assert log.read_text() == "built "
    folder.write([*players, *built_in("ordered")], tournament={**settings, "deals": 2})
    folder.play()
    assert log.read_text() == "built "


@pytest.mark.soak
def test_folder_that_changes_during_a_run_does_not_matter(folder: TournamentFolder) -> None:
    folder.write_beside(folder.starter("ada"))
    with folder.run() as process:
        process.until("game")
        shutil.rmtree(folder.folder / "ada")
        assert process.end() == 0, process.errors
    seats = [seat_of(result, "ada") for result in folder.results().values()]
    assert [seat.verdict for seat in seats] == [PlayerVerdict.FINISHED] * 3


OPENED, CLOSED = 0x20, 0x10  # events of inotify: a file is opened; it was read, and is closed


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says who opens a file")
def test_hand_in_is_read_once_for_its_version_and_once_to_copy_it(folder: TournamentFolder) -> None:
    source = folder.folder / "handed-in" / "ada" / "player.py"
    source.parent.mkdir(parents=True)
    shutil.copy(STARTER, source)
    settings = {"seats": 3, "submissions": "handed-in/*", "qualify": False}
    kernel = ctypes.CDLL(None, use_errno=True)
    watching = kernel.inotify_init1(os.O_NONBLOCK)
    assert kernel.inotify_add_watch(watching, os.fsencode(source), OPENED | CLOSED) > 0
    for deals, reads in ((1, 2), (2, 1)):
        general = {**settings, "deals": deals}
        folder.write(built_in("ordered", "random"), tournament=general)
        succeed("tournament", "run", folder.file)
        events = [event for _, event, *_ in struct.iter_unpack("iIII", os.read(watching, 2**16))]
        assert events == [OPENED, CLOSED] * reads, "a version that was copied needs no other copy"
        assert seat_of(next(iter(folder.results().values())), "ada").version
    os.close(watching)


@pytest.mark.soak
def test_killed_build_leaves_nothing_that_looks_finished(folder: TournamentFolder) -> None:
    slow, began = folder.folder / "slow", folder.folder / "began"
    slow.touch()
    script = (
        f"{BUILD}\nopen({str(began)!r}, 'w'); import time\nwhile os.path.exists({str(slow)!r}):"
    )
    folder.write_beside(built(folder, "ada", f"{script} time.sleep(0.1)"))
    with folder.run() as process:
        assert eventually(began.exists)
        process.process.kill()
        process.end()
        assert eventually(lambda: not folder.living()), folder.living()
    builds = folder.folder / "cup.builds"
    (left,) = builds.iterdir()
    assert left.name.startswith(".new-")
    slow.unlink()
    folder.play()
    for result in folder.results().values():
        assert seat_of(result, "ada").verdict is PlayerVerdict.FINISHED
    (complete,) = builds.iterdir()
    assert not complete.name.startswith(".")
