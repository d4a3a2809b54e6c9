"""``acquire explain`` as a user has it: what it says, in which form, and its exit codes."""

import gzip
import json
import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import Result
from command_line import invoke

GOLDEN = Path(__file__).parents[1] / "golden"
LEFT = GOLDEN / "revised-nobody-left.xml"
"""A game in which three players were ejected."""
PEACEFUL = GOLDEN / "revised-large-hotel.xml"
"""A game in which nobody was."""


def run(*arguments: str | Path, code: int = 0) -> Result:
    done = invoke("explain", *arguments, columns=100)
    assert done.exit_code == code, done.output
    return done


def players(log: Path) -> list[str]:
    return re.findall(r'<seat name="([^"]*)"', log.read_text())


def ejections(log: Path) -> list[str]:
    """Who was ejected in a game, in order, as its log has it."""
    return re.findall(r'<ejected player="([^"]*)"', log.read_text())


def rewritten(path: Path, log: Path, pattern: str, text: str) -> Path:
    """A log in which the first place that fits a pattern is another."""
    found, count = re.subn(pattern, text, log.read_text(), count=1)
    assert count == 1
    path.write_text(found)
    return path


def test_every_ejection_is_explained_in_order_and_the_exit_code_is_0() -> None:
    done = run(LEFT)
    assert done.stderr == ""
    assert re.findall(r"^(\S+) was ejected", done.stdout, re.MULTILINE) == ejections(LEFT)
    assert done.stdout.count("A correct answer") == 3


def test_one_seat_alone_is_explained() -> None:
    name = ejections(LEFT)[1]
    done = run(LEFT, "--seat", name)
    assert re.findall(r"^(\S+) was ejected", done.stdout, re.MULTILINE) == [name]


def test_game_without_an_ejection_is_reported_with_its_players_and_end() -> None:
    done = run(PEACEFUL, code=1)
    assert "Nobody was ejected." in done.stdout
    assert f"Played, rulebook revised: {', '.join(players(PEACEFUL))}." in done.stdout
    assert "(large-hotel, regular ending, after" in done.stdout
    assert f"acquire explain {shlex.quote(str(PEACEFUL))} --seat NAME" in done.stdout
    assert "--seat NAME" not in run(PEACEFUL, "--seat", players(PEACEFUL)[0], "--games", "0").stdout


def test_money_of_a_seat_that_was_not_ejected_needs_no_analysis() -> None:
    name = players(PEACEFUL)[0]
    done = run(PEACEFUL, "--seat", name, "--games", "0")
    said = " ".join(done.stdout.split())
    assert f"The player called {name!r} was not ejected." in said and "What decided it" not in said
    assert re.search(rf"{name} finished \w+ of \d with \$[\d,]+, \$[\d,]+ (ahead|behind) ", said)
    told = json.loads(run(PEACEFUL, "--seat", name, "--games", "0", "--json").stdout)
    scores = {each["name"]: each["score"] for each in told["standings"]}
    assert told["money"]["net_worth"][-1]["players"] == scores
    assert told["decided"] is None
    leads = [
        each["players"][name] - max(m for n, m in each["players"].items() if n != name)
        for each in told["money"]["net_worth"]
    ]
    changes = [after - before for before, after in pairwise(leads)]
    swing, most = told["money"]["swing"], max if scores[name] == max(scores.values()) else min
    assert swing["after"] - swing["before"] == most(changes)
    assert f"The largest swing of net worth was in turn {swing['turn']}, of " in said


def test_place_is_among_all_who_sat_at_the_table() -> None:
    log = GOLDEN / "classic-turn-undone.xml"
    (out,) = ejections(log)
    told = [run(log, "--seat", each, "--games", "0").stdout for each in players(log)]
    places = re.findall(r" finished (\w+ of \d) ", " ".join(told))
    assert out == "random-1" and sorted(places) == ["first of 3", "second of 3"]


def test_bonus_is_missed_by_a_holder_of_too_few() -> None:
    missed = [
        each
        for name in players(PEACEFUL)
        for each in json.loads(run(PEACEFUL, "--seat", name, "--games", "0", "--json").stdout)[
            "money"
        ]["missed"]
    ]
    assert missed
    assert all(0 < each["held"] < each["needed"] and each["amount"] > 0 for each in missed)


