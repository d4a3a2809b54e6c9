"""Programs are tried before a tournament: those that fail are explained, and left out."""

import json
import os
import re
import shutil
import signal
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import Result
from command_line import ACQUIRE, invoke
from loops import for_each
from sandboxes import fake_bubblewrap, in_bwrap
from tournament_process import STARTER as STARTER_FILE
from tournament_process import (
    TIMEOUT,
    TournamentFolder,
    built_in,
    built_in_toml,
    eventually,
    of_kind,
)

from acquire.admin.launching.limits import ProcessExit
from acquire.admin.launching.sandbox import Sandbox
from acquire.admin.testing.judging.check_result import CaseResult, CaseVerdict
from acquire.admin.testing.trial.player_source import ExitReport
from acquire.admin.testing.trial.trial import TrialResult
from acquire.admin.tournament.driving.forecast import forecast, program_seconds_per_game
from acquire.admin.tournament.driving.trying import TriedPlayer, is_whole_game, short_check
from acquire.admin.tournament.planning import qualified_file
from acquire.admin.tournament.planning.plan import Entrant, Plan
from acquire.admin.tournament.planning.plan_file import read_plan
from acquire.admin.tournament.planning.qualified_file import TriedVersion, without_failed
from acquire.admin.tournament.planning.sections import GeneralSettings
from acquire.admin.tournament.run.tournament_files import PlanWatch
from acquire.game.rulebooks import RULEBOOKS
from acquire.protocol.settings_file import InvalidFile

STARTER = STARTER_FILE.read_text()
OWN_NAME = 'me = message.attrib["name"]'
SLOW = "[clocks]\nsignup = 60\nreply = 60\nturn = 90\n"


OTHERS = built_in_toml(ordered="ordered", random="random")
SOURCES = {
    "good": STARTER,
    "nameless": STARTER.replace(OWN_NAME, "pass"),
    "greedy": "import sys\nsys.exit('java.lang.OutOfMemoryError: Java heap space \\x1b[31m')\n",
}
SETTINGS = {
    "greedy": 'command = ["python3", "player.py", "{name}"]',
    "unbuilt": 'command = ["true"]\nbuild = ["sh", "-c", "echo no such header; exit 3"]',
}
assert OWN_NAME in STARTER


class Course(NamedTuple):
    """A tournament file with folders that were handed in."""

    folder: Path

    @property
    def file(self) -> Path:
        return self.folder / "cup.toml"

    def hand_in(self, name: str, source: str = "", settings: str = "") -> None:
        folder = self.folder / "in" / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if source:
            (folder / "player.py").write_text(source)
        if settings:
            (folder / "player.toml").write_text(settings + "\n")

    def write(self, clocks: str = SLOW, others: str = OTHERS, general: str = "") -> None:
        self.file.write_text(
            f'[tournament]\nseats = 3\nsubmissions = "in/*"\n{general}\n{clocks}'
            f'[limits]\nsandbox = "none"\n{others}'
        )

    def tournament(self, *words: object) -> Result:
        return invoke("tournament", *words)

    def check(self, *options: str) -> dict[str, Any]:
        """Return what `check --json` prints."""
        result = self.tournament("check", self.file, "--json", *options)
        assert result.exit_code == (1 if "--try" in options else 0), result.output
        found: dict[str, Any] = json.loads(result.stdout)
        return found

    @property
    def plan(self) -> Plan:
        return read_plan(self.file)


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return Course(tmp_path)


@pytest.fixture
def of_two(course: Course) -> Course:
    """A course with the programs of ada and bob."""
    for name in ("ada", "bob"):
        course.hand_in(name, STARTER)
    course.write()
    return course


class Tried(NamedTuple):
    """A course whose four programs were tried, with what was found as JSON and as text."""

    course: Course
    found: dict[str, Any]
    text: str


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Tried:
    course = Course(tmp_path_factory.mktemp("course"))
    for name in ("good", "greedy", "unbuilt"):
        course.hand_in(name, SOURCES.get(name, ""), SETTINGS.get(name, ""))
    course.write(general="deals = 1")
    found = course.check("--try")
    course.hand_in("nameless", SOURCES["nameless"])
    text = course.tournament("check", course.file, "--try").stdout  # tries those that failed again
    return Tried(course, found["tried"], text)


