"""The site of a report in a browser, from the disk: a student finds what lost a game."""

import json
import re
import shlex
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from command_line import invoke, succeed
from lxml import html
from playwright.sync_api import Browser, Page
from tournament_process import PlayerEntry, TournamentFolder, built_in

from acquire.admin.tournament.reporting.published import player_paths
from view.browser import Watched, violations, wait_until

MY_TURN = """
def my_turn(connection):
    global received
    while b"</turn>" not in received:
        if b"</state>" in received:
            read(connection, b"</state>")
            connection.sendall(b"<void/>")
        else:
            received += connection.recv(65536) or sys.exit("closed")
    return read(connection, b"</turn>")

connection = sign_up("anybody")
turn = my_turn(connection)
"""
CRASHER = """
print("</pre><script>alert(1)</script>", file=sys.stderr)
print("Traceback (most recent call last):\\nKeyError: 'Towers'", file=sys.stderr)
print("Node.js v20.20.2", file=sys.stderr)
sys.exit(1)
"""
CHEAT = """
tiles = (b'<tile column="%d" row="%c"/>' % (at, row) for at in range(1, 13) for row in b"AI")
tile = next(tile for tile in tiles if tile not in turn)
connection.sendall(b"<pbuy><placement>" + tile + b"</placement><order/></pbuy>")
read(connection, b"</ejected>")
"""
GENERAL = {"seats": 3, "rulebook": "short.toml", "seed": 1}
SHORT = "base = 'classic'\nid = 'short'\nsafe_size = 4\nfinal_size = 4\n"
HOSTILE = "c<b>\"&'/../é"
"""The name of a player, which is no name of a file."""


DRAWN = "document.readyState === 'complete' && typeof steps !== 'undefined'"
"""Whether the page of a game has been drawn."""


class Site:
    """The folder of a report."""

    def __init__(self, folder: Path, said: str = "") -> None:
        self.folder = folder
        self.said = said
        self.pages = sorted(folder.rglob("*.html"))
        names = [name for name, _ in json.loads(self.facts["shown"])["players"]]
        self.players = player_paths(names)

    @property
    def facts(self) -> dict[str, str]:
        head, _, _ = (self.folder / "rows.jsonl").read_text().partition("\n")
        return dict(json.loads(head)["facts"])

    @property
    def results(self) -> list[dict[str, Any]]:
        found = json.loads((self.folder / "tournament.json").read_text())
        return list(found["results"])

    def address(self, path: str) -> str:
        return (self.folder / path).as_uri()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = TournamentFolder(tmp_path_factory.mktemp("site"))
    crasher = folder.program("crasher", MY_TURN + CRASHER)
    cheat = folder.program("cheat", MY_TURN + CHEAT)
    players = [crasher, PlayerEntry(HOSTILE, cheat.settings), *built_in("investor", "random")]
    (folder.folder / "short.toml").write_text(SHORT)
    folder.write(players, tournament=GENERAL)
    folder.play()
    said = succeed("tournament", "report", folder.file).output
    return Site(folder.folder / "cup", said)


@pytest.fixture
def tab(browser: Browser, site: Site) -> Iterator[Page]:
    """A tab in which nothing complains, and nothing is asked of anybody but the disk."""
    watched = Watched(browser.new_page())
    yield watched.page
    assert watched.complaints == []
    start = site.folder.as_uri()
    assert all(url.startswith(start) for url in watched.requests), watched.requests
    watched.page.close()


# -- what a student looks for -------------------------------------------------------------------


def test_traceback_of_a_crash_is_one_click_from_the_index_and_its_turn_two(
    tab: Page, site: Site
) -> None:
    tab.goto(site.address("index.html"))
    assert "Python program" in tab.inner_text("#standings-table tr:has-text('crasher')")
    tab.click("#standings-table >> text=crasher")
    cause = "not finished, all for one reason: crashed: KeyError: 'Towers'."
    assert tab.inner_text("p.finding >> nth=0").endswith(cause)
    assert "crashed: KeyError: 'Towers'" in tab.inner_text("h3")
    assert tab.inner_text("details p >> nth=0") == (
        "The program crashed. It ended with exit code 1. It printed: KeyError: 'Towers'"
    )
    assert tab.is_visible("pre.output >> nth=0")
    assert tab.inner_text("pre.output >> nth=0").endswith("\nNode.js v20.20.2")
    assert "What was received" in tab.inner_text("details >> nth=0")
    tab.click("details >> nth=0 >> a")
    wait_until(tab, DRAWN)
    assert tab.evaluate("[steps[current.at].kind, seats[steps[current.at].player].rawName]") == [
        "ejected",
        "crasher",
    ]
    assert "KeyError: 'Towers'" in tab.inner_text(".falls")
    tab.click("nav >> text=crasher")
    tab.wait_for_url(site.address("players/crasher.html"))


