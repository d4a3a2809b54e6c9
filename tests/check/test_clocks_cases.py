"""The cases of the clocks: how long they take, and which players fail them."""

from __future__ import annotations

import pytest
from loops import for_each
from virtual_time import Players, PlayerSocket

from acquire.admin.testing.cases.case import PLAYER
from acquire.admin.testing.judging.check_result import CaseVerdict
from acquire.game.disposal import legal_disposals
from acquire.game.placement import Kind, Placement, kind_of, legal_placements, place
from acquire.game.purchase import legal_orders
from acquire.game.rulebook import DisposalRule, Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.game.state import State
from acquire.player.strategies.simple import Ordered
from acquire.protocol import messages
from acquire.protocol.faults import Reason
from acquire.protocol.inbox import DocumentCache
from acquire.protocol.messages import RefereeMessage
from acquire.protocol.reading import greeting_reader, referee_reader
from acquire.protocol.writing import Writer
from check.legal_moves import kinds, placeable
from check.rehearsal import (
    case_of,
    every_rulebook,
    first_position,
    rehearsals,
    rehearse,
    section_of,
)
from check.thread_players import GaveUp, Play, Read, framed, playing, verdicts


@every_rulebook
def test_no_case_keeps_a_quick_player_waiting_for_more_than_four_seconds(
    rulebook: Rulebook,
) -> None:
    for case in section_of(rulebook, "clocks").values():
        played = rehearsals(rulebook, case.id)[0]
        moves = played.outcome.turns - len(played.turns_of(PLAYER))
        assert case.pause + moves * case.script.think_time <= 4, case.id


@every_rulebook
def test_opponent_thinks_while_the_player_waits(rulebook: Rulebook) -> None:
    case = case_of(rulebook, "clocks/others-think")
    played = rehearsals(rulebook, case.id)[0]
    assert case.script.think_time == 2.5
    assert played.outcome.turns == 2 and len(played.turns_of(PLAYER)) == 1
    assert first_position(case).mover.name != PLAYER


@every_rulebook
def test_whatever_the_opponent_places_the_player_is_asked_about_certificates(
    rulebook: Rulebook,
) -> None:
    position = first_position(case_of(rulebook, "clocks/asked-in-anothers-turn"))
    assert position.mover.name != PLAYER
    placements = legal_placements(position)
    assert kinds(position) == {Kind.MERGING}
    (survivor,) = {hotel for _, hotel, _ in placements}
    assert survivor is not None
    (acquired,) = {
        hotel
        for tile, _, _ in placements
        for hotel in position.board.touched(tile)
        if hotel != survivor
    }
    held = position.player(PLAYER).shares[acquired]
    assert held
    if rulebook.disposal is DisposalRule.HOLD_SELL_TRADE:
        assert len(legal_disposals(held, position.bank[survivor])) > 2


@every_rulebook
def test_there_are_many_legal_moves(rulebook: Rulebook) -> None:
    position = first_position(case_of(rulebook, "clocks/much-to-choose"))
    placements = legal_placements(position)
    assert kinds(position) == {Kind.FOUNDING, Kind.MERGING} and len(placements) >= 10
    founding = next(
        each for each in placements if kind_of(position.board, each.tile) is Kind.FOUNDING
    )
    assert len(legal_orders(place(position, founding))) > 10


@every_rulebook
def test_every_tile_of_the_merger_case_merges(rulebook: Rulebook) -> None:
    position = first_position(case_of(rulebook, "clocks/merger"))
    assert kinds(position) == {Kind.MERGING}
    assert len(placeable(position)) == rulebook.hand_size


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
        assert kinds(position) == {Kind.SINGLETON}


# -- players with a bug -------------------------------------------------------------------------


async def test_player_that_reads_for_at_most_two_seconds_fails_where_it_waits_longer(
    players: Players,
) -> None:
    def reading() -> Read:
        read = framed()

        def read_soon(
            connection: PlayerSocket, cache: DocumentCache[RefereeMessage]
        ) -> RefereeMessage:
            if not connection.readable_within(2):
                raise GaveUp
            return read(connection, cache)

        return read_soon

    impatient = playing(REVISED, reading)

    cases = section_of(REVISED, "clocks")
    found = await verdicts(list(cases.values()), impatient, players)
    gone = (CaseVerdict.FAIL, Reason.DISCONNECTED.value)
    waiting = {"before-the-match": gone, "others-think": gone}
    assert found == {slug: waiting.get(slug, (CaseVerdict.PASS, "")) for slug in cases}


def deaf_to(rulebook: Rulebook, *unheard: type) -> Play:
    """A player that ignores messages of some kinds."""

    def play(connection: PlayerSocket, name: str) -> None:
        read, writer, strategy = framed(), Writer(rulebook), Ordered(rulebook, 0)
        connection.sendall(writer.write(messages.SignUp(name)))
        read(connection, DocumentCache(greeting_reader()))
        cache = DocumentCache(referee_reader(rulebook))
        while True:
            message = read(connection, cache)
            if not isinstance(message, unheard):
                connection.sendall(writer.write(strategy(message)))

    return play


@pytest.mark.parametrize("rulebook", [REVISED, CLASSIC], ids=lambda rulebook: rulebook.id)
async def test_player_that_ignores_questions_in_other_turns_fails(
    rulebook: Rulebook, players: Players
) -> None:
    case = case_of(rulebook, "clocks/asked-in-anothers-turn")
    deaf = deaf_to(rulebook, messages.Keep, messages.Dispose)
    found = await verdicts([case], deaf, players)
    assert found == {case.slug: (CaseVerdict.FAIL, Reason.TIMED_OUT.value)}
