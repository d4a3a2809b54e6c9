"""Every kind of mistake in a tournament file is told by the command: its place, and the mend."""

from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner, Result

from admin.cli.main import acquire
from admin.tournament.planning.plan_file import MAX_BYTES, BadPlan, read_plan

FOUR = "\n".join(f'[[players]]\nname = "p{number}"\nstrategy = "ordered"' for number in range(4))
"""Players with whom every file below would be right but for its mistake."""
A = "players[1] (a)"
NO_PROGRAM = "Write a program that can be run"
BAD_NAME = "Write 1 to 32 printable characters without spaces at the ends"
ONE_WAY = "A player needs exactly one of command (a list of arguments), strategy"
BOTH_FILES = "TLS needs both a certificate and its key"


class Case(NamedTuple):
    """A bad file: where the mistake is said to be, and what is said of it."""

    text: str
    place: str
    words: str


def part(name: str, *settings: str) -> str:
    """Write a file whose one part has these settings."""
    return "\n".join([f"[{name}]", *settings, FOUR])


def player(*settings: str, before: str = "") -> str:
    """Write a file whose first player is called ``a``, and has these settings."""
    return "\n".join([before, "[[players]]", 'name = "a"', *settings, FOUR])


def named(name: str) -> str:
    return f'[[players]]\nname = "{name}"\nstrategy = "random"\n{FOUR}'


def remote(*settings: str) -> str:
    return player(*settings, before="[lobby]\nport = 51234")