def test_index_shows_the_last_board_of_the_richest_win(tab: Page, site: Site) -> None:
    tab.goto(site.address("index.html"))
    money, game = max(
        (seat["money"], each["game"]) for each in site.results for seat in each["seats"]
    )
    said = tab.inner_text("section:has(#richest) p >> nth=0")
    assert f"won game {game} with ${money:,}" in said
    assert str(tab.get_attribute("figure.board svg", "aria-label")).startswith("Board: ")
    assert "of a player in a game programs without a sandbox" in tab.inner_text("p.facts")


def test_losses_are_grouped_by_cause_with_their_explanation(tab: Page, site: Site) -> None:
    lost = [
        (result["game"], seat["verdict"])
        for result in site.results
        for seat in result["seats"]
        if seat["player"] == HOSTILE
    ]
    assert len(lost) == 9 and {verdict for _, verdict in lost} == {"illegal"}
    tab.goto(site.address(site.players[HOSTILE]))
    (title,) = tab.locator("h3").all_inner_texts()
    assert title == "illegal: tile-not-in-hand (9 games)"
    games = [text.partition(",")[0] for text in tab.locator("summary").all_inner_texts()]
    assert games == [game for game, _ in lost]
    assert [tab.inner_text("h1")] == [HOSTILE]


def test_commands_of_a_loss_reproduce_it(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(site.folder)
    tree = html.parse(site.players[HOSTILE])
    loss = tree.findall(".//details")[0]
    explained, commands = (loss.findall(".//pre")[place].text_content() for place in (-2, -1))
    explain, replay, rerun = commands.splitlines()
    monkeypatch.setenv("COLUMNS", "80")
    shown = invoke(*_words(explain))
    *told, _, _, named = (line.rstrip() for line in shown.output.splitlines())
    assert told == explained.splitlines()
    assert named.strip() == rerun
    succeed(*_words(replay))
    assert re.fullmatch(r"acquire rerun \S+ --seat .* -- COMMAND", rerun)
    again = succeed(*_words(rerun)[:-1], "/bin/sh", "-c", "exit 1", code=1)
    assert "Traceback" not in again.output


def _words(command: str) -> list[str]:
    return shlex.split(command)[1:]


def test_shortest_match_with_each_fault_repeats_it(tab: Page, site: Site) -> None:
    commands = [line for line in site.said.splitlines() if line.startswith("    cd ")]
    assert len(commands) == 2 and site.said.count(", in 1 turn:") == 2
    for command, word in zip(commands, ("tile-not-in-hand", "disconnected"), strict=True):
        _, folder, _, _, *words = shlex.split(command)
        with chdir(folder):
            assert word in succeed(*words, code=1).stdout
    tab.goto(site.address(site.players[HOSTILE]))
    command = tab.locator("pre[aria-label^='Command for the shortest']").inner_text()
    tab.click("text=cut from")
    wait_until(tab, DRAWN)
    assert tab.inner_text(".key-turns").startswith(f"✕ {HOSTILE} still fails as in game")
    assert command == tab.inner_text("pre[aria-label=Command]")
    assert command.startswith("acquire check --case minimal/")
    assert command.endswith(" --reply-timeout 60 --turn-timeout 90 -- COMMAND")


@pytest.mark.soak
def test_losses_are_not_cut_without_time_for_it(site: Site, tmp_path: Path) -> None:
    to = ("--to", tmp_path / "report", "--shrink", "0.001")
    said = succeed("tournament", "report", site.folder.with_suffix(".toml"), *to).output
    assert "Wrote" in said and " turn:" not in said
    assert not (tmp_path / "report" / "minimal").exists()


def test_decisive_turn_of_a_fair_loss_is_two_clicks_away(tab: Page, site: Site) -> None:
    fair = [
        (result["game"], seat["player"])
        for result in site.results
        for seat in result["seats"]
        if seat["verdict"] == "finished" and seat["rank"] == 2
    ]
    assert fair
    game, player = fair[0]
    tab.goto(site.address("index.html"))
    tab.click(f"#standings-table >> text={player}")
    row = tab.locator("#finished-table tr", has=tab.locator(f"text='{game}'"))
    turn = int(row.locator("td").nth(0).inner_text())
    row.locator("a").first.click()
    wait_until(tab, DRAWN)
    assert tab.url.endswith(f"games/{game}.html#turn={turn}")
    assert f"turn {turn}. " in tab.inner_text(".key-turns")
    leads = tab.evaluate(
        """() => {
          const winner = steps.find((step) => step.kind === "result").winners[0];
          const others = (table) => table.players.filter((_, place) => place !== winner);
          const best = (table) => Math.max(
            ...others(table).filter((has) => !has.out).map((has) => has.worth));
          const lead = (table) => table.players[winner].worth - best(table);
          const turns = steps.map((step, place) => [step.kind, place, lead(tables[place])]);
          return [current.at, turns.filter(([kind]) => kind === "turn").map(([_, ...rest]) => rest),
            lead(tables[tables.length - 1])];
        }"""
    )
    place, at_turns, end = leads
    assert [lead > 0 for step, lead in at_turns if step >= place] == [
        False,
        *[True] * (sum(step >= place for step, _ in at_turns) - 1),
    ]
    assert end > 0


# -- the pages ------------------------------------------------------------------------------------


def test_every_link_leads_somewhere_and_every_page_is_reached(site: Site) -> None:
    reached = {site.folder / "index.html"}
    trees = {page.resolve(): html.parse(page) for page in site.pages}
    for page, tree in trees.items():
        for link in map(str, tree.xpath("(//@href | //@src)[not(starts-with(., 'data:'))]")):
            path, _, place = link.partition("#")
            target = (page.parent / unquote(path)).resolve() if path else page
            assert target.is_file() and target.is_relative_to(site.folder.resolve()), link
            reached.add(target)
            if place and not re.match(r"turn=|step=", place):
                assert trees[target].xpath("//*[@id = $place]", place=place), link
        (data,) = tree.xpath("//script[@id='data']/text()") or ["{}"]
        if "replays" in (found := json.loads(data)):
            reached |= {site.folder / f"games/{game[0]}.html" for game in found["games"]}
    assert {path.resolve() for path in reached} >= {path.resolve() for path in site.pages}
    assert len(site.pages) == 2 + 4 + len(site.results) + 2


def test_page_of_a_game_has_the_same_steps_as_the_single_file(
    tab: Page, site: Site, tmp_path: Path, browser: Browser
) -> None:
    game = site.results[0]["game"]
    single = tmp_path / "single.html"
    log = site.folder / "logs" / f"{game}.xml.gz"
    succeed("replay", log, "--html", single)
    other = browser.new_page()
    other.goto(single.as_uri())
    tab.goto(site.address(f"games/{game}.html"))
    for each in (other, tab):
        wait_until(each, DRAWN)
    order = "JSON.stringify(steps.map((step) => Object.entries(step).sort()))"
    players = "JSON.stringify(tables[tables.length - 1])"
    for value in (order, players, "JSON.stringify(game.hotels)"):
        assert tab.evaluate(value) == other.evaluate(value)
    other.close()
    assert (site.folder / f"games/{game}.html").stat().st_size < single.stat().st_size / 2


def test_no_page_can_run_or_load_anything_else(browser: Browser, site: Site) -> None:
    nonces: set[Any] = set()
    for page in site.pages:
        tree = html.parse(page)
        (policy,) = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
        assert str(policy).startswith("default-src 'none'; ")
        if page.parent.name == "games":
            (nonce,) = set(tree.xpath("//@nonce"))
            text = page.read_text()
            assert text.count(str(nonce)) == 4 and "unsafe-inline" not in policy
            assert nonce not in nonces
            nonces.add(nonce)
        assert "unsafe" not in str(policy) or page.name == "index.html"
        assert "unsafe-inline'" not in str(policy).partition("style-src")[0]
    game = site.address(f"games/{site.results[0]['game']}.html")
    refused = """(source) => new Promise((done) => {
      document.addEventListener(
        "securitypolicyviolation", (event) => done(event.effectiveDirective));
      const made = document.createElement("script");
      made.src = source;
      document.body.append(made);
    })"""
    other = browser.new_page()
    other.goto(game)
    assert other.evaluate(refused, "../viewer.js") == "script-src-elem"
    other.close()


@pytest.mark.parametrize(
    ("scheme", "width"),
    [
        ("light", 390),
        pytest.param("light", 1280, marks=pytest.mark.soak),
        pytest.param("dark", 390, marks=pytest.mark.soak),
        pytest.param("dark", 1280, marks=pytest.mark.soak),
    ],
)
def test_pages_have_no_violations_and_fit_a_phone(
    browser: Browser, site: Site, scheme: Any, width: int
) -> None:
    game = next(result["game"] for result in site.results if result["turns"] > 20)
    (minimal, _) = sorted((site.folder / "minimal").glob("*.html"))
    paths = [
        "games.html",
        f"minimal/{minimal.name}",
        "index.html",
        site.players[HOSTILE],
        site.players["investor"],
        f"games/{game}.html",
    ]
    size: Any = {"width": width, "height": 900}
    page = browser.new_page(color_scheme=scheme, viewport=size, reduced_motion="reduce")
    for path in paths:
        page.goto(site.address(path))
        # those of games are in view/test_viewer_for_everybody.py
        if not path.startswith(("games/", "minimal/")) or (scheme, width) != ("light", 390):
            assert violations(page) == [], path
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) == 0, path
    page.close()