# -- what is found ------------------------------------------------------------------------------


def test_only_programs_that_pass_everything_qualify(tried: Tried) -> None:
    _, found, text = tried
    qualified = {name: one["qualified"] for name, one in found.items()}
    assert qualified == {"good": True, "greedy": False, "unbuilt": False}
    good = found["good"]
    assert {case["verdict"] for case in good["cases"]} == {"pass"}
    assert [case["case"] for case in good["cases"]][-1].startswith("matches/")
    assert 0 < good["processor"] < 60 and good["plays"] and not good["why"]
    assert "good: has qualified" not in text, "it had qualified before"
    assert "unbuilt: has not qualified" in text


def test_program_that_ignores_its_name_is_explained(tried: Tried) -> None:
    course, _, text = tried
    nameless = course.check()["tried"]["nameless"]
    assert "“The name is taken, and the player is given a suffix” went wrong." in nameless["why"]
    assert re.search("✗ failed .* The name is taken.* Legal answers", " ".join(text.split()))
    assert "Take the tiles of the <player> whose name is" in text
    assert not nameless["absent"]


def test_program_that_cannot_start_is_explained_and_not_waited_for_again(tried: Tried) -> None:
    _, found, text = tried
    greedy = found["greedy"]
    assert greedy["absent"] and len(greedy["cases"]) == 1
    assert "It seems to need more memory than limits.memory allows: " in greedy["why"]
    assert "Its command has no {port}" in greedy["why"]
    assert "java.lang.OutOfMemoryError" in text and "\x1b" not in text + json.dumps(found)


