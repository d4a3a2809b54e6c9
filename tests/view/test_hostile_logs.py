"""Hostile names and bytes, through a log and back: text on every way to an eye."""

import io
import re
from html import escape
from pathlib import Path

import pytest
from command_line import succeed
from loops import for_each
from lxml import etree
from playwright.sync_api import Browser
from rich.console import Console

from acquire.admin.cli.safe_console import SafeConsole
from acquire.admin.cli.serve_output import ServeTerminal
from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.table.server_events import (
    MILESTONES,
    GameBegan,
    GameEnded,
    Happened,
    SignUpsChanged,
)
from acquire.admin.refereeing.view.turn_text import step, turns_of
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED
from view.browser import Watched, closed
from view.hostile import BYTES, DETAIL, NAMES, hostile_game, hostile_outcome, steering

both = pytest.mark.parametrize("rulebook", [REVISED, CLASSIC], ids=lambda rulebook: rulebook.id)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("hostile")
    return {rulebook.id: hostile_game(folder, rulebook) for rulebook in (REVISED, CLASSIC)}


@both
def test_log_gives_names_and_bytes_back(logs: dict[str, Path], rulebook: Rulebook) -> None:
    record = read(logs[rulebook.id])
    assert tuple(seat.name for seat in record.header.seats) == NAMES
    (left,) = [element for element in record.elements if element.tag == "ejected"]
    assert left.get("player") == NAMES[2] and left.get("detail") == DETAIL
    assert len(etree.tostring(left)) > len(BYTES)


@both
@for_each(
    "options",
    [["replay"], ["replay", "--verify"], ["replay", "--turn", "0"], ["explain"]],
    ids=" ".join,
)
def test_nothing_steers_the_terminal(
    logs: dict[str, Path], rulebook: Rulebook, options: list[str]
) -> None:
    command, *rest = options
    assert steering(succeed(command, logs[rulebook.id], *rest, code=0).output) == set()


@both
def test_every_eventful_turn_is_text_when_stepping(
    logs: dict[str, Path], rulebook: Rulebook
) -> None:
    turns, _ = turns_of(read(logs[rulebook.id]))
    file = io.StringIO()
    console = Console(file=file, width=120, height=60, force_terminal=True)
    eventful = sum(turned.eventful for turned in turns)
    keys = iter([*["event"] * (eventful + 1), "back", "first", "on", "quit"])
    step(console, turns, 0, lambda: next(keys))
    shown = file.getvalue()
    assert "is ejected (malformed)" in shown and "right" in shown
    assert steering(shown) == set()


@pytest.mark.parametrize("option", ["", "--verify", "--turn=0", "--html"])
def test_divergence_that_quotes_a_name_is_text(
    logs: dict[str, Path], tmp_path: Path, option: str
) -> None:
    changed = tmp_path / "changed.xml"
    text = logs["revised"].read_text()
    mine = re.escape(escape(NAMES[3]).replace("&#x27;", "'").replace("\t", "&#9;"))
    spoilt, count = re.subn(rf'(<drew player="{mine}" tile=")\d+', r"\g<1>12", text, count=1)
    assert count == 1 and spoilt != text
    changed.write_text(spoilt)
    page = [str(tmp_path / "page.html")] if option == "--html" else []
    output = succeed("replay", changed, *filter(None, [option]), *page, code=1).output
    assert "diverges: line" in output and "31mb" in output
    assert steering(output) == set()


@pytest.mark.parametrize("command", ["replay", "explain"])
def test_refusal_that_quotes_the_file_is_text_and_short(
    logs: dict[str, Path], tmp_path: Path, command: str
) -> None:
    changed = tmp_path / "changed.xml"
    text = logs["revised"].read_text()
    for value in ("\u009b\u202ex", "y" * 100_000):
        changed.write_text(text.replace('to="turn"', f'to="{value}"', 1))
        output = succeed(command, changed, code=2).output
        assert steering(output) == set()
        assert command == "explain" or len(output) < 1100


@pytest.mark.parametrize("name", [b"\xff\xfe.xml", "\u202e\u009b.xml".encode()], ids=ascii)
def test_name_of_a_file_is_text_too(tmp_path: Path, name: bytes) -> None:
    path = Path(str(tmp_path) + "/" + name.decode(errors="surrogateescape"))
    assert steering(succeed("replay", path, code=2).output) == set()


@both
def test_picture_has_no_names(logs: dict[str, Path], tmp_path: Path, rulebook: Rulebook) -> None:
    picture = tmp_path / "board.svg"
    succeed("replay", logs[rulebook.id], "--svg", picture, code=0)
    drawn = etree.fromstring(picture.read_bytes())
    assert {etree.QName(element).localname for element in drawn.iter()} <= {
        *("svg", "title", "desc", "style", "g", "rect", "text", "tspan", "path", "line")
    }
    assert not any(name[:10] in picture.read_text() for name in NAMES)


@both
def test_report_of_a_server_is_text(tmp_path: Path, rulebook: Rulebook) -> None:
    file = io.StringIO()
    terminal = ServeTerminal(SafeConsole(file=file, width=120, force_terminal=True), rulebook)
    happened: list[events.Event] = []
    path, header, outcome = hostile_outcome(tmp_path, rulebook, happened.append)
    with terminal:
        terminal(SignUpsChanged(1, NAMES, len(NAMES)))
        terminal(GameBegan(1, header))
        for event in happened:
            if isinstance(event, MILESTONES):
                terminal(Happened(1, event))
        terminal(GameEnded(1, path, header.seats, outcome))
    assert "right" in file.getvalue() and "came: " in file.getvalue()
    assert steering(file.getvalue().replace("\r", "")) == set()


@both
def test_page_shows_names_as_text(
    logs: dict[str, Path], tmp_path: Path, browser: Browser, rulebook: Rulebook
) -> None:
    path = tmp_path / "game.html"
    succeed("replay", logs[rulebook.id], "--html", path, code=0)
    tab = browser.new_page()
    watched = Watched(tab)
    tab.goto(path.as_uri())
    shown = tab.eval_on_selector_all("#names bdi", "found => found.map(each => each.textContent)")
    assert shown == [closed(name) for name in NAMES]
    assert tab.title() != "owned" and tab.title().startswith("Acquire")
    tab.keyboard.press("End")
    output = tab.eval_on_selector_all("#events li", "found => found.map(each => each.textContent)")
    for name in NAMES:
        assert any(name in sentence for sentence in output), ascii(name)
    assert any(DETAIL in sentence for sentence in output)
    foreign = "img, iframe, object, embed, link:not([rel=icon]), body b, script[src], svg script"
    assert tab.locator(foreign).count() == 0 and tab.locator("script").count() == 2
    tab.evaluate("document.querySelector('[data-do=help]').click()")
    assert watched.complaints == []
    assert {url.partition("#")[0] for url in watched.requests} == {path.as_uri()}
    tab.close()
