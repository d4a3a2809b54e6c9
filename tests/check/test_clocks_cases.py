"""The cases of the clocks: how long they take, and which players fail them."""

from functools import partial

from loops import for_each
from virtual_time import Players, PlayerSocket

from acquire.admin.testing.cases.case import PLAYER
from acquire.admin.testing.judging.check_result import CaseVerdict
from acquire.game.placement import Kind, Placement, kind_of, legal_placements
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.game.state import State
from acquire.player.strategies.simple import Ordered
from acquire.protocol import messages
from acquire.protocol.faults import Reason
from check.rehearsal import case_of, every_rulebook, rehearsals, rehearse, section_of, under
from check.thread_players import GaveUp, framed, playing, receive, verdicts


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


# -- players with a bug -------------------------------------------------------------------------


async def test_player_that_reads_for_at_most_two_seconds_fails_where_it_waits_longer(
    players: Players,
) -> None:
    def receive_soon(connection: PlayerSocket) -> bytes:
        if not connection.readable_within(2):
            raise GaveUp
        return receive(connection)

    impatient = playing(REVISED, partial(framed, receive=receive_soon))
    cases = section_of(REVISED, "clocks")
    found = await verdicts(list(cases.values()), impatient, players)
    gone = (CaseVerdict.FAIL, Reason.DISCONNECTED.value)
    waiting = {"before-the-match": gone, "others-think": gone}
    assert found == {slug: waiting.get(slug, (CaseVerdict.PASS, "")) for slug in cases}


@under([REVISED, CLASSIC])
async def test_player_that_ignores_questions_in_other_turns_fails(
    rulebook: Rulebook, players: Players
) -> None:
    case = case_of(rulebook, "clocks/asked-in-anothers-turn")
    deaf = playing(rulebook, framed, deaf_to=(messages.Keep, messages.Dispose))
    found = await verdicts([case], deaf, players)
    assert found == {case.slug: (CaseVerdict.FAIL, Reason.TIMED_OUT.value)}
