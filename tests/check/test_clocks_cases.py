"""The cases of the clocks: how long they take."""

from loops import for_each

from acquire.admin.testing.cases.case import PLAYER
from acquire.game.placement import Kind, Placement, kind_of, legal_placements
from acquire.game.rulebook import Rulebook
from acquire.game.state import State
from acquire.player.strategies.simple import Ordered
from check.rehearsal import case_of, every_rulebook, rehearsals, rehearse, section_of


@every_rulebook
def test_no_case_keeps_a_quick_player_waiting_for_more_than_four_seconds(
    rulebook: Rulebook,
) -> None:
    for case in section_of(rulebook, "clocks").values():
        played = rehearsals(rulebook, case.id)[0]
        moves = played.outcome.turns - len(played.turns_of(PLAYER))
        assert case.pause + moves * case.script.think_time <= 4, case.id


@every_rulebook
@for_each("last", [False, True], ids=["first-tile", "last-tile"])
def test_quick_turns_are_simple_to_the_last(rulebook: Rulebook, last: bool) -> None:
    case = case_of(rulebook, "clocks/quick-turns")

    class Placing(Ordered):
        def place(self, state: State) -> Placement:
            return legal_placements(state)[-1 if last else 0]

    played = rehearse(case.script, Placing(rulebook, 0))
    turns = played.turns_of(PLAYER)
    assert played.outcome.turns == 30 and len(turns) == 10
    for position in turns:
        assert len(legal_placements(position)) == rulebook.hand_size
        for placement in legal_placements(position):
            assert kind_of(position.board, placement.tile) is Kind.SINGLETON
