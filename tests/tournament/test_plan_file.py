"""Every kind of mistake in a tournament file is reported with its place and how to fix it."""

import json
import os
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import Result
from command_line import invoke, succeed
from loops import for_each
from tournament_process import built_in_toml

from acquire.admin.tournament.planning.plan_file import (
    blocks_of_a_player,
    memory_warnings,
    plan_warnings,
    read_plan,
)
from acquire.admin.tournament.planning.roster import read_roster
from acquire.protocol.files import MAX_BYTES
from acquire.protocol.settings_file import InvalidFile, InvalidSettings


def players_toml(*numbers: int) -> str:
    """Return built-in players with these numbers in their names."""
    return built_in_toml(**{f"p{number}": "ordered" for number in numbers})


FOUR = players_toml(*range(4))
"""Players with whom every file below is right except for its mistake."""
A = "players[1] (a)"
BAD_NAME = "Write 1 to 32 printable characters, without spaces at the ends"
ONE_WAY = "A player needs exactly one: command (a list of arguments), strategy"
BOTH_FILES = "is missing: TLS needs a certificate and its key"
TRUE = 'command = ["true"]'


class Case(NamedTuple):
    """A bad file: the place of its mistake, and words of the sentence."""

    text: str
    place: str
    words: str


def section(name: str, *settings: str) -> str:
    """Return a file with a section that has these settings."""
    return "\n".join([f"[{name}]", *settings, FOUR])


def player(*settings: str, before: str = "") -> str:
    """Return a file whose first player is called ``a`` and has these settings."""
    return "\n".join([before, "[[players]]", 'name = "a"', *settings, FOUR])


def named(name: str) -> str:
    return f'[[players]]\nname = "{name}"\nstrategy = "random"\n{FOUR}'


def of(setting: str, words: str, *more: str, at: str = "") -> Case:
    """A wrong setting, as SECTION.NAME = VALUE, after which come others of its section.

    The mistake is at it, or at another place.
    """
    name, _, line = setting.partition(".")
    return Case(section(name, line, *more), at or setting.partition(" = ")[0], words)


def playing(place: str, words: str, *settings: str) -> Case:
    """A first player with settings that are wrong at a place in it."""
    return Case(player(*settings, before="[lobby]\nport = 51234"), A + place, words)


