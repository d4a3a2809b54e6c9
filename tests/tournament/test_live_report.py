"""The report of a tournament that is being played: what could help a player comes later."""

import os
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from lxml import html
from playwright.sync_api import Browser, expect
from tournament_process import TIMEOUT, TournamentFolder, built_in, children_of, lobbies_of

from acquire.admin.refereeing.table.server_events import to_each
from acquire.admin.tournament.games.result import (
    FinishedGame,
    GameResult,
    PlayerVerdict,
    SeatResult,
)
from acquire.admin.tournament.planning.plan_file import read_plan
from acquire.admin.tournament.planning.schedule import Game
from acquire.admin.tournament.reporting.live_report import NICENESS, LiveReport
from acquire.admin.tournament.run.tournament_run import TournamentRun
from acquire.admin.tournament.store.secret_file import read_secret
from acquire.admin.tournament.store.store import Store
from view.browser import Watched, violations

CRASHES_AND_WAITS = """
connection = sign_up("anybody")
read(connection, b"</state>")
print("KeyError: 'Towers'", file=sys.stderr)
if os.path.exists(FOLDER + "/notes"):
    while not os.path.exists(FOLDER + "/go"):
        time.sleep(0.05)
note("crashed")
sys.exit(1)
"""
"""Crashes in its first game, and in the others as soon as it may."""


def get(address: str) -> str:
    with urlopen(address, timeout=TIMEOUT) as answer:
        assert answer.headers["x-content-type-options"] == "nosniff"
        return str(answer.read().decode())


def facts(page: str) -> str:
    (line,) = html.fromstring(page).xpath("//p[@class='facts']")
    return " ".join(line.text_content().split())


def test_report_is_read_from_the_store_and_seals_what_may_be_dealt_again(
    folder: TournamentFolder, tmp_path: Path, soak: bool, request: pytest.FixtureRequest
) -> None:
    crasher = folder.program("cid <&>", CRASHES_AND_WAITS)
    folder.write(
        [crasher, *built_in("random", "ordered")],
        tournament={"seats": 3, "duplicate": True, "workers": 1},
        clocks={"signup": 60, "reply": TIMEOUT, "turn": TIMEOUT},
    )
    with folder.run("--web", "0") as process:
        site = process.until("spectators")["address"]
        assert process.until("game")["games"] == 1
        lobby = next(now for now in lobbies_of(site) if now["played"] == 1)
        assert lobby["report"] == "/report/"
        index = get(f"{site}report/")
        assert "1 of 3 games played" in facts(index) and "The tournament is being played" in index
        (path,) = html.fromstring(index).xpath(
            "//table[@id='standings-table']//a[starts-with(., 'cid')]/@href"
        )
        page = get(f"{site}report/{path}")
        assert "1 games" not in page and "1 game, 1 not finished" in facts(page)
        assert "crashed" in page
        for hidden in ("KeyError", "exit code", "What was received", "../games/", "../logs/"):
            assert hidden not in page, hidden
        assert "exit code" not in index
        _assert_nothing_secret(folder.store, index + page)
        for missing in ("report/players/eve.html", "report/../cup.sqlite", "report/cup.secret"):
            with pytest.raises(HTTPError, match="404"):
                get(site + missing)
        _assert_low_priority(process.process.pid)
        if soak:
            _assert_lobby_leads_there(site, request.getfixturevalue("browser"))
        (tmp_path / "go").touch()
        assert process.end() == 0, process.errors
    (tmp_path / "done").touch()
    live = LiveReport(folder.store)
    page = live.page(path) or ""
    assert "crashed: <bdi>KeyError" in " ".join(page.split()).replace("</span>", "")
    assert page.count("What was received") == 3 and "It ended with exit code 1." in page
    assert live.page("index.html") and live.page("games/d1-t1-s1.html") is None


def _assert_nothing_secret(store: Path, text: str) -> None:
    with Store.open_to_read(store) as opened:
        seeds = [str(result.seed) for _, result in opened.results()]
        secret = read_secret(opened)
    assert seeds
    for word in (*seeds, secret.deals(1).hex(), secret.master.hex()):
        assert word not in text


def _assert_low_priority(parent: int) -> None:
    (pages,) = children_of(parent, "live_report")
    fields = Path(f"/proc/{pages}/stat").read_text().rpartition(")")[2].split()
    assert int(fields[16]) == min(os.nice(0) + NICENESS, 19)  # the lowest priority


def _assert_lobby_leads_there(site: str, browser: Browser) -> None:
    watched = Watched(browser.new_page())
    watched.page.goto(site)
    expect(watched.page.locator("#lobby")).to_be_visible()
    assert violations(watched.page) == []
    watched.page.click("#report a")
    expect(watched.page.locator("h1")).to_have_text("Tournament")
    watched.page.click("#standings-table >> text=cid")
    expect(watched.page.locator("h1")).to_have_text("cid <&>")
    assert watched.complaints == []


def test_page_is_kept_for_a_while_and_follows_the_store(folder: TournamentFolder) -> None:
    players = built_in("random", "ordered", "largest-alpha")
    folder.write(players, tournament={"seats": 3, "deals": 1})
    now = [100.0]
    live = LiveReport(folder.store, lambda: now[0])
    assert live.page("index.html") is None
    played: list[Any] = []
    for deals in (1, 2):
        folder.write(players, tournament={"seats": 3, "deals": deals})
        folder.play()
        soon = facts(live.page("index.html") or "")
        now[0] += 9
        later = facts(live.page("index.html") or "")
        played.append(["3 games" in soon, "6 games" in later])
    assert played == [[True, False], [True, True]]


def test_what_was_wrong_is_told_when_all_games_with_the_bag_are_over(
    folder: TournamentFolder,
) -> None:
    players = built_in("random", "ordered")
    folder.write(players, tournament={"rulebook": "classic", "seats": 2, "duplicate": True})
    told = []
    with Store.open_to_write(folder.store) as store:
        run = TournamentRun(read_plan(folder.file), store, to_each())
        (games,) = run.stages()
        assert len(games) == 2
        for game in games:
            run.finish([lost_by_random(run.start(game))])
            live = LiveReport(folder.store)
            pages = [live.page(path) or "" for path in ("games.html", "players/random.html")]
            assert all("timed-out" in page for page in pages)
            told.append([word in page for page in pages for word in ("Asked of 4C", "Had 5D")])
    assert told == [[False] * 4, [True] * 4]


def lost_by_random(game: Game) -> FinishedGame:
    """Return a game in which one player was late; both sentences about it name a tile."""
    late = SeatResult("random", PlayerVerdict.TIMED_OUT, 2, 0, "Asked of 4C.", 3, cause="Had 5D.")
    ends = {"random": late, "ordered": SeatResult("ordered", PlayerVerdict.FINISHED, 1, 9000)}
    seats = tuple(ends[name] for name in game.players)
    result = GameResult(game.id, game.block, game.seed, "nobody-left", 3, None, seats)
    return FinishedGame(result, b"log")