@in_bwrap
def test_no_version_is_left_out_for_what_the_machine_lacks(
    kind: Sandbox, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    course.hand_in("good", STARTER)
    course.write()
    course.file.write_text(course.file.read_text().replace('"none"', f'"{kind.value}"'))
    fake_bubblewrap(course.folder, monkeypatch, range(2, 1000))  # after it was found to work
    done = course.tournament("check", course.file, "--try")
    assert done.exit_code == 2
    assert "good could not be tried." in done.output
    assert "The machine failed, not the program" in " ".join(done.output.split())
    assert course.check()["tried"] == {}


def test_program_that_cannot_be_built_is_explained(tried: Tried) -> None:
    _, found, text = tried
    unbuilt = found["unbuilt"]
    assert unbuilt["why"] == "It could not be built. It ended with exit code 3."
    assert unbuilt["output"] == ["no such header"] and "no such header" in text


@pytest.mark.parametrize(
    ("verdict", "seconds"),
    [(CaseVerdict.PASS, 1.5), (CaseVerdict.WARN, 1.5), (CaseVerdict.FAIL, None)],
)
def test_processor_time_is_that_of_a_game_that_was_played_to_its_end(
    verdict: CaseVerdict, seconds: float | None
) -> None:
    """A game that ended early would make the forecast of the tournament too short."""
    first, *_, game = short_check(RULEBOOKS["revised"], 3)
    ends = [
        TrialResult(exit_report=ExitReport(ProcessExit(0, None, 0, spent, 0), "", b""))
        for spent in (9000, 1500)
    ]
    results = (
        CaseResult(first, CaseVerdict.PASS, "", trial=ends[0]),
        CaseResult(game, verdict, "", trial=ends[1]),
    )
    assert TriedPlayer(Entrant(name="ada", command=("true",)), results).processor == seconds


@for_each("extra", [-1, 0, 1, 700])
def test_reason_that_is_too_long_is_cut(extra: int) -> None:
    most = qualified_file.MAX_SENTENCE
    why = "x" * (most + extra)
    kept = TriedPlayer(Entrant(name="ada", command=("true",)), failure=why).as_version().why
    assert kept == (why if extra <= 0 else f"{why[: most - 4]} ...")
    assert len(kept) <= most


# -- what follows -------------------------------------------------------------------------------


def test_run_leaves_out_what_has_failed_until_its_version_changes(
    tried: Tried, tmp_path: Path
) -> None:
    course = Course(tmp_path / "copy")
    shutil.copytree(tried.course.folder, course.folder)
    result = course.tournament("run", course.file, "--json")
    assert result.exit_code == 0, result.output
    events = [json.loads(line) for line in result.stdout.splitlines()]
    left_out = {event["name"] for event in events if event["event"] == "left-out"}
    assert left_out == {"nameless", "greedy", "unbuilt"}
    players = {row["player"] for row in events[-1]["standings"]["rows"]}
    assert players == {"good", "ordered", "random"}
    shown = course.tournament("show", course.file).stdout
    assert "Left out: greedy, nameless, unbuilt." in shown

    course.hand_in("unbuilt", STARTER)
    warnings = course.check()["warnings"]
    assert any(warning.startswith("Not tried yet: unbuilt.") for warning in warnings)
    assert not any("unbuilt cannot play" in warning for warning in warnings)
    assert any("greedy cannot play and is left out." in warning for warning in warnings)

    kept = course.check("--keep", "greedy")
    assert kept["tried"]["greedy"]["plays"] and not kept["tried"]["greedy"]["qualified"]
    assert any(
        "Kept although they have failed their trial: greedy." in one for one in kept["warnings"]
    )
    assert course.check()["games"] == 10 * 3, "greedy and the new version of unbuilt take part"


def test_only_players_that_have_failed_can_be_kept(tried: Tried) -> None:
    refused = {
        "gus": "There is no player 'gus'.",
        "good": "good has not failed a trial in its present version.",
    }
    for name, sentence in refused.items():
        result = tried.course.tournament("check", tried.course.file, "--keep", name)
        assert result.exit_code == 2 and sentence in result.output


def test_player_that_never_signs_up_is_called_absent(course: Course) -> None:
    variable = 'environment = { PORT = "{port}" }'
    command = f'command = ["python3", "player.py"]\n{variable}'
    course.hand_in("silent", "import time\nwhile True: time.sleep(9)\n", command)
    three = built_in_toml(a="random", b="random", c="random")
    course.write(clocks="[clocks]\nsignup = 1.0\n", others=three)
    silent = course.check("--try")["tried"]["silent"]
    assert silent["absent"] and silent["why"].startswith("It did not connect within 1 s.")
    assert "{port}" not in silent["why"], "a variable has it"


@pytest.mark.soak
def test_trial_that_is_stopped_keeps_what_was_found_and_leaves_no_process(
    folder: TournamentFolder,
) -> None:
    waiter = folder.program("waiter", "note('waits')\nsleep()")
    players = [folder.command("failing", ["false"]), waiter, *built_in("ordered", "random")]
    folder.write(players, tournament={"workers": 1})
    command = [ACQUIRE, "tournament", "check", str(folder.file), "--try", "--json"]
    with folder.start(command) as process:
        assert eventually(lambda: "waits" in folder.notes())
        assert process.end(signal.SIGINT) == 128 + signal.SIGINT
        assert "programs were tried" in process.errors
    assert eventually(lambda: not folder.living()) and not folder.temporary_files()


@pytest.mark.soak
def test_connection_of_another_process_does_not_disturb_a_trial(folder: TournamentFolder) -> None:
    source = (
        "note(os.environ['ACQUIRE_PORT'])\n"
        "while not os.path.exists(FOLDER + '/go'): time.sleep(0.05)\n"
        f"os.execv(sys.executable, [sys.executable, {str(STARTER_FILE)!r}, *sys.argv[1:]])\n"
    )
    ada = folder.program("ada", source)
    command = [*ada.settings["command"], "{host}", "{port}", "{name}"]  # type: ignore[misc]  # a list
    players = [folder.command("ada", command), *built_in("ordered", "random", "investor")]
    folder.write(players)
    with folder.start([ACQUIRE, "tournament", "check", str(folder.file), "--try", "--json"]) as run:
        assert eventually(lambda: bool(folder.notes()))
        address = "127.0.0.1", int(folder.notes()[0])
        with socket.create_connection(address) as stranger, suppress(ConnectionError):
            stranger.sendall(b'<signup name="ada"/>')
            assert not stranger.recv(1), "it is closed at once"
        (folder.folder / "go").touch()
        assert run.process.wait(TIMEOUT) == 0, run.errors


# -- the file -----------------------------------------------------------------------------------

FAILED = "It crashed."


def known(course: Course, **qualified: bool) -> dict[str, TriedVersion]:
    """Write and return what was found for the present versions."""
    versions = {player.name: player.version for player in course.plan.players}
    found = {
        name: TriedVersion(version=versions[name], qualified=good, why="" if good else FAILED)
        for name, good in qualified.items()
    }
    qualified_file.write_tried(course.file, course.plan, found)
    return found


def test_what_was_tried_counts_for_the_version_and_the_settings(of_two: Course) -> None:
    def read() -> dict[str, TriedVersion]:
        return qualified_file.read_tried(of_two.file, of_two.plan)

    found = known(of_two, ada=True, bob=False)
    assert read() == found
    of_two.hand_in("bob", STARTER + "\n# better\n")
    assert read().keys() == {"ada"}
    of_two.write(general="deals = 7")
    assert read().keys() == {"ada"}
    text = of_two.file.read_text()
    for old, new in (
        ("seats = 3", "seats = 4"),
        ("deals = 7", 'rulebook = "classic"'),
        ("reply = 60", "reply = 0.5"),
    ):
        of_two.file.write_text(text.replace(old, new))
        assert not read(), new


@for_each("content", ["", "{", "[]", '{"settings": 1, "players": {}}', '{"settings": ""}'])
def test_damaged_file_is_refused_with_advice(content: str, tmp_path: Path) -> None:
    course = Course(tmp_path)
    course.hand_in("ada", STARTER)
    course.write()
    qualified_file.qualified_path(course.file).write_text(content)
    for command in ("check", "run"):
        result = course.tournament(command, course.file)
        assert result.exit_code == 2
        assert "cup.qualified.json has a mistake" in result.output
        assert "Delete the file, and run" in result.output


def test_too_few_players_are_a_mistake(course: Course) -> None:
    course.hand_in("ada", STARTER)
    course.write()
    found = known(course, ada=False)
    with pytest.raises(InvalidFile, match=r"ada.*It crashed\.\n.*Only 2 players are left"):
        without_failed(course.file, course.plan, found)
    kept = {**found, "ada": found["ada"]._replace(kept=True)}
    assert without_failed(course.file, course.plan, kept).names == ("ordered", "random", "ada")


def test_trial_that_leaves_too_few_players_is_explained_all_the_same(course: Course) -> None:
    course.hand_in("greedy", SOURCES["greedy"])
    course.write()
    result = course.tournament("check", course.file, "--try", "--json")
    assert result.exit_code == 2 and "Only 2 players are left" in result.output
    tried = json.loads(result.stdout)["tried"]
    assert not tried["greedy"]["qualified"] and tried["greedy"]["cases"]


def test_challenger_cannot_be_left_out(of_two: Course) -> None:
    assert not without_failed(of_two.file, of_two.plan, {}).notes, "none was tried yet"
    of_two.write(general='format = "gauntlet"\nchallenger = "ada"')
    with pytest.raises(InvalidFile, match="ada is the challenger"):
        without_failed(of_two.file, of_two.plan, known(of_two, ada=False))


# -- what it is used for ------------------------------------------------------------------------


@for_each("rulebook", RULEBOOKS.values(), [*RULEBOOKS])
def test_short_check_touches_every_question(rulebook: Any) -> None:
    from acquire.admin.testing.cases.catalogue import cases_for

    everything = {question for case in cases_for(rulebook) for question in case.tested}
    for seats in (2, 4, 6):
        cases = short_check(rulebook, seats)
        assert len(cases) <= 12 and len({case.id for case in cases}) == len(cases)
        assert [is_whole_game(case) for case in cases].count(True) == 1 and is_whole_game(cases[-1])
        asked = everything - {"market"} if seats > 2 else everything
        assert asked <= {question for case in cases for question in case.tested}


def test_costs_of_programs_are_guessed_until_they_are_measured(course: Course) -> None:
    course.hand_in("ada", STARTER)
    course.write()
    assert program_seconds_per_game(course.plan, {}) == pytest.approx(0.4)
    measured = {"ada": TriedVersion(version="", qualified=True, processor=5.0)}
    assert program_seconds_per_game(course.plan, measured) == pytest.approx(6.1)


def test_challenger_of_a_gauntlet_costs_more_than_the_others(of_two: Course) -> None:
    three = built_in_toml(a="random", b="random", c="random")
    of_two.write(general='format = "gauntlet"\nchallenger = "ada"', others=three)
    cost = dict.fromkeys(("ada", "bob"), TriedVersion("", qualified=True, processor=1 / 1.2))
    # ada plays in every game, bob in half of them; starting costs 0.1 s
    assert program_seconds_per_game(of_two.plan, cost) == pytest.approx(1.1 * (1 + 2 / 4))


def test_run_that_keeps_going_takes_over_what_was_tried(of_two: Course) -> None:
    plan = qualified_file.read_qualified_plan(of_two.file)
    watch = PlanWatch(of_two.file, plan, lambda _: None)
    assert not watch.look()
    known(of_two, ada=True, bob=False)
    assert eventually(watch.look)
    assert watch.plan.names == ("ordered", "random", "ada")
    assert [name for name, _ in watch.plan.left_out] == ["bob"]


@pytest.mark.parametrize(
    ("settings", "tried"),
    [
        ({}, False),
        ({"qualify": True}, True),
        ({"submissions": "in/*"}, True),
        ({"submissions": "in/*", "qualify": False}, False),
    ],
    ids=str,
)
def test_programs_are_tried_by_default_where_folders_are_handed_in(
    settings: dict[str, object], tried: bool
) -> None:
    assert GeneralSettings.model_validate(settings, context={"folder": Path()}).qualifies is tried


@pytest.fixture
def of_one(folder: TournamentFolder) -> Path:
    """The program of the one folder that was handed in, which fails at once."""
    program = folder.folder / "in" / "ada" / "player.py"
    program.parent.mkdir(parents=True)
    program.write_text("import sys\nsys.exit('first')\n")
    general = {"seats": 3, "submissions": "in/*"}
    general |= {"seed": 1, "duplicate": False}  # as if there were another program
    folder.write(built_in("ordered", "random", "investor"), tournament=general)
    return program


def test_run_tries_new_versions_of_submissions_by_itself(
    folder: TournamentFolder, of_one: Path
) -> None:
    for why in ("first", "second"):
        of_one.write_text(of_one.read_text().replace("first", why))
        events = folder.play()
        (tried,), (left_out,) = (of_kind(kind, events) for kind in ("tried", "left-out"))
        assert (tried["name"], tried["qualified"]) == ("ada", False) and why in tried["why"]
        assert left_out["name"] == "ada" and why in left_out["why"]
    assert not of_kind("tried", folder.play())


@pytest.mark.soak
def test_run_that_keeps_going_tries_new_versions_too(
    folder: TournamentFolder, of_one: Path
) -> None:
    with folder.run("--keep-going") as process:
        process.until("game")
        (new := of_one.with_name("new")).write_text(STARTER)
        new.replace(of_one)
        assert process.until("players-changed")["joined"] == ["ada"]
        process.until("game")
        assert process.end(signal.SIGTERM) == 143, process.errors
    assert any("ada" in result.players for result in folder.results().values())
    tried = json.loads(qualified_file.qualified_path(folder.file).read_text())["players"]
    assert tried["ada"]["qualified"]


def test_forecast_includes_what_programs_need(course: Course) -> None:
    course.hand_in("ada", STARTER)
    course.write(general="workers = 1")
    measured = {"ada": TriedVersion(version="", qualified=True, processor=99.9 / 1.2)}
    plan = course.plan
    rough, exact = forecast(plan, load=0), forecast(plan, measured, load=0)
    assert (rough.measured, exact.measured) == (False, True)
    assert rough.quick < exact.quick and exact.quick == pytest.approx(3 * 100 / 0.8, rel=0.05)
    beside = forecast(plan, measured, load=2 * (os.cpu_count() or 1) - 1)
    assert beside.quick == pytest.approx(2 * exact.quick, rel=0.05), "it has half of a processor"
