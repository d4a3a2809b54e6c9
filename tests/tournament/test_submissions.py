"""Folders that were handed in: who plays, with which version, and who is left out and why."""

import shutil
import tempfile
import time
import tomllib
from pathlib import Path

import pytest
from command_line import invoke, on_one_line
from loops import for_each

from acquire.admin.tournament.arena.player_files import Programs
from acquire.admin.tournament.planning.plan import Plan
from acquire.admin.tournament.planning.plan_file import plan_warnings, read_plan
from acquire.admin.tournament.planning.roster import Student
from acquire.protocol.settings_file import InvalidFile

SETTINGS = """
[tournament]
seats = 2
rulebook = "classic"
submissions = "handed-in/*"
"""
INVESTOR = """
[[players]]
name = "investor"
strategy = "investor"
"""
PYTHON = ("python3", "player.py", "{host}", "{port}", "{name}")


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Return the folder of a course with the submissions of ada and bob."""
    for name in ("ada", "bob"):
        hand_in(tmp_path, name, "player.py", "print(1)\n")
    return tmp_path


def hand_in(course: Path, player: str, file: str, text: str) -> Path:
    path = course / "handed-in" / player / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def plan_of(course: Path, more: str = INVESTOR) -> Plan:
    file = course / "course.toml"
    file.write_text(SETTINGS + more)
    return read_plan(file)


def version(course: Path, player: str = "ada") -> str:
    return plan_of(course).entrant(player).version


def test_every_folder_is_a_player(course: Path) -> None:
    (course / "handed-in" / "README.txt").write_text("not a folder")
    (course / "handed-in" / ".trash").mkdir()
    hand_in(course, "cat", "player.toml", 'build = ["make", "-s"]\ncommand = ["./cat", "{port}"]\n')
    hand_in(course, "dog", "player.toml", 'environment = { LEVEL = "{port}" }\n')
    hand_in(course, "dog", "Player.java", "")
    plan = plan_of(course)
    assert plan.names == ("investor", "ada", "bob", "cat", "dog")
    assert not plan.left_out
    ada, cat, dog = (plan.entrant(name) for name in ("ada", "cat", "dog"))
    assert (ada.command, ada.build, ada.directory) == (PYTHON, None, "handed-in/ada")
    assert (cat.command, cat.build) == (("./cat", "{port}"), ("make", "-s"))
    assert dog.environment == {"LEVEL": "{port}"}
    assert [len(plan.entrant(name).version) for name in plan.names] == [0, 12, 12, 12, 12]


def test_archive_and_nested_folder_are_told_from_folders(course: Path) -> None:
    for name in ("cat.zip", "dog.tar.gz", "ada.zip", "notes.txt"):
        (course / "handed-in" / name).touch()
    hand_in(course, "eve", "eve-main/player.py", "")
    hand_in(course, "fay", "gus/player.js", "")
    hand_in(course, "fay", "hal/player.toml", "")
    hand_in(course, "ida", "ida.zip", "")
    found = dict(plan_of(course).left_out)
    assert found.keys() == {"cat", "dog", "eve", "fay", "ida"}, "ada has unpacked hers"
    assert found["ida"].endswith("But it has ida.zip. Unpack it there.")
    assert found["cat"] == "cat.zip is an archive, and not a folder. Unpack it into the folder cat."
    assert found["eve"].endswith("But eve-main in it has. Move what is in there up, into eve.")
    assert found["fay"].endswith(
        "But gus and 1 more folder in it have. Move what is in one of them up, into fay; or, if "
        'each is a hand-in, write "fay/*" for fay in the pattern.'
    )


@pytest.mark.parametrize("has_compiler", [True, False], ids=["javac", "no javac"])
def test_java_is_compiled_once_for_each_version(
    course: Path, has_compiler: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where that is possible; elsewhere, java may be able to compile it before each game."""
    tools = tmp_path / "tools"
    tools.mkdir()
    monkeypatch.setenv("PATH", str(tools))
    for program in ("python3", "java", *(("javac",) if has_compiler else ())):
        (tools / program).touch(0o755)
    hand_in(course, "dog", "Player.java", "")
    dog = plan_of(course).entrant("dog")
    assert dog.command is not None and dog.command[0] == "java"
    assert dog.command[-4] == ("Player" if has_compiler else "Player.java")
    assert dog.build == (("javac", "Player.java") if has_compiler else None)


