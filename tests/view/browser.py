"""A browser for tests: Debian's chromium, driven by playwright, and a page that complains aloud.

Its headless shell draws the same with half of the processor time, since it has no window.
"""

from __future__ import annotations

import asyncio
import shutil
import time
from asyncio import _set_running_loop
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Error, Page, sync_playwright

BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")
MISSING = f"needs chromium: apt-get install {BROWSERS[0]}"


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser; where there is none the test is skipped, and says what to install."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


class StartedBrowser:
    """A browser between files, whose tests may run an event loop of their own.

    Playwright's loop counts as running until the browser is closed, which forbids any other.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._loop = asyncio.get_running_loop()

    def __enter__(self) -> StartedBrowser:
        _set_running_loop(None)
        return self

    def __exit__(self, *_: object) -> None:
        _set_running_loop(self._loop)

    @contextmanager
    def in_use(self) -> Iterator[Browser]:
        """Use the browser, and close its pages."""
        _set_running_loop(self._loop)
        try:
            yield self._browser
            for context in self._browser.contexts:
                context.close()
        finally:
            _set_running_loop(None)


def closed(name: str) -> str:
    """A name as a page writes it: isolates that it leaves open are ended, and end there."""
    left_open = sum(name.count(sign) for sign in "\u2066\u2067\u2068") - name.count("\u2069")
    return name + "\u2069" * left_open


BEST_PRACTICE = {"empty-table-header", "landmark-unique", "region", "heading-order"}


def violations(page: Page, *, contrast: bool = True) -> list[tuple[str, str]]:
    """What axe finds wrong with a page: each rule, and the first element that breaks it.

    The rules of good practice are applied too. The ``contrast`` of texts takes most of the time.
    """
    rules = {"color-contrast": {"enabled": contrast}}
    found = Axe().run(page, options={"resultTypes": ["violations"], "rules": rules}).response
    applied = {rule["id"] for kind in found.values() if type(kind) is list for rule in kind}
    assert applied >= BEST_PRACTICE
    return [(rule["id"], rule["nodes"][0]["html"]) for rule in found["violations"]]


BLANK = "about:blank"


class Watched:
    """A page, the complaints on its console, and the requests that it made."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    def anew(self, width: int = 1280, height: int = 720) -> Watched:
        """Make the tab as one just opened; that takes half the time of opening another."""
        if self.page.url != BLANK:
            self.page.evaluate("localStorage.clear()")
            self.page.goto(BLANK)
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(media="null", color_scheme="null", reduced_motion="null")
        self.complaints.clear()
        self.requests.clear()
        return self

    def text(self, selector: str) -> str:
        """The text of an element."""
        return self.page.inner_text(selector)


def wait_until(page: Page, expression: str, seconds: float = 30.0) -> None:
    """Wait until an expression is true; ``wait_for_function`` would run into the page's policy."""

    def is_true() -> bool:
        try:
            return bool(page.evaluate(expression))
        except Error as error:
            if "because of a navigation" not in str(error):
                raise
            return False  # another page is on its way

    deadline = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < deadline, expression
        page.wait_for_timeout(20)
