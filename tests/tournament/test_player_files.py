"""Which files a launched player sees in a sandbox."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from loops import for_each
from sandboxes import in_uid, open_folder, sandbox_params

from acquire.admin.launching.building import PreparedPlayer
from acquire.admin.launching.program import Program
from acquire.admin.launching.sandbox import Chosen, NoSandbox, Sandbox, shown_in_bwrap
from acquire.admin.tournament.arena.player_files import Programs
from acquire.admin.tournament.planning.plan import Entrant
from acquire.admin.tournament.planning.plan_file import read_plan

FILES = (
    *("course/ada/player.py", "course/ada/inner/bob.py", "course/carl.py", "course/dora.py"),
    *("course/shared/lib/util.jar", "elsewhere/bots/eve/main.py", "elsewhere/bots/eve/util.py"),
)
HEAD = '[tournament]\nseats = 3\n[[players]]\nname = "built-in"\nstrategy = "random"'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A course's folder with programs in it, and others elsewhere."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    return tmp_path / "course"


def planned(folder: Path, *players: str, head: str = HEAD) -> tuple[Programs, list[Entrant]]:
    """Write a tournament of some players beside a built-in one; return them and their programs."""
    named = zip(NAMES, players, strict=False)
    tables = [f'[[players]]\nname = "{name}"\n{own}' for name, own in named]
    (folder / "cup.toml").write_text("\n".join([head, *tables]))
    plan = read_plan(folder / "cup.toml")
    return Programs(plan, folder / "cup.sqlite"), [*plan.players[1:]]


def seen(folder: Path, *players: str) -> Mapping[str, tuple[set[str], set[str]]]:
    """Return what each player sees, and what is hidden from it there, relative to the folder."""
    programs, entrants = planned(folder, *players)
    found = {}
    for player in entrants:
        program = programs.program(player)
        found[player.name] = tuple(
            {os.path.relpath(path, folder) for path in paths}
            for paths in (program.visible, program.hidden)
        )
    return found  # type: ignore[return-value]


ADA = 'command = ["python3", "player.py"]\ndirectory = "ada"'
BOB = 'command = ["python3", "bob.py"]\ndirectory = "ada/inner"'
CARL = 'command = ["python3", "carl.py"]'
DORA = 'command = ["python3", "dora.py"]'
STORE = {"cup.sqlite", "cup.sqlite-wal", "cup.sqlite-shm", "cup.sqlite-journal", "cup.secret"}
PRIVATE = STORE | {"cup", "cup.builds"}
NAMES = ("ada", "bob", "carl", "dora")


def test_player_sees_its_folder_without_that_of_a_player_inside_it(folder: Path) -> None:
    assert seen(folder, ADA, BOB) == {
        "ada": ({"ada"}, PRIVATE | {"ada/inner"}),
        "bob": ({"ada/inner"}, PRIVATE),
    }


def test_players_without_folders_see_only_what_their_commands_name(folder: Path) -> None:
    assert seen(folder, CARL, DORA) == {
        "ada": ({"carl.py"}, PRIVATE | {"dora.py"}),
        "bob": ({"dora.py"}, PRIVATE | {"carl.py"}),
    }


def test_players_with_the_same_folder_see_it(folder: Path) -> None:
    assert [*seen(folder, ADA, ADA).values()] == [({"ada"}, PRIVATE)] * 2


def test_folder_above_the_tournament_file_is_not_seen(folder: Path) -> None:
    above = 'command = ["python3", "course/carl.py"]\ndirectory = ".."'
    assert seen(folder, above, ADA)["ada"] == ({"carl.py"}, PRIVATE | {"ada"})


NAMED = {
    "a script elsewhere, with what lies beside it": (
        'command = ["python3", "{elsewhere}/bots/eve/main.py"]',
        {"ada", "../elsewhere/bots/eve"},
    ),
    "a class path": (
        'command = ["java", "-cp", ".:{course}/shared/lib/util.jar", "Main"]',
        {"ada", "shared/lib"},
    ),
    "an option with a value": (
        'command = ["python3", "player.py", "--model={elsewhere}/bots/eve"]',
        {"ada", "../elsewhere/bots/eve"},
    ),
    "a variable, which shows nothing": (
        'command = ["python3", "player.py"]\nenvironment = {{ LIBRARY = "{course}/shared" }}',
        {"ada"},
    ),
    "a setting": (
        'command = ["python3", "player.py"]\nread_only = ["shared", "{elsewhere}/bots"]',
        {"ada", "shared", "../elsewhere/bots"},
    ),
    "the program itself": ('command = ["./player.py"]', {"ada"}),
}


@for_each("what", NAMED)
def test_player_sees_what_its_command_names(folder: Path, what: str) -> None:
    (folder / "ada/player.py").chmod(0o755)
    text, expected = NAMED[what]
    written = text.format(course=folder, elsewhere=folder.parent / "elsewhere")
    assert seen(folder, written + '\ndirectory = "ada"', DORA)["ada"][0] == expected


def test_link_in_its_own_folder_shows_nothing(folder: Path) -> None:
    """It runs where it is, as a link leads out: its command names the link, its author made it."""
    (folder / "ada" / "data").symlink_to("../carl.py")
    named = 'command = ["python3", "player.py", "data"]\ndirectory = "ada"'
    assert seen(folder, named, CARL)["ada"] == ({"ada"}, PRIVATE | {"carl.py"})


HANDED_IN = (
    'command = ["python3", "player.py", "bob.py"]',
    'command = ["python3", "player.py"]\nenvironment = { A = "inner", B = "lib:/usr/share" }',
    'command = ["/usr/bin/env", "python3", "player.py"]',
    'build = ["cp", "bob.py", "/tmp"]',
)


@for_each("text", HANDED_IN)
def test_hand_in_sees_its_copy_whatever_it_writes(folder: Path, text: str) -> None:
    (folder / "ada" / "player.toml").write_text(text)
    general = 'seats = 2\nrulebook = "classic"\nsubmissions = "ad*"'
    head = HEAD.replace("seats = 3", general) + '\n[limits]\nread_only = ["shared"]'
    programs, (ada,) = planned(folder, head=head)
    copy = folder / "cup.builds" / "0123456789ab" / "program"
    program = programs.program(ada, copy)
    assert program.visible == (copy, folder / "shared")
    assert not program.shows_toolchain
    if ada.build is not None:
        recipe = programs.recipe(ada)
        assert (recipe.visible, recipe.shows_toolchain) == ((folder / "shared",), False)
    assert programs.why_not_copied(ada) == ""


@for_each(("setting", "paths"), [("", {"ada", "carl.py"}), ("handed_in = true", {"ada"})])
def test_words_of_a_player_that_was_handed_in_open_nothing(
    folder: Path, setting: str, paths: set[str]
) -> None:
    named = f'command = ["python3", "player.py", "../carl.py"]\ndirectory = "ada"\n{setting}'
    assert seen(folder, named, DORA)["ada"][0] == paths


def test_link_to_the_folder_of_the_tournament_is_no_folder_of_its_own(folder: Path) -> None:
    (folder / "link").symlink_to(".")
    linked = 'command = ["python3"]\ndirectory = "link"'
    programs, _ = planned(folder, linked, linked.replace("link", "ada"))
    (warning,) = programs.warnings()
    assert warning.startswith("ada has no folder of its own:")


COPIED = {
    "its own files": (ADA, ""),
    "a script elsewhere, by its whole path": (
        'command = ["python3", "{course}/../elsewhere/bots/eve/main.py"]\ndirectory = "ada"',
        "",
    ),
    "no folder": (CARL, "it has no folder of its own"),
    "a folder with another player's in it": (ADA, "its folder contains that of bob"),
    "a file beside the folder": (
        'command = ["python3", "player.py", "--with=../carl.py"]\ndirectory = "ada"',
        "it names ../carl.py, which",
    ),
    "its own file, by its whole path": (
        'command = ["python3", "{course}/ada/player.py"]\ndirectory = "ada"',
        "it names {course}/ada/player.py, which",
    ),
    "its own program, by its whole path": (
        'command = ["{course}/ada/player.py"]\ndirectory = "ada"',
        "it names {course}/ada/player.py, which",
    ),
    "a variable with its own folder": (
        ADA + '\nenvironment = {{ LIB = "/usr/lib:{course}/ada/inner" }}',
        "it names {course}/ada/inner, which",
    ),
}


@for_each("what", COPIED)
def test_program_runs_in_a_copy_of_its_folder_where_that_makes_no_difference(
    folder: Path, what: str
) -> None:
    (folder / "ada/player.py").chmod(0o755)
    text, why = (words.format(course=folder) for words in COPIED[what])
    programs, (ada, _) = planned(folder, text, BOB if "another player" in what else DORA)
    found = programs.why_not_copied(ada)
    assert found.startswith(why) and bool(found) == bool(why)


def test_program_in_a_copy_sees_the_copy_and_not_the_folder(folder: Path) -> None:
    named = NAMED["a class path"][0].format(course=folder) + '\ndirectory = "ada"'
    programs, (ada, _) = planned(folder, named, DORA)
    copy = folder / "cup.builds" / "0123456789ab" / "program"
    program = programs.program(ada, copy)
    assert program.directory == copy
    assert program.visible == (copy, folder / "shared/lib")


def test_folder_of_a_match_shows_a_command_nothing_that_is_private(folder: Path) -> None:
    """A setting of the file shows it the current folder, as `acquire arena` does."""
    match = folder / "arena" / "one"
    files = "course.secret", "course.sqlite-wal", "course.builds/1/x", "arena/old/match.secret"
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    match.mkdir()
    (match / "match.toml").write_text(
        HEAD + '\n[[players]]\nname = "mine"\ndirectory = "../.."\nread_only = ["../.."]\n'
        'command = ["python3", "carl.py"]\n'
        f'[[players]]\nname = "ada"\ncommand = ["python3"]\ndirectory = "{folder}/ada"\n'
    )
    plan = read_plan(match / "match.toml")
    programs = Programs(plan, match / "match.sqlite")
    _, mine, ada = plan.players
    assert programs.why_not_copied(mine) and not programs.why_not_copied(ada)
    shown = {os.path.relpath(path, folder) for path in shown_in_bwrap(programs.program(mine))}
    assert {"carl.py", "dora.py", "shared"} <= shown
    private = ("ada", "arena/one", "arena/old", "course.secret", "course.sqlite-wal", "course.b")
    assert not [path for path in shown if path.startswith(private)]
    copy = match / "match.builds" / "0123" / "program"
    copy.mkdir(parents=True)
    paths = shown_in_bwrap(programs.program(ada, copy))
    assert [path for path in paths if path.is_relative_to(folder)] == [copy]
    away = Programs(read_plan(match / "match.toml"), folder.parent / "elsewhere" / "match.sqlite")
    assert folder / "course.secret" in away.program(mine).hidden


def test_copy_is_seen_in_a_folder_that_is_shown_without_the_copies_of_others(folder: Path) -> None:
    """A folder of another would hide it, which only its owner may enter."""
    programs, (ada, _) = planned(folder, ADA + '\nread_only = ["."]', DORA)
    mine, theirs = (folder / "cup.builds" / key / "program" for key in ("01", "02"))
    for copy in (mine, theirs):
        copy.mkdir(parents=True)
    (folder / "cup.secret").write_text("")
    program = programs.program(ada, mine)
    build = replace(programs.recipe(ada), directory=mine, command=("true",))
    build = replace(build, visible=(mine, *build.visible))
    for each in (program, build):
        shown = shown_in_bwrap(each)
        assert mine in shown and folder / "shared" in shown
        assert not {theirs, theirs.parent, folder / "cup.builds", folder / "cup.secret"} & {*shown}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has files that its programs may not read")
def test_files_that_not_everybody_may_read_are_hidden_from_roots_programs(folder: Path) -> None:
    (folder / "keys").mkdir()
    for name in ("keys", "dora.py"):
        (folder / name).chmod(0o700)
    hidden = seen(folder, CARL + '\nread_only = ["."]', BOB)["ada"][1]
    assert {"keys", "dora.py"} <= hidden
    named = CARL.replace("carl", "dora")
    assert "dora.py" not in seen(folder, named + '\nread_only = ["."]', BOB)["ada"][1]


@pytest.mark.parametrize("kind", sandbox_params(Sandbox.BWRAP))
def test_tournament_in_a_folder_that_all_programs_see_is_refused(
    kind: Sandbox, folder: Path
) -> None:
    """An ordinary user's programs would read the secret."""
    planned(folder, CARL, CARL)
    plan = read_plan(folder / "cup.toml")
    assert Programs(plan, Path("/usr/src/course/cup.sqlite")).sandbox() == (kind, "")
    for place in ("/usr/share/course", "/usr/local/lib"):
        with pytest.raises(NoSandbox, match=place):
            Programs(plan, Path(place) / "cup.sqlite").sandbox()


