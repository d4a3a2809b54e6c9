"""The replay page for every reader: phones, keyboards, screen readers, and any pair of eyes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from loops import in_soak
from playwright.sync_api import Browser, Page, expect

from acquire.admin.pages.html.replay_page import page
from acquire.admin.refereeing.log.reader import read_bytes
from acquire.game.rulebook import with_hidden_assets
from acquire.game.rulebooks import CORPORATIONS
from acquire.played_games import play_game
from view.browser import Watched, violations, wait_until

GOLDEN = Path(__file__).parents[1] / "golden"
CLASSIC = {"merger": "four-way-merger", "undone": "turn-undone", "market": "markets-tile-merges"}
NAMES = ("W" * 64, "\u202eover<b>", "\u05e9\u05dc\u05d5\u05dd", "\U0001f600 $5,000 Tower")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Addresses of pages: two golden games, and one of odd names whose assets are hidden."""
    folder = tmp_path_factory.mktemp("pages")
    odd = play_game(dict.fromkeys(NAMES, "random"), with_hidden_assets(CORPORATIONS), 2).log
    logs = {key: (GOLDEN / f"classic-{name}.xml").read_bytes() for key, name in CLASSIC.items()}
    logs["returned"] = (GOLDEN / "revised-no-placeable-tile.xml").read_bytes()
    logs["names"] = odd.replace(b"<match ", b'<match date="2013-11-05" ', 1)
    made = {key: folder / f"{key}.html" for key in logs}
    for key, log in logs.items():
        made[key].write_text(page(read_bytes(Path(key), log)))
    return {key: path.as_uri() for key, path in made.items()}


@pytest.fixture(scope="module")
def usual(browser: Browser) -> Watched:
    """The tab in which the tests open a page, one after the other, unless they want another."""
    return Watched(browser.new_page())


@pytest.fixture
def opened(browser: Browser, usual: Watched, pages: dict[str, str]) -> Iterator[Any]:
    """Opens a page at a place; nothing complains and nothing is asked of the network."""
    tabs: list[Watched] = []

    def open_(key: str, place: str = "", **how: Any) -> Page:
        if tabs or "has_touch" in how:
            tabs.append(Watched(browser.new_page(**how)))
        else:
            tabs.append(usual.anew(**how.pop("viewport", {})))
            tabs[0].page.emulate_media(**how)
        tabs[-1].page.goto(f"{pages[key]}{place}")
        return tabs[-1].page

    yield open_
    for tab in tabs:
        assert tab.complaints == []
        asked = {url.partition("#")[0].partition("?")[0] for url in tab.requests}
        assert asked <= set(pages.values())
        if tab is not usual:
            tab.page.close()


# -- a merger --------------------------------------------------------------------------------------


def test_merger_is_shown_hotel_by_hotel_as_it_happens(opened: Any) -> None:
    tab = opened("merger", "#step=251")
    assert "Merger by 10C" in tab.inner_text("#merger")
    assert "bonus sold traded holds" in " ".join(tab.inner_text("#merger").split())
    captions = tab.locator("#merger caption")
    assert captions.count() == 3
    assert "Imperial acquires" in captions.first.inner_text()
    assert "$3,800" not in tab.inner_text("#merger")
    tab.evaluate("location.hash = '#step=259'")
    rows = tab.locator("#merger table").nth(1).locator("tbody tr")
    number = tab.evaluate("seats[1].number + 1")
    numbers = [int(text[0]) for text in rows.all_inner_texts()]
    assert numbers == sorted(numbers)  # in turn order, which here is not that of the seats
    row = rows.filter(has_text="founder-2")
    expect(row).to_have_text(f"{number}founder-2 minority" + "2" + "$2,000" + "2" + "·" + "·")
    assert tab.locator("#merger tr.now").inner_text() == row.inner_text()
    tab.evaluate("location.hash = '#turn=64'")
    expect(tab.locator("#merger")).to_be_hidden()


def test_merger_says_returned_where_certificates_are_returned(opened: Any) -> None:
    tab = opened("returned")
    step = tab.evaluate("steps.findIndex((step) => step.kind === 'returned')")
    tab.evaluate(f"location.hash = '#step={step}'")
    heads = ["holder", "had", "bonus", "returned", "holds"]
    expect(tab.locator("#merger table").first.locator("thead th")).to_have_text(heads)
    cells = tab.locator("#merger tr.now td")
    had, returned, left = (cells.nth(column).inner_text() for column in (1, 3, 4))
    assert (had, left) == (returned, "·")


