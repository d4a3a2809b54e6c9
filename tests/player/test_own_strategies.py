"""What classes of your own that inherit from the players can rely on, compiled or not."""

import copy
import pickle
import re
from typing import Any

import pytest
from quiet_games import play_quietly

from acquire.admin.refereeing.play.outcome import Outcome
from acquire.game.disposal import Disposal
from acquire.game.placement import Placement, legal_placements
from acquire.game.purchase import Order
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.game.state import State
from acquire.player.strategies.simple import Random
from acquire.player.strategies.strategy import Strategy
from acquire.protocol.messages import Dispose, PlayerMessage, RefereeMessage

NAMES = ("ann", "bob", "cyd")


class Thrifty(Random):
    most = 1

    def __init__(self, rulebook: Rulebook, seed: int) -> None:
        super().__init__(rulebook, seed)
        self.heard: list[str] = []

    @property
    def name(self) -> str:
        self.heard.append("name")
        return super().name

    def order(self, state: State) -> Order:
        return super().order(state)[: self.most]

    def __call__(self, message: RefereeMessage) -> PlayerMessage:
        self.heard.append(type(message).__name__)
        return super().__call__(message)


class Half(Strategy):
    def place(self, state: State) -> Placement:
        return legal_placements(state)[0]


class Wrong(Random):
    """Returns what no message could say, from the method that is named first."""

    returned: tuple[str, Any] = ("", None)

    def _wrong(self, method: str, right: Any) -> Any:
        return self.returned[1] if self.returned[0] == method else right

    def place(self, state: State) -> Placement:
        return self._wrong("place", super().place(state))  # type: ignore[no-any-return]

    def order(self, state: State) -> Order:
        return self._wrong("order", super().order(state))  # type: ignore[no-any-return]

    def keep(self, hotels: tuple[int, ...]) -> tuple[bool, ...]:
        return self._wrong("keep", super().keep(hotels))  # type: ignore[no-any-return]

    def dispose(self, state: State, question: Dispose) -> Disposal:
        return self._wrong("dispose", super().dispose(state, question))  # type: ignore[no-any-return]


class Copied(Random):
    """Goes on as a copy of itself, and as what a file holds, at every message."""

    me: Random

    def __call__(self, message: RefereeMessage) -> PlayerMessage:
        if "me" not in vars(self):
            self.me = Random(self.rulebook, self.seed)
        self.me = pickle.loads(pickle.dumps(copy.deepcopy(self.me)))
        return self.me(message)


def play(kind: type[Strategy], rulebook: Rulebook) -> tuple[Outcome, list[Strategy]]:
    players = [kind(rulebook, seed) for seed in range(3)]
    return play_quietly(rulebook, dict(zip(NAMES, players, strict=True)), 7), players


@pytest.mark.parametrize("rulebook", [REVISED, CLASSIC], ids=lambda rules: rules.id)
def test_methods_properties_and_fields_of_a_subclass_are_used(rulebook: Rulebook) -> None:
    _, players = play(Thrifty, rulebook)
    assert [player.name for player in players] == list(NAMES)
    for player in players:
        assert isinstance(player, Thrifty)
        assert player.heard[0] == "SignUp" and len(player.heard) > 50
        assert player.heard[-1] == "name"
        assert player.state is not None


def test_new_player_can_be_copied_and_pickled() -> None:
    player = pickle.loads(pickle.dumps(copy.deepcopy(Thrifty(CLASSIC, 5))))
    assert (player.seed, player.heard, player.rulebook.id) == (5, [], "classic")


@pytest.mark.parametrize("rulebook", [REVISED, CLASSIC], ids=lambda rules: rules.id)
def test_player_can_be_copied_and_pickled_at_every_message(rulebook: Rulebook) -> None:
    assert play(Copied, rulebook)[0] == play(Random, rulebook)[0]


def test_strategy_without_a_choice_cannot_be_made() -> None:
    with pytest.raises(TypeError, match=r"Can.t instantiate abstract class Half .*order"):
        Half(CLASSIC, 1)  # type: ignore[abstract]  # what is tested


@pytest.mark.parametrize(
    ("rulebook", "method", "returned", "told"),
    [
        (REVISED, "place", None, "returned None, not one of legal_placements(state)"),
        (REVISED, "place", Placement(5000), "returned 5000, not one of legal_placements(state)"),
        (REVISED, "order", 5, "returned 5, not one of legal_orders(state)"),
        (REVISED, "order", ("Tower",), "returned ('Tower',), not one of legal_orders(state)"),
        (REVISED, "order", (7,), "returned (7,), not one of legal_orders(state)"),
        (REVISED, "order", (0, 0, 0), "returned (0, 0, 0), not one of legal_orders(state)"),
        (REVISED, "keep", (), "returned (), not one bool for each acquired hotel"),
        (CLASSIC, "order", (-1,), "returned (-1,), not one of legal_orders(state)"),
        (CLASSIC, "dispose", Disposal(26, 0), "not certificates that there are"),
    ],
)
def test_error_names_the_method_that_returned_what_no_message_could_say(
    rulebook: Rulebook, method: str, returned: Any, told: str
) -> None:
    """Otherwise the referee would fail, or the log would be none of a game."""

    class Mistaken(Wrong):
        pass

    Mistaken.returned = (method, returned)
    with pytest.raises(TypeError, match=re.escape(told)) as error:
        play(Mistaken, rulebook)
    assert str(error.value).startswith(f"Mistaken.{method}() returned ")
