"""The published JSON Schemas accept real files and real output, and refuse wrong ones."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from command_line import ACQUIRE, on_one_line, printed, succeed
from log.played import play_logged

from acquire.admin.advising.rulebooks.tables import template
from acquire.game.rulebooks import CLASSIC

jsonschema = pytest.importorskip("jsonschema")

ROOT = Path(__file__).parents[1]
SCHEMAS = {
    path.name.removesuffix(".schema.json"): json.loads(path.read_text())
    for path in (ROOT / "docs" / "schemas").glob("*.schema.json")
}


def check(name: str, value: Any) -> None:
    jsonschema.Draft202012Validator(SCHEMAS[name]).validate(value)


def faults(name: str, value: Any) -> list[str]:
    found = jsonschema.Draft202012Validator(SCHEMAS[name]).iter_errors(value)
    return [fault.message for fault in found]


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_each_is_a_schema(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name])


# Files that people write


def test_tournament_files_of_the_documentation_are_accepted(tmp_path: Path) -> None:
    succeed("tournament", "init", tmp_path / "cup.toml")
    files = [(tmp_path / "cup.toml").read_text()]
    files.append((ROOT / "docs" / "examples" / "languages.toml").read_text())
    explained = files[0].replace("\n# [", "\n[").split("[lobby]")[0].splitlines()
    settings = [line.removeprefix("# ") if " = " in line else line for line in explained]
    files.append("\n".join(settings).replace("...", ""))
    for file in files:
        check("tournament-file", tomllib.loads(file))


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        ({"tournament": {"seats": 7}}, "7 is greater than the maximum of 6"),
        ({"tournament": {"formt": "swiss"}}, "'formt' was unexpected"),
        ({"limits": {"memory": "1 GB"}}, "not valid under any"),
        ({"players": [{"name": "ann"}]}, "not valid under any"),
        ({"grades": {"scale": []}}, "non-empty"),
        ({"clock": {}}, "'clock' was unexpected"),
    ],
)
def test_wrong_tournament_files_are_refused(wrong: dict[str, Any], fault: str) -> None:
    assert any(fault in found for found in faults("tournament-file", wrong))


def test_rulebook_files_are_accepted() -> None:
    blank = template(CLASSIC, "mine")
    whole = "\n".join(line.removeprefix("#") for line in blank.splitlines() if line[1:2] != " ")
    for file in (blank, whole, (ROOT / "docs" / "examples" / "campus.toml").read_text()):
        check("rulebook-file", tomllib.loads(file))


def test_wrong_rulebook_files_are_refused() -> None:
    wrong = {"id": "mine", "base": "classic", "draw": "two"}
    assert faults("rulebook-file", wrong) == ["'two' is not one of ['one', 'up-to-full']"]
    assert faults("rulebook-file", {"base": "classic"}) == ["'id' is a required property"]


# What commands print


def lines(output: str) -> list[Any]:
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


def test_output_about_a_game_is_accepted(tmp_path: Path) -> None:
    log = play_logged(tmp_path, seed=4, cheats="ann")
    check("explain", printed("explain", log, "--json"))
    check("coverage", printed("coverage", log, "--json"))
    played_on = ("--from", "3", "--seat", "cyd=random", "--games", "2", "--json")
    check("replay-from", printed("replay", log, *played_on))
    check("perft", printed("perft", "--depth", "2", "--json"))
    check("perft", printed("perft", "--depth", "2", "--divide", "--json"))
    check("rulebooks", printed("rulebooks", "--json"))


def test_output_of_a_referee_is_accepted(tmp_path: Path) -> None:
    fill = ("--players", "3", "--fill", "random", "--signup-timeout", "0.1", "--port", "0")
    events = lines(succeed("serve", *fill, "--json", "--log-dir", tmp_path).stdout)
    assert [event["event"] for event in events] == ["listening", "begun", "over"]
    for event in events:
        check("serve", event)


def test_output_of_a_tournament_is_accepted(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    succeed("tournament", "init", file)
    text = file.read_text().replace("deals = 10", "deals = 1")
    file.write_text(text.replace("seats = 4", "seats = 5"))
    check("tournament-check", printed("tournament", "check", file, "--json"))
    events = lines(succeed("tournament", "run", file, "--json", "--workers", 1).stdout)
    kinds = [event["event"] for event in events]
    assert (kinds[:3], kinds[-1]) == (["key", "began", "game-began"], "over")
    games = [event["game"] for event in events if event["event"] == "game"]
    assert len({*games}) == len(games) == events[-1]["games"] == events[-1]["total"]
    for event in events:
        check("tournament-run", event)
    check("tournament-show", printed("tournament", "show", file, "--json"))
    check("tournament-audit", printed("tournament", "audit", file, "--json"))
    check("tournament-similar", printed("tournament", "similar", file, "--json"))


def test_output_of_a_duel_is_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = {0}  # so that it starts no processes
    monkeypatch.setattr("os.sched_getaffinity", lambda _: one, raising=False)
    bot = tmp_path / "bot.py"
    bot.write_text("import acquire\n\nclass Bot(acquire.Strategy): place = order = None\n")
    duels = {f"{bot}:Bot": ("faults", 1), "random": ("worst_games", 4)}
    for mine, (what, code) in duels.items():
        games = ("--max-games", "8", "--seed", "1", "--log-dir", tmp_path / what, "--json")
        found = json.loads(succeed("duel", mine, "ordered", *games, code=code).stdout)
        check("duel", found)
        assert found[what]


def test_results_of_an_administrator_are_accepted(tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    words = ("check-server", "--time", "1", "--sandbox", "none", "--json", results, "--", "false")
    assert "player1 got no seat." in (said := on_one_line(succeed(*words, code=1).output))
    assert "It ended with exit code 1." in said
    check("check-server", json.loads(results.read_text()))


def test_results_for_gradescope_are_accepted(tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    player = (ACQUIRE, "play", "{host}", "{port}", "--name", "{name}", "--strategy", "ordered")
    only = ("--only", "4.1", "--connect-timeout", "60")
    succeed("check", *only, "--json", results, "--sandbox", "none", "--", *player)
    check("gradescope", json.loads(results.read_text()))