def test_board_keeps_what_a_tile_was_until_the_turn_ends(opened: Any) -> None:
    tab = opened("merger", "#step=250")
    former = tab.locator("#marks text.former")
    assert former.count() == 0
    tab.keyboard.press("ArrowRight")
    letters = former.all_text_contents()
    assert sorted(letters) == ["F"] * 4 + ["S"] * 4 + ["T"] * 2
    assert tab.locator("#marks .ring").count() == 1
    tab.keyboard.press("PageDown")
    assert former.count() == 0


def test_merger_that_is_undone_is_shown_no_more(opened: Any) -> None:
    tab = opened("undone", "#step=232")
    assert "Worldwide acquires" in tab.inner_text("#merger")
    tab.keyboard.press("ArrowRight")
    assert "is undone" in tab.inner_text("#sentence")
    assert tab.locator("#merger").is_hidden() and tab.locator("#marks .former").count() == 0
    tab.keyboard.press("ArrowRight")
    assert "ejected" in tab.inner_text("#players tbody.out")


HELD = """() => {
  const real = Element.prototype.animate;
  Element.prototype.animate = function (...all) {
    const made = real.apply(this, all);
    made.pause();
    return made;
  };
}"""
"""Hold every move at its beginning."""
MOVING = "document.getAnimations().length"


def fills(tab: Page, cells: list[int]) -> set[str]:
    fill = "(cell) => getComputedStyle(cells[cell].square).fill"
    return set(tab.evaluate(f"{cells}.map({fill})"))


def test_merger_is_a_scene(opened: Any) -> None:
    tab = opened("merger", "#step=250")
    tab.evaluate(HELD)
    absorbed = [9, 10, 11, 21, 34, 35, 45, 47, 57, 59]
    before = fills(tab, absorbed)
    tab.keyboard.press("ArrowRight")
    assert len(before) == 3 and fills(tab, absorbed) == before
    place = "({ effect }) => cells.findIndex(({ square }) => square === effect.target)"
    moved = {*tab.evaluate(f"document.getAnimations().map({place})")}
    assert moved == {*absorbed, 33, -1}  # -1: letters, and the ring
    tab.evaluate("document.getAnimations().forEach((each) => each.finish())")
    assert len(fills(tab, [*absorbed, 33, 32])) == 1
    assert tab.locator("#merger .badge").count() == 0
    tab.keyboard.press("ArrowRight")
    assert tab.locator("#merger .badge").all_inner_texts() == ["shared majority"] * 2
    assert tab.evaluate(MOVING) == 2
    tab.evaluate("go(257)")
    tab.keyboard.press("ArrowRight")
    badges = (
        "shared majority|shared majority|majority|minority|majority|shared minority|shared minority"
    )
    assert "|".join(tab.locator("#merger .badge").all_inner_texts()) == badges
    assert tab.inner_text("#flying") == tab.inner_text("#players .gain") == "+$4,000"
    tab.keyboard.press("ArrowLeft")
    assert tab.evaluate(MOVING) == 0 and tab.inner_text("#flying") == ""
    assert tab.inner_text("#players .gain") == "+$2,000"


def test_scene_keeps_up_with_playing(opened: Any) -> None:
    tab = opened("merger", "#step=250")
    tab.evaluate("() => { playing.timer = 0; }")  # as if playing
    times = []
    for speed in range(4):
        tab.evaluate(f"() => {{ byId('speed').selectedIndex = {speed}; }}")
        times.append(tab.evaluate("sceneTime() / Number(byId('speed').value)"))
    assert all(0 < time < 1 for time in times[:3]) and times[3] == 0


def test_scene_is_still_pictures_where_motion_is_not_wanted(opened: Any) -> None:
    tab = opened("merger", "#step=250", reduced_motion="reduce")
    tab.evaluate(HELD)
    for _ in range(6):
        tab.keyboard.press("ArrowRight")
        assert tab.evaluate(MOVING) == 0
    assert tab.inner_text("#players .gain") == "+$3,800"
    assert tab.inner_text("#flying") == ""


