"""The page of a game, whoever played and misbehaved: at every turn it shows what the referee had.

What is compared is what stands in the page, of a log that was written and read again, with what was
noted beside the log while the game was played.
"""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from acquire.admin.pages.html.replay_page import page
from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.view.frames import ASIDE, FREE, LOOSE, Frame, cells_of
from acquire.admin.refereeing.view.turn_text import turns_of
from acquire.game.board import Board
from acquire.game.drawing import replace_hand
from acquire.game.rulebooks import CLASSIC, RULEBOOKS
from acquire.game.state import State
from acquire.game.tiles import Mask
from acquire.game.turn import pay_out, worth
from view.many_games import HIDING, Glimpse, PlannedGame, Played, is_shown, play, tables

SOAK = pytest.mark.soak
PLANNED = tuple(tables())
every_game = pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, id=str(game), marks=() if game.is_usual else pytest.mark.soak)
        for game in PLANNED
    ],
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("matches")


@cache
def frames_of(game: PlannedGame, folder: Path) -> tuple[Played, list[Frame]]:
    """A game, and the steps that its page holds."""
    played = play(game, folder)
    text = page(read(played.log))
    data = re.search(r'id="data">(.*?)</script>', text, re.DOTALL)
    assert data is not None
    shown = json.loads(data[1])
    assert shown["notice"] == "" and shown["match"]["rulebook"] == game.rulebook.id
    assert [seat["name"] for seat in shown["match"]["seats"]] == names_of(played)
    return played, shown["steps"]


def names_of(played: Played) -> list[str]:
    return [seat.name for seat in played.header.seats]


class Table:
    """What lies on a viewer's table; it goes on from step to step."""

    def __init__(self, steps: list[Frame], names: list[str]) -> None:
        self._rest = iter(steps)
        self._taken = 0
        self._names = names
        self._places: list[dict[str, Any]] = [{} for _ in names]
        self.board = [FREE] * 108
        self.bank: list[int] = []
        self.bag = 0

    def after(self, count: int) -> Table:
        """Go on until ``count`` steps have been taken."""
        for step in islice(self._rest, count - self._taken):
            for cell, what in step.get("board", []):
                self.board[cell] = what
            for place, changed in step.get("players", {}).items():
                self._places[int(place)] |= changed
            self.bank, self.bag = step.get("bank", self.bank), step.get("bag", self.bag)
        self._taken = count
        return self

    @property
    def players(self) -> dict[str, dict[str, Any]]:
        """Those who have not been ejected."""
        seated = zip(self._names, self._places, strict=True)
        return {name: place for name, place in seated if not place["out"]}

    def has(self, board: Board, aside: Mask) -> bool:
        """Whether these hotels and tiles lie on it, and nothing else."""
        cells = dict.fromkeys(cells_of(board.loose), LOOSE) | dict.fromkeys(cells_of(aside), ASIDE)
        for hotel, tiles in enumerate(board.hotels):
            cells |= dict.fromkeys(cells_of(tiles), hotel)
        return {cell: what for cell, what in enumerate(self.board) if what != FREE} == cells


def same_as_the_referees(table: Table, state: State) -> None:
    assert table.has(state.board, state.aside)
    assert (table.bank, table.bag) == (list(state.bank), len(state.bag))
    assert table.players.keys() == {player.name for player in state.players}
    net_worth = worth(state)
    bonuses = {(bonus.name, bonus.hotel): bonus.amount for bonus in pay_out(state).bonuses}
    for name, cash, shares, hand in state.players:
        has = table.players[name]
        assert (has["cash"], has["shares"], has["hand"]) == (cash, list(shares), cells_of(hand))
        assert has["worth"] == net_worth[name]
        assert has["bonus"] == [bonuses.get((name, hotel), 0) for hotel in range(len(shares))]


