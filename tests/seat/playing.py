"""A person at a page, for tests: starts `acquire play --browser`, and plays by what is offered."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from child_processes import ending
from playwright.sync_api import Page, expect

from view.browser import wait_until

COMMAND = [sys.executable, "-c", "from acquire.admin.cli.main import main; main()"]
OFFERED = (
    "#choices .tiles:not(:has([aria-pressed=true])) button:not(.barred),"
    "#choices .options:not(:has([aria-pressed=true])) button"
)
MORE = "#choices [data-key^=buy][data-key$=more]:not(:disabled)"

OWN_MERGER = "asked in one's own merger"
OTHERS_MERGER = "asked in another's merger, of which the tile is known"
SHOWN = """game.hotels[preview().board[merging.cell]] !== undefined
&& !["", fillOf(FREE)].includes(cells[merging.cell].square.style.fill)"""
"""Whether the board shows one's own merger, told by the wire or not yet."""
OTHERS_TILE = """seat.question.kind === "keep" && steps.some(({ kind, player, turn }) =>
kind === "merged" && player !== seat.me && turn === steps[current.at].turn)"""

NEWEST = """byId("events").scrollTop + byId("events").clientHeight > byId("events").scrollHeight - 2
&& byId("since").children.length === steps.slice(steps.findLastIndex(({ kind, player }) =>
  player === seat.me && TILES.has(kind)) + 1).filter(({ kind, player }) =>
  kind === (player === seat.me ? "aside" : "turn")).length"""
"""Whether the newest line is seen, and since one's own last tile a line for each turn of others,
and one for tiles of one's own that were set aside."""

SEEN = "scrollY === 0 || byId('task').getBoundingClientRect().top >= 0"
"""Whether the board is seen, or below it what is asked."""


@contextmanager
def seat(folder: Path, *options: str) -> Iterator[str]:
    """Start a table at home; yield the address of the page."""
    command = [*COMMAND, "play", "--browser", "--no-open", *options]
    with ending(
        subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
        )
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + process.stdout.read()
        yield found.group()


def wait_for_move(page: Page) -> bool:
    """Wait until something is asked, or the game is over; return whether something is asked."""
    wait_until(page, "seat.question !== null || seat.over !== null", seconds=60.0)
    return page.evaluate("seat.over === null") is True


def move_by_clicks(page: Page, *, send: bool = True) -> None:
    """Answer one question: the first of everything that is offered, and one certificate."""
    while page.locator(OFFERED).count():
        page.locator(OFFERED).first.click()
    if page.locator(MORE).count():
        page.locator(MORE).last.click()
    if page.locator("#choices input").count():
        page.locator("#choices input").check()
    expect(page.locator("#send")).to_be_enabled()
    if send:
        page.locator("#send").click()


def move_by_keys(page: Page) -> None:
    """Answer one question the same way, with nothing but Tab, Enter and the space bar."""
    while page.locator(OFFERED).count():
        press(page, OFFERED, "Enter")
    if page.locator(MORE).count():
        press(page, MORE, "Enter")
    if page.locator("#choices input").count():
        press(page, "#choices input", "Space")
    press(page, "#send", "Enter")


def press(page: Page, selector: str, key: str) -> None:
    """Press Tab until one of these has the focus, and then the key."""
    for _ in range(60):
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            page.keyboard.press(key)
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached by Tab")


def play_by_clicks(page: Page) -> list[str]:
    """Play a game to its end; return the tasks that the page gave."""
    return _play(page, move_by_clicks)


def play_by_keys(page: Page) -> list[str]:
    """Play a game to its end by keyboard; return the tasks that the page gave."""
    return _play(page, move_by_keys)


def check_who_leads(page: Page) -> None:
    """Check who is shown to lead, by everybody's worth."""
    me, worths = page.evaluate("[seat.me, tables[current.at].players.map((has) => has.worth)]")
    if None in worths:
        assert page.locator("#standing").is_hidden()
        return
    others = max(worths[:me] + worths[me + 1 :])
    leaders = worths.count(max(worths)) if len({*worths}) > 1 else 0
    assert page.locator("#players .moving", has_text="leads").count() == leaders
    if leaders:
        told = page.inner_text("#standing")
        assert told.startswith("You lead, ") is (worths[me] > others)
        assert told.startswith("You share the lead ") or f", ${abs(worths[me] - others):,} " in told


def _play(page: Page, move: Callable[[Page], None]) -> list[str]:
    tasks = []
    while wait_for_move(page):
        tasks.append(page.inner_text("#task"))
        wait_until(page, NEWEST)
        if page.evaluate("merging?.turn === steps[current.at].turn"):
            assert page.evaluate(SHOWN), "the tile that merges is not on the board any more"
            tasks.append(OWN_MERGER)
        elif page.evaluate(OTHERS_TILE):
            tasks.append(OTHERS_MERGER)
        if tasks[-1] in (OWN_MERGER, OTHERS_MERGER):
            assert page.inner_text("#merger h2").startswith("Merger by "), "whose tile is known"
        check_who_leads(page)
        number = page.evaluate("seat.question.id")
        move(page)
        wait_until(page, f"seat.question?.id !== {number}")
        assert page.evaluate("seat.question !== null || isEmpty()"), "the draft has been answered"
        wait_until(page, SEEN)
    return tasks
