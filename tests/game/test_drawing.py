"""Drawing tiles: short hands, empty bags, tiles that are dead, and hands that cannot move."""

import pytest
from loops import for_each
from positions import ROW_E_IS_DEAD, at_table, names, player, scene, seven, tiles

from acquire.game.drawing import DrawResult, refill, replace_hand
from acquire.game.placement import playable
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, REVISED, RULEBOOKS, WIKIPEDIA
from acquire.game.state import State
from acquire.game.tiles import TILES, mask_of, tile_name
from acquire.game.turn import eject, returned_bag

SIX = "1I 2I 3I 4I 5I 6I"
REPLACING = [CORPORATIONS, CLASSIC, DIGEST]
ALL = for_each("rulebook", RULEBOOKS.values(), ids=RULEBOOKS)
REPLACERS = for_each("rulebook", REPLACING, ids=lambda rulebook: rulebook.id)


def drawing(rulebook: Rulebook, hand: str, bag: str, board: str = ROW_E_IS_DEAD) -> State:
    return scene(rulebook, board, f"ann {hand}", "bob 12I", "cyd", bag=bag)


def summary(drawn: DrawResult) -> tuple[str, str, str]:
    """What was drawn, what was set aside, and what was drawn for it."""
    return (
        " ".join(map(tile_name, drawn.tiles)),
        names(drawn.aside),
        " ".join(map(tile_name, drawn.replacements)),
    )


# "Draw a new tile"; "ensuring he has six tiles at the end of his turn"


@for_each(
    ("in_hand", "in_bag", "one", "up_to_six"),
    [
        pytest.param(5, 9, 1, 1, id="one was placed"),
        pytest.param(6, 9, 0, 0, id="none was placed"),
        pytest.param(4, 9, 1, 2, id="two are missing"),
        pytest.param(0, 9, 1, 6, id="all are missing"),
        pytest.param(2, 3, 1, 3, id="the bag is shorter than needed"),
        pytest.param(5, 1, 1, 1, id="the last of the bag"),
        pytest.param(5, 0, 0, 0, id="the bag is empty"),
        pytest.param(0, 0, 0, 0, id="neither bag nor hand"),
    ],
)
@ALL
def test_mover_draws_one_or_up_to_six(
    rulebook: Rulebook, in_hand: int, in_bag: int, one: int, up_to_six: int
) -> None:
    hand, bag = tiles(SIX)[:in_hand], TILES[12 : 12 + in_bag]
    table = drawing(rulebook, names(mask_of(hand)), "")._replace(bag=bag)
    count = up_to_six if rulebook is WIKIPEDIA else one
    drawn = refill(table)
    assert (drawn.tiles, drawn.aside, drawn.replacements) == (bag[:count], 0, ())
    assert drawn.state.mover.hand == mask_of((*hand, *bag[:count]))
    assert drawn.state.bag == bag[count:]


@ALL
def test_drawing_changes_the_movers_hand_and_the_bag_alone(rulebook: Rulebook) -> None:
    table = drawing(rulebook, "1I 2I", "4A 5A 6A 7A 8A")._replace(idle=2)
    after = refill(table).state
    mover = after.mover._replace(hand=table.mover.hand)
    assert after._replace(players=(mover, *after.players[1:]), bag=table.bag) == table
    assert names(table.mover.hand) == "1I 2I"


@ALL
def test_nothing_drawn_and_nothing_set_aside_leaves_the_position(rulebook: Rulebook) -> None:
    table = drawing(rulebook, "1I 2I", "")
    assert refill(table) == DrawResult(table, lacking=4 if rulebook is WIKIPEDIA else 1)


@for_each(
    ("rulebook", "drawn"),
    [(REVISED, "7I"), (CORPORATIONS, "7I"), (CLASSIC, "7I"), (WIKIPEDIA, "7I 8I 9I 10I"),
     (DIGEST, "7I")],
    ids=lambda value: value.id if isinstance(value, Rulebook) else None,
)  # fmt: skip
def test_hand_that_was_short_is_filled_when_an_ejection_fills_the_bag(
    rulebook: Rulebook, drawn: str
) -> None:
    """The bag was empty and ann has two tiles, when cyd leaves with five in hand."""
    seats = ["ann 1I 2I", "bob 3I", "cyd 7I 8I 9I 10I 11I"]
    table = scene(rulebook, ROW_E_IS_DEAD, *seats)
    assert refill(table).tiles == ()
    left = eject(table, "cyd", returned_bag(table, "cyd"))
    assert summary(refill(left)) == (drawn, "", "")


# Permanently unplayable tiles


