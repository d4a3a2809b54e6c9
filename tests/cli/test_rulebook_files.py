"""A rulebook file on the command line: a template, its schemas, a game, a tournament, a log."""

import json
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

import pytest
from child_processes import ending
from command_line import ACQUIRE, printed, succeed
from lxml import etree
from tournament_process import built_in_toml

from acquire.game.rulebooks import RULEBOOKS
from acquire.protocol.rulebook_file import read, settings_of

CAMPUS = Path(__file__).parents[2] / "docs" / "examples" / "campus.toml"


@pytest.mark.parametrize("base", RULEBOOKS)
def test_template_changes_nothing_until_a_setting_is_uncommented(base: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    succeed("rulebooks", base, "--init", file)
    template = file.read_text()
    assert max(map(len, template.splitlines())) <= 120
    unchanged = settings_of(read(file)) | {"id": base, "title": RULEBOOKS[base].title}
    assert unchanged == settings_of(RULEBOOKS[base])
    lines = template.splitlines()
    settings = [line[1:] for line in lines if line[:1] == "#" and line[1:2].strip()]
    kept = [line for line in lines if line and line[0] != "#"]
    file.write_text("\n".join([*kept, *settings]))
    everything = settings_of(read(file)) | {"id": base, "title": RULEBOOKS[base].title}
    assert everything == settings_of(RULEBOOKS[base])


@pytest.mark.parametrize(
    ("name", "identifier"), [("my rules ä", "my-rules"), ("2 of 3", "of-3"), ("ä", "mine")]
)
def test_template_of_any_name_is_a_rulebook(name: str, identifier: str, tmp_path: Path) -> None:
    file = tmp_path / f"{name}.toml"
    said = succeed("rulebooks", "--init", file).stdout
    assert read(file).id == identifier
    command = shlex.split(said.partition("Next: edit it, then ")[2])
    succeed(*command[1:])


def test_template_replaces_no_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("precious")
    done = succeed("rulebooks", "--init", file, code=2)
    assert "exists already. Name a new file." in done.stderr
    assert file.read_text() == "precious"


def test_file_is_shown_with_its_hotels_prices_and_bonuses() -> None:
    shown = " ".join(succeed("rulebooks", CAMPUS).stdout.split())
    assert "majority 10 times the price, minority 5 times, third 3 times" in shown
    assert "$100 2 $1,000 $500 $300" in shown
    assert "Alto, Bravo" in shown


def test_bonus_of_the_price_itself_is_one_time_the_price(tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text('id = "small"\nbase = "classic"\nbonus_multiples = [2, 1]\n')
    shown = " ".join(succeed("rulebooks", file).stdout.split())
    assert "majority 2 times the price, minority 1 time" in shown
    assert "1 times" not in shown


def test_file_is_compared_with_its_base() -> None:
    found = printed("rulebooks", "classic", CAMPUS, "--json")
    classic, campus = (each["rows"] for each in found)
    differing = {slug for slug in classic if classic[slug] != campus[slug]}
    assert differing == {
        *("cash", "tiles_in_hand", "certificates", "bonuses", "majority_tie", "minority_tie"),
        *("sole_holder", "cheap_hotels", "medium_hotels", "expensive_hotels"),
    }


def test_schemas_are_complete_and_have_the_limits_of_the_file(tmp_path: Path) -> None:
    files = succeed("rulebooks", CAMPUS, "--schemas", tmp_path / "xsd").stdout.splitlines()
    assert [Path(file).name for file in files] == [
        "player.xsd",
        "administrator.xsd",
        "match-log.xsd",
    ]
    player = etree.XMLSchema(etree.parse(files[0]))
    for message, valid in {
        '<order><hotel label="Gala"/></order>': True,
        '<order><hotel label="Tower"/></order>': False,
        '<dispose sell="30" trade="0"/>': True,
        '<dispose sell="31" trade="0"/>': False,
    }.items():
        assert player.validate(etree.fromstring(message)) is valid, message


@contextmanager
def serving(folder: Path) -> Iterator[tuple[str, IO[str]]]:
    """Serve one game of two by the file; give the port, and the output that follows."""
    command = [ACQUIRE, "serve", "--rulebook", str(CAMPUS), "--players", "2", "--port", "0"]
    clocks = ["--signup-timeout", "60", "--turn-timeout", "60", "--reply-timeout", "60"]
    with ending(
        subprocess.Popen(
            [*command, "--json", "--log-dir", str(folder), *clocks],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
    ) as server:
        assert server.stdout is not None
        (address,) = json.loads(server.stdout.readline())["addresses"]
        yield address.rpartition(":")[2], server.stdout


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log of a game over TCP: one player has the file, the other learns it at its sign-up."""
    with serving(tmp_path_factory.mktemp("campus")) as (port, output), ExitStack() as stack:
        play = [ACQUIRE, "play", "127.0.0.1", port, "--name"]
        players = [
            stack.enter_context(ending(subprocess.Popen([*play, *more], stdout=subprocess.DEVNULL)))
            for more in (["a", "--rulebook", str(CAMPUS)], ["b"])
        ]
        events = [json.loads(line) for line in output]
        assert [player.wait(60) for player in players] == [0, 0]
    assert events[-1]["event"] == "over" and not events[-1]["ejected"]
    return Path(events[-1]["log"])


def test_log_is_verified_without_the_file(log: Path) -> None:
    assert "log complete" in succeed("replay", log, "--verify").stdout


def test_log_with_another_rulebook_does_not_hold(log: Path, tmp_path: Path) -> None:
    text = log.read_text()
    changed = tmp_path / "changed.xml"
    changed.write_text(text.replace('"cash":7000', '"cash":7100'))
    succeed("replay", changed, "--verify", code=1)
    changed.write_text(text.replace('"cash":7000', '"cash":-1'))
    done = succeed("replay", changed, "--verify", code=2)
    assert "line 3: the rulebook is wrong. cash: must be at least 0, not -1." in done.stderr


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        (
            [('"id":"campus"', '"id":"other"')],
            "line 3: the rulebook is 'other'; expected 'campus'.",
        ),
        (
            [('"id":"campus"', '"id":"classic"'), ('rulebook="campus"', 'rulebook="classic"')],
            "line 3: 'classic' is one of the five; expected another id.",
        ),
    ],
    ids=["another id", "one of the five"],
)
def test_log_cannot_pass_off_its_rulebook_as_another(
    log: Path, tmp_path: Path, edits: list[tuple[str, str]], expected: str
) -> None:
    text = log.read_text()
    for old, new in edits:
        text = text.replace(old, new)
    changed = tmp_path / "changed.xml"
    changed.write_text(text)
    done = succeed("replay", changed, "--verify", code=2)
    assert expected in done.stderr


def test_page_and_board_show_the_hotels_of_the_file(log: Path, tmp_path: Path) -> None:
    shown = succeed("replay", log).stdout
    for name in ("Alto", "Gala"):
        assert name in shown
    succeed("replay", log, "--html", tmp_path / "page.html")
    assert "Gala" in (tmp_path / "page.html").read_text()


def test_other_file_than_the_referees_is_the_reason_that_is_told_first(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('id = "own"\nbase = "classic"\n')
    with serving(tmp_path) as (port, _):
        done = succeed("play", "127.0.0.1", port, "--name", "ann", "--rulebook", own, code=1)
    assert "The referee plays rulebook 'campus', not 'own'." in done.stderr


def test_tournament_plays_a_file_beside_it_and_notices_a_change(tmp_path: Path) -> None:
    file, rulebook = tmp_path / "cup.toml", tmp_path / "campus.toml"
    plan = '[tournament]\nrulebook = "campus.toml"\nseats = 3\nseed = 7\n'
    file.write_text(plan + built_in_toml(ada="ordered", bob="random", cyd="ordered"))
    rulebook.write_text(CAMPUS.read_text())
    succeed("tournament", "run", file, "--workers", "1")
    succeed("tournament", "logs", file)
    logs = list((tmp_path / "cup").rglob("*.xml*"))
    assert len(logs) == 3
    assert "verified: " in succeed("replay", logs[0], "--verify").stdout
    rulebook.write_text(CAMPUS.read_text().replace("cash = 7000", "cash = 7500"))
    done = succeed("tournament", "run", file, code=2)
    assert "changed since: tournament.rulebook.cash" in done.stderr
    rulebook.unlink()
    done = succeed("tournament", "run", file, code=2)
    assert "tournament.rulebook" in done.stderr and "cannot be read" in done.stderr
