"""The cases of signing up: what each lays out, and who fails it."""

from __future__ import annotations

import socket

import pytest

from admin.check.case import Case
from admin.check.cases.sign_up import ASKED_FOR, cases
from admin.check.judging import Result, Verdict
from admin.table.signup import free_name
from check.bare_players import Play, at_once, check_bare, framed, playing
from check.rehearsal import rehearse
from game.placement import Kind, Placement, kind_of, verify_placement
from game.rulebook import Rulebook
from game.rulebooks import CLASSIC, REVISED, RULEBOOKS
from game.state import State
from game.tiles import tiles_in
from game.violation import Violation
from player.strategies.simple import Ordered
from protocol import messages
from protocol.faults import Reason
from protocol.inbox import DocumentCache
from protocol.reading import greeting_reader
from protocol.writing import Writer

each_rulebook = pytest.mark.parametrize(
    "rulebook", RULEBOOKS.values(), ids=lambda rulebook: rulebook.id
)
TAKEN = {"suffix": "ann-2", "another-suffix": "ann-3"}


def case_of(rulebook: Rulebook, slug: str) -> Case:
    (found,) = [case for case in cases(rulebook) if case.slug == slug]
    return found


def positions_of_turns(case: Case, name: str) -> list[State]:
    return rehearse(case.script.named(name)).turns_of(name)


@each_rulebook
@pytest.mark.parametrize(("slug", "given"), TAKEN.items())
def test_name_is_given_because_others_have_the_one_asked_for(
    rulebook: Rulebook, slug: str, given: str
) -> None:
    case = case_of(rulebook, slug)
    others = [name for name in case.script.seats if name != case.script.subject]
    assert case.name == ASKED_FOR
    assert free_name(case.name, others) == given


@each_rulebook
@pytest.mark.parametrize(("slug", "given"), TAKEN.items())
def test_no_tile_of_a_namesake_may_be_placed(rulebook: Rulebook, slug: str, given: str) -> None:
    (position,) = positions_of_turns(case_of(rulebook, slug), given)
    assert position.mover.name == given
    for tile in tiles_in(position.mover.hand):
        assert kind_of(position.board, tile) is Kind.SINGLETON
    namesakes = [each for each in position.players if each.name.startswith(ASKED_FOR)]
    assert len(namesakes) >= 2
    for tile in tiles_in(sum(each.hand for each in namesakes[1:])):
        wrong = verify_placement(position, Placement(tile))
        assert wrong is not None and wrong.violation is Violation.NOT_IN_HAND


@each_rulebook
def test_namesakes_move_first_where_the_name_is_taken_twice(rulebook: Rulebook) -> None:
    ((position, turns),) = case_of(rulebook, "another-suffix").script.segments
    assert [player.name for player in position.players][:3] == ["ann", "ann-2", "player"]
    assert turns == 3


@each_rulebook
def test_all_is_asked_that_the_cases_have_to_reach(rulebook: Rulebook) -> None:
    for case in cases(rulebook):
        assert case.to_reach <= rehearse(case.script).asked(case.script.subject)


# -- who fails ----------------------------------------------------------------------------------


def failed(results: dict[str, Result]) -> dict[str, str]:
    return {
        slug: result.ended_by for slug, result in results.items() if result.verdict is Verdict.FAIL
    }


def waiting_to_be_greeted(connection: socket.socket, name: str) -> None:
    connection.recv(1)


def answering_the_greeting(connection: socket.socket, name: str) -> None:
    connection.sendall(Writer(REVISED).write(messages.SignUp(name)))
    at_once()(connection, DocumentCache(greeting_reader()))
    connection.sendall(b"<void/>")
    connection.recv(1)


async def test_who_waits_to_be_greeted_fails() -> None:
    results = await check_bare(REVISED, [case_of(REVISED, "speaks-first")], waiting_to_be_greeted)
    assert failed(results) == {"speaks-first": Reason.TIMED_OUT.value}


async def test_who_answers_the_greeting_fails() -> None:
    results = await check_bare(REVISED, [case_of(REVISED, "silence")], answering_the_greeting)
    assert failed(results) == {"silence": Reason.OUT_OF_TURN.value}


async def test_who_throws_away_what_came_with_the_greeting_fails() -> None:
    def play(connection: socket.socket, name: str) -> None:
        connection.sendall(Writer(REVISED).write(messages.SignUp(name)))
        connection.recv(65536)
        connection.recv(1)

    results = await check_bare(REVISED, [case_of(REVISED, "glued")], play)
    assert failed(results) == {"glued": Reason.TIMED_OUT.value}


class ByTheNameAskedFor(Ordered):
    """Takes the tiles of whoever has the name that it asked for."""

    def __call__(self, message: messages.AdministratorMessage) -> messages.PlayerMessage:
        own = None
        if isinstance(message, messages.Turn):
            own = next(each for each in message.players if each.name == ASKED_FOR)
        if isinstance(message, messages.TurnView):
            seen = next(each for each in message.view.players if each.name == ASKED_FOR)
            return messages.Pbuy(None, ()) if not seen.hand else super().__call__(message)
        if own is None:
            return super().__call__(message)
        return messages.Pbuy(Placement(tiles_in(own.hand)[0]), ())


@pytest.mark.parametrize("rulebook", [REVISED, CLASSIC], ids=lambda rulebook: rulebook.id)
async def test_who_plays_by_the_name_asked_for_fails(rulebook: Rulebook) -> None:
    player: Play = playing(rulebook, framed, ByTheNameAskedFor)
    results = await check_bare(rulebook, [case_of(rulebook, slug) for slug in TAKEN], player)
    assert failed(results) == dict.fromkeys(TAKEN, Reason.ILLEGAL.value)