def test_unknown_name_exits_2_and_the_names_are_listed() -> None:
    done = run(LEFT, "--seat", "mallory", code=2)
    assert done.stdout == ""
    assert "no player is called 'mallory'" in done.stderr
    assert all(repr(name) in done.stderr for name in players(LEFT))


@pytest.mark.parametrize("text", ["", "hello", "<match/>", '<match rulebook="chess" />'])
def test_a_file_that_is_no_game_log_exits_2(tmp_path: Path, text: str) -> None:
    path = tmp_path / "file.xml"
    path.write_text(text)
    done = run(path, code=2)
    assert done.stdout == ""
    assert done.stderr.startswith(f"Error: {path}")


def test_a_file_that_is_not_there_exits_2(tmp_path: Path) -> None:
    run(tmp_path / "nothing.xml", code=2)


def test_a_log_that_diverges_exits_1_and_is_explained_as_far_as_it_holds(tmp_path: Path) -> None:
    last = ejections(LEFT)[-1]
    lies = rewritten(tmp_path / "log.xml", LEFT, '<ended ending="nobody-left"',
                     '<ended ending="dead-round"')  # fmt: skip
    done = run(lies, code=1)
    assert f"{last} was ejected" in done.stdout
    assert re.search(rf"{re.escape(str(lies))}: diverges: line \d+, turn \d+", done.stdout)
    told = json.loads(run(lies, "--json", code=1).stdout)
    assert re.match(r"line \d+, turn \d+: recorded ", told["divergence"])
    assert len(told["explanations"]) == 3


def test_log_that_diverges_before_any_ejection_is_reported_without_one(tmp_path: Path) -> None:
    lies = rewritten(tmp_path / "log.xml", LEFT, 'kind="singleton"', 'kind="growing"')
    done = run(lies, code=1)
    assert "Nobody was ejected as far as the log holds." in done.stdout
    assert "diverges: " in done.stdout


def test_a_log_cut_short_is_explained_if_the_ejection_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "log.xml"
    whole = LEFT.read_text()
    first = ejections(LEFT)[0]
    end = whole.index("\n", whole.index("<ejected")) + 1
    path.write_text(whole[:end] + "<answer pla")
    done = run(path)
    assert re.findall(r"^(\S+) was ejected", done.stdout, re.MULTILINE) == [first]
    path.write_text(whole[: whole.index("<ejected")])
    done = run(path, code=1)
    assert re.search(r"The log was cut short in turn \d+\.", done.stdout)


def test_a_compressed_log_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "log.xml.gz"
    path.write_bytes(gzip.compress(LEFT.read_bytes()))
    run(path)


def test_json_contains_the_game_and_each_ejection() -> None:
    done = run(LEFT, "--json")
    told = json.loads(done.stdout)
    assert [each["name"] for each in told["explanations"]] == ejections(LEFT)
    assert (told["rulebook"], told["players"]) == ("revised", players(LEFT))
    assert (told["complete"], told["divergence"]) == (True, None)
    assert told["ending"] == "nobody-left"
    peaceful = run(PEACEFUL, "--json", code=1)
    assert json.loads(peaceful.stdout)["explanations"] == []


def test_hostile_names_are_printed_as_text(tmp_path: Path) -> None:
    name, hostile = players(PEACEFUL)[0], "[red]&#xAD;x"
    path = tmp_path / "log.xml"
    path.write_text(PEACEFUL.read_text().replace(f'"{name}"', f'"{hostile}"'))
    done = run(path, code=1)
    assert "[red]\ufffdx" in done.stdout
    assert "\xad" not in done.stdout
    done = run(path, "--seat", "mallory", code=2)
    assert "\xad" not in done.stderr


def test_divergence_with_a_hostile_text_is_printed_as_text(tmp_path: Path) -> None:
    path = rewritten(tmp_path / "log.xml", LEFT, r' detail="[^"]*"', ' detail="&#x9b;31m[red]"')
    done = run(path)
    assert "\x9b" not in done.stdout
