"""The cases of signing up and of the first position: names, seats, and who moves first."""

from __future__ import annotations

import pytest
from loops import for_each
from virtual_time import Players, PlayerSocket

from acquire.admin.testing.cases.case import PLAYER, Case
from acquire.admin.testing.judging.case_judge import judge
from acquire.admin.testing.judging.check_result import CaseVerdict
from acquire.game.placement import (
    Kind,
    Placement,
    kind_of,
    legal_placements,
    place,
    verify_placement,
)
from acquire.game.rulebook import Assets, DeadTiles, Hands, Rulebook, with_hidden_assets
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, REVISED
from acquire.game.state import State
from acquire.game.tiles import NEIGHBOURS, tiles_in
from acquire.game.violation import Violation
from acquire.player.strategies.simple import Ordered
from acquire.protocol import messages
from acquire.protocol.faults import Reason
from acquire.protocol.inbox import DocumentCache
from acquire.protocol.player_names import free_name
from acquire.protocol.reading import greeting_reader
from acquire.protocol.writing import Writer
from check.legal_moves import kinds
from check.rehearsal import (
    EVERY,
    case_of,
    every_rulebook,
    first_position,
    rehearsals,
    rehearse,
    section_of,
    under,
)
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


NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
BEFORE = {2: 1, 3: 0, 4: 1, 5: 3, 6: 5}
"""By the number of seats, how many players move before the one under test."""
HIDING = [with_hidden_assets(each) for each in EVERY if each.assets is Assets.OPTIONAL]


def tables(rulebook: Rulebook) -> list[Case]:
    """The cases with tables of every size."""
    sizes = range(rulebook.min_players, rulebook.max_players + 1)
    return [case_of(rulebook, f"set-up/{NUMBERS[seats]}-players") for seats in sizes]


def violation(position: State, placement: Placement) -> Violation | None:
    illegal = verify_placement(position, placement)
    return illegal and illegal.violation


@every_rulebook
def test_there_is_a_table_of_every_size(rulebook: Rulebook) -> None:
    for seats, case in enumerate(tables(rulebook), start=rulebook.min_players):
        players = first_position(case).players
        assert len(players) == seats
        assert players[BEFORE[seats]].name == PLAYER


@every_rulebook
def test_player_moves_first_in_the_middle_and_last(rulebook: Rulebook) -> None:
    places = {
        (len(players), place)
        for case in tables(rulebook)
        for players in [first_position(case).players]
        for place, player in enumerate(players)
        if player.name == PLAYER
    }
    assert (3, 0) in places and (6, 5) in places
    assert any(0 < place < seats - 1 for seats, place in places)


@every_rulebook
def test_tables_are_dealt_like_a_game(rulebook: Rulebook) -> None:
    for case in tables(rulebook):
        position = first_position(case)
        assert {player.cash for player in position.players} == {rulebook.cash}
        assert {player.hand.bit_count() for player in position.players} == {rulebook.hand_size}
        assert not any(position.board.hotels)


@every_rulebook
def test_first_tile_has_no_neighbour_at_any_table(rulebook: Rulebook) -> None:
    for case in tables(rulebook):
        (position,) = rehearsals(rulebook, case.id)[0].turns_of(PLAYER)
        assert kinds(position) == {Kind.SINGLETON}, case.id


@every_rulebook
def test_player_alone_moves_three_times_and_founds_nothing(rulebook: Rulebook) -> None:
    played = rehearsals(rulebook, "set-up/alone")[0]
    turns = played.turns_of(PLAYER)
    assert len(turns) == played.outcome.turns == 3
    for position in turns:
        assert len(position.players) == 1
        placements = legal_placements(position)
        assert len(placements) == rulebook.hand_size
        assert {hotel for _, hotel, _ in placements} == {None}


@every_rulebook
def test_in_the_middle_every_tile_founds_a_hotel(rulebook: Rulebook) -> None:
    position = first_position(case_of(rulebook, "set-up/in-the-middle"))
    assert len({tile for tile, _, _ in legal_placements(position)}) == rulebook.hand_size
    on_board = [hotel for hotel, tiles in enumerate(position.board.hotels) if tiles]
    for tile in tiles_in(position.mover.hand):
        assert violation(position, Placement(tile)) is Violation.NO_HOTEL_NAMED
        for hotel in on_board:
            assert violation(position, Placement(tile, hotel)) is Violation.HOTEL_ON_BOARD


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
        result = judge(case, played.trial(case.name), None, strict=False)
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


@under([CLASSIC, CORPORATIONS])
def test_tile_set_aside_could_never_be_placed_and_founds_nothing(rulebook: Rulebook) -> None:
    position = first_position(case_of(rulebook, "set-up/set-aside"))
    (aside,) = tiles_in(position.aside)
    assert position.board.closed >> aside & 1 and aside not in position.bag
    beside = [tile for tile in tiles_in(position.mover.hand) if NEIGHBOURS[tile] >> aside & 1]
    assert beside, "a tile that would found a hotel if the one set aside were on the board"
    off_board = next(hotel for hotel, tiles in enumerate(position.board.hotels) if not tiles)
    for tile in beside:
        place(position, Placement(tile))
        assert violation(position, Placement(tile, off_board)) is Violation.HOTEL_NOT_DUE
