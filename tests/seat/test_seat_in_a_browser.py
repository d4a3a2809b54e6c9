"""A person's page in a real browser: whole games by mouse, by keyboard, and on a phone."""

import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
from child_processes import ending
from command_line import refused
from loops import for_each
from playwright.sync_api import Browser, Page, expect

from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.events import Event
from acquire.admin.refereeing.view.frames import cell_of
from acquire.game.rulebooks import REVISED
from acquire.game.tiles import tiles_in
from seat.playing import (
    COMMAND,
    OTHERS_MERGER,
    OWN_MERGER,
    move_by_clicks,
    play_by_clicks,
    play_by_keys,
    seat,
    wait_for_move,
)
from seat.test_hints import asked
from view.browser import Watched, violations, wait_until

SEED = "7"
WEAK = ("--opponents", "ordered,ordered")
SOAK = pytest.mark.soak
OTHER_SIGNALS = (signal.SIGTERM, signal.SIGHUP)
GOLDEN = Path(__file__).parents[1] / "golden"
HOSTILE = "</script><img src=x onerror=alert(1)>\u202e"


ANALYSED = """() => {
const { name } = game.seats[seat.me], options = [{ text: "9A" }, { text: "9B" }];
const cost = { lead: { mean: 1234 }, win: { mean: 0.2, low: 0.1 }, reason: "grows Tower" };
const found = {
  names: ["x", name], analysed: { decisions: 1, of: 2 }, decided: [], most_costly: [[], [0]],
  decisions: [{ turn: 7, player: 1, costly: true, recorded: 1, options, cost }],
  chances: [0.4, 0.5, 0.1, 0.9].map((mean, place) => ({ turn: place + 1, win: [, { mean }] })),
};
return [[], [{ player: 1, turn: 2 }], [{ player: 1, turn: 3 }]].map((decided) => {
  drawDecided({ ...found, decided }, 1);
  return byId("result").textContent;
});
}"""
"""What the page says of an analysis before it knows what decided the game, and then, for a turn
after which the chance was lower and for one after which it was higher."""


OTHERS_TURNS = """() => {
const { me } = seat, [one, two] = [0, 1, 2, 3].filter((place) => place !== me && seats[place]);
const bank = (first, third) => [first, 25, third, 25, 25, 25, 25];
const now = (cash, worth, held, paid) => ({ cash, worth, shares: [held], bonus: [paid] });
addSteps([
  { kind: "turn", player: me },
  { kind: "placed", player: me, tile: 0, bank: bank(25, 25), players: {
    [me]: now(6000, 9000, 3, 2000), [one]: now(6000, 7000, 3), [two]: now(100, 100, 2) } },
  { kind: "turn", player: one },
  { kind: "merged", player: one, tile: 4 },
  { kind: "acquired", player: one, hotel: 1, survivor: 0, hotels: [0, 1] },
  { kind: "bonus", player: me, hotel: 1, players: { [me]: now(7500, 8500, 3, 2000) } },
  { kind: "bonus", player: two, hotel: 1, players: { [two]: now(1100, 1100, 2) } },
  { kind: "bought", player: one, hotel: 0, bank: bank(23, 25), players: { [one]: now(0, 0, 5) } },
  { kind: "bought", player: one, hotel: 2, bank: bank(23, 24) },
  { kind: "turn", player: two },
  { kind: "bought", player: two, hotel: 0, bank: bank(22, 24), players: { [two]: now(0, 0, 3) } },
].map((step) => ({ turn: 9, text: "", ...step })));
current.at = steps.length - 1;
seat.draft = emptyDraft();
drawSince();
drawStanding();
}"""
"""Turns in which another merges a hotel, two are paid, and two buy as much as the person has."""

ASIDE = """() => {
const { rawName } = seats[seat.me], said = { player: seat.me, turn: 9 };
addSteps([
  { ...said, kind: "drew", text: `${rawName} draws 7C.`, board: [[30, 8]] },
  { ...said, kind: "aside", text: `${rawName} sets aside 7C.` },
]);
current.at = steps.length - 1;
drawSince();
}"""
"""A tile of one's own that is set aside, and that the board shows with the one drawn before."""

