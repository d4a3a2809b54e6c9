"""The cases of signing up and of the first position: names, seats, and who moves first."""

from __future__ import annotations

import pytest
from loops import for_each
from virtual_time import Players, PlayerSocket

from acquire.admin.testing.judging.case_judge import judge
from acquire.admin.testing.judging.check_result import CaseVerdict
from acquire.game.placement import Placement
from acquire.game.rulebook import Assets, DeadTiles, Hands, Rulebook, with_hidden_assets
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.game.tiles import tiles_in
from acquire.player.strategies.simple import Ordered
from acquire.protocol import messages
from acquire.protocol.faults import Reason
from acquire.protocol.inbox import DocumentCache
from acquire.protocol.player_names import free_name
from acquire.protocol.reading import greeting_reader
from acquire.protocol.writing import Writer
from check.rehearsal import EVERY, case_of, every_rulebook, rehearse, section_of, under
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


HIDING = [with_hidden_assets(each) for each in EVERY if each.assets is Assets.OPTIONAL]


class WithOwnBoard(Ordered):
    """Has a bug: believes that every game begins with an empty board."""

    def __call__(self, message: messages.RefereeMessage) -> messages.PlayerMessage:
        if isinstance(message, messages.Turn):
            return messages.Pbuy(Placement(tiles_in(message.players[0].hand)[0]), ())
        if isinstance(message, messages.TurnView):
            return messages.Pbuy(Placement(tiles_in(message.view.players[0].hand)[0]), ())
        return super().__call__(message)


@under([REVISED, CLASSIC])
def test_player_with_its_own_board_fails_in_the_middle(rulebook: Rulebook) -> None:
    found = {}
    for slug in ("in-the-middle", "alone"):
        case = case_of(rulebook, f"set-up/{slug}")
        played = rehearse(case.script, WithOwnBoard(rulebook, 0))
        result = judge(case, played.trial(case.name), strict=False)
        found[slug] = result.verdict, result.ended_by
    assert found == {
        "in-the-middle": (CaseVerdict.FAIL, Reason.ILLEGAL.value),
        "alone": (CaseVerdict.PASS, ""),
    }


@for_each("rulebook", [*EVERY, *HIDING], ids=lambda each: f"{each.id}-{each.assets.value}")
def test_each_rulebook_has_the_cases_of_what_it_shows_and_hides(rulebook: Rulebook) -> None:
    slugs = section_of(rulebook, "set-up")
    assert ("open-hands" in slugs) == (rulebook.hands is Hands.OPEN)
    assert ("hidden-hands" in slugs) == (rulebook.hands is Hands.HIDDEN)
    assert ("hidden-assets" in slugs) == bool(rulebook.assets.hidden)
    assert ("set-aside" in slugs) == (rulebook.dead_tiles is DeadTiles.REPLACED)