SETTINGS = {
    # types
    'tournament.seats = "4"': "a whole number, not '4'",
    "tournament.seats = 4.0": "a whole number, not 4.0",
    "clocks.reply = true": "must be a number",
    "tournament.duplicate = 1": "true or false, not 1",
    "tournament.name = 4": "text in quotes",
    'tournament.points = "3210"': "a list in [ ]",
    # ranges
    "tournament.seats = 7": "at most 6, not 7",
    "tournament.seats = 1": "at least 2, not 1",
    "tournament.deals = 0": "at least 1, not 0",
    "tournament.workers = 0": "at least 1",
    "tournament.seed = -1": "at least 0, not -1",
    f"tournament.seed = {10**18}": f"less than {10**18}",
    'tournament.name = ""': "at least 1 char",
    "clocks.reply = nan": "finite",
    "clocks.signup = inf": "finite",
    "clocks.turn = 0": "more than 0",
    "clocks.reply = -0.5": "not -0.5",
    "clocks.turn = 86401": "at most 864",
    "lobby.port = 65536": "at most 65535",
    'lobby.host = ""': "is empty",
    "lobby.wait = 0": "more than 0",
    'limits.memory = "512 MB"': "Write a number and KiB, MiB or GiB",
    'limits.file_size = "-1 KiB"': "512 MiB",
    "limits.memory = 0": "at least 1",
    "limits.memory = 1.5": "a whole number",
    "limits.processes = 0": "at least 1",
    # choices
    'tournament.rulebook = "revisd"': "Choose one of revised, corp",
    'tournament.format = "cup"': "'gauntlet', 'swiss' or 'ladder'",
    'tournament.seatings = "latin"': "'rotations', 'balanced'",
    # the table, who meets whom, and what it is worth
    "tournament.seats = 2": "must be between 3 and 6 for rulebook revised, not 2",
    'tournament.hide = "both"': "Remove it",
    'tournament.challenger = "p1"': "Remove it",
    "tournament.rounds = 3": "Set a higher number of deals",
    "tournament.points = [2, 1, 0]": "3 numbers for 4 seats",
    "tournament.points = [0, 1, 2, 3]": "must not increase from place to place",
    "tournament.points = [1, 1, 1, 1]": "the first must be more than the last",
}
"""Settings that are wrong, as SECTION.NAME = VALUE, with words of the sentence."""
CASES = {
    "settings": [of(*item) for item in SETTINGS.items()],
    "syntax": [
        Case("[tournament\nseats = 4", "line 1, column 12", "Expected ']'"),
        Case(section("tournament", "name = hello"), "line 2, column 8", "Texts need quotes"),
        Case(section("tournament", "seats = 4", "seats = 3"), "line 3, column 10", "Cannot over"),
    ],
    "unknown sections and settings": [
        Case(section("tournamnt"), "tournamnt", "Did you mean 'tournament'?"),
        Case(section("zzz"), "zzz", "There are tournament, clocks, limits, lobby, grades, play"),
        of("tournament.seat = 4", "'seat' is not a setting here. Did you mean", at="tournament"),
        of("clocks.replay = 1", "Did you mean 'reply'?", at="clocks"),
        playing("", "Did you mean 'strategy'?", 'strateg = "random"'),
        playing(".remote", "There are secret", 'remote = { secret = "long-enough", host = "b" }'),
    ],
    "wrong types": [
        Case(f"tournament = 4\n{FOUR}", "tournament", "Write [tournament]"),
        Case(f"[[clocks]]\n{FOUR}", "clocks", "Write [clocks] on a line"),
        Case('[players]\nname = "a"', "players", "Write [[players]] above"),
        Case("players = [4]", "players", "Write [[players]] above each"),
        of('tournament.points = [3, "2", 1, 0]', "be a number", at="tournament.points[2]"),
    ],
    "the table": [
        Case("[tournament]", "players", "Write a [[players]] table for each"),
        of("tournament.seats = 5", "4 for a table of 5. Add players, or set few", at="players"),
        Case(
            "[tournament]\nformat = 'swiss'\nrounds = 1\n"
            + "".join(f"[[players]]\nname = 'p{n}'\nstrategy = 'random'\n" for n in range(1001)),
            "players",
            "There are 1,001; the maximum is 1,000.",
        ),
    ],
    "players' names": [
        Case(named("p1"), "players", "2 have the name 'p1'. Give each its own name"),
        Case(named("P1"), "players", "The names 'P1' and 'p1' look alike"),
        Case(f'[[players]]\nstrategy = "random"\n{FOUR}', "players[1].name", "is missing"),
        Case(named(""), "players[1].name", "at least 1 characters"),
        Case(named("a").replace('"a"', "7"), "players[1].name", "a text in quotes"),
        Case(named("a:b"), "players[1] (a:b).name", "Remove it"),
        Case(named("x" * 33), f"players[1] ({'x' * 33}).name", "at most 32 characters"),
        Case(named("a\\u0007"), "players[1] (a�).name", BAD_NAME),
        Case(named("a "), "players[1] (a ).name", BAD_NAME),
        Case(named(" "), "players[1] ( ).name", BAD_NAME),
    ],
    "how a player plays": [
        playing(".strategy", "'randm' is not a built-in player. Choose", 'strategy = "randm"'),
        playing("", f"has none of command, strategy and remote. {ONE_WAY}"),
        playing("", f"command and strategy. {ONE_WAY}", 'strategy = "random"', TRUE),
        playing(
            "",
            f"has command and strategy and remote. {ONE_WAY}",
            *('strategy = "random"', TRUE, 'remote = { secret = "long-enough" }'),
        ),
        playing("", "which only a command can have", 'strategy = "random"', 'directory = "x"'),
        playing(".handed_in", "needs a folder", 'command = ["true"]', "handed_in = true"),
        playing(".command[2]", "Use {host}, {port} or", 'command = ["true", "{hst}"]'),
        playing(".command[1]", "not found in PATH. Give", 'command = ["no-such-program"]'),
        playing(".command[1]", "no such program. Give", 'command = ["./none"]'),
        playing(".command[1]", "this is a folder. Give", 'command = ["./"]'),
        playing(".command[1]", "not found in PATH. Give", 'command = [""]'),
        playing(".command", "Write the program, and each of its arguments", "command = []"),
        playing(".command", "a list in [ ], not 'python3 a.py'", 'command = "python3 a.py"'),
        playing(".command[2]", "a text in quotes, not 5", 'command = ["true", 5]'),
        playing(".directory", "'none' is not a folder", TRUE, 'directory = "none"'),
        playing(".environment.LEVEL", "in quotes, not 3", TRUE, "environment = { LEVEL = 3 }"),
    ],
    "who meets whom, and what it is worth": [
        of('tournament.format = "gauntlet"', "needs a player's", at="tournament.challenger"),
        of('tournament.challenger = "pp1"', "'pp1' is not a player. Did", 'format = "gauntlet"'),
        of('tournament.format = "swiss"', "needs a number", at="tournament.rounds"),
        of("tournament.rounds = 0", "at least 1", 'format = "swiss"'),
        of("tournament.points = [3, 2, 1, -1]", "at least 0", at="tournament.points[4]"),
        of("tournament.points = [nan, 2, 1, 0]", "finite", at="tournament.points[1]"),
    ],
    "who connects": [
        Case(player('remote = { secret = "long-enough" }'), "lobby.port", "such as 51234"),
        playing(".remote.secret", "is missing", "remote = {}"),
        playing(".remote.secret", "at least 8 characters", 'remote = { secret = "1234567" }'),
        playing(".remote.secret", "at most 31 characters", f'remote = {{ secret = "{"x" * 32}" }}'),
        playing(".remote.secret", "Remove it", 'remote = { secret = "1234:5678" }'),
        of('limits.read_only = [".", "a"]', "'a' does not exist in", at="limits.read_only[2]"),
        of('lobby.certificate = "a.pem"', BOTH_FILES, at="lobby.key"),
        of('lobby.key = "a.pem"', BOTH_FILES, at="lobby.certificate"),
        of('lobby.certificate = "b.pem"', "'b.pem' cannot be read in", 'key = "cup.toml"'),
    ],
}