THE_END = """() => {
addSteps(["ended", "bonus"].map((kind) => ({ kind, player: seat.me, hotel: 0, turn: 9 })));
current.at = steps.length - 1;
drawSince();
}"""
"""The end of a game, at which the person gets a bonus."""


def opened(browser: Browser, address: str, width: int = 1366, height: int = 768) -> Watched:
    watched = Watched(browser.new_page(viewport={"width": width, "height": height}))
    watched.page.emulate_media(reduced_motion="reduce")
    watched.page.goto(address)
    wait_until_begun(watched.page)
    return watched


def wait_until_begun(page: Page) -> None:
    """Wait until a page that waits for the game, if there is one, has been loaded anew."""
    expect(page.locator("#move")).to_be_attached(timeout=60_000)
    expect(page.locator("#facts")).to_contain_text("turn", timeout=60_000)  # drawn by the script


def logged(folder: Path) -> list[Event]:
    """Return everything that happened in the one game logged, which holds."""
    (log,) = (folder / "matches").iterdir()
    verdict = Verifier(read(log)).verify()
    assert verdict.divergence is None
    return [*verdict.events]


def check_result(page: Page, happened: list[Event]) -> None:
    ranked = [event for event in happened if isinstance(event, events.Ranked)]
    for event in ranked:
        assert f"${event.score:,}" in page.inner_text("#result")
    parts = "cash final bonuses certificates" if page.evaluate("game.hidden.length === 0") else ""
    assert parts in " ".join(page.inner_text("#result thead").split())
    assert all(event.finished for event in ranked)
    rank_of = {event.name: event.rank for event in ranked}
    rank = rank_of[page.evaluate("game.seats[seat.me].name")]
    tied = "tied " if [*rank_of.values()].count(rank) > 1 else ""
    place = ("first", "second", "third", "fourth")[rank - 1]
    won = "You win! " if rank == 1 and not tied else ""
    assert page.inner_text("#result h2") == f"{won}You are {tied}{place} of {len(ranked)}."
    assert page.get_by_text("leads", exact=True).count() == 0
    rematches = page.get_by_text("Rematch").count()
    assert page.get_by_text("Easier game").count() == (rematches if rank > 1 else 0)


TRADES = """(traded) => {
  const before = { ...seat };
  const bank = { survivor: 1, left: 2 }, own = { hotel: 0, count: 7, price: 300, effects: "abcd" };
  const question = { kind: "dispose", ...own, ...bank };
  const offered = traded.map((trade) => {
    seat.draft = { sell: trade ? 0 : null, trade };
    const more = (made) => made.querySelector("[data-key=trade-more]:enabled");
    return disposalRows(question).some(more);
  });
  Object.assign(seat, before);
  return offered;
}"""
"""Whether one more pair of seven can be traded, where the bank has two of the survivor."""


def check_for_everybody(page: Page) -> None:
    """Check a state of the page with axe, light and dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert violations(page) == [], (scheme, page.inner_text("body"))


@pytest.mark.soak
def test_every_state_of_the_page_with_axe(browser: Browser, tmp_path: Path) -> None:
    """Introduction, hand, founding, purchase, merger, disposal, suggestion and end, with hints."""
    seen = set()
    for rulebook in ("classic", "revised"):
        with seat(tmp_path, "--seed", SEED, "--rulebook", rulebook, *WEAK) as address:
            page = browser.new_page(viewport={"width": 1366, "height": 768})
            page.goto(address)
            page.locator("#learn").click()
            check_for_everybody(page)
            page.keyboard.press("Escape")
            while wait_for_move(page):
                number, kind = page.evaluate("[seat.question.id, seat.question.kind]")
                page.locator("#suggest").click()
                expect(page.locator("#advice")).to_contain_text("Suggestion: ")
                if kind not in seen:
                    check_for_everybody(page)
                move_by_clicks(page, send=False)
                if page.locator("#choices .options").count() and kind == "turn":
                    kind = "founding" if "found" in page.inner_text("#choices") else "survivor"
                if kind not in seen:
                    check_for_everybody(page)
                seen.add(kind)
                page.locator("#send").click()
                wait_until(page, f"seat.question?.id !== {number}")
            check_for_everybody(page)
            page.close()
    assert seen >= {"turn", "founding", "dispose", "order", "keep"}


SLOW = """
import os
from acquire import Strategy, legal_placements