def test_stock_market_is_a_holder_in_a_merger(opened: Any) -> None:
    tab = opened("market")
    drew = tab.evaluate("steps.findIndex((step) => step.kind === 'market' && step.count)")
    tab.evaluate(f"go({drew - 1})")
    assert tab.locator("#merger .badge").count() == 0
    tab.keyboard.press("ArrowRight")
    count = tab.evaluate(f"steps[{drew}].count")
    assert f"it holds {count} " in tab.inner_text("#sentence")
    row = tab.locator("#merger tr.now").inner_text().split("\t")
    assert row[0].startswith("stock market") and row[1] == str(count)
    assert tab.locator("#merger .badge").count() > 0


def test_standings_come_at_the_end_and_no_player_is_to_move(opened: Any) -> None:
    tab = opened("undone")
    assert tab.locator("#players .moving").count() == 0
    tab.keyboard.press("PageDown")
    assert tab.locator("#players .moving").count() == 1
    tab.keyboard.press("End")
    assert tab.locator("#outcome tbody tr").count() == 3
    assert tab.inner_text("#sentence") == "random-3 wins with $40,000."
    assert "rank 3 · ejected" in tab.inner_text("#players")
    assert tab.locator("#merger").is_hidden()
    assert tab.locator("#players .moving").count() == 0
    tab.keyboard.press("ArrowLeft")
    assert tab.locator("#merger tbody tr").count() == 3
    assert tab.locator("#outcome").is_hidden()


# -- the result ------------------------------------------------------------------------------------


def test_result_is_a_card_that_can_be_asked_for_at_any_step(opened: Any) -> None:
    tab = opened("undone", "#turn=3", viewport={"width": 390, "height": 844})
    button, card = tab.get_by_role("button", name="Result"), tab.locator("#outcome")
    assert card.is_hidden() and button.get_attribute("aria-expanded") == "false"
    button.click()
    assert card.is_visible() and button.get_attribute("aria-expanded") == "true"
    assert tab.evaluate("document.activeElement.id") == "outcome"
    box = card.bounding_box()
    assert box["width"] <= 390 and box["height"] < 500
    assert card.locator("h2").inner_text() == "random-3 wins by $1,600"
    assert [" ".join(line.split()) for line in card.locator("tr").all_inner_texts()] == [
        "1. 3random-3 random $40,000",
        "2. 2random-2 random $38,400",
        "3. 1random-1 ejected in turn 58: disconnected ·",
    ]
    assert "A hotel has reached the size that ends the game." in card.inner_text()
    assert "rulebook classic · 61 turns · regular ending · seed 1964" in card.inner_text()
    assert card.locator("h3").count() == 0  # nothing is said of turning points without an analysis
    tab.keyboard.press("r")
    assert card.is_hidden()


def test_result_has_the_day_of_the_game(opened: Any) -> None:
    tab = opened("names")
    tab.keyboard.press("r")
    assert "Acquire · 5 November 2013 · rulebook corporations" in tab.inner_text("#outcome")


def test_result_names_every_kind_of_winner(opened: Any) -> None:
    tab = opened("undone")
    changes = {
        "result.winners = [0, 1]": "random-1 and random-2 tie with $40,000 each",
        "result.winners = [2]; ranked[1].finished = false": "random-3 is the only player to finish",
        "result.winners = []; ranked[0].finished = false": "No player finished",
    }
    for change, head in changes.items():
        tab.evaluate(
            f"""() => {{
              const ranked = steps.filter((step) => step.kind === "ranked");
              const result = steps.find((step) => step.kind === "result");
              {change};
              go(steps.length - 1);
            }}"""
        )
        assert tab.inner_text("#outcome h2") == head


# -- any name, any view ----------------------------------------------------------------------------


def test_names_are_isolated_text_wherever_they_stand(opened: Any) -> None:
    tab = opened("names")
    for place, name in enumerate(NAMES):
        turn = tab.evaluate(
            f"steps.findIndex((step) => step.kind === 'turn' && step.player === {place})"
        )
        tab.evaluate(f"go({turn})")
        assert tab.locator("#sentence bdi").text_content() == name
        assert tab.locator("#events .now bdi").text_content() == name
        assert tab.locator("#players tbody.mover .name").text_content() == name
    assert tab.locator("b").count() == 0


def test_one_players_view_hides_what_the_others_hide(opened: Any) -> None:
    tab = opened("names", "#turn=9")
    assert tab.locator("#players td", has_text="hidden").count() == 0
    assert tab.locator("#plot path").count() == len(NAMES)
    tab.select_option("#view", "3")
    assert tab.locator("#players td", has_text="hidden").count() == 2 * (len(NAMES) - 1)
    assert tab.locator("#plot path").count() == 1
    hand = (
        tab.locator("#players [data-player='3'] .hand").inner_text().removeprefix("hand: ").split()
    )
    assert tab.locator("#marks .own").count() == len(hand) == 6