@REPLACERS
@for_each(
    ("hand", "bag", "expected", "after"),
    [
        pytest.param(
            "1E 2I 3I 4I 5I", "6I 7I 8I", ("6I", "1E", "7I"), "2I 3I 4I 5I 6I 7I", id="one"
        ),
        pytest.param(
            "1E 2E 3I 4I 5I", "6I 7I 8I 9I", ("6I", "1E 2E", "7I 8I"), "3I 4I 5I 6I 7I 8I",
            id="two",
        ),
        pytest.param(
            "2I 3I 4I 5I 7I", "1E 6I 8I", ("1E", "1E", "6I"), "2I 3I 4I 5I 6I 7I",
            id="the one just drawn",
        ),
        pytest.param(
            "1E 2I 3I 4I 5I", "2E 6I 7I 8I", ("2E", "1E 2E", "6I 7I"), "2I 3I 4I 5I 6I 7I",
            id="one in hand and the one just drawn",
        ),
        pytest.param(
            "1E 2I 3I 4I 5I", "6I 2E 7I", ("6I", "1E", "2E"), "2E 2I 3I 4I 5I 6I",
            id="a replacement that is dead stays",
        ),
        pytest.param(
            "1E 2E 3E 4E 5E", "6E 7E 8E 9E 10E 11E 12E 1I",
            ("6E", "1E 2E 3E 4E 5E 6E", "7E 8E 9E 10E 11E 12E"), "7E 8E 9E 10E 11E 12E",
            id="all, and all replacements",
        ),
        pytest.param(
            "1E 2I 3I 4I 5I 6I", "7I 8I", ("", "1E", "7I"), "2I 3I 4I 5I 6I 7I",
            id="after a turn without a placement",
        ),
        pytest.param(
            "1E 2E 3I 4I 5I", "6I 7I", ("6I", "1E 2E", "7I"), "3I 4I 5I 6I 7I",
            id="the bag is too short for all",
        ),
        pytest.param(
            "1E 2E 3I 4I 5I", "6I", ("6I", "1E 2E", ""), "3I 4I 5I 6I",
            id="the bag is empty once drawn from",
        ),
        pytest.param("1E 2E 3I", "", ("", "1E 2E", ""), "3I", id="the bag is empty"),
        pytest.param("1E", "", ("", "1E", ""), "", id="the whole hand, and an empty bag"),
        pytest.param("1E 2I", "3I 4I 5I", ("3I", "1E", "4I"), "2I 3I 4I", id="a short hand"),
    ],
)  # fmt: skip
def test_dead_tiles_are_set_aside_and_replaced_once_at_the_end_of_the_turn(
    rulebook: Rulebook, hand: str, bag: str, expected: tuple[str, str, str], after: str
) -> None:
    table = drawing(rulebook, hand, bag)
    drawn = refill(table)
    assert summary(drawn) == expected
    assert names(drawn.state.mover.hand) == after
    assert names(drawn.state.aside) == expected[1]
    used = len(expected[0].split()) + len(expected[2].split())
    assert drawn.state.bag == table.bag[used:]
    gone = [drawn.state.mover.hand, drawn.state.aside, mask_of(drawn.state.bag)]
    assert sum(gone) == table.mover.hand | mask_of(table.bag), "no tile is lost, none is twice"


@REPLACERS
def test_dead_replacement_is_set_aside_at_the_end_of_the_next_turn(rulebook: Rulebook) -> None:
    first = refill(drawing(rulebook, "1E 2I", "3I 2E 4I 5I 6I"))
    assert (summary(first), names(first.state.mover.hand)) == (("3I", "1E", "2E"), "2E 2I 3I")
    second = refill(first.state)
    assert summary(second) == ("4I", "2E", "5I")
    assert names(second.state.aside) == "1E 2E"
    assert names(second.state.mover.hand) == "2I 3I 4I 5I"


@pytest.mark.parametrize("rulebook", [REVISED, WIKIPEDIA], ids=lambda rulebook: rulebook.id)
def test_dead_tiles_are_kept_where_the_rulebook_says_so(rulebook: Rulebook) -> None:
    table = drawing(rulebook, "1E 2I 3I 4I 5I", "6I 7I 8I")
    drawn = refill(table)
    assert (summary(drawn), drawn.state.aside) == (("6I", "", ""), 0)
    assert names(drawn.state.mover.hand) == "1E 2I 3I 4I 5I 6I"


@ALL
def test_tile_of_an_eighth_hotel_is_not_replaced(rulebook: Rulebook) -> None:
    """It is unplayable for the time being only."""
    table = drawing(rulebook, "1E 3E 2I 3I 4I", "6I 7I 8I", seven(rulebook))
    assert summary(refill(table)) == ("6I", "", "")
    assert names(refill(table).state.mover.hand) == "1E 3E 2I 3I 4I 6I"


