"""A person at a page, for tests: starts `acquire play --browser`, and plays by what is offered."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect

COMMAND = [sys.executable, "-c", "from admin.cli.main import main; main()"]
OFFERED = (
    "#choices .tiles:not(:has([aria-pressed=true])) button:not(.barred),"
    "#choices .options:not(:has([aria-pressed=true])) button"
)
MORE = "#choices [data-key^=buy][data-key$=more]:not(:disabled)"


@contextmanager
def seat(folder: Path, *options: str) -> Iterator[str]:
    """Start a table at home; yield the address of the page."""
    command = [*COMMAND, "play", "--browser", "--no-open", *options]
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + process.stdout.read()
        yield found.group()
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def wait_for_move(page: Page) -> bool:
    """Wait until something is asked, or the match is over; return whether something is asked."""
    expect(page.locator("#move.asked, #result:visible").first).to_be_visible(timeout=60_000)
    return not page.locator("#result").is_visible()


def move_by_clicks(page: Page) -> None:
    """Answer one question: the first of everything that is offered, and one certificate."""
    while page.locator(OFFERED).count():
        page.locator(OFFERED).first.click()
    if page.locator(MORE).count():
        page.locator(MORE).last.click()
    if page.locator("#choices input").count():
        page.locator("#choices input").check()
    send(page)


def send(page: Page) -> None:
    """Send the answer, and wait until it has been taken."""
    expect(page.locator("#send")).to_be_enabled()
    with page.expect_response("**/answer") as answered:
        page.locator("#send").click()
    assert answered.value.ok, answered.value.text()
    expect(page.locator("#refusal")).to_be_hidden()


def play_by_clicks(page: Page) -> list[str]:
    """Play a match to its end; return the tasks that the page gave."""
    tasks = []
    while wait_for_move(page):
        tasks.append(page.inner_text("#task"))
        number = page.evaluate("question?.id ?? 0")
        move_by_clicks(page)
        wait_for_next(page, number)
    return tasks


def wait_for_next(page: Page, number: int) -> None:
    """Wait until another question is asked than the one with this number, or none."""
    from view.browser import wait_until

    wait_until(page, f"question?.id !== {number}")
