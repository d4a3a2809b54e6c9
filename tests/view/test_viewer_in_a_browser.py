"""The replay page in a real browser: buttons, keys, the plot, links, dark and narrow."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from acquire.admin.pages.html.replay_page import page
from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.view.turn_text import turns_of
from acquire.game.state import start_tiles
from acquire.game.tiles import tile_name, tile_names
from view.browser import Watched

GOLDEN = Path(__file__).parents[1] / "golden"
LOG = GOLDEN / "revised-large-hotel.xml"


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Watched:
    """The tab of all tests."""
    return Watched(browser.new_page())


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the page of a game."""
    path = tmp_path_factory.mktemp("page") / "game.html"
    path.write_text(page(read(LOG)))
    return path.as_uri()


@pytest.fixture
def shown(tab: Watched, address: str) -> Iterator[Watched]:
    """The page of a game, opened from disk; at the end nobody has complained or gone online."""
    tab.anew(1100, 900).page.goto(address)
    yield tab
    assert tab.complaints == []
    assert {url.partition("#")[0] for url in tab.requests} == {address}


def step_of(shown: Watched) -> int:
    found = re.search(r"step (\d+) of", shown.text("#facts"))
    assert found is not None
    return int(found[1])


def test_it_begins_with_the_deal_and_steps_by_button_and_key(shown: Watched) -> None:
    assert re.fullmatch(r"The table is set\. \S+ moves first\.", shown.text("#sentence"))
    shown.page.click("[data-do=on]")
    assert shown.text("#sentence").startswith("Turn 1: ")
    shown.page.keyboard.press("ArrowRight")
    shown.page.keyboard.press("ArrowRight")
    shown.page.keyboard.press("ArrowLeft")
    assert step_of(shown) == 3
    shown.page.keyboard.press("PageDown")
    assert shown.text("#sentence").startswith("Turn 2: ")
    shown.page.keyboard.press("n")
    assert re.search(r"founds|merge into|is ejected", shown.text("#sentence"))
    shown.page.keyboard.press("End")
    assert re.fullmatch(r"\S+ wins with \$[\d,]+\.", shown.text("#sentence"))
    shown.page.keyboard.press("Home")
    assert step_of(shown) == 1


def test_address_that_was_just_typed_is_not_written_over(shown: Watched) -> None:
    shown.page.evaluate("() => { go(3); location.hash = '#turn=9'; writeLink(); }")
    expect(shown.page.locator("#sentence")).to_contain_text("Turn 9:")
    assert shown.page.url.endswith("#turn=9")


def test_every_turn_has_the_referees_board_and_money(shown: Watched) -> None:
    turns, _ = turns_of(read(LOG))
    for turned in turns[1:-1:7]:
        shown.page.evaluate(f"location.hash = '#turn={turned.number}'")
        expect(shown.page.locator("#sentence")).to_contain_text(f"Turn {turned.number}:")
        label = shown.page.get_attribute("#board", "aria-label") or ""
        for hotel, size in enumerate(turned.state.board.sizes):
            words = f"{turned.state.rulebook.hotel_name(hotel)} with {size} tiles"
            assert (words in label) is (size > 0)
        assert f"{turned.state.board.loose.bit_count()} unincorporated" in label
        players = shown.text("#players")
        for player in turned.state.players:
            assert f"${player.cash:,}" in players


def test_link_leads_to_the_very_turn_and_moving_makes_the_link(shown: Watched) -> None:
    address = shown.page.url.partition("#")[0]
    shown.page.goto(f"{address}#turn=12")
    shown.page.reload()
    assert shown.text("#sentence").startswith("Turn 12: ")
    shown.page.keyboard.press("PageDown")
    expect(shown.page).to_have_url(f"{address}#turn=13")
    shown.page.keyboard.press("ArrowRight")
    expect(shown.page).to_have_url(re.compile("#step="))
    shown.page.goto(f"{address}#turn=999")
    steps = int(shown.page.get_attribute("#plot", "aria-valuemax") or 0)
    assert step_of(shown) == steps + 1
    shown.page.goto(f"{address}#step={steps + 1}")  # steps are counted from 0 here
    shown.page.reload()
    assert step_of(shown) == steps + 1


def test_address_changes_no_oftener_than_browsers_allow(shown: Watched) -> None:
    """However long the steps take on a busy machine."""
    written, milliseconds = shown.page.evaluate(
        """async () => {
          const real = history.replaceState;
          let written = 0;
          history.replaceState = (...all) => { written += 1; real.apply(history, all); };
          const began = performance.now();
          for (let place = 1; place <= 12; place += 1) {
            go(place);
            await new Promise((done) => setTimeout(done, 30));
          }
          return [written, performance.now() - began];
        }"""
    )
    assert 1 <= written <= milliseconds / 400 + 2
    at = shown.page.evaluate("steps[12].kind === 'turn' ? `#turn=${steps[12].turn}` : '#step=12'")
    expect(shown.page).to_have_url(re.compile(f"{at}$"))


def test_plot_is_the_scrubber(shown: Watched) -> None:
    box = shown.page.locator("#plot").bounding_box()
    assert box is not None
    middle = box["x"] + box["width"] * 0.46
    shown.page.mouse.click(middle, box["y"] + box["height"] / 2)
    steps = int(shown.page.get_attribute("#plot", "aria-valuemax") or 0)
    at = int(shown.page.get_attribute("#plot", "aria-valuenow") or 0)
    assert 0.35 * steps < at < 0.65 * steps
    worths = shown.page.locator("#players td:last-child").all_inner_texts()
    read_out = shown.page.get_attribute("#plot", "aria-valuetext") or ""
    assert read_out.startswith(shown.text("#sentence"))
    assert sorted(re.findall(r"\$[\d,]+\b", read_out)[-len(worths) :]) == sorted(worths)