@REPLACERS
def test_tile_between_a_safe_hotel_and_another_is_no_dead_one(rulebook: Rulebook) -> None:
    small = ROW_E_IS_DEAD.replace("SSSSSSSSSSSS", "SSSSSSSSSS..")
    assert summary(refill(drawing(rulebook, "1E 2I 3I 4I 5I", "6I 7I", small))) == ("6I", "", "")
    large = ROW_E_IS_DEAD.replace("SSSSSSSSSSSS", "SSSSSSSSSSS.")
    assert summary(refill(drawing(rulebook, "1E 2I 3I 4I 5I", "6I 7I", large))) == (
        "6I",
        "1E",
        "7I",
    )
    assert summary(refill(drawing(rulebook, "12E 2I 3I 4I 5I", "6I 7I", large))) == ("6I", "", "")


@REPLACERS
def test_only_the_movers_tiles_are_set_aside(rulebook: Rulebook) -> None:
    table = scene(rulebook, ROW_E_IS_DEAD, "ann 1I", "bob 1E 2E", "cyd 3E", bag="2I 3I")
    drawn = refill(table)
    assert (summary(drawn), drawn.state.players[1:]) == (("2I", "", ""), table.players[1:])


@REPLACERS
def test_tiles_set_aside_join_those_that_were(rulebook: Rulebook) -> None:
    table = drawing(rulebook, "1E 2I", "3I 4I")._replace(aside=mask_of(tiles("7E 8E")))
    assert names(refill(table).state.aside) == "1E 7E 8E"


# "If a player has no permissible moves in his hand"


@for_each(
    ("hand", "bag", "aside", "replacements"),
    [
        pytest.param("1E 2E", "1I 2I 3I", "1E 2E", "1I 2I", id="all dead"),
        pytest.param("1E 2E", "3E 4E 1I", "1E 2E", "3E 4E", id="once, though still stuck"),
        pytest.param("1E 2E 3E", "1I 2I", "", "", id="a bag too short"),
        pytest.param("1E 2E 3E", "1I 2I 3I", "1E 2E 3E", "1I 2I 3I", id="a bag just enough"),
        pytest.param("1E 2E", "", "", "", id="an empty bag"),
        pytest.param("", "1I 2I", "", "", id="an empty hand"),
        pytest.param("1E 5I", "1I 2I", "", "", id="one can be placed"),
    ],
)
def test_stuck_hand_is_replaced_as_a_whole_before_placing(
    hand: str, bag: str, aside: str, replacements: str
) -> None:
    table = drawing(WIKIPEDIA, hand, bag)
    drawn = replace_hand(table)
    assert summary(drawn) == ("", aside, replacements)
    assert names(drawn.state.mover.hand) == (replacements or hand)
    assert names(drawn.state.aside) == aside
    assert drawn.state.bag == table.bag[len(replacements.split()) :]
    assert drawn.state.players[1:] == table.players[1:]
    if not aside:
        assert drawn == DrawResult(table)


def test_hand_that_is_stuck_for_the_time_being_is_replaced_as_well() -> None:
    table = drawing(WIKIPEDIA, "1E 3E", "1I 2I 3I", seven(WIKIPEDIA))
    assert playable(table) == 0
    assert summary(replace_hand(table)) == ("", "1E 3E", "1I 2I")


def test_hand_that_was_short_stays_as_short_until_the_end_of_the_turn() -> None:
    replaced = replace_hand(drawing(WIKIPEDIA, "1E", "1I 2I 3I 4I 5I 6I 7I")).state
    assert names(replaced.mover.hand) == "1I"
    assert names(refill(replaced).state.mover.hand) == SIX


def test_replaced_tiles_join_those_that_had_been_set_aside() -> None:
    table = drawing(WIKIPEDIA, "1E", "1I")._replace(aside=mask_of(tiles("9E")))
    assert names(replace_hand(table).state.aside) == "1E 9E"


@pytest.mark.parametrize(
    "rulebook", [REVISED, CORPORATIONS, CLASSIC, DIGEST], ids=lambda rulebook: rulebook.id
)
def test_stuck_hand_is_not_replaced_elsewhere(rulebook: Rulebook) -> None:
    table = drawing(rulebook, "1E 2E", "1I 2I 3I")
    assert playable(table) == 0
    assert replace_hand(table) == DrawResult(table)


def test_position_before_stays_as_it_was() -> None:
    table = at_table("", player("ann", "1A"), player("bob", "2A"), bag="5E 9I")
    refill(table)
    assert (names(table.mover.hand), table.bag) == ("1A", tiles("5E 9I"))
