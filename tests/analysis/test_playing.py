"""Games from a decision to the end: the option is played, and nothing hidden has an influence."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

from loops import for_each

from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.in_process import play_from
from acquire.admin.refereeing.play.referee import Segment
from acquire.admin.studying.analysis.decision_log import (
    Decision,
    DecisionLog,
    DecisionStart,
    Option,
    What,
)
from acquire.admin.studying.analysis.playing import AnalysedTable, analyst, play, results
from acquire.admin.studying.whatif.single_game import WIN
from acquire.game.drawing import redeal
from acquire.game.notation import parse_position
from acquire.game.rulebooks import CLASSIC, WIKIPEDIA
from acquire.game.state import State
from acquire.game.tiles import tiles_in
from acquire.protocol import messages
from acquire.protocol.position_messages import PositionMessages

GOLDEN = Path(__file__).parents[1] / "golden"
LOGS = (
    "classic-markets-tile-merges",
    "corporations-equals-ordered-by-the-placer",
    "revised-three-way-tie-of-survivors",
    "wikipedia-hand-replaced",
)


@cache
def found_in(name: str) -> tuple[AnalysedTable, DecisionLog]:
    record = read(GOLDEN / f"{name}.xml")
    return AnalysedTable(tuple(seat.name for seat in record.header.seats), 5, "quick"), DecisionLog(
        record
    )


def late(name: str) -> list[Decision]:
    """The last decision of each kind: the games from there are short."""
    return list({each.what: each for each in found_in(name)[1].decisions}.values())


@for_each("name", LOGS)
def test_every_legal_option_can_be_played_and_the_same_game_is_the_same(name: str) -> None:
    table, _ = found_in(name)
    for decision in late(name):
        for option in range(min(3, len(decision.options))):
            first = results(table, decision, option, 1)
            assert 0 <= first.win <= WIN
            assert (first.lead > 0) == (first.win == WIN)
            assert first == results(table, decision, option, 1)


def test_last_order_of_a_game_is_worth_what_it_changes_in_the_scores() -> None:
    """Nothing is drawn any more, so every option has one value."""
    table, log = found_in("revised-no-tile-to-hand-back")
    decision = [each for each in log.decisions if each.what is What.ORDER][-1]
    recorded = decision.recorded
    assert results(table, decision, recorded, 1) == results(table, decision, recorded, 2)


def test_players_think_otherwise_in_each_game() -> None:
    """So one certificate does not decide all games that are played on with the same bag."""
    table, log = found_in("revised-three-way-tie-of-survivors")
    _, position = log.turns[12]
    scores = [play(table, position, None, game) for game in range(8)]
    assert len({tuple(sorted(each.items())) for each in scores}) > 4
    assert scores[3] == play(table, position, None, 3)


def test_hands_that_a_player_cannot_see_have_no_influence() -> None:
    table, _ = found_in("classic-markets-tile-merges")
    decision = late("classic-markets-tile-merges")[0]
    start = decision.start.position
    other = redeal(start, {decision.name}, Random(99).shuffle)
    assert other != start
    unseen = decision.start._replace(position=other)
    twin = replace(decision, start=unseen)
    for option in range(2):
        assert results(table, decision, option, 3) == results(table, twin, option, 3)


def test_tiles_that_became_known_during_the_turn_stay_where_they_were() -> None:
    _, log = found_in("corporations-equals-ordered-by-the-placer")
    asked = [
        each
        for each in log.decisions
        if each.what is What.DISPOSAL and each.name != each.start.position.mover.name
    ]
    for decision in asked:
        start, placed = decision.start, decision.start.placed
        assert placed is not None
        for game in range(3):
            deal = redeal(start.position, {decision.name}, Random(game).shuffle, start.revealed)
            assert deal.mover.hand >> placed.tile & 1
            assert tiles_of(deal) == tiles_of(start.position)
    assert asked
    _, log = found_in("classic-markets-tile-merges")
    drawn = [each for each in log.decisions if each.start.drawn]
    for decision in drawn:
        start = decision.start
        deal = redeal(start.position, {decision.name}, Random(1).shuffle, drawn=start.drawn)
        assert deal.bag[: len(start.drawn)] == start.position.bag[: len(start.drawn)]
    assert drawn


def test_hand_that_was_kept_is_kept_again() -> None:
    """A new hand could have a playable tile, and then an order alone would be refused."""
    blocked = "AAAAAAAAAAA/............/CCCCCCCCCCC"
    players = ["ann 1B 2B $3000", "bob 1I 2I", "cyd 5I 9I"]
    state = parse_position(WIKIPEDIA, blocked, players, bag="12I 11I 9F 9G 9H 7F 7H")
    orders = [messages.Pbuy(None, ()), messages.Pbuy(None, (0,))]
    options = tuple(Option(order, "") for order in orders)
    start = DecisionStart(state)
    decision = Decision(
        1, 1, "ann", What.ORDER, PositionMessages(WIKIPEDIA).turn(state), state, start, options, 0
    )
    table = AnalysedTable(("ann", "bob", "cyd"), 5, "quick")
    assert all(0 <= results(table, decision, option, 1).win <= WIN for option in range(2))


def tiles_of(state: State) -> list[int]:
    return sorted([*state.bag, *(tile for each in state.players for tile in tiles_in(each.hand))])


def test_all_answers_of_the_last_turn_give_the_real_scores() -> None:
    table, log = found_in("revised-no-tile-to-hand-back")
    turn = max(log.done)
    scores = play(table, log.turns[turn][1], log.done[turn], 1)
    record = read(GOLDEN / "revised-no-tile-to-hand-back.xml")
    ranked = {each.get("player"): each.get("score") for each in record.elements if each.get("rank")}
    assert {name: str(score) for name, score in scores.items()} == ranked


@for_each("kind", ["quick", "careful"])
def test_analyst_plays_alone_as_before_a_referee_once_nobody_can_buy(kind: str) -> None:
    """Then only the placements are left, which are chosen in the same way."""
    position = parse_position(
        CLASSIC,
        "AAAA......../............/..CCC......./............/TTTTTT......",
        ["ann A5 T1 8A 9C 12I", "bob C5 A2 7E 3G", "cyd T5 C1 12G 10B"],
        bag="1G 5G 9G 11C 12A 7I 4I 2I 10H 12D",
    )
    table = AnalysedTable(("ann", "bob", "cyd"), 5, kind)
    made = {name: analyst(kind)(CLASSIC, 1) for name in table.names}
    refereed = play_from(Segment(position, None), table.names, made, Dealer(5, 1))
    alone = play(table, position, None, 1)
    assert alone == {each.name: each.score for each in refereed.standings}
    assert sum(alone.values()) > 0
