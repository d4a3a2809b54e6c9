"""The cases of signing up: what each lays out, and the players that fail it."""

from __future__ import annotations

import pytest
from loops import for_each
from virtual_time import Players, PlayerSocket

from acquire.admin.testing.judging.check_result import CaseVerdict
from acquire.game.placement import Kind, Placement, kind_of, verify_placement
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.game.tiles import tiles_in
from acquire.game.violation import Violation
from acquire.player.strategies.simple import Ordered
from acquire.protocol import messages
from acquire.protocol.faults import Reason
from acquire.protocol.inbox import DocumentCache
from acquire.protocol.player_names import free_name
from acquire.protocol.reading import greeting_reader
from acquire.protocol.writing import Writer
from check.rehearsal import case_of, every_rulebook, first_position, rehearse, under
from check.thread_players import Play, framed, one_read, playing, verdicts

TAKEN = {"suffix": "ann-2", "another-suffix": "ann-3"}


@every_rulebook
@for_each(("slug", "given"), TAKEN.items())
def test_suffix_is_given_because_opponents_have_the_name(
    rulebook: Rulebook, slug: str, given: str
) -> None:
    case = case_of(rulebook, f"sign-up/{slug}")
    opponents = [name for name in case.script.seats if name != case.script.subject]
    assert case.name == "ann"
    assert free_name(case.name, opponents) == given


@every_rulebook
@for_each(("slug", "given"), TAKEN.items())
def test_no_tile_of_a_namesake_can_be_placed(rulebook: Rulebook, slug: str, given: str) -> None:
    script = case_of(rulebook, f"sign-up/{slug}").script.with_subject_named(given)
    (position,) = rehearse(script).turns_of(given)
    assert position.mover.name == given
    for tile in tiles_in(position.mover.hand):
        assert kind_of(position.board, tile) is Kind.SINGLETON
    namesakes = [each for each in position.players if each.name.startswith("ann")]
    assert len(namesakes) >= 2
    for tile in tiles_in(sum(each.hand for each in namesakes[1:])):
        illegal = verify_placement(position, Placement(tile))
        assert illegal is not None and illegal.violation is Violation.NOT_IN_HAND


@every_rulebook
def test_namesakes_move_first_if_the_name_is_taken_twice(rulebook: Rulebook) -> None:
    case = case_of(rulebook, "sign-up/another-suffix")
    ((position, turns),) = case.script.segments
    assert [player.name for player in position.players][:3] == ["ann", "ann-2", "player"]
    assert position is first_position(case) and turns == 3


# -- players with a bug -------------------------------------------------------------------------


def wait_for_greeting(connection: PlayerSocket, name: str) -> None:
    connection.recv(1)


def answer_greeting(connection: PlayerSocket, name: str) -> None:
    connection.sendall(Writer(REVISED).write(messages.SignUp(name)))
    one_read()(connection, DocumentCache(greeting_reader()))
    connection.sendall(b"<void/>")
    connection.recv(1)


def discard_rest_of_read(connection: PlayerSocket, name: str) -> None:
    connection.sendall(Writer(REVISED).write(messages.SignUp(name)))
    connection.recv(65536)
    connection.recv(1)


@pytest.mark.parametrize(
    ("slug", "play", "reason"),
    [
        ("speaks-first", wait_for_greeting, Reason.TIMED_OUT),
        ("silence", answer_greeting, Reason.OUT_OF_TURN),
        ("glued", discard_rest_of_read, Reason.TIMED_OUT),
    ],
)
async def test_player_with_a_bug_at_sign_up_fails(
    slug: str, play: Play, reason: Reason, players: Players
) -> None:
    found = await verdicts([case_of(REVISED, f"sign-up/{slug}")], play, players)
    assert found == {slug: (CaseVerdict.FAIL, reason.value)}


class ByRequestedName(Ordered):
    """Has a bug: takes the tiles of the player with the name that it requested."""

    def __call__(self, message: messages.RefereeMessage) -> messages.PlayerMessage:
        own = None
        if isinstance(message, messages.Turn):
            own = next(each for each in message.players if each.name == "ann")
        if isinstance(message, messages.TurnView):
            seen = next(each for each in message.view.players if each.name == "ann")
            return messages.Pbuy(None, ()) if not seen.hand else super().__call__(message)
        if own is None:
            return super().__call__(message)
        return messages.Pbuy(Placement(tiles_in(own.hand)[0]), ())


@under([REVISED, CLASSIC])
async def test_player_that_uses_its_requested_name_fails(
    rulebook: Rulebook, players: Players
) -> None:
    player = playing(rulebook, framed, ByRequestedName)
    cases = [case_of(rulebook, f"sign-up/{slug}") for slug in TAKEN]
    found = await verdicts(cases, player, players)
    assert found == dict.fromkeys(TAKEN, (CaseVerdict.FAIL, Reason.ILLEGAL.value))