CASES = {
    # -- the file as such
    "bracket left open": Case("[tournament\nseats = 4", "line 1, column 12", "Expected ']'"),
    "text without quotes": Case(
        part("tournament", "name = hello"), "line 2, column 8", "Texts stand in quotes"
    ),
    "setting twice": Case(
        part("tournament", "seats = 4", "seats = 3"), "line 3, column 10", "Cannot overwrite"
    ),
    # -- parts and settings that are not known
    "unknown part": Case(part("tournamnt"), "tournamnt", "Did you mean 'tournament'?"),
    "part like none": Case(
        part("zzz"), "zzz", "There are tournament, clocks, limits, lobby, players."
    ),
    "unknown setting": Case(
        part("tournament", "seat = 4"), "tournament", "'seat' is no setting here. Did you mean 'sea"
    ),
    "unknown clock": Case(part("clocks", "replay = 1"), "clocks", "Did you mean 'reply'?"),
    "unknown setting of a player": Case(
        player('strateg = "random"'), A, "Did you mean 'strategy'?"
    ),
    "unknown setting of a remote": Case(
        remote('remote = { secret = "long-enough", host = "b" }'), f"{A}.remote", "There are secret"
    ),
    # -- wrong types
    "part that is a number": Case(f"tournament = 4\n{FOUR}", "tournament", "Write [tournament]"),
    "part that is a list": Case(f"[[clocks]]\n{FOUR}", "clocks", "Write [clocks] on a line"),
    "players that are a table": Case('[players]\nname = "a"', "players", "Write [[players]] above"),
    "players that are numbers": Case("players = [4]", "players", "Write [[players]] above each"),
    "number in quotes": Case(
        part("tournament", 'seats = "4"'), "tournament.seats", "a whole number, not '4'"
    ),
    "number with a point": Case(
        part("tournament", "seats = 4.0"), "tournament.seats", "a whole number, not 4.0"
    ),
    "truth for a number": Case(part("clocks", "reply = true"), "clocks.reply", "to be a number"),
    "number for truth": Case(
        part("tournament", "duplicate = 1"), "tournament.duplicate", "true or false, not 1"
    ),
    "number for text": Case(part("tournament", "name = 4"), "tournament.name", "text in quotes"),
    "points in quotes": Case(
        part("tournament", 'points = "3210"'), "tournament.points", "a list in [ ]"
    ),
    "a point in quotes": Case(
        part("tournament", 'points = [3, "2", 1, 0]'), "tournament.points[2]", "to be a number"
    ),
    # -- out of range
    "seven seats": Case(part("tournament", "seats = 7"), "tournament.seats", "at most 6, not 7"),
    "one seat": Case(part("tournament", "seats = 1"), "tournament.seats", "at least 2, not 1"),
    "no deals": Case(part("tournament", "deals = 0"), "tournament.deals", "at least 1, not 0"),
    "no workers": Case(part("tournament", "workers = 0"), "tournament.workers", "at least 1"),
    "negative seed": Case(part("tournament", "seed = -1"), "tournament.seed", "at least 0, not -1"),
    "seed too large": Case(
        part("tournament", f"seed = {10**18}"), "tournament.seed", f"less than {10**18}"
    ),
    "tournament without a name": Case(part("tournament", 'name = ""'), "tournament.name", "1 char"),
    "clock not a number": Case(part("clocks", "reply = nan"), "clocks.reply", "finite"),
    "clock without end": Case(part("clocks", "signup = inf"), "clocks.signup", "finite"),
    "clock at nought": Case(part("clocks", "turn = 0"), "clocks.turn", "more than 0"),
    "clock before nought": Case(part("clocks", "reply = -0.5"), "clocks.reply", "not -0.5"),
    "clock of more than a day": Case(part("clocks", "turn = 86401"), "clocks.turn", "at most 864"),
    "port too large": Case(part("lobby", "port = 65536"), "lobby.port", "at most 65535"),
    "no host": Case(part("lobby", 'host = ""'), "lobby.host", "is empty"),
    "no wait": Case(part("lobby", "wait = 0"), "lobby.wait", "more than 0"),
    "size in megabytes": Case(
        part("limits", 'memory = "512 MB"'), "limits.memory", "Write a number and KiB, MiB or GiB"
    ),
    "size below nought": Case(
        part("limits", 'file_size = "-1 KiB"'), "limits.file_size", "512 MiB"
    ),
    "size of nothing": Case(part("limits", "memory = 0"), "limits.memory", "at least 1"),
    "size with a point": Case(part("limits", "memory = 1.5"), "limits.memory", "a whole number"),
    "no processes": Case(part("limits", "processes = 0"), "limits.processes", "at least 1"),
    # -- names that stand for something
    "unknown rulebook": Case(
        part("tournament", 'rulebook = "revisd"'), "tournament.rulebook", "There are revised, corp"
    ),
    "unknown format": Case(
        part("tournament", 'format = "cup"'), "tournament.format", "'round-robin', 'gauntlet' or"
    ),
    "unknown seatings": Case(
        part("tournament", 'seatings = "latin"'), "tournament.seatings", "'rotations', 'balanced'"
    ),
    "unknown strategy": Case(
        player('strategy = "randm"'), f"{A}.strategy", "'randm' is no house player. Installed are"
    ),
    # -- the table
    "seats against the rulebook": Case(
        part("tournament", "seats = 2"), "tournament.seats", "not between 3 and 6, which rulebook"
    ),
    "assets that cannot be hidden": Case(
        part("tournament", "hide_assets = true"), "tournament.hide_assets", "Leave it out"
    ),
    "no players": Case("[tournament]", "players", "Write a [[players]] table for each"),
    "too few players": Case(
        part("tournament", "seats = 5"), "players", "4 for a table of 5. Add players, or give fewer"
    ),
    # -- players' names
    "name twice": Case(named("p1"), "players", "2 are called 'p1'. Give each a name of its own"),
    "name missing": Case(
        f'[[players]]\nstrategy = "random"\n{FOUR}', "players[1].name", "is missing"
    ),
    "name empty": Case(named(""), "players[1].name", "1 characters or more"),
    "name a number": Case(
        f'[[players]]\nname = 7\nstrategy = "random"\n{FOUR}',
        "players[1].name",
        "a text in quotes",
    ),
    "name with a colon": Case(named("a:b"), "players[1] (a:b).name", "Leave it out"),
    "name of 33": Case(named("x" * 33), f"players[1] ({'x' * 33}).name", "32 characters at most"),
    "name of control characters": Case(named("a\\u0007"), "players[1] (a\ufffd).name", BAD_NAME),
    "name with an end in a blank": Case(named("a "), "players[1] (a ).name", BAD_NAME),
    "name of a blank": Case(named(" "), "players[1] ( ).name", BAD_NAME),
    # -- how a player plays
    "no way to play": Case(player(), A, f"has none of them. {ONE_WAY}"),
    "two ways to play": Case(
        player('strategy = "random"', 'command = ["true"]'), A, f"command and strategy. {ONE_WAY}"
    ),
    "three ways to play": Case(
        remote('strategy = "random"', 'command = ["true"]', 'remote = { secret = "long-enough" }'),
        A,
        f"has command and strategy and remote. {ONE_WAY}",
    ),
    "folder of a house player": Case(
        player('strategy = "random"', 'directory = "x"'), A, "which only a command can have"
    ),
    "placeholder misspelt": Case(
        player('command = ["true", "{hst}"]'), f"{A}.command[2]", "There are {host}, {port} and"
    ),
    "program not in PATH": Case(
        player('command = ["no-such-program"]'), f"{A}.command[1]", NO_PROGRAM
    ),
    "program not in the folder": Case(
        player('command = ["./none"]'), f"{A}.command[1]", NO_PROGRAM
    ),
    "program that is a folder": Case(player('command = ["./"]'), f"{A}.command[1]", NO_PROGRAM),
    "program without a name": Case(player('command = [""]'), f"{A}.command[1]", NO_PROGRAM),
    "command that is empty": Case(
        player("command = []"), f"{A}.command", "Write the program, and each of its arguments"
    ),
    "command as one text": Case(
        player('command = "python3 a.py"'), f"{A}.command", "a list in [ ], not 'python3 a.py'"
    ),
    "argument that is a number": Case(
        player('command = ["true", 5]'), f"{A}.command[2]", "a text in quotes, not 5"
    ),
    "folder missing": Case(
        player('command = ["true"]', 'directory = "none"'), f"{A}.directory", "'none' is no folder"
    ),
    "environment with a number": Case(
        player('command = ["true"]', "environment = { LEVEL = 3 }"),
        f"{A}.environment.LEVEL",
        "a text in quotes, not 3",
    ),
    # -- who meets whom, and what it is worth
    "gauntlet without a challenger": Case(
        part("tournament", 'format = "gauntlet"'), "tournament.challenger", "needs the name"
    ),
    "gauntlet of a stranger": Case(
        part("tournament", 'format = "gauntlet"', 'challenger = "pp1"'),
        "tournament.challenger",
        "'pp1' is no player. Did you mean",
    ),
    "challenger without a gauntlet": Case(
        part("tournament", 'challenger = "p1"'), "tournament.challenger", "Leave it out"
    ),
    "Swiss without rounds": Case(
        part("tournament", 'format = "swiss"'), "tournament.rounds", "needs a number of rounds"
    ),
    "Swiss of no rounds": Case(
        part("tournament", 'format = "swiss"', "rounds = 0"), "tournament.rounds", "at least 1"
    ),
    "rounds without a Swiss": Case(
        part("tournament", "rounds = 3"), "tournament.rounds", "Give more deals instead"
    ),
    "points too few": Case(
        part("tournament", "points = [2, 1, 0]"), "tournament.points", "3 numbers for 4 seats"
    ),
    "points that rise": Case(
        part("tournament", "points = [0, 1, 2, 3]"), "tournament.points", "to be worth no less"
    ),
    "points all alike": Case(
        part("tournament", "points = [1, 1, 1, 1]"),
        "tournament.points",
        "the first more than the last",
    ),
    "points below nought": Case(
        part("tournament", "points = [3, 2, 1, -1]"), "tournament.points[4]", "at least 0"
    ),
    "points that are no number": Case(
        part("tournament", "points = [nan, 2, 1, 0]"), "tournament.points[1]", "finite"
    ),
    # -- who connects
    "remote without a port": Case(
        player('remote = { secret = "long-enough" }'), "lobby.port", "Give one, such as 51234"
    ),
    "remote without a secret": Case(remote("remote = {}"), f"{A}.remote.secret", "is missing"),
    "secret too short": Case(
        remote('remote = { secret = "1234567" }'), f"{A}.remote.secret", "8 characters or more"
    ),
    "secret too long": Case(
        remote(f'remote = {{ secret = "{"x" * 32}" }}'), f"{A}.remote.secret", "31 characters at"
    ),
    "secret with a colon": Case(
        remote('remote = { secret = "1234:5678" }'), f"{A}.remote.secret", "Leave it out"
    ),
    "TLS without a key": Case(part("lobby", 'certificate = "a.pem"'), "lobby.key", BOTH_FILES),
    "TLS without a certificate": Case(
        part("lobby", 'key = "a.pem"'), "lobby.certificate", BOTH_FILES
    ),
    "TLS of no files": Case(
        part("lobby", 'key = "cup.toml"', 'certificate = "b.pem"'),
        "lobby.certificate",
        "'b.pem' cannot be read in",
    ),
}