class Slow(Strategy):
    def place(self, state):
        if os.path.exists("go"):  # a named pipe: waits until somebody writes, once
            with open("go") as gate:
                gate.read()
            os.remove("go")
        return legal_placements(state)[0]

    def order(self, state):
        return ()
"""


@pytest.mark.soak
def test_waiting_for_others(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    os.mkfifo(tmp_path / "go")
    with seat(tmp_path, "--opponents", "slow.py:Slow,ordered", "--seed", "3") as address:
        page = browser.new_page()
        page.goto(address)
        wait_until(page, "typeof seat !== 'undefined'")
        assert wait_for_move(page)
        move_by_clicks(page)
        expect(page.locator("#task")).to_have_text("Waiting for Slow.")
        check_for_everybody(page)
        (tmp_path / "go").write_text("")
        assert wait_for_move(page)
        assert "Slow plays" in page.inner_text("#events")
        page.close()


@pytest.mark.soak
def test_waiting_for_seats_and_a_server_that_goes(browser: Browser, tmp_path: Path) -> None:
    with (
        server(tmp_path, "--opponent", "ordered") as (process, port),
        seat(tmp_path, "127.0.0.1", port, "--name", "ann") as address,
    ):
        page = browser.new_page()
        page.goto(address)
        expect(page.locator("#sentence")).to_contain_text("when all seats are taken")
        expect(page.locator("[data-lesson=turn] h2")).to_have_text("Aim and turn")
        check_for_everybody(page)
        process.terminate()
        expect(page.locator("#sentence")).to_contain_text("The server was stopped")
        check_for_everybody(page)
        page.close()


@pytest.mark.soak
def test_game_by_clicks_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    with seat(tmp_path, "--seed", "3", *WEAK) as address:
        watched = opened(browser, address, 390, 844)
        page = watched.page
        tasks = play_by_clicks(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert any(task.startswith("A merger by ") for task in tasks)
        assert {OWN_MERGER, OTHERS_MERGER} <= {*tasks}
        check_result(page, logged(tmp_path))
        with page.context.expect_page() as tab:
            page.get_by_text("Watch the replay").click()
        expect(tab.value.locator("#plot")).to_be_visible()
        page.get_by_text("Rematch").click()
        expect(page.locator("#result")).to_be_hidden(timeout=60_000)
        wait_until_begun(page)
        assert wait_for_move(page)
        assert not watched.complaints
        page.close()


def test_game_by_keys_with_a_merger_and_a_declared_end(
    browser: Browser, tmp_path: Path, soak: bool
) -> None:
    sizes = "safe_size = 6\nfinal_size = 6\n"  # long enough for a merger
    (tmp_path / "quick.toml").write_text(f"base = 'classic'\nid = 'quick'\n{sizes}")
    table = ("--rulebook", "quick.toml", "--seed", "2", "--name", "ann")
    with seat(tmp_path, *table, *WEAK) as address:
        watched = opened(browser, address)
        play_by_keys(watched.page)
        lessons = watched.page.evaluate(
            "['turn', 'buying', 'merged'].filter((key) => told.has(key))"
        )
        assert len(lessons) == 3, "each is over with an answer, without a click"
        happened = logged(tmp_path)
        check_result(watched.page, happened)
        assert violations(watched.page) == []
        assert any(isinstance(event, events.Acquired) for event in happened)
        assert "ann" in [event.name for event in happened if isinstance(event, events.Declared)]
        record = watched.page.get_by_text("In this browser you have won")
        expect(record).to_contain_text(" of 1 game by rulebook quick. Your best score: $")
        told = record.inner_text()
        expect(watched.page.locator("#result")).to_contain_text("You are $")  # ahead or behind
        if soak:  # on both processors, for some seconds
            watched.page.get_by_text("What decided it for me?").click()
            expect(watched.page.locator("#result")).to_contain_text("being played on from each")
        check_what_decided_the_game(watched.page)
        watched.page.reload()
        expect(record).to_have_text(told)
        watched.page.goto(f"{address}again?level=easier")
        wait_until_begun(watched.page)
        assert {*watched.page.evaluate("seats.map(({ name }) => name)")} == {
            *("ann", "ordered", "random")
        }
        assert not watched.complaints
        watched.page.close()


@pytest.mark.soak
@pytest.mark.parametrize("rulebook", ["revised", "corporations", "classic", "wikipedia", "digest"])
def test_game_by_clicks(browser: Browser, tmp_path: Path, rulebook: str) -> None:
    with seat(tmp_path, "--seed", "5", "--rulebook", rulebook) as address:
        watched = opened(browser, address)
        play_by_clicks(watched.page)
        check_result(watched.page, logged(tmp_path))
        assert not watched.complaints
        watched.page.close()


def test_first_turn(browser: Browser, tmp_path: Path) -> None:
    """Choosing on the board, effects of a purchase, undoing, trading, what is refused; axe."""
    with seat(tmp_path, "--seed", "3", "--name", HOSTILE, *WEAK) as address:
        watched = opened(browser, address)
        page = watched.page
        assert wait_for_move(page)
        assert HOSTILE[:12] in page.inner_text("#players")
        expect(page.locator("#send")).to_be_disabled()
        expect(page.locator("#lesson-head")).to_have_text("Aim and turn")
        assert violations(page) == []
        page.emulate_media(color_scheme="dark")
        cell = page.evaluate("seat.question.tiles[1].cell")
        page.locator("#board rect").nth(cell).click()
        expect(page.locator("#task")).to_contain_text("Now buy")
        expect(page.locator("#lesson-head")).to_have_text("Buying")
        expect(page.locator("#send")).to_have_text("Send without buying")
        expect(page.locator("#prices")).to_contain_text("41 or more")
        expect(page.locator("#hotels")).to_be_hidden()
        more = page.locator("[data-key$=more]").first
        send = page.locator("#send")
        place, of_send = more.bounding_box(), send.bounding_box()
        more.click()
        expect(page.locator("#choices .effect").nth(1)).to_have_text(
            "1 held: majority, once it is founded"
        )
        assert more.bounding_box() == place
        assert send.bounding_box() == of_send, "it is where it was with another text"
        expect(page.locator("#summary")).to_contain_text("cash left $7,800")
        assert violations(page) == []
        page.keyboard.press("Escape")
        expect(page.locator("#summary")).to_contain_text("buy nothing")
        page.locator("#undo").click()
        expect(page.locator("#task")).to_contain_text("Your turn")
        expect(page.locator("#undo")).to_be_disabled()
        page.locator("#suggest").click()
        expect(page.locator("#advice")).to_contain_text("It touches nothing yet")
        expect(page.locator("#advice")).to_contain_text("As planner, a built-in player, sees it, ")
        assert page.evaluate(TRADES, [0, 2, 4]) == [True, True, False]
        check_founding_with_a_hotel_that_is_sold_out(page)
        check_warnings_of_the_end(page)
        check_what_the_others_have_done(page)
        assert not watched.complaints
        check_refusals(address)
        page.close()


def check_founding_with_a_hotel_that_is_sold_out(page: Page) -> None:
    """Check what the page says of a founding in a position of its own."""
    question = asked(REVISED, "o", "ann 2A A2 $900", "bob A4 C25", "cyd")
    page.evaluate(
        "(question) => { seat.question = question; chooseTile(question.tiles[0].cell); }", question
    )
    card = page.get_by_role("button", name="American")
    expect(card).to_contain_text("you get one free; bonuses $3,000 and $1,500")
    expect(card).to_contain_text("held already by you 2 and bob 4")
    card.click()
    sold_out = page.locator(".purchase tr", has_text="Continental")
    expect(sold_out).to_contain_text("sold out; none held (most: bob 25)")
    assert sold_out.locator("button:disabled").count() == 2
    expect(page.locator(".purchase tr", has_text="American")).to_contain_text("$300 · 2 tiles")
    page.evaluate("for (const { purchase } of optionsNow()) purchase.cash = 100; seat.draw()")
    expect(page.locator("#choices")).to_contain_text("Nothing can be bought: you have $100.")


def check_warnings_of_the_end(page: Page) -> None:
    """Check what the page says of hotels that are nearly large enough, or nearly all safe."""
    safe, final = page.evaluate("[game.safe, game.final]")
    for sizes, told in (
        ([final - 6, 2], ""),
        ([final - 5, 2], f"The end is near: American has {final - 5} of the {final} tiles"),
        ([final, 2], f"can end in any turn now. American has {final} tiles; {final} are enough."),
        ([safe, safe - 6], ""),
        ([safe, safe - 5], f"only one is not. Continental has {safe - 5} of {safe} tiles."),
        ([safe, 6, 6], ""),
        ([safe, safe + 1], f"All hotels are safe: American {safe}, Continental {safe + 1} tiles."),
    ):
        hotels = [hotel for hotel, size in enumerate(sizes) for _ in range(size)]
        page.evaluate(
            "(hotels) => { const { board } = tables[current.at]; board.fill(FREE);"
            "hotels.forEach((hotel, cell) => { board[cell] = hotel; }); drawNear(); }",
            hotels,
        )
        assert told in page.inner_text("#near") and page.locator("#near").is_visible() == bool(told)


def check_what_decided_the_game(page: Page) -> None:
    """Check what the page says of an analysis that is not over, and of one that is."""
    begun, over, rose = page.evaluate(ANALYSED)
    costly = "turn 7: “9B”. “9A” would have brought you about $1,200 more, and a chance to win that"
    for told in begun, over:
        assert (
            f"Your costliest decision was in {costly} is 20 percentage points higher: it grows "
            "Tower." in told
        )
    assert "1 of 2 are done" in begun and "1 of 2 are done" not in over
    assert "Your chance to win was 40 % as the game began. " in over
    won = page.inner_text("#result h2").startswith(("You win!", "You are tied first"))
    hurt = "No turn is known to have helped you" if won else "The turn that hurt you"
    assert f"{hurt} most" in over
    assert "in others your chance to win went from 50 % to 10 %. Show turn 2." in over
    assert ("The turn that helped you most" if won else "No turn is known to have hurt you") in rose
    assert "in others your chance to win went from 10 % to 90 %. Show turn 3." in rose
    retry = page.get_by_role("link", name="Retry turn 7")
    expect(retry).to_have_attribute("href", "again?game=1&turn=7&name=ann#chose=9B&better=9A")


def check_what_the_others_have_done(page: Page) -> None:
    """Check what the page says of bonuses, purchases, and who passes the person in a hotel."""
    page.evaluate(OTHERS_TURNS)
    told, standing = page.locator("#since li"), page.locator("#standing")
    expect(told.first).to_contain_text(
        "5A merges hotels; American acquires Continental; you get $1,500"
    )
    expect(told.first).to_contain_text(" buys 2 American and 1 Festival")
    expect(told).to_have_count(2)
    expect(standing).to_contain_text("passed you in American. ")
    expect(standing).to_contain_text("drew level with you in American.")
    page.evaluate(ASIDE)
    expect(told).to_have_count(3)
    expect(told.last).to_contain_text("sets aside 7C, which can never be placed")
    page.evaluate(THE_END)
    expect(told).to_have_count(1)
    expect(told).to_contain_text("You get $2,000")
    page.evaluate(
        "addSteps([{ kind: 'ranked', player: seat.me, rank: 1, score: 9000, turn: 9 }]);"
        "current.at = steps.length - 1; drawSince();"
    )
    assert "American acquires Continental" in told.first.inner_text()
    assert not [line for line in told.all_inner_texts() if "$0" in line]


def check_refusals(address: str) -> None:
    """Check which requests get no answer."""
    host = address.split("/")[2]
    answer = json.dumps({"id": 1, "tile": 200}).encode()
    as_json = {"Content-Type": "application/json"}
    assert status(address.replace("127.0.0.1", "localhost")) == 200
    assert status(f"http://{host}/") == 404
    assert status(address[:-2] + "/") == 404
    assert status(address, headers={"Host": "evil.example"}) == 421
    assert status(address, headers={"Origin": "http://evil.example"}) == 403
    assert status(f"{address}answer") == 405
    assert status(f"{address}replay") == 404
    assert status(f"{address}answer", answer, {"Content-Type": "text/plain"}) == 415
    assert status(f"{address}answer", answer, as_json | {"Origin": "null"}) == 403
    assert status(f"{address}answer", b"[", as_json) == 400
    assert status(f"{address}answer", b"[]", as_json) == 409
    assert status(f"{address}answer", answer, as_json) == 409
    assert status(f"{address}answer", b" " * 20_000, as_json) == 413


def test_address_on_the_command_line_of_a_browser_leads_to_the_seat_once(tmp_path: Path) -> None:
    """Every user of the machine can read it in the list of processes, as long as it runs."""
    program = tmp_path / "browser"
    program.write_text('#!/bin/sh\necho "$1"\n')
    program.chmod(0o755)
    with ending(
        subprocess.Popen(
            [*COMMAND, "play", "--browser"],
            cwd=tmp_path,
            env={**os.environ, "BROWSER": str(program)},
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
    ) as process:
        assert process.stdout is not None
        found = (re.search(r"http://\S+", line) for line in process.stdout)
        seat_address, opened_address = (each.group() for each in islice(filter(None, found), 2))
        assert urlsplit(seat_address).path.strip("/") not in opened_address
        with urlopen(opened_address) as page:
            assert page.url == seat_address
        assert status(opened_address) == 404
        assert status(seat_address) == 200


def status(address: str, data: bytes | None = None, headers: dict[str, str] | None = None) -> int:
    try:
        with urlopen(Request(address, data, headers or {})) as response:
            assert response.headers["x-content-type-options"] == "nosniff"
            return int(response.status)
    except HTTPError as error:
        error.close()
        return error.code


@contextmanager
def server(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a server with three seats; yield it and its port."""
    table = ["--port", "0", "--json", "--players", "3", "--seed", "1", "--reply-timeout", "60"]
    with ending(
        subprocess.Popen(
            [*COMMAND, "serve", *table, *options],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )
    ) as process:
        assert process.stdout is not None
        address = json.loads(process.stdout.readline())["addresses"][0]
        yield process, address.rpartition(":")[2]


