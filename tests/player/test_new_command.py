"""`acquire new` writes a player that can be checked and entered in a tournament at once."""

import json
import os
import pwd
import shlex
import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from command_line import ACQUIRE, refused, succeed
from loops import for_each

from acquire.admin.tournament.planning.plan_file import read_plan
from acquire.player.program.new_command import LANGUAGES

ROOT = Path(__file__).parents[2]


@for_each("language", LANGUAGES)
def test_skeleton_is_the_starter_with_a_valid_tournament(language: str, tmp_path: Path) -> None:
    folder = tmp_path / language / "my player"
    written = succeed("new", language, folder)
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
    error = refused("new", "python", tmp_path)
    assert f"{tmp_path / 'tournament.toml'} already exists. Choose a new or an empty" in error
    assert [path.name for path in tmp_path.iterdir()] == ["tournament.toml"]
    assert "cobol" in refused("new", "cobol", tmp_path / "other")


def test_player_is_not_written_among_other_files(tmp_path: Path) -> None:
    """Inside its folder `player` is a name that is taken; a new repository is empty."""
    (tmp_path / "mine" / ".git").mkdir(parents=True)
    succeed("new", "javascript", tmp_path / "mine")
    for language, folder in (("java", "mine/player"), ("python", "mine"), ("gradescope", "mine")):
        assert "already exists." in refused("new", language, tmp_path / folder)
    assert [path.name for path in (tmp_path / "mine" / "player").iterdir()] == ["player.js"]
    succeed("new", "github", tmp_path / "mine" / "player")


def check(language: str, folder: Path, *options: str) -> None:
    succeed("new", language, folder)
    if build := LANGUAGES[language].build:
        subprocess.run(build, cwd=folder / "player", check=True)
    command = [*LANGUAGES[language].command, "{host}", "{port}", "{name}"]
    checked = subprocess.run(
        [ACQUIRE, "check", "--strict", *options, "--", *command],
        cwd=folder / "player",
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout


@pytest.mark.soak
def test_skeleton_passes_a_check(tmp_path: Path) -> None:
    check("python", tmp_path / "mine", "--only", "1.1", "--only", "14.1")


@pytest.mark.soak
@pytest.mark.parametrize("language", LANGUAGES)
def test_skeletons_pass_the_whole_check(language: str, tmp_path: Path) -> None:
    check(language, tmp_path / "mine", "--connect-timeout", "60")


# -- kits for grading ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The kit for Gradescope as ``setup.sh`` leaves it, but for the packages of the system."""
    folder = tmp_path_factory.mktemp("kit")
    succeed("new", "gradescope", folder / "source")
    scripts = folder / "acquire" / "bin"
    scripts.mkdir(parents=True)
    for name in ("acquire", "python"):
        (scripts / name).symlink_to(Path(ACQUIRE).parent / name)
    return folder


def graded(kit: Path, submission: Path) -> dict[str, Any]:
    """Grade a submission as Gradescope does, on the section of signing up."""
    results = submission / "results"
    script = (kit / "source" / "run_autograder").read_text()
    script = script.replace("options=(", "options=(--only sign-up --only hidden --sandbox none ", 1)
    (submission / "run_autograder").write_text(script)
    places = {"SOURCE": "source", "ACQUIRE": "acquire"}
    environment = {name: str(kit / place) for name, place in places.items()}
    environment |= {"SUBMISSION": str(submission / "handed-in"), "AUTOGRADER": str(submission)}
    done = subprocess.run(
        ["bash", str(submission / "run_autograder")],
        env={
            **os.environ,
            **environment,
            "CLASSROOM": str(submission / "classroom.json"),
            "BUILDER": "games",
            "SECONDS_TO_BUILD": "3",
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads((results / "results.json").read_text())
    return found


def handed_in(folder: Path, name: str, text: str) -> Path:
    (folder / "handed-in" / "mine").mkdir(parents=True)
    (folder / "handed-in" / "mine" / name).write_text(text)
    return folder


def test_kit_grades_a_player_by_sections_with_hidden_cases(kit: Path, tmp_path: Path) -> None:
    starter = (ROOT / "player" / "starters" / "python" / "player.py").read_text()
    folder = handed_in(tmp_path, "player.py", starter)
    (folder / "handed-in" / "__MACOSX").mkdir()  # a Mac adds it
    found = graded(kit, folder)
    assert found["score"] == 10
    assert {test["max_score"] for test in found["tests"]} == {1, 5}
    assert [test["visibility"] for test in found["tests"]] == ["visible"] * 5 + ["after_published"]
    classroom = json.loads((tmp_path / "classroom.json").read_text())
    assert [test["score"] for test in classroom["tests"]] == [5, 5]
    assert (classroom["status"], classroom["max_score"]) == ("pass", 10)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            *("notes.txt", ""),
            "There is no player to start. Hand in player.py, Player.java, player.js or run.sh. "
            "Found: notes.txt",
        ),
        ("build.sh", "echo no compiler; exit 3", "build.sh failed, so nothing was graded."),
        ("build.sh", "kill -9 $$", "build.sh failed, so nothing was graded."),
        ("build.sh", "exec sleep 60", "build.sh was stopped after 3 s, so nothing was graded."),
    ],
)
def test_there_are_results_even_if_nothing_can_be_checked(
    kit: Path, tmp_path: Path, name: str, text: str, said: str
) -> None:
    found = graded(kit, handed_in(tmp_path, name, text))
    assert found["score"] == 0 and found["output"].startswith(said)
    classroom = json.loads((tmp_path / "classroom.json").read_text())
    assert classroom["status"] == "error" and said in classroom["tests"][0]["message"]


