"""A game as steps: put together again they are the referee's positions, at every turn."""

import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from loops import for_each, in_soak

from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.log.recorder import Header
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.events import Event
from acquire.admin.refereeing.view.decisive_turn import DecisiveTurn, decisive_turn
from acquire.admin.refereeing.view.frames import (
    ASIDE,
    FREE,
    LAYING,
    LOOSE,
    Frame,
    FrameKind,
    Tabletop,
    cells_of,
    recorded_frames,
    without_secrets,
)
from acquire.game.market import takes_part
from acquire.game.rulebook import Hands, with_hidden_assets
from acquire.game.rulebooks import CORPORATIONS
from acquire.game.state import State
from acquire.game.turn import pay_out, worth

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.xml"))
every_log = for_each("path", GOLDEN, ids=lambda path: path.stem)


class Told(NamedTuple):
    """A golden log: the first step, and each event with its steps."""

    header: Header
    first: Frame
    events: list[tuple[Event, list[Frame]]]

    @property
    def steps(self) -> list[Frame]:
        """All of them."""
        return [self.first, *(step for _, steps in self.events for step in steps)]

    def table(self) -> Tabletop:
        """What is seen after the first step."""
        table = Tabletop(self.header.rulebook, self.header.names)
        table.put(self.first)
        return table


@cache
def told(path: Path) -> Told:
    record = read(path)
    steps = recorded_frames(record.header)
    found = Told(record.header, steps.begin(), [])
    for event in Verifier(record).verify().events:
        found.events.append((event, steps.take(event)))
    return found


def same_as(table: Tabletop, state: State, names: Sequence[str]) -> None:
    """Fail where a viewer's table is not the referee's."""
    cells = dict.fromkeys(cells_of(state.board.loose), LOOSE)
    cells |= dict.fromkeys(cells_of(state.aside), ASIDE)
    for hotel, tiles in enumerate(state.board.hotels):
        cells |= dict.fromkeys(cells_of(tiles), hotel)
    assert {cell: what for cell, what in enumerate(table.cells) if what != FREE} == cells
    assert table.bag == len(state.bag)
    at_table = {player.name: player for player in state.players}
    for place, name in enumerate(names):
        shown = table.players[place]
        assert shown["out"] is (name not in at_table)
        if name in at_table:
            player = at_table[name]
            assert (shown["cash"], tuple(shown["shares"])) == (player.cash, player.shares)
            assert shown["hand"] == cells_of(player.hand)


def worth_as_much(table: Tabletop, state: State, names: Sequence[str]) -> None:
    """Fail where the net worths and bonuses shown between two turns are not the referee's."""
    net_worth = worth(state)
    due = {(bonus.name, bonus.hotel): bonus.amount for bonus in pay_out(state).bonuses}
    for name in net_worth:
        shown = table.players[names.index(name)]
        assert shown["worth"] == net_worth[name]
        assert shown["bonus"] == [due.get((name, hotel), 0) for hotel in range(len(state.bank))]


@pytest.mark.parametrize(
    "path", [*GOLDEN[::2], *in_soak(*GOLDEN[1::2])], ids=lambda path: path.stem
)
def test_position_after_every_event_is_the_referees(path: Path) -> None:
    """Within turns as well: mergers, ejections, undone turns, the market."""
    header, _, found = told(path)
    names, table = header.names, told(path).table()
    begun = [event.state for event, _ in found if isinstance(event, events.TurnBegan)]
    same_as(table, begun[0], names)
    compared = 0
    for event, steps in found:
        for step in steps:
            table.put(step)
        if isinstance(event, events.TABLE_EVENTS):
            same_as(table, event.state, names)
            compared += 1
        if isinstance(event, events.TurnBegan | events.Ended):
            worth_as_much(table, event.state, names)
    assert compared > len(begun) > 5
    end = [event.state for event, _ in found if isinstance(event, events.TABLE_EVENTS)][-1]
    shown = table.state
    assert (shown.board, shown.bank, shown.aside) == (end.board, end.bank, end.aside)


@every_log
def test_bonuses_are_those_that_a_merger_pays(path: Path) -> None:
    """What is shown before a merger is what it pays; the market's tiles are not known before."""
    header, _, found = told(path)
    table = told(path).table()
    shown: list[list[int]] = []
    acquired: set[int] = set()
    mergers = paid = 0
    for event, steps in found:
        match event:
            case events.Placed() | events.MarketPlaced():
                shown = [player["bonus"] for player in table.players]
                acquired = set()
            case events.Acquired(hotel=hotel):
                acquired.add(hotel)
                mergers += 1
            case events.MarketDrew():
                acquired = set()
            case events.BonusPaid(name, hotel, amount) if hotel in acquired:
                assert shown[header.names.index(name)][hotel] == amount
                paid += 1
        for step in steps:
            table.put(step)
    assert paid >= mergers or takes_part(header.rulebook, len(header.seats))


@every_log
def test_steps_are_plain_and_few(path: Path) -> None:
    steps = told(path).steps
    assert json.loads(json.dumps(steps)) == steps
    assert len(json.dumps(steps, separators=(",", ":"))) < 300_000
    assert all(step["text"] for step in steps)


@every_log
def test_result_names_all_who_won(path: Path) -> None:
    header, _, found = told(path)
    ranked = [event for event, _ in found if isinstance(event, events.Ranked)]
    results = [step for step in told(path).steps if step["kind"] == "result"]
    if "interrupted" in path.stem:
        assert not results
        return
    (result,) = results
    won = [event.name for event in ranked if event.rank == 1 and event.finished]
    assert [header.names[place] for place in result["winners"]] == won
    assert all(name in result["text"] for name in won)