NEW_VERSIONS = {
    "a byte": ("player.py", "print(2)\n"),
    "a file": ("notes.txt", ""),
    "the command": ("player.toml", 'command = ["python3", "player.py"]'),
    "a build": ("player.toml", 'build = ["true"]'),
    "a variable": ("player.toml", "environment = { A = '1' }"),
}


def test_changes_make_another_version(course: Path) -> None:
    first = version(course)
    assert version(course) == first == version(course, "bob"), "the name does not count"
    found = {first}
    for count, change in enumerate(NEW_VERSIONS.values(), 2):
        hand_in(course, "ada", *change)
        found.add(version(course))
        assert len(found) == count and version(course, "bob") == first, change


def test_version_does_not_depend_on_the_current_folder(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = 'command = ["python3", "player.py"]\ndirectory = "handed-in/ada"\n'
    bob = f'\n[[players]]\nname = "cid"\n{command}'
    whole = plan_of(course, bob)
    monkeypatch.chdir(course / "handed-in" / "ada")
    (course / "handed-in" / "ada" / "notes.txt").touch()
    other = plan_of(course, bob)
    assert read_plan(Path("../../course.toml")).players == other.players != whole.players
    assert read_plan(Path("../../course.toml")).folder == course


def test_player_of_the_file_has_a_version_too(tmp_path: Path) -> None:
    """Of a folder that it shares with the tournament file, the files count that it names."""
    (tmp_path / "player.py").write_text("1")
    bob = '\n[[players]]\nname = "bob"\ncommand = ["python3", "player.py", "{port}"]\n'
    file = tmp_path / "course.toml"
    file.write_text('[tournament]\nrulebook = "classic"\nseats = 2\n' + INVESTOR + bob)
    before = read_plan(file).entrant("bob").version
    (tmp_path / "results.txt").write_text("2")
    assert read_plan(file).entrant("bob").version == before != ""
    (tmp_path / "player.py").write_text("2")
    changed = read_plan(file).entrant("bob").version
    with file.open("a") as opened:
        opened.write('build = ["true"]\n')
    assert len({before, changed, read_plan(file).entrant("bob").version}) == 3


LEFT_OUT = {
    "nothing": (("notes.txt", ""), "no player.toml with a command, and none of player.py"),
    "another language": (
        ("player.pl", ""),
        "Write one line into player.toml there, with the words that start the program: "
        'command = ["perl", "player.pl", "{host}", "{port}", "{name}"]',
    ),
    "syntax": (("player.toml", "command = [python3]"), "player.toml: line 1, column 12: this is"),
    "unknown setting": (
        ("player.toml", 'comand = ["a"]'),
        "player.toml: 'comand' is not a setting here. Did you",
    ),
    "empty": (("player.toml", "command = []"), "command: is empty. Write the program, and each"),
    "type": (("player.toml", "command = 'python3'"), "player.toml: command: must be a list in [ ]"),
    "no program": (
        ("player.toml", "command = ['./none']"),
        "command[1]: './none': no such program",
    ),
    "no x bit": (("player.toml", "command = ['./player.toml']"), "Run chmod +x ./player.toml, or"),
    "no compiler": (
        ("player.toml", "build = ['no-cc']\ncommand = ['a']"),
        "build[1]: 'no-cc': not",
    ),
    "placeholder": (("player.toml", "command = ['a', '{prot}']"), "{prot} is not a placeholder"),
    "strategy": (("player.toml", "strategy = 'investor'"), "'strategy' is not a setting here"),
    "words": (("player.toml", f"command = {['python3'] * 257}"), "command: must have at most 256."),
    "variables": (
        ("player.toml", "[environment]\n" + "".join(f"V{i} = 'x'\n" for i in range(3500))),
        "player.toml: environment: must have at most 256.",
    ),
    "a long word": (
        ("player.toml", f"command = ['python3', '{'{name}' * 683}']"),
        "player.toml: command[2]: must have at most 4096 characters.",
    ),
    "a long name": (
        ("player.toml", f"environment = {{ {'X' * 4097} = 'y' }}"),
        "must have at most 4096 characters.",
    ),
    "a:b": (("player.py", ""), "name: 'a:b' contains a colon"),
    "n" * 33: (("player.py", ""), "name: must have at most 32 characters"),
}


def test_what_is_wrong_with_a_folder_concerns_its_player_alone(course: Path) -> None:
    for player, (file, _) in LEFT_OUT.items():
        hand_in(course, player, *file)
    plan = plan_of(course)
    assert plan.names == ("investor", "ada", "bob")
    found, warnings = dict(plan.left_out), [*plan_warnings(plan)]
    assert found.keys() == LEFT_OUT.keys()
    for player, (_, why) in LEFT_OUT.items():
        assert why in found[player], player
        assert f"{player} cannot play and is left out. {found[player]}" in warnings


DEEP = "[b]\nc = [" + "\n{a.a.a.a.a.a.a.a.a.a = [" * 150 + "]}" * 150 + "]\n"
HOSTILE = {
    "long key": ("command." + "a." * 3000 + "a = 1\n", "line 1: has more than 200 dots."),
    "deep": ("command" + ".a" * 200 + " = 1\n", "command: must be a list in [ ], not {'a': {'a'"),
    "deeper": (DEEP.replace("[b]\nc", "environment.X"), "must be a text in quotes, not [{'a'"),
    "lists": ("command = " + "[" * 60_000, "nested too deeply"),
    "digits": (f"command = 0x{'f' * 60_000}\n", "not a number that is too large"),
    "keys": ("".join(f"k{i}=1\n" for i in range(8000)), "There are more. Mend these first."),
    "word": (f"command = ['{'x' * 60_000}']\n", "command[1]: must have at most 4096 characters."),
    "size": ("#" * 2**16 + "\n", "larger than 65536 bytes"),
}
"""Files that are to take long, or to break what reads or describes them."""


def test_hostile_settings_concern_their_player_alone(course: Path) -> None:
    for player, (text, _) in HOSTILE.items():
        hand_in(course, player, "player.toml", text)
    (course / "course.toml").write_text(SETTINGS + INVESTOR)
    begun = time.process_time()
    checked = invoke("tournament", "check", course / "course.toml")
    assert time.process_time() - begun < 20
    assert checked.exit_code in (0, 2), checked.output  # without a sandbox, nobody plays
    found = on_one_line(checked.output)
    for player, (_, why) in HOSTILE.items():
        _, _, said = found.partition(f"{player} cannot play and is left out. player.toml: ")
        assert why in said[:5000], player
    assert "is empty" not in found, "the one word is a mistake, and is there"
    assert len(found) < 20_000


def test_bug_in_reading_a_folder_concerns_its_player_alone(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(course, "bob", "player.toml", "command = 1")
    parsed = tomllib.loads

    def failing(text: str) -> dict[str, object]:
        if "tournament" not in text:
            raise KeyError(text)
        return parsed(text)

    monkeypatch.setattr(tomllib, "loads", failing)
    monkeypatch.setattr(tempfile, "tempdir", str(course))
    plan = plan_of(course)
    assert plan.names == ("investor", "ada")
    ((name, why),) = plan.left_out
    assert name == "bob" and "This is a bug (KeyError('command = 1'))" in why
    (report,) = course.glob("*.error.txt")
    assert str(report) in why and "Traceback" in report.read_text()


def test_too_few_folders_that_can_play_are_explained(course: Path) -> None:
    shutil.rmtree(course / "handed-in" / "ada")
    hand_in(course, "bob", "player.toml", "command = 1")
    with pytest.raises(InvalidFile) as found:
        plan_of(course)
    assert "There are 1 for a table of 2" in str(found.value)
    assert "submissions (bob): player.toml: command: must be a list" in str(found.value)


def test_folder_that_cannot_play_is_no_mistake_of_the_file(course: Path) -> None:
    hand_in(course, "bob", "player.toml", "command = 1")
    with pytest.raises(InvalidFile) as found:
        plan_of(course, f"roster = 'none.csv'\n{INVESTOR}")
    assert "none.csv" in str(found.value) and "submissions (bob)" not in str(found.value)


def test_wrong_patterns_are_mistakes(course: Path) -> None:
    for team in ("ada", "bob"):
        (course / "handed-in" / team / "player").mkdir(parents=True, exist_ok=True)
    for pattern, sentence in {
        "nowhere/*": "'nowhere/*' matches no folder in",
        "/etc/*": "is not a pattern of folders",
        "handed-in/*/player": "matches 2 folders named 'player', and each player has the name of",
    }.items():
        file = course / "course.toml"
        file.write_text(SETTINGS.replace("handed-in/*", pattern) + INVESTOR)
        with pytest.raises(InvalidFile, match=r"tournament\.submissions") as found:
            read_plan(file)
        assert sentence in str(found.value)


def test_folder_with_the_name_of_a_player_of_the_file_is_left_out(course: Path) -> None:
    """It must not stop the others."""
    plan = plan_of(course, INVESTOR.replace('"investor"', '"ada"', 1))
    assert [name for name, _ in plan.left_out] == ["ada"]
    assert plan.entrant("ada").strategy is not None


def test_folders_whose_names_look_alike_are_all_left_out(course: Path) -> None:
    """Also such as look like a player of the file, which plays."""
    for name in ("Bob", "\uff22ob", "Investor", "cyd"):
        hand_in(course, name, "player.py", "")
    hand_in(course, "Cyd", "player.py", "")
    hand_in(course, "Cyd", "player.toml", "command = 1")  # this one cannot play in any case
    plan = plan_of(course)
    assert plan.names == ("investor", "ada", "cyd")
    told = dict(plan.left_out)
    assert told.keys() == {"Bob", "\uff22ob", "bob", "Investor", "Cyd"}
    assert "'Investor' and 'investor' look alike" in told["Investor"]
    assert "'Bob', 'bob' and '\uff22ob' look alike" in told["bob"] == told["Bob"]
    assert "None of them plays" in told["bob"]


# -- the roster -----------------------------------------------------------------------------------

ROSTER = 'id,name,team,section\ns1,"Byron, Ada",ada,Monday\ns2,Bob,,\ns3,Cyd,cyd,\ns4,Dee,ada,\n'


def test_roster_says_who_belongs_to_which_player(course: Path) -> None:
    (course / "roster.csv").write_text("\ufeff" + ROSTER)
    hand_in(course, "s2", "player.py", "")
    plan = plan_of(course, 'deals = 2\nroster = "roster.csv"\n' + INVESTOR)
    assert plan.roster[0] == Student("s1", "Byron, Ada", "ada", "Monday")
    assert [student.player for student in plan.roster] == ["ada", "s2", "cyd", "ada"]
    assert [*plan_warnings(plan)] == [
        "Nothing was handed in by cyd of the roster.",
        "The roster does not have bob: neither a team nor an id is called so.",
    ]


def test_team_and_folder_match_in_any_form_of_unicode(course: Path) -> None:
    """A Mac packs names with marks apart from their letters."""
    player, left_out = "mo\u0308ller", "a\u0308da"
    hand_in(course, player, "player.py", "")
    hand_in(course, left_out, "player.txt", "")
    (course / "roster.csv").write_text("id,team\n1,m\u00f6ller\n\u00e4da,\n3,ada\n4,bob\n")
    plan = plan_of(course, 'roster = "roster.csv"\n' + INVESTOR)
    assert [student.player for student in plan.roster] == [player, left_out, "ada", "bob"]
    assert not [line for line in plan_warnings(plan) if "roster" in line]


WRONG_ROSTERS = {
    "id;name\ns1;Ada\n": "separates its columns with semicolons. Save it with commas.",
    "s1,Ada\n": "has no column id. Begin it with id,name,team,section.",
    "": "has no column id",
    "id,nmae\n1,a\n": "Did you mean 'name'?",
    "id\n1\n1\n": "line 3: the id '1' is there twice",
    "id,name\n,a\n": "line 2: the id is missing",
    "id,name\n1,Byron, Ada\n": "line 2: there are more values than columns",
    'id\n"1\n': "is not valid CSV",
    "id\n1\x1b[0m\n": "one that cannot be printed",
}


@for_each(("text", "sentence"), WRONG_ROSTERS.items())
def test_wrong_rosters_are_mistakes(text: str, sentence: str, tmp_path: Path) -> None:
    hand_in(tmp_path, "ada", "player.py", "")
    (tmp_path / "roster.csv").write_text(text)
    with pytest.raises(InvalidFile, match=r"tournament\.roster") as found:
        plan_of(tmp_path, 'roster = "roster.csv"\n' + INVESTOR)
    assert sentence in str(found.value)
    assert "\x1b" not in str(found.value)


OUTSIDE = (
    'command = ["python3", "player.py", "/srv/roster.csv"]',
    'command = ["python3", "player.py", "--data=../bob"]',
    'command = ["../bob/player.py"]',
    'command = ["/srv/handed-in/ada/player.py"]',
    'command = ["python3", "player.py"]\nenvironment = { LIB = "/usr/lib:../../roster.csv" }',
    'command = ["python3", "player.py"]\nenvironment = { LIB = "x/../../../roster.csv" }',
    'build = ["cp", "-r", "../bob", "."]',
)


@for_each("text", OUTSIDE)
def test_folder_that_names_what_is_outside_is_left_out(text: str, course: Path) -> None:
    """By its text alone: what is not there yet may be there later."""
    hand_in(course, "ada", "player.toml", text)
    (left_out,) = plan_of(course).left_out
    assert left_out.name == "ada" and "is not in the folder" in left_out.why


def test_paths_of_every_sandbox_and_addresses_may_be_named(course: Path) -> None:
    command = '["/usr/bin/env", "./player.py", "http://{host}:{port}/x", "/tmp/log", "a=b:c"]'
    hand_in(course, "ada", "player.toml", f"command = {command}")
    assert not plan_of(course).left_out


def test_link_is_left_out_before_anything_is_read_through_it(course: Path) -> None:
    (course / "roster.csv").write_text("a secret")
    (course / "handed-in" / "eve").symlink_to("..")
    (course / "handed-in" / "fay").mkdir()
    (course / "handed-in" / "fay" / "player.toml").symlink_to("../../roster.csv")
    left_out = plan_of(course).left_out
    assert [name for name, _ in left_out] == ["eve", "fay"]
    assert all("is a link" in why and "secret" not in why for _, why in left_out)
    hand_in(course, "gus", "src/bot/player.py", "1")
    (course / "handed-in" / "hal").mkdir()
    (course / "handed-in" / "hal" / "src").symlink_to("../gus/src")
    file = course / "course.toml"
    file.write_text(SETTINGS.replace("handed-in/*", "handed-in/hal/s*/bot") + INVESTOR)
    with pytest.raises(InvalidFile, match=r"submissions \(bot\): The folder is a link."):
        read_plan(file)


def test_folder_that_cannot_be_copied(course: Path) -> None:
    """A virtual environment, say: a player of the file is run in place, a submission left out."""
    (course / "handed-in" / "ada" / "python").symlink_to("/usr/bin/python3")
    (course / "own").mkdir()
    (course / "own" / "python").symlink_to("/usr/bin/python3")
    (course / "own" / "player.py").write_text("1")
    own = '\n[[players]]\nname = "own"\ncommand = ["./python", "player.py"]\ndirectory = "own"\n'
    plan = plan_of(course, INVESTOR + own)
    assert [name for name, _ in plan.left_out] == ["ada"]
    assert "is a link that leads out of the folder" in plan.left_out[0].why
    store = course / "course.sqlite"
    why = Programs(plan, store).why_not_copied(plan.entrant("own"))
    assert why.startswith("its folder cannot be copied: ")
    (warning,) = Programs(plan, store).warnings()
    assert warning.startswith("own is not run in a copy of its folder")
    (course / "own" / "player.py").write_text("2")
    again = plan_of(course, INVESTOR + own)
    assert again.entrant("own").version not in ("", plan.entrant("own").version)
