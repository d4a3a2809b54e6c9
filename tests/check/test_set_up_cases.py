"""The cases of the first position: who sits where, what lies there, and who fails."""

from __future__ import annotations

import pytest

from admin.check.case import PLAYER, Case
from admin.check.cases.set_up import BEFORE, NUMBERS, cases
from admin.check.judging import Verdict
from check.bare_players import check_bare, framed, playing
from check.rehearsal import rehearse
from game.placement import Kind, Placement, kind_of, legal_placements, place, verify_placement
from game.rulebook import Assets, DeadTiles, Hands, Rulebook, with_hidden_assets
from game.rulebooks import CLASSIC, CORPORATIONS, REVISED, RULEBOOKS
from game.state import State
from game.tiles import NEIGHBOURS, tiles_in
from game.violation import Violation
from player.strategies.simple import Ordered
from protocol import messages
from protocol.faults import Reason

each_rulebook = pytest.mark.parametrize(
    "rulebook", RULEBOOKS.values(), ids=lambda rulebook: rulebook.id
)
HIDING = [
    with_hidden_assets(rulebook)
    for rulebook in RULEBOOKS.values()
    if rulebook.assets is Assets.OPTIONAL
]


def named(rulebook: Rulebook) -> dict[str, Case]:
    return {case.slug: case for case in cases(rulebook)}


def position_of(case: Case) -> State:
    ((position, _),) = case.script.segments
    return position


@each_rulebook
def test_there_is_a_table_of_every_size(rulebook: Rulebook) -> None:
    for seats in range(rulebook.min_players, rulebook.max_players + 1):
        position = position_of(named(rulebook)[f"{NUMBERS[seats].lower()}-players"])
        assert len(position.players) == seats
        assert position.players[BEFORE[seats]].name == PLAYER


@each_rulebook
def test_player_sits_first_in_the_middle_and_last(rulebook: Rulebook) -> None:
    places = {
        (len(players), place)
        for case in cases(rulebook)
        if case.slug.endswith("-players")
        for players in [position_of(case).players]
        for place, player in enumerate(players)
        if player.name == PLAYER
    }
    assert (3, 0) in places and (6, 5) in places
    assert any(0 < place < seats - 1 for seats, place in places)


@each_rulebook
def test_tables_are_dealt_as_a_match_is(rulebook: Rulebook) -> None:
    for case in cases(rulebook):
        if case.slug.endswith("-players"):
            position = position_of(case)
            assert {player.cash for player in position.players} == {rulebook.cash}
            assert {player.hand.bit_count() for player in position.players} == {rulebook.hand_size}
            assert not any(position.board.hotels)


@each_rulebook
def test_first_tile_is_beside_no_other_at_every_table(rulebook: Rulebook) -> None:
    for case in cases(rulebook):
        if not case.slug.endswith("-players"):
            continue
        (position,) = rehearse(case.script).turns_of(PLAYER)
        kinds = {kind_of(position.board, tile) for tile in tiles_in(position.mover.hand)}
        assert kinds == {Kind.SINGLETON}


@each_rulebook
def test_all_is_asked_that_the_cases_are_about(rulebook: Rulebook) -> None:
    for case in cases(rulebook):
        assert case.about <= rehearse(case.script).asked(PLAYER)


@each_rulebook
def test_lonely_player_moves_three_times_and_founds_nothing(rulebook: Rulebook) -> None:
    rehearsal = rehearse(named(rulebook)["alone"].script)
    turns = rehearsal.turns_of(PLAYER)
    assert len(turns) == rehearsal.outcome.turns == 3
    for position in turns:
        assert len(position.players) == 1
        placements = legal_placements(position)
        assert len(placements) == rulebook.hand_size
        assert {hotel for _, hotel, _ in placements} == {None}


@each_rulebook
def test_in_the_middle_every_tile_founds_a_hotel(rulebook: Rulebook) -> None:
    position = position_of(named(rulebook)["in-the-middle"])
    assert len({tile for tile, _, _ in legal_placements(position)}) == rulebook.hand_size
    on_board = [hotel for hotel, tiles in enumerate(position.board.hotels) if tiles]
    for tile in tiles_in(position.mover.hand):
        unnamed = verify_placement(position, Placement(tile))
        assert unnamed is not None and unnamed.violation is Violation.NO_HOTEL_NAMED
        for hotel in on_board:
            taken = verify_placement(position, Placement(tile, hotel))
            assert taken is not None and taken.violation is Violation.HOTEL_ON_BOARD


class WithABoardOfItsOwn(Ordered):
    """Believes that every match begins with an empty board."""

    def __call__(self, message: messages.AdministratorMessage) -> messages.PlayerMessage:
        if isinstance(message, messages.Turn):
            return messages.Pbuy(Placement(tiles_in(message.players[0].hand)[0]), ())
        if isinstance(message, messages.TurnView):
            return messages.Pbuy(Placement(tiles_in(message.view.players[0].hand)[0]), ())
        return super().__call__(message)


@pytest.mark.parametrize("rulebook", [REVISED, CLASSIC], ids=lambda rulebook: rulebook.id)
async def test_who_keeps_a_board_of_its_own_fails_in_the_middle(rulebook: Rulebook) -> None:
    played = [named(rulebook)[slug] for slug in ("in-the-middle", "alone")]
    player = playing(rulebook, framed, WithABoardOfItsOwn)
    results = await check_bare(rulebook, played, player)
    assert results["in-the-middle"].verdict is Verdict.FAIL
    assert results["in-the-middle"].ended_by == Reason.ILLEGAL.value
    assert results["alone"].verdict is Verdict.PASS


@pytest.mark.parametrize(
    "rulebook", [*RULEBOOKS.values(), *HIDING], ids=lambda each: f"{each.id}-{each.assets.value}"
)
def test_each_rulebook_has_what_it_shows_and_hides(rulebook: Rulebook) -> None:
    slugs = set(named(rulebook))
    assert ("open-hands" in slugs) == (rulebook.hands is Hands.OPEN)
    assert ("hidden-hands" in slugs) == (rulebook.hands is Hands.HIDDEN)
    assert ("hidden-assets" in slugs) == (rulebook.assets is Assets.HIDDEN)
    assert ("set-aside" in slugs) == (rulebook.dead_tiles is DeadTiles.REPLACED)


@pytest.mark.parametrize("rulebook", [CLASSIC, CORPORATIONS], ids=lambda rulebook: rulebook.id)
def test_tile_set_aside_could_never_be_placed_and_founds_nothing(rulebook: Rulebook) -> None:
    position = position_of(named(rulebook)["set-aside"])
    (aside,) = tiles_in(position.aside)
    assert position.board.closed >> aside & 1 and aside not in position.bag
    beside = [tile for tile in tiles_in(position.mover.hand) if NEIGHBOURS[tile] >> aside & 1]
    assert beside, "a tile that would found, were the one set aside on the board"
    for tile in beside:
        place(position, Placement(tile))
        misled = verify_placement(position, Placement(tile, legal_founding(position)))
        assert misled is not None and misled.violation is Violation.HOTEL_NOT_DUE


def legal_founding(position: State) -> int:
    return next(hotel for hotel, tiles in enumerate(position.board.hotels) if not tiles)
