"""The cases of the clocks: how long what takes, and who fails."""

from __future__ import annotations

import socket

import pytest
import trio

from admin.check.case import PLAYER, Case
from admin.check.cases.clocks import OTHERS_THINK, TURNS, cases
from admin.check.judging import Result, Verdict
from check.bare_players import Play, check_bare, framed, playing
from check.rehearsal import rehearse
from game.disposal import legal_disposals
from game.placement import Kind, Placement, kind_of, legal_placements, place
from game.purchase import legal_orders
from game.rulebook import DisposalRule, Rulebook
from game.rulebooks import CLASSIC, REVISED, RULEBOOKS
from game.state import State
from player.strategies.simple import Ordered
from protocol import messages
from protocol.faults import Reason
from protocol.inbox import DocumentCache
from protocol.reading import administrator_reader, greeting_reader
from protocol.writing import Writer

each_rulebook = pytest.mark.parametrize(
    "rulebook", RULEBOOKS.values(), ids=lambda rulebook: rulebook.id
)


def named(rulebook: Rulebook) -> dict[str, Case]:
    return {case.slug: case for case in cases(rulebook)}


def position_of(case: Case) -> State:
    ((position, _),) = case.script.segments
    return position


def failed(results: dict[str, Result]) -> dict[str, str]:
    return {
        slug: result.ended_by for slug, result in results.items() if result.verdict is Verdict.FAIL
    }


@each_rulebook
def test_all_is_asked_that_the_cases_have_to_reach(rulebook: Rulebook) -> None:
    for case in cases(rulebook):
        assert case.to_reach <= rehearse(case.script).asked(PLAYER)


@each_rulebook
def test_no_case_keeps_a_quick_player_waiting_for_more_than_four_seconds(
    rulebook: Rulebook,
) -> None:
    for case in cases(rulebook):
        rehearsal = rehearse(case.script)
        moved = rehearsal.outcome.turns - len(rehearsal.turns_of(PLAYER))
        assert case.pause + moved * case.script.thinking <= 4


@each_rulebook
def test_another_player_thinks_while_the_player_waits(rulebook: Rulebook) -> None:
    case = named(rulebook)["others-think"]
    rehearsal = rehearse(case.script)
    assert case.script.thinking == OTHERS_THINK
    assert rehearsal.outcome.turns == 2 and len(rehearsal.turns_of(PLAYER)) == 1
    assert position_of(case).mover.name != PLAYER


@each_rulebook
def test_whatever_the_other_places_the_player_is_asked_about_certificates(
    rulebook: Rulebook,
) -> None:
    position = position_of(named(rulebook)["asked-in-anothers-turn"])
    assert position.mover.name != PLAYER
    placements = legal_placements(position)
    assert {kind_of(position.board, tile) for tile, _, _ in placements} == {Kind.MERGING}
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


@each_rulebook
def test_there_is_much_to_choose_from(rulebook: Rulebook) -> None:
    position = position_of(named(rulebook)["much-to-choose"])
    placements = legal_placements(position)
    kinds = {kind_of(position.board, each.tile) for each in placements}
    assert kinds == {Kind.FOUNDING, Kind.MERGING} and len(placements) >= 10
    founding = next(each for each in placements if each.tile not in merging(position))
    assert len(legal_orders(place(position, founding))) > 10


def merging(position: State) -> set[int]:
    return {
        tile
        for tile, _, _ in legal_placements(position)
        if kind_of(position.board, tile) is Kind.MERGING
    }


@each_rulebook
def test_whatever_is_placed_in_the_merger_case_merges(rulebook: Rulebook) -> None:
    position = position_of(named(rulebook)["merger"])
    assert len(merging(position)) == rulebook.hand_size


@each_rulebook
@pytest.mark.parametrize("last", [False, True], ids=["first-tile", "last-tile"])
def test_quick_turns_are_simple_to_the_last(rulebook: Rulebook, last: bool) -> None:
    case = named(rulebook)["quick-turns"]

    class Placing(Ordered):
        def place(self, state: State) -> Placement:
            return legal_placements(state)[-1 if last else 0]

    rehearsal = rehearse(case.script, Placing(rulebook, 0))
    turns = rehearsal.turns_of(PLAYER)
    assert rehearsal.outcome.turns == TURNS and len(turns) == TURNS // 3
    for position in turns:
        placements = legal_placements(position)
        assert len(placements) == rulebook.hand_size
        assert {kind_of(position.board, tile) for tile, _, _ in placements} == {Kind.SINGLETON}


# -- who fails ----------------------------------------------------------------------------------


async def test_who_gives_up_reading_after_two_seconds_fails_where_they_pass() -> None:
    well = playing(REVISED, framed)

    def impatient(connection: socket.socket, name: str) -> None:
        connection.settimeout(2)
        well(connection, name)

    results = await check_bare(REVISED, list(cases(REVISED)), impatient)
    assert failed(results) == dict.fromkeys(
        ["before-the-match", "others-think"], Reason.DISCONNECTED.value
    )
    passed = {slug for slug, each in results.items() if each.verdict is Verdict.PASS}
    assert passed == set(named(REVISED)) - set(failed(results))


def deaf_to(rulebook: Rulebook, *unheard: type) -> Play:
    """Make a player who passes over messages of some kinds, as if nothing were due."""

    def play(connection: socket.socket, name: str) -> None:
        read, writer, strategy = framed(), Writer(rulebook), Ordered(rulebook, 0)
        connection.sendall(writer.write(messages.SignUp(name)))
        read(connection, DocumentCache(greeting_reader()))
        memory = DocumentCache(administrator_reader(rulebook))
        while True:
            message = read(connection, memory)
            if not isinstance(message, unheard):
                connection.sendall(writer.write(strategy(message)))

    return play


async def test_who_hears_no_question_in_anothers_turn_fails() -> None:
    async def lay_before_the_deaf(rulebook: Rulebook) -> None:
        case = named(rulebook)["asked-in-anothers-turn"]
        deaf = deaf_to(rulebook, messages.Keep, messages.Dispose)
        results = await check_bare(rulebook, [case], deaf)
        assert failed(results) == {case.slug: Reason.TIMED_OUT.value}

    async with trio.open_nursery() as both:
        both.start_soon(lay_before_the_deaf, REVISED)
        both.start_soon(lay_before_the_deaf, CLASSIC)
