"""A game turn by turn, and the keys that lead through it."""

import io
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
import readchar
from loops import for_each, in_soak
from readchar import key
from rich.console import Console

from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.view.turn_text import (
    HELP,
    TurnSummary,
    count_turns,
    draw_turn,
    key_reader,
    step,
    turns_of,
)

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.xml"))
CROWDED = GOLDEN[0].with_name("revised-no-tile-to-hand-back.xml")
LOG = GOLDEN[0].with_name("revised-large-hotel.xml")


@pytest.mark.parametrize(
    "path", [*GOLDEN[::3], *in_soak(*GOLDEN[1::3], *GOLDEN[2::3])], ids=lambda path: path.stem
)
def test_turns_are_those_of_the_log(path: Path) -> None:
    record = read(path)
    turns, verdict = turns_of(record)
    begun = [
        event.state
        for event in verdict.events
        if isinstance(event, events.TurnBegan | events.Ended)
    ]
    assert verdict.divergence is None
    assert [turned.state for turned in turns[1:]] == begun
    recorded = [int(e.attrib["number"]) for e in record.elements if e.tag == "turn"]
    assert [turned.number for turned in turns[1 : len(recorded) + 1]] == recorded
    assert turns[0].number == 0
    placed = [e for e in record.elements if e.tag == "placed"]
    sentences = [sentence for turned in turns for sentence in turned.happened]
    by_players = [each for each in sentences if not each.startswith("The market's tile")]
    assert sum(" plays " in each for each in by_players) == len(placed)


def drawn(turned: TurnSummary) -> str:
    file = io.StringIO()
    Console(file=file, width=100).print(draw_turn(turned, 99))
    return file.getvalue()


def test_a_turn_is_drawn_with_board_players_and_what_happened() -> None:
    turns, _ = turns_of(read(LOG))
    text = drawn(turns[10])
    assert text.startswith(f"Turn {turns[10].number} of 99: {turns[10].who}")
    for sentence in turns[10].happened:
        assert sentence in " ".join(text.split())
    for player in turns[10].state.players:
        assert player.name in text


def keys(*pressed: str) -> Callable[[], str]:
    waiting = iter([*pressed, "quit"])
    return lambda: next(waiting)


@for_each(
    ("pressed", "ends_at"),
    [
        (("on", "on", "back"), 1),
        (("back",), 0),
        (("last",), -1),
        (("last", "on"), -1),
        (("last", "first"), 0),
        (("", "nonsense"), 0),
    ],
)
def test_keys_lead_through_the_game(pressed: tuple[str, ...], ends_at: int) -> None:
    turns, _ = turns_of(read(LOG))
    file = io.StringIO()
    console = Console(file=file, width=100, height=50, force_terminal=True)
    step(console, turns, 0, keys(*pressed))
    shown = file.getvalue().rpartition("\x1b[H")[2] or file.getvalue()
    title = turns[ends_at].title(count_turns(turns)).plain
    assert title in shown


def test_next_event_is_a_founding_a_merger_or_an_ejection() -> None:
    turns, _ = turns_of(read(LOG))
    first = next(t for t in turns[1:] if any("founds" in each for each in t.happened))
    file = io.StringIO()
    console = Console(file=file, width=100, height=50, force_terminal=True)
    step(console, turns, 0, keys("event"))
    assert first.title(count_turns(turns)).plain in file.getvalue()
    file.truncate(0)
    step(console, turns, first.number + 1, keys("event back", "event back"))
    shown = file.getvalue()
    assert shown.index(first.title(count_turns(turns)).plain) < shown.index(turns[0].title(1).plain)


def test_terminal_and_page_share_their_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    script = (files("acquire.admin.pages.html") / "viewer.js").read_text()
    page = dict(re.findall(r"(\w+): \"(\w+)\"", script.partition("const KEYS")[2]))
    does = {"turnBack": "back", "turnOn": "on", "eventBack": "event back", "result": "last"}
    pressed = {"n": "n", "p": "p", "r": "r", "PageUp": key.PAGE_UP, "PageDown": key.PAGE_DOWN}
    pressed |= {"Home": key.HOME, "End": key.END, "ArrowLeft": key.LEFT, "ArrowRight": key.RIGHT}
    for name, sent in pressed.items():
        monkeypatch.setattr(readchar, "readkey", lambda sent=sent: sent)
        assert key_reader()() == does.get(page[name], page[name])


def screen(turned: TurnSummary, width: int, height: int) -> list[str]:
    """What `--step` shows of a turn, line by line."""
    file = io.StringIO()
    console = Console(file=file, width=width, height=height, force_terminal=True, color_system=None)
    step(console, [turned], 0, keys())
    shown = file.getvalue().rpartition("\x1b[H")[2]
    return [re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", line) for line in shown.split("\n")]


@pytest.mark.parametrize("more", ["", "-and-more" * 6])
@pytest.mark.parametrize(("width", "height"), [(80, 24), (60, 24), (120, 40), (80, 30)])
def test_stepping_fits_the_screen(width: int, height: int, more: str) -> None:
    """Six players, many events: board, players, the last event and the keys are all visible."""
    turns, _ = turns_of(read(CROWDED))
    fullest = max(turns, key=lambda turned: len(turned.happened))
    assert len(fullest.players) == 6 and len(fullest.happened) > 8
    named = tuple(each._replace(name=each.name + more) for each in fullest.players)
    lines = screen(fullest._replace(players=named), width, height)
    assert len(lines) == height and max(map(len, lines)) <= width
    assert lines[0].startswith("Turn ") or lines[0].startswith("The end")
    assert [line[:3] for line in lines[2:11]] == [f" {row} " for row in "ABCDEFGHI"]
    for player in fullest.players:
        assert any(line.startswith(player.name) for line in lines)
    assert any(fullest.happened[-1] in line for line in lines)
    assert lines[-1].strip() == HELP


def test_end_shows_the_scores_as_net_worth_and_who_was_ejected() -> None:
    record = read(LOG.with_name("classic-turn-undone.xml"))
    turns, _ = turns_of(record)
    ranked = [e.attrib for e in record.elements if e.tag == "ranked"]
    end = {row.name: row for row in turns[-1].players}
    assert len(ranked) == len(end) == 3
    for place in ranked:
        row, finished = end[str(place["player"])], place["finished"] == "true"
        assert row.ejected is not finished
        assert row.worth == (int(place["score"]) if finished else None)
