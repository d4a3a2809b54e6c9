"""Positions made into messages: in the open under ``revised``, in sight elsewhere."""

from __future__ import annotations

import pytest
from positions import board, mask

from game.rulebook import Rulebook, with_hidden_assets
from game.rulebooks import CORPORATIONS, REVISED, RULEBOOKS
from game.state import Player, State, position
from protocol import messages
from protocol.sight import Seen, Sight
from protocol.telling import teller_for

NOTHING = (0,) * 7
ANN = Player("ann", 100, (3, 0, 0, 2, 1, 0, 0), mask("1I 2I"))
BOB = Player("bob", 0, (4, 5, 0, 0, 0, 0, 25), mask("7I"))
CYD = Player("cyd", 9000, NOTHING, 0)
NAMES = ("ann", "bob", "cyd")
RESULTS = (("cyd", 9000), ("ann", 100))

OTHERS = pytest.mark.parametrize(
    "rulebook",
    [rulebook for rulebook in RULEBOOKS.values() if rulebook is not REVISED],
    ids=lambda rulebook: str(rulebook.id),
)


def table(rulebook: Rulebook) -> State:
    """A position in which ann moves."""
    return position(rulebook, board("SS.o", rulebook), (ANN, BOB, CYD))._replace(aside=mask("1G"))


def as_seen(rulebook: Rulebook, viewer: str) -> Sight:
    """What one of them sees where hands are hidden and assets are not."""
    players = tuple(
        Seen(name, cash, shares, hand if name == viewer else 0, hand.bit_count())
        for name, cash, shares, hand in (ANN, BOB, CYD)
    )
    bank = (18, 20, 25, 23, 24, 25, 0)
    return Sight(board("SS.o", rulebook), bank, mask("1G"), players)


def test_under_revised_all_are_told_one_position_with_everything_in_it() -> None:
    state, teller = table(REVISED), teller_for(REVISED)
    whole = board("SS.o"), (ANN, BOB, CYD)
    assert teller.states(state, NAMES) == dict.fromkeys(NAMES, messages.State(*whole))
    assert teller.scores(RESULTS, state, NAMES) == dict.fromkeys(
        NAMES, messages.Score(RESULTS, *whole)
    )
    assert teller.turn(state) == messages.Turn(*whole)
    assert teller.players(state) == messages.Players((ANN, BOB, CYD))


@OTHERS
def test_under_the_others_each_is_told_what_he_sees(rulebook: Rulebook) -> None:
    state, teller = table(rulebook), teller_for(rulebook)
    assert teller.states(state, NAMES) == {
        name: messages.SeenState(as_seen(rulebook, name)) for name in NAMES
    }
    assert teller.scores(RESULTS, state, NAMES) == {
        name: messages.SeenScore(RESULTS, as_seen(rulebook, name)) for name in NAMES
    }


@OTHERS
def test_the_mover_is_asked_about_what_the_mover_sees(rulebook: Rulebook) -> None:
    state, teller = table(rulebook), teller_for(rulebook)
    assert teller.turn(state) == messages.SeenTurn(as_seen(rulebook, "ann"))
    assert teller.players(state) == messages.SeenPlayers(as_seen(rulebook, "ann"))
    ann, *others = state.players
    after = teller.turn(state._replace(players=(*others, ann)))
    assert isinstance(after, messages.SeenTurn)
    assert [(seen.name, seen.hand) for seen in after.sight.players] == [
        ("bob", BOB.hand),
        ("cyd", 0),
        ("ann", 0),
    ]


@pytest.mark.parametrize("rulebook", RULEBOOKS.values(), ids=RULEBOOKS)
def test_only_those_who_are_named_are_told_in_that_order(rulebook: Rulebook) -> None:
    state, teller = table(rulebook), teller_for(rulebook)
    assert list(teller.states(state, ["cyd", "ann"])) == ["cyd", "ann"]
    assert list(teller.scores(RESULTS, state, ["cyd", "ann"])) == ["cyd", "ann"]
    assert teller.states(state, []) == teller.scores(RESULTS, state, []) == {}


def test_hidden_assets_are_hidden_in_every_message() -> None:
    hiding = with_hidden_assets(CORPORATIONS)
    state, teller = table(hiding), teller_for(hiding)
    told = [
        teller.states(state, NAMES)["ann"],
        teller.turn(state),
        teller.players(state),
        teller.scores(RESULTS, state, NAMES)["ann"],
    ]
    for message in told:
        assert isinstance(
            message,
            messages.SeenState | messages.SeenTurn | messages.SeenPlayers | messages.SeenScore,
        )
        ann, bob, cyd = message.sight.players
        assert ann == Seen(*ANN, 2)
        assert bob == Seen("bob", None, NOTHING, 0, 1)
        assert cyd == Seen("cyd", None, NOTHING, 0, 0)
