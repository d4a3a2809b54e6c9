"""What programs printed stands beside the turn in which they printed it."""

import re
import sys
from pathlib import Path

import pytest
from command_line import succeed
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser, expect
from tournament_process import STARTER, TournamentFolder, built_in, seat_of

from acquire.admin.refereeing.log.reader import read_bytes
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.admin.refereeing.play import events
from acquire.admin.tournament.games.program_output import CUT, TurnMark, by_turn, with_headings
from acquire.admin.tournament.store.store import Store
from view.browser import Watched, violations

TALKER = f"""
sys.path.insert(0, {str(STARTER.parent)!r})
import player
print("good day")
choose = player.choose_move
turns = 0

def choose_move(*arguments):
    global turns
    turns += 1
    print(f"my turn {{turns}}")
    if turns == 5:
        print("== turn 999 ==\\n<b>no heading</b>", end="")
    return choose(*arguments)

player.choose_move = choose_move
sys.exit(player.main([os.environ["ACQUIRE_HOST"], os.environ["ACQUIRE_PORT"], NAME]))
"""
PIECES = st.lists(
    st.text(alphabet="ab\n= turn12", max_size=12).map(str.encode)
    | st.sampled_from([b"", b"== turn 3 ==\n", b"x\n== turn 4 ==", CUT]),
    min_size=1,
    max_size=6,
)


def printed(pieces: list[bytes]) -> tuple[bytes, list[TurnMark]]:
    """Return an output, and how much of it there was as each turn began; the first is turn 0."""
    marks = [TurnMark(turn, len(b"".join(pieces[:turn]))) for turn in range(1, len(pieces))]
    return b"".join(pieces), marks


@given(PIECES)
def test_every_piece_of_an_output_stands_in_its_turn(pieces: list[bytes]) -> None:
    whole, marks = printed(pieces)
    read = by_turn(with_headings(whole, 0, marks))
    assert not read.cut

    def shown(text: bytes) -> bytes:
        """A line that looks like a heading is indented, so one may be indented in the output."""
        return re.sub(rb"(?m)^ (?===)", b"", text).rstrip(b"\n")

    kept = {turn: shown(text) for turn, text in read.turns}
    assert kept == {turn: shown(piece) for turn, piece in enumerate(pieces) if piece}


@given(PIECES, st.integers(1, 80))
def test_end_of_an_output_has_what_the_whole_one_has(pieces: list[bytes], before: int) -> None:
    whole, marks = printed(pieces)
    before = min(before, len(whole))
    read = by_turn(with_headings(whole[before:], before, marks))
    assert read.cut == (before > 0)
    of_whole = dict(by_turn(with_headings(whole, 0, marks)).turns)
    for turn, text in read.turns:
        assert text.rstrip(b"\n").lstrip(b" ") in of_whole[turn]


def test_end_of_an_output_begins_with_a_whole_line() -> None:
    kept = with_headings(b"f of this\nthat\n", 100, [TurnMark(1, 20), TurnMark(2, 110)])
    assert kept == CUT + b"== turn 2 ==\nthat\n"
    assert with_headings(b"xxx", 100, [TurnMark(1, 20)]) == CUT + b"== turn 1 ==\nxxx"


def test_program_that_shortens_its_output_keeps_what_is_left() -> None:
    marks = [TurnMark(1, 500), TurnMark(2, 3), TurnMark(3, 7)]
    assert by_turn(with_headings(b"abc\nde", 0, marks)).turns == [(0, b"abc\n"), (2, b"\nde")]


# -- in a tournament ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> TournamentFolder:
    folder = TournamentFolder(tmp_path_factory.mktemp("talk"))
    folder.program("talker", TALKER)
    talker = folder.command("talker", [sys.executable, str(folder.folder / "talker.py")])
    players = [talker, *built_in("random", "ordered")]
    folder.write(players, tournament={"seats": 3, "outputs": "all", "rulebook": "revised"})
    folder.play()
    return folder


def movers(game: str, log: bytes) -> list[str]:
    """Return who moved in each turn."""
    verdict = Verifier(read_bytes(Path(game), log)).verify()
    assert verdict.divergence is None
    return [event.name for event in verdict.events if isinstance(event, events.TurnBegan)]


def own_turns(game: str, log: bytes) -> list[int]:
    """Return the turns in which the talker moved."""
    return [turn for turn, mover in enumerate(movers(game, log), 1) if mover == "talker"]


def test_turns_of_an_output_are_those_of_the_log(cup: TournamentFolder) -> None:
    with Store.open_to_read(cup.store) as store:
        logs = dict(store.logs())
    assert len(logs) == 3
    for game, log in logs.items():
        seat = seat_of(cup.results()[game], "talker")
        assert seat.verdict.value == "finished"
        outputs, turns = cup.outputs(game), own_turns(game, log)
        assert outputs.keys() == {"talker"}
        expected = {0: b"good day\n"}
        expected |= {turn: b"my turn %d\n" % number for number, turn in enumerate(turns, 1)}
        expected[turns[4]] = b"my turn 5\n == turn 999 ==\n<b>no heading</b>\n"
        last = len(movers(game, log))
        expected[last] = expected.get(last, b"") + b"%d\n" % seat.money
        assert by_turn(outputs["talker"]) == (False, list(expected.items()))


def test_page_of_a_game_shows_the_output_of_the_turn(
    cup: TournamentFolder, browser: Browser
) -> None:
    succeed("tournament", "report", cup.file)
    with Store.open_to_read(cup.store) as store:
        game, log = next(iter(store.logs()))
    turns = own_turns(game, log)
    page = Watched(browser.new_page()).page
    address = (cup.folder / "cup" / "games" / f"{game}.html").as_uri()
    page.goto(f"{address}#turn={turns[4]}")
    shown = page.locator("#printed pre")
    expect(shown).to_have_text(re.compile(r"my turn 5\n == turn 999 ==\n<b>no heading</b>\s*$"))
    page.click("#printed-on")
    expect(shown).to_have_text("my turn 6")
    assert page.evaluate("steps[current.at].turn") == turns[5]
    page.keyboard.press("PageDown")
    expect(page.locator("#outputs")).to_have_text(f"Nothing in turn {turns[5] + 1}.")
    page.keyboard.press("Home")
    expect(shown).to_have_text("good day")
    expect(page.locator("#printed-back")).to_be_disabled()
    assert violations(page) == []
    page.close()
