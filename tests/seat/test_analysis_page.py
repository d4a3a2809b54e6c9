"""The analysis of a game that a person has played: shown on the page as it is found."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import trio
from playwright.sync_api import Browser, expect

from acquire.admin.pages.seat.seat_site import SeatSite
from acquire.admin.pages.web.asgi_server import serve
from acquire.admin.refereeing.table.listeners import listen
from view.browser import Watched, wait_until

SHORT = Path(__file__).parents[1] / "golden" / "digest-nobody-left.xml"


@contextmanager
def served(site: SeatSite) -> Iterator[str]:
    """Serve a person's page from a thread; yield its address."""
    listeners = listen("127.0.0.1", 0)
    address = f"http://127.0.0.1:{listeners[0].getsockname()[1]}"
    stopped = threading.Event()

    async def run() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve, site.app, listeners)
            await trio.to_thread.run_sync(stopped.wait)
            nursery.cancel_scope.cancel()

    thread = threading.Thread(target=trio.run, args=[run])
    thread.start()
    try:
        yield address
    finally:
        stopped.set()
        thread.join()
        site.close()


@pytest.mark.soak
def test_what_is_found_appears_while_the_rest_is_analysed(browser: Browser) -> None:
    site = SeatSite("x")
    site.logs.append(SHORT)
    with served(site) as address:
        watched = Watched(browser.new_page())
        page = watched.page
        page.goto(f"{address}/x/analysis#turn=1")
        expect(page.locator("#notice")).to_contain_text("played on many times")
        expect(page.locator("#notice")).to_contain_text(
            "of 12 decisions analysed so far", timeout=120_000
        )
        page.keyboard.press("PageDown")
        wait_until(page, "analysis.decisions.length > 0 && analysis.chances.length > 0", 120)
        here = page.inner_text("#sentence")
        expect(page.locator("#notice")).to_be_hidden(timeout=120_000)
        assert page.inner_text("#sentence") == here, "what is found moves nobody"
        assert page.evaluate("analysis.decisions.length") == 12
        assert page.locator("#decisions h3").count() and page.locator("#odds path").count()
        page.reload()
        expect(page.locator("#why-note")).to_contain_text("built-in players", use_inner_text=False)
        assert page.evaluate("data.analysing === '' && data.analysis.decisions.length === 12")
        assert not watched.complaints
        page.close()
