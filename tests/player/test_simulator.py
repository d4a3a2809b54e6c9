"""``simulator``: the same seed plays the same game, and it thinks no longer than it may."""

import time

import pytest
from loops import for_each
from positions import scene
from quick_players import QuickSimulator
from quiet_games import play_quietly

from acquire.admin.refereeing.play.events import Event
from acquire.game.purchase import verify_order
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED, RULEBOOKS
from acquire.game.state import State
from acquire.game.turn import pay_out
from acquire.player.strategies.guess import complete
from acquire.player.strategies.outlook import Outlook
from acquire.player.strategies.planner import Planner
from acquire.player.strategies.quick import end_turn, playout, quick_order
from acquire.player.strategies.simulator import Simulator
from acquire.player.strategies.strategy import Strategy

every_rulebook = for_each("rulebook", RULEBOOKS.values(), ids=lambda rulebook: rulebook.id)


def happened(rulebook: Rulebook, seed: int) -> list[Event]:
    """Play a game of a simulator and two planners, and return its events."""
    players: dict[str, Strategy] = {
        "ann": QuickSimulator(rulebook, seed),
        "bob": Planner(rulebook, 0),
        "cyd": Planner(rulebook, 0),
    }
    found: list[Event] = []
    play_quietly(rulebook, players, 3, emit=found.append)
    return found


def test_same_seed_plays_the_same_game_and_another_another() -> None:
    assert happened(CLASSIC, 1) == happened(CLASSIC, 1) != happened(CLASSIC, 2)


class Hasty(Simulator):
    """Has no time at all."""

    seconds = 0.0


MIDDLE = "SSSS.o\n......\nAA..FFF\n.......\n...oo"
SEATS = ("ann 1B 5A 5E 12I $3000 A4 S1", "bob $2500 A2 F3", "cyd $2000 S5 F2")


@every_rulebook
def test_without_time_it_plays_as_planner(rulebook: Rulebook) -> None:
    state = scene(rulebook, MIDDLE, *SEATS)
    hasty, planner = Hasty(rulebook, 0), Planner(rulebook, 0)
    assert hasty.place(state) == planner.place(state)
    assert Hasty(rulebook, 0).order(state) == planner.order(state)


def test_time_limit_is_asked_for_only_if_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the game would depend on the machine."""

    def no_clock() -> float:
        raise AssertionError("looked at the clock")

    state = scene(CLASSIC, MIDDLE, *SEATS)
    monkeypatch.setattr(time, "monotonic", no_clock)
    QuickSimulator(CLASSIC, 0).place(state)
    with pytest.raises(AssertionError, match="looked at the clock"):
        Hasty(CLASSIC, 0).place(state)


# -- playing on ---------------------------------------------------------------------------------


@every_rulebook
def test_playout_ends_with_the_score_where_the_game_does(rulebook: Rulebook) -> None:
    """Revised ends between turns, elsewhere ann declares the end."""
    state = scene(rulebook, "S" * 12, "ann 11I $9000 S3", "bob 12I $100", "cyd 10I")
    scores = dict(pay_out(state).scores)
    found = playout(Outlook(state), complete(state, 1), (), state)
    assert found == scores["ann"] - (scores["bob"] + scores["cyd"]) / 2


@every_rulebook
def test_who_is_behind_does_not_declare_the_end(rulebook: Rulebook) -> None:
    state = complete(scene(rulebook, "S" * 12, "ann 11I", "bob $9000", "cyd"), 1)
    after, over = end_turn(state, state)
    assert over is (rulebook is REVISED)
    assert after.mover.name == "bob"


@every_rulebook
@for_each("seats", [SEATS, ("ann 12I $350 S24", "bob $0 A25", "cyd $0")])
def test_quick_orders_are_legal(seats: tuple[str, ...], rulebook: Rulebook) -> None:
    state: State = scene(rulebook, MIDDLE, *seats)
    order = quick_order(Outlook(state), state)
    assert verify_order(state, order) is None
    assert order or "S24" in seats[0]


@every_rulebook
def test_quick_order_keeps_cash_where_a_certificate_brings_nothing(rulebook: Rulebook) -> None:
    """The others have all bonuses, and the board is full: nothing rises any more."""
    full = "\n".join(["SSSSSSSSSSSS"] * 6)
    state: State = scene(rulebook, full, "ann 12I $3000", "bob S12", "cyd S9")
    order = quick_order(Outlook(state), state)
    on_board = {hotel for hotel, size in enumerate(state.board.sizes) if size}
    assert not on_board & {*order}