def check(file: Path) -> Result:
    return invoke("tournament", "check", file)


def reported(file: Path) -> list[str]:
    """Return the mistakes, one per line, with which the command refuses a file."""
    result = check(file)
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == 2
    first, *mistakes = result.stderr.splitlines()
    count = "a mistake" if len(mistakes) == 1 else f"{len(mistakes)} mistakes"
    assert first == f"Error: {file} has {count}:"
    return [mistake.removeprefix("  ") for mistake in mistakes]


def write(folder: Path, text: str) -> Path:
    file = folder / "cup.toml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("group", CASES)
def test_mistake_is_reported_once_with_its_place_and_a_fix(tmp_path: Path, group: str) -> None:
    wrong = {}
    for case in CASES[group]:
        mistakes = reported(write(tmp_path, case.text))
        place, _, sentence = mistakes[0].partition(f"{case.place}: ")
        if len(mistakes) != 1 or place != "" or case.words not in sentence:
            wrong[case] = mistakes
    assert not wrong


def test_file_without_a_mistake_is_right(tmp_path: Path) -> None:
    result = check(write(tmp_path, FOUR))
    assert result.exit_code == 0, result.output
    assert "4 per table and deal" in result.stdout


def test_file_that_init_writes_is_right(tmp_path: Path) -> None:
    file = tmp_path / "new.toml"
    succeed("tournament", "init", file)
    assert len(read_plan(file).players) == 5
    file.write_text(
        file.read_text().replace("# points =", "points =").replace("# seed =", "seed =")
    )
    assert read_plan(file).tournament.points == (3, 2, 1, 0)


