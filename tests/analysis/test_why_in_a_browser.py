"""The page with an analysis in a real browser: options, marks, keys, and what a view hides."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from acquire.admin.pages.html.replay_page import page_and_verdict
from acquire.admin.refereeing.log.reader import read
from acquire.admin.studying.analysis.analysis import Analysis, work_on
from acquire.admin.studying.analysis.analysis_report import as_json
from acquire.admin.studying.analysis.decision_log import Decision, DecisionLog, What
from acquire.admin.studying.analysis.playing import Chances, TurningPoint
from acquire.admin.studying.analysis.valuing import Compared, Cost, Value, Valued
from acquire.admin.studying.analysis.words import Decided
from acquire.admin.studying.statistics.intervals import Estimate
from view.browser import Watched

LOG = Path(__file__).parents[1] / "golden" / "classic-large-hotel.xml"
RETRY = "acquire play --browser --from game.xml"
COSTLY = (7, 40)
"""Which decisions are costly in the made-up analysis."""


def made_up(at: int, decision: Decision) -> Valued:
    """Figures that no game gave: the recorded option is the second one."""
    others = [place for place in range(len(decision.options)) if place != decision.recorded][:3]
    order = (*others[:1], decision.recorded, *others[1:])
    values = Value(order[0], 3000.0, 0.5), Value(decision.recorded, -1321.0, 0.38)
    lead = Estimate(4321.5 + at, 2500.0 + at, 6142.0 + at)
    win = Estimate(0.125, 0.02 if at == COSTLY[0] else -0.02, 0.22)
    cost = Cost(*values, lead, win, 18)
    if at in COSTLY:
        return Valued(decision, Compared(order, cost, True))
    return Valued(decision, Compared(order))


@cache
def analysis() -> Analysis:
    log = DecisionLog(read(LOG))
    absent = (0.0,) * (len(read(LOG).header.seats) - 2)
    shares = {turn: ((0.25, 0.75) if turn < 10 else (0.45, 0.55)) + absent for turn in log.turns}
    point = TurningPoint(
        9,
        0,
        shares[9],
        shares[10],
        tuple((each, (0.5, 0.5, *absent)) for each in log.decisions if each.turn == 9),
    )
    return Analysis(
        work_on(LOG.read_bytes(), 9, 1),
        log,
        tuple(made_up(at, each) for at, each in enumerate(log.decisions)),
        len(log.decisions) + 1,
        {
            turn: Chances(tuple(Estimate(share, 0.0, 1.0) for share in win), win)
            for turn, win in shares.items()
        },
        (0.0, 1.0, *absent),
        (point,),
        {read(LOG).header.seats[0].name: point},
    )


@pytest.fixture(scope="module")
def opened(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Watched:
    path = tmp_path_factory.mktemp("page") / "game.html"
    path.write_text(page_and_verdict(read(LOG), as_json(analysis()), RETRY)[0])
    watched = Watched(browser.new_page(viewport={"width": 1100, "height": 900}))
    watched.page.goto(path.as_uri())
    return watched


@pytest.fixture
def shown(opened: Watched) -> Iterator[Watched]:
    """The page, as it is first seen."""
    opened.page.evaluate("location.hash = ''")
    opened.page.reload()
    yield opened
    assert opened.complaints == []


def costly() -> list[Decision]:
    return [each.decision for each in analysis().valued if each.is_costly]


def seat(decision: Decision) -> int:
    return analysis().work.table.names.index(decision.name)


def test_key_leads_to_costly_decisions_with_their_options(shown: Watched) -> None:
    first, second = costly()
    shown.page.keyboard.press("d")
    expect(shown.page.locator("#decisions h3")).to_contain_text(first.name)
    expect(shown.page.locator("#decisions .costly-words")).to_contain_text(
        "It cost $4,329 ± 1,821 of lead and 13 points of the chance to win against “"
    )
    expect(shown.page.locator("#decisions tbody tr")).to_have_count(2)
    expect(shown.page.locator("#decisions .note").first).to_contain_text("Not measured: 3. ")
    expect(shown.page.locator("#decisions .played .words")).to_have_text(
        first.options[first.recorded].text
    )
    shown.page.keyboard.press("d")
    expect(shown.page.locator("#decisions h3")).to_contain_text(second.name)
    shown.page.keyboard.press("b")
    expect(shown.page.locator("#decisions h3")).to_contain_text(first.name)
    expect(shown.page.locator("#costly-back")).to_be_disabled()
    expect(shown.page.locator("#events .now .costly")).to_have_count(1)
    expect(shown.page.locator("#events .costly")).to_have_count(2 * 1)


def test_tiles_that_could_be_placed_are_marked_on_the_board(shown: Watched) -> None:
    decision = next(
        each.decision for each in analysis().valued if each.decision.what is What.PLACEMENT
    )
    shown.page.evaluate(f"go({decision.step})")
    assert shown.page.locator("#board text.value").count() >= 2
    expect(shown.page.locator("#board .best")).to_have_count(1)
    expect(shown.page.locator("#decisions h3")).to_contain_text("placement")


def test_turning_point_links_its_decision_and_says_how_much_was_luck(shown: Watched) -> None:
    line = shown.page.locator("#turning li")
    expect(line).to_have_count(1)
    expect(line).to_contain_text("from 25 % to 45 %: +25 by ")
    expect(line).to_contain_text(", \N{MINUS SIGN}5 by the draw. ")
    turn, decision = line.locator("a").all()
    turn.click()
    expect(shown.page.locator("#sentence")).to_contain_text("Turn 9:")
    expect(shown.page.locator("#decisions .chances")).to_contain_text("25 % [0 to 100]")
    decision.click()
    expect(shown.page.locator("#decisions .played .words")).to_have_text(
        decision.inner_text().strip("\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}")
    )


def test_most_costly_decisions_are_listed_with_what_was_better(shown: Watched) -> None:
    lines = shown.page.locator("#most-costly ol li")
    expect(lines).to_have_count(len(COSTLY))
    expect(lines.first).to_contain_text("cost $4,329 ± 1,821 of lead and 13 points of the chance")
    expect(lines.first).to_contain_text(", which ")
    lines.last.locator("a").click()
    expect(shown.page.locator("#decisions .costly-words")).to_have_count(1)
    expect(shown.page.locator("#notice")).to_contain_text("The analysis was stopped after")


def test_page_and_sentence_give_the_same_cost(shown: Watched) -> None:
    """Halves are rounded alike, and points are named where they were surely lost."""
    lines = shown.page.locator("#most-costly ol li").all_inner_texts()
    for decision, lost in zip(
        costly(),
        (
            "$4,329 of lead (95 % interval $2,507 to $6,149) and 13 points of chance",
            "$4,362 of lead (95 % interval $2,540 to $6,182)",
        ),
        strict=True,
    ):
        made_up = replace(analysis(), decisive={decision.name: analysis().points[0]})
        assert f" cost {lost}; " in Decided(made_up, decision.name).sentences()[1]
        (line,) = (each for each in lines if f" cost {lost[:6]} " in each)
        assert ("13 points" in line) == ("13 points" in lost)


def test_decisions_that_cost_most_are_the_first_three_of_each_player() -> None:
    log, nothing = analysis().log, Estimate(0.0)

    def valued(at: int, decision: Decision) -> Valued:
        values = Value(0, 0.0, 0.0), Value(decision.recorded, 0.0, 0.0)
        cost = Cost(*values, Estimate(1000.0 + at), nothing, 9)
        return Valued(decision, Compared(tuple(range(len(decision.options))), cost, True))

    found = tuple(valued(at, each) for at, each in enumerate(log.decisions))
    values = as_json(replace(analysis(), valued=found))
    for player, name in enumerate(analysis().work.table.names):
        its = [at for at, each in enumerate(log.decisions) if each.name == name]
        assert values["most_costly"][player] == its[:-4:-1]


def test_result_says_what_decided_it_for_a_player(shown: Watched) -> None:
    told = as_json(analysis())["decided"][0]["sentences"]
    shown.page.keyboard.press("r")
    card = shown.page.locator("#outcome")
    expect(card.locator("details p")).to_have_text(" ".join(told) + " Show turn 9.")
    card.locator("a").click()
    expect(shown.page.locator("#sentence")).to_contain_text("Turn 9:")
    shown.page.select_option("#view", "0")
    shown.page.keyboard.press("r")
    expect(card.locator("details")).to_have_count(0)


def test_chance_to_win_is_drawn_below_net_worth(shown: Watched) -> None:
    names = analysis().work.table.names
    expect(shown.page.locator("#odds path.band")).to_have_count(len(names))
    shown.page.evaluate("go(steps.findIndex((step) => step.turn === 12))")
    expect(shown.page.locator("#odds")).to_have_attribute(
        "aria-label", re.compile(rf"as turn 12 began: {re.escape(names[0])} 45 % \[0 to 100\], ")
    )
    at, place = shown.page.locator("#odds-place"), shown.page.locator("#place")
    assert at.get_attribute("x1") == place.get_attribute("x1")


def test_page_has_no_empty_space_below_and_can_be_read_by_all(shown: Watched) -> None:
    assert shown.page.evaluate("document.documentElement.scrollHeight") < 2000
    for scheme in ("light", "dark"):
        shown.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        assert Axe().run(shown.page, context="#why").response["violations"] == []


def test_view_of_one_player_shows_nothing_that_follows_from_other_hands(shown: Watched) -> None:
    first, second = costly()
    other = next(place for place in range(2) if place != seat(first))
    shown.page.evaluate(f"go({first.step + 1})")
    shown.page.select_option("#view", str(other))
    expect(shown.page.locator("#decisions table")).to_have_count(0)
    expect(shown.page.locator("#decisions .chances")).to_have_count(0)
    expect(shown.page.locator("#turning li")).to_have_count(0)
    expect(shown.page.locator("#turning-head")).to_be_hidden()
    expect(shown.page.locator("#board text.value")).to_have_count(0)
    expect(shown.page.locator("#odds-part")).to_be_hidden()
    theirs = [each for each in (first, second) if seat(each) == other]
    expect(shown.page.locator("#events .costly")).to_have_count(len(theirs))
    assert shown.page.evaluate("annotations.length") == len(theirs)
    shown.page.select_option("#view", str(seat(first)))
    expect(shown.page.locator("#decisions table")).to_have_count(1)
