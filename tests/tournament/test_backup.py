"""A copy of a tournament that is made while it is played is a tournament of its own."""

import re
import shlex
import shutil
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

from command_line import refused, said, succeed
from tournament_process import STARTER, PlayerEntry, TournamentFolder, built_in

from acquire.admin.tournament.store.secret_file import secret_path
from acquire.admin.tournament.store.store import Store

CUP = {"seats": 2, "rulebook": "quick.toml", "seed": 7}


def test_copy_that_was_made_during_a_run_holds_and_is_played_on(folder: TournamentFolder) -> None:
    folder.write(built_in("random", "ordered", "investor"), tournament={**CUP, "deals": 5})
    target = folder.folder / "copies" / "first"
    with folder.run("--keep-going") as process:
        process.until("game")
        output = said("tournament", "backup", folder.file, target)
        assert process.end(signal.SIGINT) == 130
    copied = target / "cup.toml"
    go_on = shlex.join(["acquire", "tournament", "run", str(copied)])
    assert f"To go on from the copy where it is: {go_on}" in output
    with Store.open_to_read(copied.with_suffix(".sqlite")) as store:
        before = store.count_rows()
    assert 0 < before <= len(folder.results())
    assert "No contradiction was found." in said("tournament", "audit", copied)
    for file in (folder.file, copied):
        succeed("tournament", "run", file, "--workers", "1")
    with Store.open_to_read(copied.with_suffix(".sqlite")) as store:
        logs = dict(store.logs())
    with Store.open_to_read(folder.store) as store:
        assert logs == dict(store.logs()) and len(logs) == 30


def test_copy_has_what_the_plan_names_and_only_its_owner_can_read_it(
    folder: TournamentFolder, tmp_path: Path
) -> None:
    place = folder.folder
    for name in ("ada", "bob"):
        (place / "handed-in" / name).mkdir(parents=True)
        shutil.copy(STARTER, place / "handed-in" / name)
    modes = {"handed-in": 0o700, "handed-in/ada": 0o755, "handed-in/bob": 0o750}
    modes["handed-in/ada/player.py"] = 0o600
    for name, mode in modes.items():
        (place / name).chmod(mode)
    (place / "roster.csv").write_text("id\nada\nbob\n")
    shutil.copy(STARTER, place / "own.py")
    eve = PlayerEntry("eve", {"command": ["python3", "own.py"]})
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    out = PlayerEntry("out", {"command": ["true"], "directory": str(outside)})
    folder.write(built_in("ordered", "random"), tournament=CUP)
    folder.play()
    settings = {**CUP, "submissions": "handed-in/*", "roster": "roster.csv"}
    folder.write([eve, out, *built_in("ordered", "random")], tournament=settings)
    target = place / "copy"
    output = said("tournament", "backup", folder.file, target)
    assert f"Not copied, as it lies elsewhere or cannot be read: {outside}" in output
    found = {str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()}
    assert found == {
        *("cup.toml", "cup.sqlite", "cup.secret", "quick.toml", "roster.csv", "own.py"),
        "cup.sqlite-wal",
        *("handed-in/ada/player.py", "handed-in/bob/player.py"),
    }
    secret = secret_path(target / "cup.sqlite")
    assert secret.read_bytes() == secret_path(folder.store).read_bytes()
    assert not any(path.stat().st_mode & 0o77 for path in (target, target / "cup.sqlite", secret))
    assert {name: (target / name).stat().st_mode & 0o777 for name in modes} == modes


def test_copy_has_what_was_set_aside_and_names_what_follows_from_the_store(
    folder: TournamentFolder,
) -> None:
    folder.write(built_in("random", "ordered"), tournament=CUP)
    folder.play()
    succeed("tournament", "run", folder.file, "--fresh", "--workers", "1")
    for options in ((), ("--public",)):
        succeed("tournament", "report", folder.file, *options)
    for name in ("cup-2.sqlite", "cup-2.toml"):
        (folder.folder / name).write_text("another tournament")
    target = folder.folder / "copy"
    output = said("tournament", "backup", folder.file, target)
    left = ", ".join(f"{folder.folder / name}/" for name in ("cup", "cup-public", "cup-private"))
    assert f"Not copied, as `report` and `run` make it again from the store: {left}" in output
    assert {path.name for path in target.iterdir()} == {
        *("cup.toml", "cup.sqlite", "cup.sqlite-wal", "cup.secret", "quick.toml"),
        *("cup-1.sqlite", "cup-1.secret"),
    }
    for name in ("cup-1.sqlite", "cup-1.secret"):
        assert (target / name).read_bytes() == (folder.folder / name).read_bytes()


def test_restored_store_is_that_of_the_copy_after_a_run_was_killed(
    folder: TournamentFolder,
) -> None:
    """The run leaves a journal, which SQLite would apply to whatever store it lies beside."""

    def rows(of: Path) -> int:
        with Store.open_to_read(of / "cup.sqlite") as store:
            assert not [*store.verify_chain()]
            return store.count_rows()

    folder.write(built_in("random", "ordered", "investor"), tournament={**CUP, "deals": 400})
    target, killed = (folder.folder.with_name(name) for name in ("copy", "killed"))
    with folder.run("--workers", "1") as process:
        process.until("game")
        output = said("tournament", "backup", folder.file, target)
        (copied,) = re.findall(r"the store with ([0-9]+) rows?,", output)
        journal = folder.store.with_name("cup.sqlite-wal")
        assert f"remove {journal} if a killed run has left it" in output
        while len(process.of_kind("game")) < int(copied) + 50:
            process.until("game")
        process.end(signal.SIGKILL)
    assert journal.stat().st_size
    shutil.copytree(folder.folder, killed)
    assert rows(killed) > int(copied)
    shutil.copytree(target, folder.folder, dirs_exist_ok=True)
    assert rows(folder.folder) == int(copied)


def test_damaged_store_is_not_copied_and_nothing_is_overwritten(folder: TournamentFolder) -> None:
    folder.write(built_in("random", "ordered"), tournament=CUP)
    target = folder.folder / "copy"
    assert "no game has been played yet" in refused("tournament", "backup", folder.file, target)
    folder.play()
    with closing(sqlite3.connect(folder.store)) as store, store:
        store.execute("UPDATE games SET result = replace(result, 'random', 'rendom')")
    damage = refused("tournament", "backup", folder.file, target)
    assert "is damaged, so the copy would be: row 1" in damage
    assert not [*folder.folder.glob("copy*")], "nothing is left of it"
    target.mkdir()
    assert "exists already" in refused("tournament", "backup", folder.file, target)