@in_uid
def test_interpreter_that_no_program_may_reach_is_a_mistake_of_the_tournament(
    kind: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else all would lose their games; but a hand-in alone cannot stop a tournament."""
    with open_folder() as folder:
        (folder / "ada").mkdir()
        (folder / "ada" / "own").touch(0o700)
        (folder / "bin").mkdir(0o700)
        for name in ("python3", "odd"):
            (folder / "bin" / name).touch(0o755)
        monkeypatch.setenv("PATH", f"{folder}/bin:{os.environ['PATH']}")
        head = f'[limits]\nsandbox = "{kind.value}"\n{HEAD}'

        def chosen(program: str, more: str = "") -> Chosen | None:
            own = f'command = ["{program}"]\ndirectory = "ada"\n{more}'
            return planned(folder, own, own, head=head)[0].sandbox()

        for program, more in (("python3", ""), ("odd", ""), ("python3", "handed_in = true")):
            with pytest.raises(NoSandbox, match=f"cannot read {folder}/bin/{program}"):
                chosen(program, more)
        assert chosen("odd", "handed_in = true") == chosen("./own") == (kind, "")


async def test_folder_that_changes_while_the_tournament_begins_costs_its_player_alone(
    folder: Path,
) -> None:
    (folder / "bob").mkdir()
    (folder / "bob" / "bob.py").write_text("")
    programs, _ = planned(folder, ADA, BOB.replace("ada/inner", "bob"))
    (folder / "ada" / "player.py").write_text("another program")
    with programs.launcher(None) as (_, builds):
        prepared = await programs.prepare_all(builds, 2)
    assert isinstance(prepared["bob"], Program)
    assert isinstance(prepared["ada"], PreparedPlayer)
    assert "was changed while the tournament began" in prepared["ada"].failure