def test_built_in_player_answers_in_time_and_the_person_comes_back(
    browser: Browser, tmp_path: Path
) -> None:
    opponents = ("--opponent", "ordered", "--opponent", "ordered", "--clock", "ann=30")
    with (
        server(tmp_path, *opponents) as (_, port),
        seat(tmp_path, "127.0.0.1", port, "--name", "ann", "--clock", "8") as address,
    ):
        watched = opened(browser, address)
        page = watched.page
        expect(page.locator("#absent")).to_contain_text("made your first move", timeout=60_000)
        wait_until(page, "pending !== null")
        assert not page.evaluate("isBehind()"), "the time for an answer is not spent on watching"
        expect(page.locator("#events")).to_contain_text("planner makes a move for you, because")
        assert page.title().startswith("0:0")
        page.locator("#back").click()
        expect(page.locator("#absent")).to_be_hidden()
        page.evaluate("seat.over = {text: ''}; drawOutcome()")
        expect(page.locator("#result")).to_contain_text("planner made")
        page.evaluate("seat.over = null")
        assert not watched.complaints
    expect(page.locator("#notice")).to_contain_text("acquire play does not answer")
    expect(page.locator("#notice")).to_contain_text("run acquire play --browser")
    assert violations(page) == []
    page.close()


def test_decision_is_retried_with_built_in_players_on_the_other_seats(
    browser: Browser, tmp_path: Path, soak: bool
) -> None:
    log = GOLDEN / "revised-all-hotels-safe.xml"
    with seat(tmp_path, "--from", f"{log}:63") as address:
        watched = opened(browser, address)
        page = watched.page
        assert wait_for_move(page)
        assert page.inner_text("#facts").startswith("retry of turn 63 · ")
        happened = Verifier(read(log)).verify().events
        (began,) = [e for e in happened if isinstance(e, events.TurnBegan) and e.number == 63]
        assert page.evaluate("game.seats[seat.me].name") == began.name
        hand = [cell_of(tile) for tile in tiles_in(began.state.mover.hand)]
        assert page.evaluate("tables[current.at].players[seat.me].hand") == hand
        play_by_clicks(page)
        played = logged(tmp_path)
        check_result(page, played)
        assert isinstance(played[0], events.LaidOut)
        expect(page.get_by_text("Turn 63 again")).to_have_attribute(
            "href", f"again?game=1&turn=63&name={began.name}"
        )
        with page.context.expect_page() as tab:
            page.get_by_text("Watch the replay").click()
        expect(tab.value.locator("#plot")).to_be_visible()
        first = [event for event in played if isinstance(event, events.Ranked)]
        retry = Watched(browser.new_page())
        tried = f"{first[-1].name}#chose=9A&better=9B"
        retry.page.goto(f"{address}again?game=2&turn=2&name={tried}")
        wait_until_begun(retry.page)
        assert wait_for_move(retry.page)
        told = "retry of turn 2 (at first “9A”; “9B” promised more) · "
        assert retry.page.inner_text("#facts").startswith(told)
        assert retry.page.locator("#players .you").all_inner_texts().count("played by planner") == 2
        retry.page.goto(f"{address}again?game=2&turn=3&name={first[-1].name}")
        expect(retry.page.locator("h1")).to_have_text("Not now")
        assert violations(retry.page) == []
        assert "409" in retry.complaints.pop()
        assert not watched.complaints + retry.complaints
        if not soak:
            return
        retry.page.get_by_text("Leave your game").click()
        wait_until_begun(retry.page)
        assert retry.page.inner_text("#facts").startswith("retry of turn 3 · ")
        play_by_clicks(retry.page)
        for event in first:
            result = retry.page.locator("#result")
            expect(result).to_contain_text(f"{event.name} ${event.score:,}")
        with retry.page.context.expect_page() as tab:  # last: the analysis takes both processors
            retry.page.get_by_text("Back to the analysis").first.click()
        expect(tab.value.locator("#why")).to_be_visible()
        assert not watched.complaints + retry.complaints
        page.close()