MANY = """
[tournament]
seats = "four"
rulebook = "no-such"
points = [1, 2]
deals = 0
seet = 1
[clocks]
reply = 0
turn = nan
[limits]
memory = "1 GB"
processes = 0
[lobby]
port = -1
[looby]
[[players]]
name = "a:b"
strategy = "random"
[[players]]
name = "ada"
command = ["true", "{prot}"]
[[players]]
name = "ada"
[[players]]
strategy = "nobody"
[[players]]
name = "eve"
remote = { secret = "short" }
[[players]]
name = "fay"
command = ["true"]
directory = "none"
read_only = ["none"]
"""
ALL_OF_THEM = {
    "tournament.seats": "whole number, not 'four'",
    "tournament.rulebook": "Choose one of revised",
    "tournament.deals": "at least 1",
    "tournament": "Did you mean 'seed'?",
    "clocks.reply": "more than 0",
    "clocks.turn": "finite",
    "limits.memory": "Write a number and KiB",
    "limits.processes": "at least 1",
    "lobby.port": "at least 0",
    "looby": "Did you mean 'lobby'?",
    "players[1] (a:b).name": "Remove it",
    "players[2] (ada).command[2]": "{prot} is not a placeholder",
    "players[3] (ada)": "exactly one: command",
    "players[4].name": "is missing",
    "players[4].strategy": "'nobody' is not a built-in player",
    "players[5] (eve).remote.secret": "at least 8 characters",
    "players[6] (fay).directory": "is not a folder",
    "players[6] (fay).read_only[1]": "does not exist",
    "players": "2 have the name 'ada'",
}


def test_all_mistakes_are_reported_at_once_each_with_its_place(tmp_path: Path) -> None:
    lines = reported(file := write(tmp_path, MANY))
    mistakes = dict(text.split(": ", 1) for text in lines)
    assert mistakes.keys() == ALL_OF_THEM.keys()
    assert not {place for place, words in ALL_OF_THEM.items() if words not in mistakes[place]}
    with pytest.raises(InvalidFile) as caught:
        read_plan(file)
    assert [f"{place}: {text}" for place, text in caught.value.mistakes] == lines


# -- files that are not text --------------------------------------------------------------------


def test_file_that_is_no_text_is_reported_with_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "latin.toml"
    file.write_bytes(b"# a\n# b\nname = 'caf\xe9'\n")
    assert reported(file) == ["line 3: byte 0xe9 is not UTF-8. Save the file as UTF-8."]
    (mistake,) = reported(tmp_path / "none.toml")
    assert "No such file or directory" in mistake and "acquire tournament init FILE" in mistake
    result = check(tmp_path)
    assert result.exit_code == 2
    assert "is a directory" in result.stderr
    with pytest.raises(InvalidFile, match="Is a directory"):
        read_plan(tmp_path)


def test_file_may_have_the_maximum_size_and_no_more(tmp_path: Path) -> None:
    file = tmp_path / "large.toml"
    file.write_text(FOUR + "\n" + "#" * (MAX_BYTES - len(FOUR) - 1))
    assert len(read_plan(file).players) == 4
    with file.open("a") as more:
        more.write("#")
    assert f"it is larger than {MAX_BYTES} bytes" in "".join(reported(file))