def test_plot_is_read_at_any_place_without_going_there(shown: Watched) -> None:
    box = shown.page.locator("#plot").bounding_box()
    assert box is not None
    shown.page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] / 2)
    turn = re.match(r"Turn (\d+)", shown.text("#reading"))
    read_there = shown.page.locator("#reading .worth").all_inner_texts()
    assert turn is not None and step_of(shown) == 1
    shown.page.mouse.down()
    assert f"turn {turn[1]} of" in shown.text("#facts")
    assert sorted(read_there) == sorted(
        shown.page.locator("#players td:last-child").all_inner_texts()
    )
    shown.page.mouse.up()
    shown.page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] - 20)
    assert shown.page.locator("#reading").is_hidden()
    shown.page.keyboard.press("ArrowRight")  # from now on the focus is the keyboard's
    shown.page.focus("#plot")
    before = shown.page.locator("#hovered .hover").get_attribute("x1")
    shown.page.keyboard.press("ArrowUp")
    assert shown.page.locator("#hovered .hover").get_attribute("x1") != before
    shown.page.keyboard.press("Escape")
    assert shown.page.locator("#reading").is_hidden()


def test_play_goes_on_by_itself_and_stops(shown: Watched) -> None:
    shown.page.keyboard.press("4")
    shown.page.keyboard.press(" ")
    expect(shown.page.locator("#facts")).to_contain_text(re.compile(r"step ([5-9]|\d\d+) "))
    shown.page.keyboard.press(" ")
    at = step_of(shown)
    shown.page.wait_for_timeout(300)
    assert step_of(shown) == at


def test_turn_0_is_the_set_up_with_start_tiles_and_hands(tab: Watched, tmp_path: Path) -> None:
    record = read(GOLDEN / "classic-turn-undone.xml")
    path = tmp_path / "game.html"
    path.write_text(page(record))
    shown = tab.anew().page
    shown.goto(f"{path.as_uri()}#turn=9")
    shown.goto(f"{path.as_uri()}#turn=0")
    expect(shown.locator("#sentence")).to_contain_text("moves first.")
    names = [seat.name for seat in record.header.seats]
    (set_up, *_), _ = turns_of(record)
    players = tab.text("#players")
    for (name, tile), player in zip(
        start_tiles(record.header.rulebook, names, record.header.bag),
        sorted(set_up.state.players, key=lambda player: names.index(player.name)),
        strict=True,
    ):
        assert name == player.name
        assert f"start: {tile_name(tile)} · hand: {tile_names(player.hand)}" in players
    shown.keyboard.press("End")
    shown.keyboard.press("Home")
    expect(shown).to_have_url(re.compile("#turn=0$"))


def test_tied_winners_are_named_each_in_its_own_direction(shown: Watched) -> None:
    """Also when somebody is ejected after the result."""
    shown.page.evaluate(
        """() => {
          const names = seats.map((seat) => seat.rawName);
          const text = `${names[0]} and ${names[2]} tie for first place with $9 each.`;
          addSteps([
            { turn: 72, kind: "result", text, winners: [0, 2] },
            { turn: 72, kind: "ejected", text: `${names[1]} is ejected (late).`, player: 1 },
          ]);
          steps.filter((step) => step.kind === "result")[0].kind = "earlier";
          go(steps.length - 1);
        }"""
    )
    names = [seat.name for seat in read(LOG).header.seats]
    assert shown.text("#sentence") == f"{names[0]} and {names[2]} tie for first place with $9 each."
    assert shown.page.locator("#sentence bdi").all_inner_texts() == [names[0], names[2]]


def test_click_in_the_list_leads_there(shown: Watched) -> None:
    line = shown.page.locator("#events button").nth(20)
    sentence = line.inner_text()
    line.click()
    assert shown.text("#sentence") == sentence


def test_dark_is_another_paper(shown: Watched) -> None:
    light = shown.page.evaluate("getComputedStyle(document.body).backgroundColor")
    shown.page.emulate_media(color_scheme="dark")
    shown.page.reload()
    assert shown.page.evaluate("getComputedStyle(document.body).backgroundColor") != light


def test_hotels_have_the_holders_of_their_bonuses(shown: Watched) -> None:
    shown.page.keyboard.press("End")
    rows = [line.split("\t") for line in shown.text("#hotels tbody").splitlines()]
    held = [line.split("\t")[1:-1] for line in shown.text("#players").splitlines() if "$" in line]
    for hotel, (_, tiles, _, _, bonuses) in enumerate(rows):
        counts = [int(shares[hotel].replace("·", "0")) for shares in held]
        if tiles == "·" or not max(counts):
            assert bonuses == "·"
        else:
            majority = str(counts.index(max(counts)) + 1)
            assert bonuses.startswith(majority)


def test_link_to_a_step_is_copied(shown: Watched) -> None:
    shown.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    shown.page.keyboard.press("PageDown")
    shown.page.keyboard.press("c")
    expect(shown.page.locator("#notice")).to_have_text("The link to this step is copied.")
    copied = shown.page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{shown.page.url.partition('#')[0]}#turn=1"


def test_embedded_page_shows_the_board_alone_and_plays(browser: Browser, shown: Watched) -> None:
    tab = browser.new_page()
    tab.goto(f"{shown.page.url}?embed&speed=9&autoplay")
    expect(tab.locator("#play")).to_have_attribute("aria-label", "Pause")
    assert tab.input_value("#speed") == "90"
    assert tab.is_visible("#board") and not tab.is_visible("#events")
    expect(tab.locator("#plot")).to_have_attribute("aria-valuenow", re.compile(r"[1-9]\d"))
    tab.close()