@every_log
def test_spectators_are_sent_no_hidden_hand(path: Path) -> None:
    log = told(path)
    rulebook = log.header.rulebook
    seen = [without_secrets(step, rulebook) for step in log.steps]
    if rulebook.hands is Hands.OPEN:
        assert seen == log.steps
        return
    for step in seen:
        assert "secret" not in step
        assert not any("hand" in what for what in step.get("players", {}).values())
        if step["kind"] == "drew":
            assert "tile" not in step and step["text"].endswith("draws a tile.")
        if step["kind"] == "ejected":  # what was wrong may name tiles in the hand
            assert re.fullmatch(r".* is ejected \([a-z-]+\)\.", step["text"])


def test_hidden_assets_are_not_sent_either() -> None:
    rulebook = with_hidden_assets(CORPORATIONS)
    step: Frame = {
        "turn": 1,
        "kind": "bought",
        "text": "ann buys.",
        "players": {"0": {"cash": 5, "shares": [1], "worth": 9}, "1": {"out": True}},
    }
    assert without_secrets(step, rulebook)["players"] == {"1": {"out": True}}


def test_kinds_that_lay_a_tile_are_those_that_put_their_tile_on_the_board() -> None:
    """Scripts and the lobby mark that tile as the last one."""
    kinds = {
        step["kind"]
        for path in GOLDEN
        for step in told(path).steps
        if dict(step.get("board", ())).get(step.get("tile"), ASIDE) not in (ASIDE, FREE)
    }
    assert kinds - {FrameKind.StartTile} == LAYING


# -- the turn that decided a game -----------------------------------------------------------------


def test_decisive_turn_of_every_golden_game_is_the_last_that_began_without_a_lead() -> None:
    decided = 0
    for game in map(told, GOLDEN):
        found = decisive_turn(game.steps)
        results = [step for step in game.steps if step["kind"] == "result"]
        winners = results[0]["winners"] if results else []
        if not winners:
            assert found is None
            continue
        table, level = game.table(), [0]
        for step in game.steps[1:]:
            table.put(step)
            worths = [has["worth"] for has in table.players]
            others = [worth for place, worth in enumerate(worths) if place not in winners]
            if step["kind"] == "turn" and max(others) >= min(worths[place] for place in winners):
                level.append(step["turn"])
        assert found is not None and (found.turn, [*found.winners]) == (level[-1], winners)
        assert game.steps[found.step]["turn"] == found.turn
        decided += 1
    assert decided > 20


def worths(turn: int, kind: str, *amounts: int | None) -> Frame:
    """A frame after which the players are worth so much; ``None`` for one who has left."""
    players = {
        str(place): {"out": True, "worth": 0} if amount is None else {"worth": amount}
        for place, amount in enumerate(amounts)
    }
    return {"turn": turn, "kind": kind, "players": players}


def result(*winners: int) -> Frame:
    return {"turn": 9, "kind": "result", "winners": [*winners]}


BEGIN = [worths(0, "deal", 6, 6, 6), worths(1, "turn", 6, 6, 6)]


@pytest.mark.parametrize(
    ("frames", "expected"),
    [
        ([worths(2, "turn", 7, 6, 6)], DecisiveTurn(1, 1, (0,), 0, 1, 1)),
        (
            [worths(2, "turn", 7, 6, 6), worths(3, "turn", 5, 6, 8), worths(3, "ended", 9, 6, 8)],
            DecisiveTurn(3, 3, (0,), -3, 1, 2),  # the winner caught up in the last turn
        ),
        (
            [worths(2, "turn", 6, 8, 7), worths(3, "turn", 6, None, None)],
            DecisiveTurn(2, 2, (0,), -2, None, 1),  # nobody else was left
        ),
        (
            [
                worths(2, "turn", 6, 8, 7),
                worths(3, "turn", 6, None, 5),
                worths(4, "turn", 9, None, 5),
            ],
            DecisiveTurn(2, 2, (0,), -2, 1, 1),
        ),
    ],
    ids=["ahead", "last turn", "left alone", "rival left"],
)
def test_lead_begins_after_the_decisive_turn(frames: list[Frame], expected: DecisiveTurn) -> None:
    assert decisive_turn([*BEGIN, *frames, result(0)]) == expected


def test_game_without_a_winner_or_with_all_as_winners_has_none() -> None:
    for end in ([], [result()], [result(0, 1, 2)]):
        assert decisive_turn([*BEGIN, *end]) is None


# -- the table put together -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["classic-turn-undone", "revised-nobody-left", "digest-nobody-left", "revised-large-hotel"],
)
def test_every_seat_has_a_row_and_a_rank_at_the_end(name: str) -> None:
    game = told(GOLDEN[0].with_name(f"{name}.xml"))
    table, names = game.table(), game.header.names
    for frame in game.steps[1:]:
        table.put(frame)
    assert tuple(row.name for row in table.rows) == names
    ranked = [event for event, _ in game.events if isinstance(event, events.Ranked)]
    assert [tuple(standing) for standing in table.standings] == [tuple(each) for each in ranked]
    for standing in ranked:
        row = table.rows[names.index(standing.name)]
        assert row.ejected is not standing.finished
        assert row.worth == (standing.score if standing.finished else None)


def test_what_a_spectator_may_not_see_is_hidden_and_not_nothing() -> None:
    game = told(GOLDEN[0].with_name("corporations-nothing-placed.xml"))
    table = Tabletop(CORPORATIONS, game.header.names)
    for frame in game.steps:
        table.put(without_secrets(frame, with_hidden_assets(CORPORATIONS)))
    row = table.rows[0]
    assert (row.cash, row.shares, row.worth, row.hand) == (None, None, None, None)
    assert table.state.board.sizes != (0,) * 7