@for_each(
    ("options", "words"),
    [
        ("--browser --from nothing.xml:3", "nothing.xml: No such file"),
        ("--browser --from LOG:999", "has turns 1 to"),
        ("--browser --name eve --from LOG:9", "called 'eve'"),
        ("--browser --from game.xml", "is not LOG:TURN"),
        ("127.0.0.1 1 --name ann --clock 3", "--clock needs --browser"),
        ("--browser --opponents planner,plnner", "'plnner' is not a built-in player"),
        ("--browser --strategy investor", "--strategy has no effect with --browser"),
        ("--browser --secret x", "--secret needs HOST and PORT"),
        ("127.0.0.1 1 --name ann --no-open", "--no-open needs --browser"),
        ("127.0.0.1 1 --name ann --opponents ordered", "--opponents needs --browser without"),
        ("127.0.0.1 1 --name ann --hide cash", "--hide needs --browser without"),
        ("127.0.0.1 1 --name ann --browser --seed 1", "--seed needs --browser without"),
        ("--browser --hide cash", "The table can hide them under corporations, wikipedia, digest"),
        ("--browser --opponents ordered", "1 opponent; rulebook revised is for 2 to 5"),
        (f"--browser --name {'x' * 65}", "The name has 65 characters, but at most 64"),
    ],
)
def test_what_has_no_effect_or_cannot_be_played_is_refused(options: str, words: str) -> None:
    log = str(GOLDEN / "classic-large-hotel.xml")
    given = [option.replace("LOG:", f"{log}:") for option in options.split()]
    assert words in " ".join(refused("play", *given).replace("│", " ").split())


@pytest.mark.parametrize(
    "number", [signal.SIGINT, *(pytest.param(each, marks=SOAK) for each in OTHER_SIGNALS)]
)
def test_signal_ends_a_game_and_its_server_quietly(number: signal.Signals, tmp_path: Path) -> None:
    command = [*COMMAND, "play", "--browser", "--no-open"]
    with ending(
        subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("Signed up"):
                break
        assert len(processes_in(tmp_path)) > 1
        process.send_signal(number)
        rest, _ = process.communicate(timeout=60)
    assert process.returncode == 128 + number and "Traceback" not in rest, rest
    assert not processes_in(tmp_path)


def processes_in(folder: Path) -> list[str]:
    """Return the processes whose working directory is a folder."""
    found = []
    for link in Path("/proc").glob("[0-9]*/cwd"):
        with suppress(OSError):  # it has just ended
            if link.readlink() == folder:
                found.append(link.parent.name)
    return found
