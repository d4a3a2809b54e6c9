"""Games from a turn of a recorded game among players in this process."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from loops import for_each

from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.play.outcome import Outcome, standings
from acquire.admin.studying.whatif.single_game import (
    WIN,
    Answers,
    GameSetup,
    Maker,
    SeatOutcome,
    Variant,
    move_of,
    parse_variant,
    play,
    seat_result,
)
from acquire.admin.testing.trial.game_history import GameHistory
from acquire.game.placement import Placement
from acquire.game.state import State
from acquire.game.tiles import tiles_in
from acquire.game.turn import Ending
from acquire.player.strategies.investor import Investor
from acquire.player.strategies.simple import Ordered, Random
from acquire.protocol import messages
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from acquire.protocol.user_error import UserError

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.xml"))
MAKERS: dict[str, Maker] = {"ordered": Ordered, "random": Random, "investor": Investor}


@cache
def recorded(name: str) -> GameHistory:
    return GameHistory(read(GOLDEN[0].with_name(f"{name}.xml")))


def setting(
    found: GameHistory, turn: int, makers: Mapping[str, Maker] = MAKERS, others: Maker = Ordered
) -> GameSetup:
    """Play on from a turn, the others by one strategy."""
    position, mover = found.positions[turn], found.movers[turn]
    move: Answers = ()
    if found.left_in.get(mover) != turn:
        move = move_of(position, mover, found.responses(turn, mover))
    return GameSetup(found.names, position, 5, dict.fromkeys(found.names, others), makers, move)


def spying(told: list[tuple[str, RefereeMessage]]) -> Maker:
    """A maker of players that write down what they are told."""

    class Spy(Ordered):
        def __call__(self, message: RefereeMessage) -> PlayerMessage:
            answer = super().__call__(message)
            told.append((self.name, message))
            return answer

    return Spy


ENDED = [
    log.stem
    for log in GOLDEN
    if not log.stem.endswith(("nobody-left", "interrupted"))
    and "markets-tile" not in log.stem  # whose tile at the end is another
]


@for_each("name", ENDED)
def test_last_turn_with_the_recorded_move_comes_to_the_real_score(name: str) -> None:
    found = recorded(name)
    last = max(found.positions)
    mover = found.movers[last]
    (real,) = [each for each in found.outcome.standings if each.name == mover]
    at_last = setting(found, last)
    for game in range(1, 3):
        came = play(at_last, Variant(mover, "ordered", recorded=True), game)
        assert (came.score, came.win > 0) == (real.score, real.rank == 1)
        assert not came.lost and not came.amended


@for_each("name", [log.stem for log in GOLDEN])
def test_recorded_move_is_made_first(name: str) -> None:
    """The board after the turn is the recorded one, and so is what the mover holds."""
    found = recorded(name)
    for turn in range(2, max(found.positions), 15):
        mover, after = found.movers[turn], found.positions[turn + 1]
        others = [each.name for each in found.positions[turn].players if each.name != mover]
        if found.left_in.get(mover) == turn or not others:
            continue
        told: list[tuple[str, RefereeMessage]] = []
        at_turn = setting(found, turn, others=spying(told))
        if (
            play(at_turn, Variant(mover, "ordered", recorded=True), 1).amended
            or len(found.names) == 2
        ):
            continue  # where two play the market's tile is another
        second = [
            message
            for who, message in told
            if who == others[0] and isinstance(message, messages.State | messages.StateView)
        ][1]
        if isinstance(second, messages.State):
            board, players = second.board, {each.name: each.shares for each in second.players}
        else:
            view = second.view
            board = view.board
            players = {each.name: each.shares for each in view.players if each.shares is not None}
        assert board == after.board
        assert players[mover] == after.player(mover).shares


def test_variants_of_a_seat_are_dealt_the_same_and_games_are_not() -> None:
    found = recorded("classic-large-hotel")
    mover = found.movers[20]
    seen = {}
    for strategy in ("investor", "random"):
        for game in (1, 2):
            told: list[tuple[str, RefereeMessage]] = []
            play(setting(found, 20, others=spying(told)), Variant(mover, strategy), game)
            seen[strategy, game] = [
                message for _, message in told if isinstance(message, messages.StateView)
            ][:3]
    assert seen["investor", 1] == seen["random", 1] != seen["investor", 2] == seen["random", 2]


def test_same_game_comes_to_the_same() -> None:
    at_turn = setting(recorded("revised-large-hotel"), 40, others=Random)
    one = [play(at_turn, Variant("grower-2", "random"), game) for game in range(1, 6)]
    assert one == [play(at_turn, Variant("grower-2", "random"), game) for game in range(1, 6)]
    assert len({game.score for game in one}) > 1


def test_who_has_left_before_stays_away() -> None:
    found = recorded("revised-nobody-left")
    assert found.left_in == {"random-1": 4, "ordered-2": 9, "largestalpha-3": 15}
    came = play(setting(found, 10), Variant("largestalpha-3", "ordered"), 1)
    assert came.win == WIN and not came.lost


class Cheat(Ordered):
    """Places a tile that lies on the board."""

    def place(self, state: State) -> Placement:
        return Placement(tiles_in(state.board.occupied)[0])


def test_player_that_is_ejected_has_no_score_and_no_win() -> None:
    makers: dict[str, Maker] = {"cheat": Cheat}
    at_turn = setting(recorded("revised-large-hotel"), 40, makers)
    came = play(at_turn, Variant("grower-1", "cheat"), 1)
    assert came == SeatOutcome(0, 0, "tile-not-in-hand")


def test_those_who_share_the_first_place_share_the_win() -> None:
    outcome = Outcome(Ending.ALL_SAFE, 9, standings([("a", 5), ("b", 5), ("c", 1)], ["d"]), ())
    assert seat_result(outcome, "a") == SeatOutcome(5, WIN // 2)
    assert seat_result(outcome, "b") == SeatOutcome(5, WIN // 2)
    assert seat_result(outcome, "c") == SeatOutcome(1, 0)


# -- the recorded move where it is not legal any more ----------------------------------------------


def test_move_that_another_market_tile_makes_illegal_is_amended_and_played_on() -> None:
    found = recorded("classic-markets-tile-merges")
    came = [
        play(setting(found, turn), Variant(found.movers[turn], "ordered", recorded=True), game)
        for turn in found.positions
        for game in (1, 2)
    ]
    cut = [game for game in came if game.amended]
    assert cut and len(cut) < len(came)
    assert all(not game.lost and game.score > 0 for game in cut)


def test_rule_broken_behind_the_recorded_move_is_not_amended() -> None:
    makers: dict[str, Maker] = {"cheat": Cheat}
    found = recorded("revised-large-hotel")
    came = play(setting(found, 40, makers), Variant(found.movers[40], "cheat", recorded=True), 1)
    assert came == SeatOutcome(0, 0, "tile-not-in-hand")


# -- variants as they are written on the command line ----------------------------------------------

SEATS = ("alice", "bob=2", "bob")
STRATEGIES = ("investor", "random")


@for_each(
    ("text", "expected"),
    [
        ("alice=investor", Variant("alice", "investor")),
        ("alice=recorded", Variant("alice", "random", recorded=True)),
        ("bob=random", Variant("bob", "random")),
        ("bob=2=random", Variant("bob=2", "random")),
        ("bob=./player {port}", Variant("bob", words=("./player", "{port}"))),
        ("alice=py 'a b.py' {name}", Variant("alice", words=("py", "a b.py", "{name}"))),
    ],
)
def test_seat_and_who_takes_it_are_parsed(text: str, expected: Variant) -> None:
    assert parse_variant(text, SEATS, STRATEGIES, "random") == expected


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("alice", "expected NAME=WHO. Players: 'alice', 'bob=2', 'bob'"),
        ("carol=random", "no player is called 'carol'"),
        ("alice=py 'a", "the command cannot be parsed: No closing quotation"),
    ],
)
def test_invalid_variant_is_refused_with_what_was_expected(text: str, error: str) -> None:
    with pytest.raises(UserError, match=r".") as refused:
        parse_variant(text, SEATS, STRATEGIES, "random")
    assert error in str(refused.value)


def test_label_of_a_command_is_as_typed_in_a_shell() -> None:
    words = ("python3", "my player.py", "{host}", "{port}")
    assert Variant("a", words=words).label == "python3 'my player.py' {host} {port}"
    assert Variant("a", "investor", recorded=True).label == "recorded, then investor"
    assert Variant("a", "investor").label == "investor"
