"""Draw the pictures of the documentation again: ``make demo``, then ``python docs/pictures.py``.

Run it in the root folder of the checkout. Needs chromium. The picture of the report is drawn when
the report is there: docs/examples/languages.toml has the commands.
"""

import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from playwright.sync_api import Browser, Page, sync_playwright

ACQUIRE = Path(sys.executable).with_name("acquire")
DOCS = Path(__file__).parent
IMAGES = DOCS / "images"
(DEMO,) = Path("matches/demo").glob("*.xml")
"""A page shows its path, so it is not absolute."""
FOUR_WAY_MERGER = DOCS.parent / "tests" / "golden" / "classic-four-way-merger.xml"
QUESTIONS = 13
"""After how many of a person's answers the picture of the seat is drawn."""
REPORT = DOCS / "examples" / "languages" / "index.html"


def main() -> None:
    """Draw every picture."""
    acquire("replay", DEMO, "--turn", "44", "--svg", IMAGES / "board.svg")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        logs = Path(folder)
        table = ("--rulebook", "classic", "--players", "6", "--seed", "5")
        fill = ("--fill", "investor", "--signup-timeout", "0.1", "--port", "0")
        acquire("serve", *table, *fill, "--log-dir", logs)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        replay(browser, DEMO, turn=40, steps=6, name="replay")
        replay(browser, *logs.glob("*.xml"), turn=44, steps=7, name="replay-dark", theme="dark")
        replay(browser, FOUR_WAY_MERGER, turn=63, steps=8, name="replay-phone", size=(390, 844))
        tall = (1240, 1020)
        replay(browser, DEMO, turn=33, steps=2, name="analysis", options=("--analyse",), size=tall)
        result(browser, DEMO)
        lobby(browser, logs)
        seat(browser, logs)
        if REPORT.exists():
            page = browser.new_page(viewport={"width": 1000, "height": 920})
            page.goto(REPORT.as_uri())
            page.screenshot(path=IMAGES / "report.png")


def acquire(*arguments: str | Path) -> None:
    """Run a command of this project."""
    subprocess.run([ACQUIRE, *arguments], check=True)


def replay(
    browser: Browser,
    log: Path,
    *,
    turn: int,
    steps: int = 0,
    name: str,
    options: tuple[str, ...] = (),
    size: tuple[int, int] = (1240, 880),
    theme: Literal["light", "dark"] = "light",
) -> None:
    """Draw the replay page some steps into a turn, in CSS pixels of ``size``."""
    with TemporaryDirectory() as folder:
        html = Path(folder) / "game.html"
        acquire("replay", log, "--html", html, *options)
        width, height = size
        page = browser.new_page(
            viewport={"width": width, "height": height},
            device_scale_factor=1.5,
            color_scheme=theme,
            reduced_motion="reduce",
        )
        page.goto(f"{html.as_uri()}#turn={turn}")
        for _ in range(steps):
            page.keyboard.press("ArrowRight")
        page.screenshot(path=IMAGES / f"{name}.png")


def result(browser: Browser, log: Path) -> None:
    """Draw the card at the end of a game, on a phone."""
    with TemporaryDirectory() as folder:
        html = Path(folder) / "game.html"
        acquire("replay", log, "--html", html)
        page = browser.new_page(viewport={"width": 390, "height": 844}, device_scale_factor=1.5)
        page.goto(html.as_uri())
        page.keyboard.press("End")
        page.locator("#outcome").screenshot(path=IMAGES / "result.png")


def lobby(browser: Browser, folder: Path) -> None:
    """Draw the lobby of a referee: two games that are over, two live ones."""
    table = ("--players", "3", "--rulebook", "classic", "--seed", "3", "--log-dir", folder)
    clocks = ("--turn-timeout", "60", "--reply-timeout", "60")
    server = subprocess.Popen(
        [ACQUIRE, "serve", "--forever", *table, *clocks, "--port", "0", "--web", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    assert server.stdout is not None
    running: list[subprocess.Popen[Any]] = [server]
    try:
        url = server.stdout.readline().split()[-1]
        host, port = server.stdout.readline().split()[2].rstrip(",").split(":")
        page = browser.new_page(viewport={"width": 1240, "height": 800}, device_scale_factor=1.5)
        page.goto(url)
        for names, strategy in (
            ("ada bob cleo", "investor"),
            ("dan eve fay", "planner"),
            ("gus hal ida", "simulator"),
            ("joe kim lea", "simulator"),
        ):
            seat = (host, port, "--strategy", strategy, "--name")
            players = [
                subprocess.Popen([ACQUIRE, "play", *seat, name], stdout=subprocess.DEVNULL)
                for name in names.split()
            ]
            running += players
            if strategy == "simulator":
                _wait_for_turn(page, names.split()[0])
            for player in players:
                if strategy == "simulator":  # in the middle of its game
                    player.send_signal(signal.SIGSTOP)
                else:
                    player.wait()
        page.wait_for_timeout(1000)
        page.screenshot(path=IMAGES / "lobby.png")
    finally:
        for process in reversed(running):
            process.kill()
            process.wait()


def _wait_for_turn(page: Page, player: str) -> None:
    """Wait until the live game of a player has come to turn 25."""
    turn = page.locator("#live > li", has_text=player).locator(".how")
    while turn.count() == 0 or not re.fullmatch(r"turn (2[5-9]|[3-9]\d)", turn.inner_text()):
        page.wait_for_timeout(50)


def seat(browser: Browser, folder: Path) -> None:
    """Draw a person's page in the middle of a game, with a suggestion of the planner."""
    table = ("--name", "ann", "--rulebook", "classic", "--seed", "11")
    process = subprocess.Popen(
        [ACQUIRE, "play", "--browser", "--no-open", *table],
        cwd=folder,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdout is not None
    try:
        page = browser.new_page(viewport={"width": 1240, "height": 800}, device_scale_factor=1.5)
        page.emulate_media(reduced_motion="reduce")
        page.goto(process.stdout.readline().split()[-1])
        page.locator("#explain").uncheck()
        for _ in range(QUESTIONS):
            page.locator("#suggest").click()
            page.locator("#advice button").click()
            answered = page.evaluate("seat.question.id")
            page.locator("#send").click()
            while page.evaluate("seat.question === null || seat.question.id") in (True, answered):
                page.wait_for_timeout(20)
        page.locator("#suggest").click()
        page.locator("#advice button").hover()
        page.screenshot(path=IMAGES / "seat.png")
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main()
