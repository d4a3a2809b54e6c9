"""A person's page in a real browser: whole matches by mouse, by keyboard, and on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from seat.playing import play_by_clicks, seat
from view.browser import Watched, chromium

from admin.log.reader import read
from admin.log.verifier import Verifier


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


RULEBOOKS = ["revised", "corporations", "classic", "wikipedia", "digest"]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_match_by_clicks(browser: Browser, tmp_path: Path, rulebook: str) -> None:
    with seat(tmp_path, "--seed", "3", "--rulebook", rulebook) as address:
        watched = Watched(browser.new_page())
        watched.page.goto(address)
        tasks = play_by_clicks(watched.page)
        print(tasks)
        print(watched.page.inner_text("#result"))
        assert not watched.complaints