FLEEING = """
import os, time
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        os.closerange(0, 3)
        try:
            while not os.fork():  # another process every few milliseconds, which no list has
                time.sleep(0.005)
        except OSError:  # too many have ended and wait to be collected
            time.sleep(60)
        os._exit(0)
"""


STOPPING = """
kill -STOP $PPID
python3 -c 'import os, time
if os.fork() == 0:
    os.setsid()
    while True:  # whatever else this user starts
        [os.kill(int(one), 19) for one in os.listdir("/proc") if one.isdecimal()
            and int(one) != os.getpid() and os.stat(f"/proc/{one}").st_uid == os.getuid()]
'
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="a user cannot build as another one")
def test_build_cannot_stop_the_grading(kit: Path, tmp_path: Path) -> None:
    assert graded(kit, handed_in(tmp_path, "build.sh", STOPPING))["score"] == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="a user cannot build as another one")
def test_nothing_that_a_build_started_is_left(kit: Path, tmp_path: Path) -> None:
    folder = handed_in(tmp_path, "build.sh", "python3 flee.py")
    (folder / "handed-in" / "mine" / "flee.py").write_text(FLEEING)
    found = graded(kit, folder)
    assert found["output"].startswith("There is no player to start."), found
    builder = pwd.getpwnam("games").pw_uid
    assert builder not in [path.stat().st_uid for path in processes()]


def processes() -> Iterator[Path]:
    """Yield the folders of all processes that have not ended."""
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (path / "stat").read_text().rpartition(") ")[2][0] != "Z":
                yield path


def test_wheel_of_a_kit_has_what_is_installed(tmp_path: Path) -> None:
    succeed("new", "github", tmp_path)
    assert (tmp_path / ".github" / "workflows" / "acquire.yml").is_file()
    (wheel,) = (tmp_path / ".github" / "grading").glob("acquire_referee-*-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert len(names) == len({*names})
    for path in ("cli/check.py", "testing/cases/mergers.toml"):
        assert f"acquire/admin/{path}" in names
    assert any(name.endswith(".dist-info/RECORD") for name in names)