# -- any screen ------------------------------------------------------------------------------------


WIDE = """[document.documentElement, ...document.querySelectorAll(".scroll, #merger, #outcome")]
  .map((part) => part.scrollWidth - part.clientWidth)"""


@pytest.mark.parametrize(
    ("key", "place"), [("names", "#turn=30"), *in_soak(("merger", "#step=262"))]
)
def test_nothing_is_wider_than_the_screen(opened: Any, key: str, place: str) -> None:
    tab = opened(key, place)
    for width in (320, 390, 768, 1100):
        tab.set_viewport_size({"width": width, "height": 800})
        assert tab.evaluate(WIDE) == [0] * 5, width
    tab.keyboard.press("End")
    for width in (1100, 320):
        tab.set_viewport_size({"width": width, "height": 800})
        assert tab.evaluate(WIDE) == [0] * 5, width


SMALL = """[...document.querySelectorAll("button, select")]
  .map((target) => [target.getBoundingClientRect(), target.outerHTML.slice(0, 60)])
  .filter(([box]) => box.width && (box.width < 40 || box.height < 40))
  .map(([box, what]) => [box.width, box.height, what])"""


def test_fingers_find_what_they_touch(opened: Any) -> None:
    tab = opened("names", viewport={"width": 320, "height": 800})
    assert tab.locator("button:visible").count() > 100
    assert tab.evaluate(SMALL) == []


def test_plots_letters_are_as_large_on_a_phone(opened: Any) -> None:
    tab = opened("merger", viewport={"width": 390, "height": 800})
    scale = "document.getElementById('plot').getScreenCTM().a"
    assert tab.evaluate(scale) == pytest.approx(1, abs=0.01)
    tab.set_viewport_size({"width": 1200, "height": 800})
    wait_until(tab, f"Math.abs({scale} - 1) < 0.01 && plotted.right > 450")


def test_plot_shows_a_finger_every_players_net_worth(opened: Any) -> None:
    tab = opened("merger", "#turn=5", viewport={"width": 390, "height": 800}, has_touch=True)
    tab.evaluate("drawReading(251)")  # as under a finger that drags
    lines = tab.locator("#reading li").all_inner_texts()
    assert [line.split("\n")[-1] for line in lines] == ["$39,800", "$38,400", "$29,300"]
    assert tab.inner_text("#reading p") == "◆ founder-2 plays 10C: hotels merge into Imperial."
    box, plot = tab.locator("#reading").bounding_box(), tab.locator("#plot").bounding_box()
    assert plot["x"] <= box["x"] and box["x"] + box["width"] <= plot["x"] + plot["width"]
    tab.locator("#plot").tap(position={"x": 120, "y": 60})
    assert tab.locator("#reading").is_hidden()


# -- any eyes --------------------------------------------------------------------------------------

CONTRASTS = """() => {
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const ground = (element) => {
    for (let up = element; up; up = up.parentElement) {
      const colour = parts(getComputedStyle(up).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
  };
  const found = [];
  const judge = (ink, paper, what) => {
    const [low, high] = [light(parts(ink)), light(paper)].sort((one, other) => one - other);
    found.push([(high + 0.05) / (low + 0.05), what]);
  };
  for (const element of document.querySelectorAll("body *")) {
    const style = getComputedStyle(element);
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || element.closest("script, .unseen") || !element.getClientRects().length) continue;
    const inSvg = element.namespaceURI.endsWith("svg");
    const before = element.previousElementSibling, text = element.textContent.slice(0, 30);
    if (inSvg && ["rect", "circle"].includes(before?.tagName))
      judge(style.fill, parts(getComputedStyle(before).fill), text);
    else judge(inSvg ? style.fill : style.color, ground(element), text);
  }
  return found;
}"""


@pytest.mark.parametrize("scheme", ["light", *in_soak("dark")])
def test_every_letter_stands_out_from_its_ground(opened: Any, scheme: str) -> None:
    tab = opened("merger", "#step=262", color_scheme=scheme, reduced_motion="reduce")
    tab.click("[data-do=help]")
    for key in ("Home", "End"):
        found = tab.evaluate(CONTRASTS)
        assert len(found) > 300
        assert [what for what in found if what[0] < 4.5] == []
        tab.keyboard.press(key)


