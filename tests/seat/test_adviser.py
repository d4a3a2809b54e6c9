"""Suggestions: what a built-in player would answer in the person's place, ready to be sent."""

from typing import Any

import pytest

from acquire.admin.pages.seat.adviser import suggestion
from acquire.admin.pages.seat.choices import answer
from acquire.game.notation import parse_position
from acquire.game.rulebook import Rulebook, with_hidden_assets
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, REVISED, WIKIPEDIA
from acquire.game.state import State
from acquire.played_games import play_game
from acquire.player.strategies.planner import Planner
from acquire.protocol import messages
from acquire.protocol.knowledge import Knowledge
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from acquire.protocol.player_view import view_for
from seat.test_choices import Clicker


class Advised(Clicker):
    """Chooses whatever is suggested, and compares it with a planner of its own."""

    def __init__(self, rulebook: Rulebook, seed: int) -> None:
        super().__init__(rulebook, seed)
        self.planner = Planner(rulebook, seed)
        self.texts: list[dict[str, Any]] = []

    def __call__(self, message: RefereeMessage) -> PlayerMessage:
        planned = self.planner(message)
        chosen = super().__call__(message)
        assert chosen == planned
        return chosen

    def choose(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Choose as the page does with a suggestion."""
        found = suggestion(self.knowledge, self.asked)
        self.texts.append(found)
        fields = dict(found["draft"])
        return {"tile": fields.pop("cell", None), **fields}


def check(rulebook: Rulebook, seed: int) -> None:
    """Play a game by suggestions: each is legal, and is what the planner does by itself."""
    players: list[Advised] = []

    def make(rules: Rulebook, own: int) -> Advised:
        players.append(Advised(rules, own))
        return players[-1]

    game = play_game({"ann": "ordered", "me": make, "bob": "random"}, rulebook, seed)
    assert game.ejected == {}
    reasons = [found["reason"] for found in players[0].texts]
    assert any("leaves you about $" in reason for reason in reasons)


def test_suggestions_are_what_the_planner_does() -> None:
    check(CLASSIC, 3)


@pytest.mark.soak
@pytest.mark.parametrize(
    "rulebook", [REVISED, CLASSIC, CORPORATIONS, WIKIPEDIA, with_hidden_assets(DIGEST)], ids=repr
)
def test_suggestions_are_what_the_planner_does_in_many_games(rulebook: Rulebook) -> None:
    for seed in range(10):
        check(rulebook, seed)


@pytest.mark.parametrize(
    ("board", "hand", "reason"),
    [
        ("AA.CCC", "3A", ""),
        ("AA.CCC", "3A 9I", "As planner, a built-in player, sees it, 3A leaves you about $"),
        ("AA.CCC", "1I 9I", "As planner, a built-in player, sees it, 1I is about as good as 9I"),
    ],
)
def test_reason_compares_by_the_measure_of_the_advice(board: str, hand: str, reason: str) -> None:
    state = parse_position(CLASSIC, board, [f"ann {hand} A5 $900", "bob A3", "cyd C2"])
    knowledge = Knowledge(CLASSIC)
    asked = knowledge.hear(messages.TurnView(view_for(state, "ann")))
    assert asked is not None
    found = suggestion(knowledge, asked)
    assert found["reason"].startswith(reason) and (not reason) is (not found["reason"])
    promised = {lead for lead, _ in asked_planner(state).compared["place"]}
    of_tile, more = found["reason"].split(", and ")[0], max(promised) - min(promised)
    unit = 100 if more >= 1000 else 10
    assert "$" not in of_tile or f" about ${unit * round(more / unit):,} better off " in of_tile
    assert ("this purchase" in found["reason"]) == (board[-1] == "C" and hand == "1I 9I")
    assert answer(asked, {"tile": found["draft"].pop("cell"), **found["draft"]})


def asked_planner(state: State) -> Planner:
    planner = Planner(CLASSIC, 0)
    planner(messages.SignUp("ann"))
    planner(messages.TurnView(view_for(state, "ann")))
    return planner