@every_game
def test_every_turn_of_the_page_is_the_referees(game: PlannedGame, folder: Path) -> None:
    played, steps = frames_of(game, folder)
    begins = [at for at, step in enumerate(steps) if step["kind"] in ("turn", "ended")]
    assert len(begins) == len(played.turns) > 0
    table = Table(steps, names_of(played))
    for at, state in zip(begins, played.turns, strict=True):
        same_as_the_referees(table.after(at + 1), state)


@every_game
def test_what_a_question_shows_of_the_position_is_on_the_page(
    game: PlannedGame, folder: Path
) -> None:
    played, steps = frames_of(game, folder)
    table = Table(steps, names_of(played))
    for glimpse in played.glimpses:
        same_as_glimpsed(table.after(glimpse.shown + 1), glimpse)


def same_as_glimpsed(table: Table, glimpse: Glimpse) -> None:
    if glimpse.board is not None:
        assert table.has(glimpse.board, glimpse.aside or 0)
    if glimpse.bank is not None:
        assert table.bank == list(glimpse.bank)
    assert table.players.keys() == {name for name, *_ in glimpse.players}
    for name, cash, shares, hand in glimpse.players:
        has = table.players[name]
        assert cash is None or has["cash"] == cash
        assert shares is None or has["shares"] == list(shares)
        assert hand is None or has["hand"] == cells_of(hand)


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, id=str(game), marks=() if game.is_usual and at % 3 == 0 else SOAK)
        for at, game in enumerate(PLANNED)
    ],
)
def test_every_turn_at_the_terminal_is_the_referees(game: PlannedGame, folder: Path) -> None:
    played, _ = frames_of(game, folder)
    turns, verdict = turns_of(read(played.log))
    assert verdict.divergence is None
    positions = [tuple(turned.state)[1:] for turned in turns[1:]]  # without the rulebook
    assert positions == [tuple(state)[1:] for state in played.turns]


@every_game
def test_every_event_is_a_step(game: PlannedGame, folder: Path) -> None:
    played, steps = frames_of(game, folder)
    assert len(steps) == 2 + sum(map(is_shown, played.happened))  # the deal and the result
    scores = {e.name: e.score for e in played.happened if isinstance(e, events.Ranked)}
    ranked = [step for step in steps if step["kind"] == "ranked"]
    assert {names_of(played)[step["player"]]: step["score"] for step in ranked} == scores
    at_end = Table(steps, names_of(played)).after(len(steps)).players
    assert {name: has["worth"] for name, has in at_end.items()} == {
        name: score for name, score in scores.items() if name in at_end
    }


def test_the_games_reach_every_kind_of_event_and_ejection(folder: Path, soak: bool) -> None:
    games = [game for game in PLANNED if game.is_usual or soak]
    assert len(games) >= 40
    sizes = {(game.rulebook, game.seats) for game in games}
    for rulebook in (*RULEBOOKS.values(), HIDING):
        for seats in range(rulebook.min_players, rulebook.max_players + 1):
            assert (rulebook, seats) in sizes
    reached: dict[type, set[str]] = {}
    for game in games:
        for event in frames_of(game, folder)[0].happened:
            reached.setdefault(type(event), set()).add(game.rulebook.id)
    everywhere = {events.Acquired, events.BonusPaid, events.Ejected, events.TurnUndone}
    for kind in everywhere | {events.Ended}:
        assert reached[kind] == RULEBOOKS.keys(), kind
    assert CLASSIC.id in reached[events.MarketDrew] & reached[events.MarketPlaced]
    assert {events.SetAside, events.NothingPlaced, events.OutOfStep} <= reached.keys()
    asked = {
        event.question
        for game in games
        for event in frames_of(game, folder)[0].happened
        if isinstance(event, events.Ejected)
    }
    questions = {"state", "turn", "tile", "players", "keep", "dispose", "score"}
    assert questions | {"market", "merger"} == asked
    replaced = [
        state
        for game in games
        for state in frames_of(game, folder)[0].turns[:-1]
        if replace_hand(state).aside
    ]
    assert replaced