def test_hotels_differ_by_letter_too(opened: Any) -> None:
    tab = opened("merger", "#step=249")
    letters = tab.locator("#hotels .chip").all_inner_texts()
    assert len(set(letters)) == len(letters) == 7
    dashes = tab.locator("#plot path").evaluate_all(
        "all => all.map(e => e.style.strokeDasharray || e.getAttribute('stroke-dasharray'))"
    )
    assert len(set(dashes)) == 3


def test_axe_finds_nothing(opened: Any) -> None:
    tab = opened("merger", "#step=262", reduced_motion="reduce")
    tab.keyboard.press("r")
    tab.keyboard.press("?")
    assert violations(tab, contrast=False) == []  # contrast: see above


@pytest.mark.soak
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1366, 390])
def test_axe_finds_nothing_anywhere(opened: Any, scheme: str, width: int) -> None:
    how = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
    for key, place in (
        ("merger", "?embed#turn=30"),
        ("names", "#turn=999"),
        ("market", "#turn=20"),
    ):
        tab = opened(key, place, reduced_motion="reduce", **how)
        assert violations(tab) == [], (key, place)


# -- keys and readers ------------------------------------------------------------------------------


def test_tab_leads_through_everything_and_out_again(opened: Any) -> None:
    tab = opened("merger", "#turn=5")
    seen: list[str] = []
    for _ in range(20):
        tab.keyboard.press("Tab")
        focused = "(({ dataset, id, tagName }) => dataset.do || id || tagName)"
        seen.append(tab.evaluate(f"{focused}(document.activeElement)"))
        outline = "getComputedStyle(document.activeElement).outlineStyle"
        assert seen[-1] == "BODY" or tab.evaluate(outline) == "solid"
        if seen[-1] == "BODY":
            break
    steps = [
        "result",
        "first",
        "turnBack",
        "back",
        "play",
        "on",
        "turnOn",
        "last",
        "eventBack",
        "event",
    ]
    assert seen == [*steps, "speed", "view", "copy", "help", "plot", "BUTTON", "BODY"]


def test_up_and_down_lead_through_the_list(opened: Any) -> None:
    tab = opened("merger", "#turn=5")
    tab.focus("#events .now button")
    before = tab.inner_text("#sentence")
    tab.keyboard.press("ArrowDown")
    current = "((now) => now.ariaCurrent + now.lastChild.textContent)(document.activeElement)"
    assert tab.inner_text("#sentence") != before
    assert tab.evaluate(current) == f"step{tab.inner_text('#sentence')}"
    tab.keyboard.press("ArrowUp")
    assert tab.inner_text("#sentence") == before


def test_single_keys_can_be_switched_off(opened: Any) -> None:
    tab = opened("merger", "#turn=5")
    before = tab.inner_text("#sentence")
    tab.keyboard.press("?")
    tab.uncheck("#letters")
    tab.focus("#plot")
    for key in "np?":
        tab.keyboard.press(key)
    assert tab.inner_text("#sentence") == before and tab.locator("#keys").is_visible()
    tab.keyboard.press("ArrowRight")
    assert tab.inner_text("#sentence") != before


def test_screen_reader_does_not_announce_every_step_of_a_quick_play(opened: Any) -> None:
    tab = opened("merger")
    assert tab.get_attribute("#sentence", "aria-live") == "polite"
    tab.keyboard.press("4")
    tab.keyboard.press(" ")
    expect(tab.locator("#sentence")).to_have_attribute("aria-live", "off")
    assert tab.get_attribute("#play", "aria-label") == "Pause"
    tab.keyboard.press(" ")
    assert tab.get_attribute("#sentence", "aria-live") == "polite"
    tab.focus("#plot")
    tab.keyboard.press("ArrowRight")
    assert tab.get_attribute("#sentence", "aria-live") == "off"  # the slider says it
    read_out = tab.get_attribute("#plot", "aria-valuetext") or ""
    assert read_out.startswith(f"{tab.inner_text('#sentence')} founder-")


def test_printed_it_is_light_whole_and_without_buttons(opened: Any) -> None:
    tab = opened("merger", "#turn=30", color_scheme="dark")
    tab.emulate_media(media="print", color_scheme="dark")
    assert tab.locator(".controls").is_hidden()
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    events = "document.getElementById('events')"
    assert tab.evaluate(f"{events}.scrollHeight - {events}.clientHeight") <= 1