@pytest.mark.parametrize(
    "command", ["tournament check", "serve --bag", "perft --bag", "tournament audit . --key"]
)
def test_pipes_and_devices_are_refused_at_once(command: str, tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    for path in (pipe, Path("/dev/zero")):
        result = invoke(*command.split(), str(path))
        assert result.exit_code == 2
        assert "not a file" in result.stderr or "expected the 64" in result.stderr


def test_roster_is_no_pipe_and_its_columns_are_not_multiplied_by_its_rows(tmp_path: Path) -> None:
    """As many values as columns for each row would be 3,000 million here."""
    os.mkfifo(pipe := tmp_path / "pipe")
    with pytest.raises(InvalidSettings, match="it is not a file"):
        read_roster(pipe)
    file = tmp_path / "roster.csv"
    file.write_text(f"id{',x' * 60_000}\n" + "s1\n" * 50_000)
    with pytest.raises(InvalidSettings, match="'x' is not a column"):
        read_roster(file)


# -- files that are right ----------------------------------------------------------------------

RIGHT: dict[str, dict[str, object]] = {
    "clocks.reply": {"reply = 2": 2.0},
    "limits.memory": {'memory = "3 MiB"': 3 * 2**20, 'memory = " 5000 "': 5000},
    "tournament.seed": {f"seed = {10**18 - 1}": 10**18 - 1},
    "tournament.points": {"points = [5, 2.5, 2.5, 0]": (5.0, 2.5, 2.5, 0.0)},
    "tournament.seats": {'seats = 2\nrulebook = "classic"': 2},
}
"""Settings that are right, and what they mean."""


def test_settings_are_read_as_they_are_meant(tmp_path: Path) -> None:
    for place, values in RIGHT.items():
        name, _, setting = place.partition(".")
        for text, value in values.items():
            plan = read_plan(write(tmp_path, section(name, text)))
            assert getattr(getattr(plan, name), setting) == value, text
    for right in ("Zoë 祖", "é" * 32):
        assert read_plan(write(tmp_path, named(right))).names[0] == right
    braces = player('command = ["true", "{}", "{ host }"]')
    assert read_plan(write(tmp_path, braces)).players[0].command == ("true", "{}", "{ host }")


# -- bugs of the past ----------------------------------------------------------------------------

CRASHES = (
    "players = []",
    '[tournament]\nformat = "gauntlet"\nchallenger = "p1"',
    "a = " + "[" * 5000,
    section("tournament", "deals = " + "9" * 5000),
    section("lobby", 'key = "\\u0000"', 'certificate = "\\u0000"'),
    player('command = ["true", "\\u0000"]'),
    player(TRUE, 'environment = { A = "\\u0000" }'),
    player(TRUE, 'environment = { "A=B" = "c" }'),
    player(TRUE, 'environment = { "" = "c" }'),
)


def test_impossible_file_is_refused(tmp_path: Path) -> None:
    for text in CRASHES:
        with pytest.raises(InvalidFile):
            read_plan(write(tmp_path, text))


def test_control_characters_of_a_file_are_not_printed(tmp_path: Path) -> None:
    mistakes = reported(write(tmp_path, named("a\\u001b]0;b\\u0007")))
    assert mistakes and all(text.isprintable() for text in mistakes)


# -- defaults that depend on the players ---------------------------------------------------------

TWO = '[tournament]\nrulebook = "classic"\nseats = 2'
REMOTE_GUEST = '[[players]]\nname = "guest"\nremote = { secret = "a-long-secret" }\n'
PROGRAM_GUEST = '[[players]]\nname = "guest"\ncommand = ["true"]\ndirectory = "guest"\n'
ALL_BUILT_IN = built_in_toml(guest="random")
SEED_WARNING = "tournament.seed is set: whoever reads it knows every bag."
DUPLICATE_WARNING = "tournament.duplicate is true: a player that remembers the tiles of one game"


class Bags(NamedTuple):
    """Players and settings, and what follows from them for the bags."""

    guest: str
    settings: str
    duplicate: bool
    secret: bool
    warnings: tuple[str, ...] = ()

    def write(self, folder: Path) -> Path:
        """Write a file with these players and settings."""
        ann = built_in_toml(ann="random")
        (folder / "guest").mkdir(exist_ok=True)
        text = f"{TWO}\ndeals = 5\n{self.settings}\n[lobby]\nport = 5555\n{ann}{self.guest}"
        return write(folder, text)


BAGS = {
    "built-in": Bags(ALL_BUILT_IN, "", True, False),
    "built-in, with a seed": Bags(ALL_BUILT_IN, "seed = 1", True, False),
    "built-in, own bags": Bags(ALL_BUILT_IN, "duplicate = false", False, False),
    "program": Bags(PROGRAM_GUEST, "", False, True),
    "remote": Bags(REMOTE_GUEST, "", False, True),
    "remote, with a seed": Bags(REMOTE_GUEST, "seed = 1", False, False, (SEED_WARNING,)),
    "program, duplicate": Bags(PROGRAM_GUEST, "duplicate = true", True, True, (DUPLICATE_WARNING,)),
    "program, both": Bags(
        PROGRAM_GUEST, "duplicate = true\nseed = 1", True, False, (SEED_WARNING, DUPLICATE_WARNING)
    ),
}


@pytest.mark.parametrize("case", BAGS.values(), ids=BAGS.keys())
def test_bags_are_safe_by_default_and_what_is_not_is_warned_of(tmp_path: Path, case: Bags) -> None:
    plan = read_plan(case.write(tmp_path))
    assert (plan.duplicate, plan.secret_bags) == (case.duplicate, case.secret)
    warnings = [*plan_warnings(plan)]
    assert len(warnings) == len(case.warnings)
    assert all(map(str.startswith, warnings, case.warnings))


BLOCKS = {
    "round-robin": ("seats = 4", 4, 1, 5),
    "round-robin of six": ("seats = 4", 6, 10, None),
    "round-robin, more deals": ("seats = 4\ndeals = 4", 4, 4, 5),
    "round-robin, enough deals": ("seats = 4\ndeals = 5", 4, 5, None),
    "round-robin of five": ("seats = 4", 5, 4, 2),
    "gauntlet": ('seats = 3\nformat = "gauntlet"\nchallenger = "p1"', 5, 3, 2),
    "ladder": ('seats = 3\nformat = "ladder"\ndeals = 3', 6, 3, None),
    "Swiss": ('seats = 3\nformat = "swiss"\nrounds = 4', 6, 4, 2),
    "Swiss, some sit out": ('seats = 3\nformat = "swiss"\nrounds = 6', 7, 5, None),
}


@for_each(("settings", "players", "blocks", "deals"), BLOCKS.values(), [*BLOCKS])
def test_too_few_blocks_for_an_interval_are_warned_of(
    settings: str, players: int, blocks: int, deals: int | None, tmp_path: Path
) -> None:
    text = f"[tournament]\n{settings}\n{players_toml(*range(1, players + 1))}"
    plan = read_plan(write(tmp_path, text))
    assert blocks_of_a_player(plan) == blocks
    warnings = [*plan_warnings(plan)]
    assert len(warnings) == (deals is not None)
    assert deals is None or warnings[0].endswith(f"Set deals = {deals} or more.")


GRADED = """
[[grades.scale]]
grade = "1"
points = 2.0
[[grades.scale]]
grade = "2"
points = {second}
"""


@pytest.mark.parametrize(("deals", "second", "enough"), [(5, 1.5, 23), (25, 1.5, 0), (5, 0.5, 0)])
def test_grades_that_are_finer_than_intervals_are_warned_of(
    deals: int, second: float, enough: int, tmp_path: Path
) -> None:
    """The interval of five blocks of four games reaches 2.776 * 1.118 / 20 ** 0.5 points."""
    text = f"[tournament]\ndeals = {deals}\n{FOUR}{GRADED.format(second=second)}"
    found = [*plan_warnings(read_plan(write(tmp_path, text)))]
    assert len(found) == (enough > 0), found
    if enough:
        assert "as little as 0.5 points per game apart" in found[0]
        assert "will reach about 0.69 to each side" in found[0]
        assert f"Set deals = {enough} or more" in found[0]


def test_more_memory_than_there_is_for_all_programs_at_once_is_warned_of(tmp_path: Path) -> None:
    there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    programs = "".join(
        f'[[players]]\nname = "p{number}"\ncommand = ["python3"]\n' for number in range(5)
    )

    def warnings(memory: int, workers: int) -> list[str]:
        text = f"[tournament]\nseats = 3\n{programs}[limits]\nmemory = {memory}\n"
        return [*memory_warnings(read_plan(write(tmp_path, text)), workers)]

    assert warnings(there // 6, 2) == []
    (warning,) = warnings(there // 6 + 1, 2)
    assert warning.startswith("6 programs at once may use")
    assert warnings(there // 3, 1) == []


def test_check_prints_bags_and_warnings(tmp_path: Path) -> None:
    file = BAGS["program, both"].write(tmp_path)
    lines = [line.rstrip() for line in check(file).stdout.splitlines()]
    assert "bags      one for all games of a block, from the seed" in lines
    warnings = [*plan_warnings(read_plan(file))]
    assert [line for line in lines if line.startswith("Warning: ")] == [
        f"Warning: {warning}" for warning in warnings
    ]
    printed = invoke("tournament", "check", file, "--json").stdout
    assert json.loads(printed)["warnings"] == warnings


def test_default_that_is_set_explicitly_is_the_same_plan(tmp_path: Path) -> None:
    text = f"{TWO}\n[lobby]\nport = 5555\n{REMOTE_GUEST}" + ALL_BUILT_IN.replace("guest", "ann")
    default = read_plan(write(tmp_path, text)).result_settings()
    for same in ("duplicate = false", 'seatings = "rotations"'):
        explicit = text.replace("seats = 2", f"seats = 2\n{same}")
        assert read_plan(write(tmp_path, explicit)).result_settings() == default
    for other in ("duplicate = true", 'seatings = "all"'):
        explicit = text.replace("seats = 2", f"seats = 2\n{other}")
        assert read_plan(write(tmp_path, explicit)).result_settings() != default
