"""The messages that carry a position: open under ``revised``, views elsewhere."""

from __future__ import annotations

from loops import for_each
from positions import board, mask

from acquire.game.rulebook import Rulebook, with_hidden_assets
from acquire.game.rulebooks import CORPORATIONS, REVISED, RULEBOOKS
from acquire.game.state import Player, State, position
from acquire.protocol import messages
from acquire.protocol.player_view import PlayerView, SeatView
from acquire.protocol.position_messages import PositionMessages

NOTHING = (0,) * 7
ANN = Player("ann", 100, (3, 0, 0, 2, 1, 0, 0), mask("1I 2I"))
BOB = Player("bob", 0, (4, 5, 0, 0, 0, 0, 25), mask("7I"))
CYD = Player("cyd", 9000, NOTHING, 0)
NAMES = ("ann", "bob", "cyd")
RESULTS = (("cyd", 9000), ("ann", 100))

OTHERS = for_each(
    "rulebook",
    [rulebook for rulebook in RULEBOOKS.values() if rulebook is not REVISED],
    ids=lambda rulebook: str(rulebook.id),
)


def table(rulebook: Rulebook) -> State:
    """A position in which ann moves."""
    return position(rulebook, board("SS.o", rulebook), (ANN, BOB, CYD))._replace(aside=mask("1G"))


def as_seen(rulebook: Rulebook, viewer: str) -> PlayerView:
    """What one of them sees where hands are hidden and assets are not."""
    players = tuple(
        SeatView(name, cash, shares, hand if name == viewer else 0, hand.bit_count())
        for name, cash, shares, hand in (ANN, BOB, CYD)
    )
    bank = (18, 20, 25, 23, 24, 25, 0)
    return PlayerView(board("SS.o", rulebook), bank, mask("1G"), players)


def test_under_revised_all_are_sent_one_position_with_everything_in_it() -> None:
    state, position_messages = table(REVISED), PositionMessages(REVISED)
    whole = board("SS.o"), (ANN, BOB, CYD)
    assert position_messages.states(state, NAMES) == dict.fromkeys(NAMES, messages.State(*whole))
    assert position_messages.scores(RESULTS, state, NAMES) == dict.fromkeys(
        NAMES, messages.Score(RESULTS, *whole)
    )
    assert position_messages.turn(state) == messages.Turn(*whole)
    assert position_messages.players(state) == messages.Players((ANN, BOB, CYD))


@OTHERS
def test_under_the_others_each_is_sent_its_own_view(rulebook: Rulebook) -> None:
    state, position_messages = table(rulebook), PositionMessages(rulebook)
    assert position_messages.states(state, NAMES) == {
        name: messages.StateView(as_seen(rulebook, name)) for name in NAMES
    }
    assert position_messages.scores(RESULTS, state, NAMES) == {
        name: messages.ScoreView(RESULTS, as_seen(rulebook, name)) for name in NAMES
    }


@OTHERS
def test_the_mover_is_asked_about_what_the_mover_sees(rulebook: Rulebook) -> None:
    state, position_messages = table(rulebook), PositionMessages(rulebook)
    assert position_messages.turn(state) == messages.TurnView(as_seen(rulebook, "ann"))
    assert position_messages.players(state) == messages.PlayersView(as_seen(rulebook, "ann"))
    ann, *others = state.players
    after = position_messages.turn(state._replace(players=(*others, ann)))
    assert isinstance(after, messages.TurnView)
    assert [(seen.name, seen.hand) for seen in after.view.players] == [
        ("bob", BOB.hand),
        ("cyd", 0),
        ("ann", 0),
    ]


@for_each("rulebook", RULEBOOKS.values(), ids=RULEBOOKS)
def test_only_named_players_are_included_in_that_order(rulebook: Rulebook) -> None:
    state, position_messages = table(rulebook), PositionMessages(rulebook)
    assert list(position_messages.states(state, ["cyd", "ann"])) == ["cyd", "ann"]
    assert list(position_messages.scores(RESULTS, state, ["cyd", "ann"])) == ["cyd", "ann"]
    assert position_messages.states(state, []) == position_messages.scores(RESULTS, state, []) == {}


def test_hidden_assets_are_hidden_in_every_message() -> None:
    hiding = with_hidden_assets(CORPORATIONS)
    state, position_messages = table(hiding), PositionMessages(hiding)
    sent = [
        position_messages.states(state, NAMES)["ann"],
        position_messages.turn(state),
        position_messages.players(state),
        position_messages.scores(RESULTS, state, NAMES)["ann"],
    ]
    for message in sent:
        assert isinstance(
            message,
            messages.StateView | messages.TurnView | messages.PlayersView | messages.ScoreView,
        )
        ann, bob, cyd = message.view.players
        assert ann == SeatView(ANN.name, ANN.cash, ANN.shares, ANN.hand, 2)
        assert bob == SeatView("bob", None, None, 0, 1)
        assert cyd == SeatView("cyd", None, None, 0, 0)