def check(file: Path) -> Result:
    return CliRunner().invoke(acquire, ["tournament", "check", str(file)])


def told(file: Path) -> list[str]:
    """Return the mistakes that the command tells, one a line, once it refused the file."""
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


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_one_mistake_is_told_once_with_its_place_and_the_mend(tmp_path: Path, case: Case) -> None:
    mistakes = told(write(tmp_path, case.text))
    here = [text for text in mistakes if text.startswith(f"{case.place}: ")]
    assert len(here) == 1, mistakes
    assert case.words in here[0].removeprefix(f"{case.place}: ")
    assert len(mistakes) == 1, mistakes


def test_without_its_mistake_the_file_is_right(tmp_path: Path) -> None:
    result = check(write(tmp_path, FOUR))
    assert result.exit_code == 0, result.output
    assert "24 for every table and bag" in result.stdout


def test_sample_that_the_command_writes_has_no_mistake(tmp_path: Path) -> None:
    file = tmp_path / "new.toml"
    assert CliRunner().invoke(acquire, ["tournament", "init", str(file)]).exit_code == 0
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
format = "swiss"
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
directory = "none"
[[players]]
name = "ada"
[[players]]
strategy = "nobody"
[[players]]
name = "eve"
remote = { secret = "short" }
"""
ALL_OF_THEM = {
    "tournament.seats": "whole number, not 'four'",
    "tournament.rulebook": "There are revised",
    "tournament.deals": "at least 1",
    "tournament": "Did you mean 'seed'?",
    "tournament.rounds": "needs a number of rounds",
    "clocks.reply": "more than 0",
    "clocks.turn": "finite",
    "limits.memory": "Write a number and KiB",
    "limits.processes": "at least 1",
    "lobby.port": "at least 0",
    "looby": "Did you mean 'lobby'?",
    "players[1] (a:b).name": "Leave it out",
    "players[2] (ada).command[2]": "{prot} is no placeholder",
    "players[2] (ada).directory": "is no folder",
    "players[3] (ada)": "exactly one of",
    "players[4].name": "is missing",
    "players[4].strategy": "'nobody' is no house player",
    "players[5] (eve).remote.secret": "8 characters or more",
    "players": "2 are called 'ada'",
}


def test_many_mistakes_are_all_told_at_once_each_with_its_place(tmp_path: Path) -> None:
    mistakes = dict(text.split(": ", 1) for text in told(write(tmp_path, MANY)))
    assert {place: words in mistakes.get(place, "") for place, words in ALL_OF_THEM.items()} == (
        dict.fromkeys(ALL_OF_THEM, True)
    ), mistakes
    assert mistakes.keys() == ALL_OF_THEM.keys()


def test_mistakes_can_be_had_as_values(tmp_path: Path) -> None:
    file = write(tmp_path, MANY)
    with pytest.raises(BadPlan) as caught:
        read_plan(file)
    assert [f"{place}: {text}" for place, text in caught.value.mistakes] == told(file)


# -- files that are no text ---------------------------------------------------------------------


def test_file_that_is_not_utf8_is_told_with_line_and_byte(tmp_path: Path) -> None:
    file = tmp_path / "latin.toml"
    file.write_bytes(b"# a\n# b\nname = 'caf\xe9'\n")
    assert told(file) == ["line 3: byte 0xe9 is not UTF-8. Save the file as UTF-8."]


def test_missing_file_is_told_with_the_command_that_makes_one(tmp_path: Path) -> None:
    (mistake,) = told(tmp_path / "none.toml")
    assert "No such file or directory" in mistake and "acquire tournament init FILE" in mistake


def test_folder_is_no_file(tmp_path: Path) -> None:
    result = check(tmp_path)
    assert result.exit_code == 2
    assert "is a directory" in result.stderr
    with pytest.raises(BadPlan, match="Is a directory"):
        read_plan(tmp_path)


def test_file_may_be_as_large_as_it_says_and_no_larger(tmp_path: Path) -> None:
    file = tmp_path / "large.toml"
    file.write_text(FOUR + "\n" + "#" * (MAX_BYTES - len(FOUR) - 1))
    assert len(read_plan(file).players) == 4
    with file.open("a") as more:
        more.write("#")
    assert told(file) == [f"It is larger than {MAX_BYTES} bytes."]


def test_file_without_an_end_is_not_read_to_it(tmp_path: Path) -> None:
    assert told(Path("/dev/zero")) == [f"It is larger than {MAX_BYTES} bytes."]


# -- what a file may say ------------------------------------------------------------------------

RIGHT = {
    "whole numbers for times": (part("clocks", "reply = 2"), "clocks.reply", 2.0),
    "sizes in all units": (part("limits", 'memory = "3 MiB"'), "limits.memory", 3 * 2**20),
    "sizes without a unit": (part("limits", 'memory = " 5000 "'), "limits.memory", 5000),
    "the largest seed": (part("tournament", f"seed = {10**18 - 1}"), "tournament.seed", 10**18 - 1),
    "points of any kind": (
        part("tournament", "points = [5, 2.5, 2.5, 0]"),
        "tournament.points",
        (5.0, 2.5, 2.5, 0.0),
    ),
    "two seats where the rulebook has them": (
        part("tournament", "seats = 2", 'rulebook = "classic"'),
        "tournament.seats",
        2,
    ),
    "names of any script": (named("Zoë 祖"), "players", "Zoë 祖"),
    "names of 32": (named("é" * 32), "players", "é" * 32),
    "braces that hold no word": (player('command = ["true", "{}", "{ host }"]'), "players", "a"),
}


@pytest.mark.parametrize(("text", "place", "value"), RIGHT.values(), ids=RIGHT.keys())
def test_what_is_right_is_read_as_it_is_meant(
    tmp_path: Path, text: str, place: str, value: object
) -> None:
    plan = read_plan(write(tmp_path, text))
    if place == "players":
        assert plan.names[0] == value
        return
    name, setting = place.split(".")
    assert getattr(getattr(plan, name), setting) == value


# -- what went wrong once ------------------------------------------------------------------------

UNTOLD = {
    "list of no players": "players = []",
    "nested a thousand deep": "a = " + "[" * 5000,
    "number of 5000 digits": part("tournament", "deals = " + "9" * 5000),
    "certificate with a NUL": part("lobby", 'key = "\\u0000"', 'certificate = "\\u0000"'),
    "argument with a NUL": player('command = ["true", "\\u0000"]'),
    "environment with a NUL": player('command = ["true"]', 'environment = { A = "\\u0000" }'),
    "environment name with =": player('command = ["true"]', 'environment = { "A=B" = "c" }'),
    "environment without a name": player('command = ["true"]', 'environment = { "" = "c" }'),
}


@pytest.mark.parametrize("text", UNTOLD.values(), ids=UNTOLD.keys())
def test_what_cannot_be_played_is_told_in_a_sentence(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadPlan):
        read_plan(write(tmp_path, text))


def test_no_control_character_of_a_file_reaches_the_terminal(tmp_path: Path) -> None:
    mistakes = told(write(tmp_path, named("a\\u001b]0;b\\u0007")))
    assert all(text.isprintable() for text in mistakes)
