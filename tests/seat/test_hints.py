"""Hints say what a choice would do, in figures, and only by what the player knows."""

from dataclasses import replace
from typing import Any

import pytest
from loops import for_each

from acquire.admin.pages.seat.choice_hints import Hints
from acquire.admin.pages.seat.choices import question_fields
from acquire.game.notation import parse_position
from acquire.game.rulebook import Rulebook, with_hidden_assets
from acquire.game.rulebooks import CLASSIC, REVISED, WIKIPEDIA
from acquire.game.state import State
from acquire.game.tiles import parse_tile
from acquire.protocol import messages
from acquire.protocol.player_view import view_for
from acquire.protocol.question import Known, Question


def known(state: State) -> Known:
    """What the player to move is sent of a position."""
    return Known.seen(state.rulebook, view_for(state, state.mover.name))


def hints(rulebook: Rulebook, board: str, *players: str) -> Hints:
    state = parse_position(rulebook, board, players)
    return Hints(known(state), state.mover.name, len(players))


def asked(rulebook: Rulebook, board: str, *players: str) -> dict[str, Any]:
    """What the player to move is asked."""
    state = parse_position(rulebook, board, players)
    turn = messages.TurnView(view_for(state, "ann"))
    return question_fields(Question(turn, "ann", known(state)), len(players))


HOLDERS = ("ann 3A 9I A5 C1 $900", "bob A3", "cyd C2")


def test_growing_names_sizes_prices_and_what_one_holds() -> None:
    small = hints(CLASSIC, "AA", "ann 1B A4", "bob", "cyd")
    assert small.tile(parse_tile("1B"))[1] == "2 → 3 tiles; price $300 → $400. You hold 4."
    large = hints(CLASSIC, "AAAAAAAAAA", "ann 11A", "bob", "cyd")
    assert large.tile(parse_tile("11A"))[1] == "10 → 11 tiles; price $700 → $800. It is safe then."
    same = hints(CLASSIC, "AAAAAAA", "ann 8A", "bob", "cyd")
    assert same.tile(parse_tile("8A"))[1] == "7 → 8 tiles; price $700."


def test_open_hands_that_may_end_the_game_are_told() -> None:
    players = ("ann 9I 1I 3I", "bob 3A", "cyd 5E", "dan 5G 7G")
    told = asked(REVISED, "AA.o", *players)["stuck"]
    assert told.endswith(
        "when the next player has no playable tile left; bob has none and cyd has 1."
    )
    own = asked(REVISED, "AA.o", "ann 9I 1I 3A", "bob 5G 7G", "cyd 5E 7E")
    for told in own["stuck"], own["tiles"][1]["options"][0]["purchase"]["stuck"]:
        assert told.endswith(" left; you will have 1 besides the tile that you draw.")
    assert asked(CLASSIC, "AA.o", *players)["stuck"] == ""


def test_last_turn_is_told_if_the_next_player_has_no_playable_tile() -> None:
    stuck = "bob, who is next, has no playable tile."
    assert asked(REVISED, "AA.o", "ann 9I 1I", "bob 3A", "cyd 5E 7G")["last"] == stuck
    assert asked(REVISED, "AA.o", "ann 9I 1I", "bob 3A 5E", "cyd 3A")["last"] == ""
    assert asked(CLASSIC, "AA.o", "ann 9I 1I", "bob 3A", "cyd 5E 7G")["last"] == ""


def test_last_turn_is_told_of_the_tile_that_ends_the_game() -> None:
    row = "AAAAAAAAAAAA"
    board = f"{row}/{row}/{row}/AAA........./............/CC"
    told = asked(REVISED, board, "ann 4D 9I", "bob 7H", "cyd 8H")
    assert told["last"] == ""
    growing, alone = (one["options"][0]["purchase"]["last"] for one in told["tiles"])
    assert (growing, alone) == ("A hotel has reached the size that ends the game.", "")
    advised = [one["options"][0]["purchase"]["hint"] for one in told["tiles"]]
    assert ["keep some cash" in each for each in advised] == [False, True]


def test_last_hotel_to_be_founded_is_named() -> None:
    given = hints(REVISED, "AA.CC.FF.II/............/SS.TT......./............/o", "ann 2E", "bob")
    does, told = given.tile(parse_tile("2E"))
    assert does == "founds Worldwide"
    assert told == "A new hotel of 2 tiles: the last one, of which you get a free certificate."


def test_merger_names_bonuses_for_each_survivor() -> None:
    one = "Continental acquires American and rises from $500 to $800."
    paid = " Bonuses: you $3,000 and bob $1,500."
    assert hints(CLASSIC, "AA.CCC", *HOLDERS).tile(parse_tile("3A"))[1] == one + paid
    assert hints(CLASSIC, "AA.CC", *HOLDERS).tile(parse_tile("3A"))[1] == (
        "American acquires Continental and rises from $300 to $600. "
        "Bonuses: you $2,000 and cyd $4,000. Or: "
        f"Continental acquires American and rises from $400 to $700.{paid}"
    )


@pytest.mark.parametrize(
    ("rulebook", "players"),
    [(CLASSIC, 2), (with_hidden_assets(WIKIPEDIA), 3)],
    ids=["market", "hidden"],
)
def test_bonuses_that_nobody_can_know_are_left_out(rulebook: Rulebook, players: int) -> None:
    given = hints(rulebook, "AA.CCC", *HOLDERS[:players])
    told = "Continental acquires American and rises from $500 to $800."
    told += " You hold 5 American certificates."
    assert given.tile(parse_tile("3A"))[1] == told
    assert given.ending() == ""
    assert "$" not in given.held(0, 6)


def test_tiles_of_the_hand_that_could_found_a_hotel_together_are_named() -> None:
    given = hints(CLASSIC, "o", "ann 2A 5E 5F 9I", "bob", "cyd")
    assert given.tile(parse_tile("2A"))[1].startswith("A new hotel of 2 tiles")
    assert "5F of yours" in given.tile(parse_tile("5E"))[1]
    assert given.tile(parse_tile("9I"))[1] == "It touches nothing yet."


def test_tile_beside_unincorporated_ones_is_told_from_one_that_touches_nothing() -> None:
    full = "AA.CC.FF.II/............/SS.TT.WW..../............/.o"
    given = hints(REVISED, full, "ann 3E 9I", "bob", "cyd")
    told = "It touches unincorporated tiles, but no hotel is left to found."
    assert given.tile(parse_tile("3E"))[1] == told
    assert given.tile(parse_tile("9I"))[1] == "It touches nothing yet."


def test_certificates_are_valued_by_the_bonus_that_they_bring() -> None:
    given = hints(CLASSIC, "AA.CCC", *HOLDERS)
    assert (given.held(1, 0), given.held(2, 0)) == ("none held (most: cyd 2)", "")
    assert [given.held(0, count) for count in (2, 3, 4)] == [
        "2 held: minority $1,500 (most: bob 3)",
        "3 held: shared majority $2,300",
        "4 held: majority $3,000",
    ]
    tied = hints(CLASSIC, "AA", "ann", "bob A4", "cyd A4")
    assert tied.held(0, 0) == "none held (most: bob and cyd 4 each)"
    assert tied.held(0, 1) == "1 held: no bonus (most: bob and cyd 4 each)"
    given = hints(CLASSIC, "AA", "ann", "bob A4", "cyd A2")
    assert [given.held(0, count) for count in (1, 2, 3)] == [
        "1 held: no bonus (most: bob 4)",
        "2 held: shared minority $800 (most: bob 4)",
        "3 held: minority $1,500 (most: bob 4)",
    ]


def test_every_number_of_trades_has_its_effect() -> None:
    state = parse_position(CLASSIC, "AA.CCC", ("ann A5 C1", "bob A3", "cyd C2"))
    message = messages.Dispose(0, 300, 1, view_for(state, "ann"))
    asks = question_fields(Question(message, "ann", known(state)), 3)
    assert asks["effects"] == [
        "1 held: minority $2,500 (most: cyd 2)",
        "2 held: shared majority $3,800",
        "3 held: majority $5,000",
    ]


def test_acquired_certificates_are_compared() -> None:
    given = hints(CLASSIC, "AA.CCC", *HOLDERS)
    assert given.disposal(0, 300, 1) == (
        "5 sold bring $1,500. 4 traded bring 2 Continental, now $1,000. What you hold is worth "
        "nothing unless American is founded again."
    )
    assert given.kept(0, 5, 300).startswith("American: 5 returned bring $1,500.")
    assert given.kept(5, 0, 300) == ""


def test_hints_count_what_the_hand_and_the_bank_have() -> None:
    one = hints(CLASSIC, "AA.CCC", "ann 3A A1", "bob C25", "cyd")
    assert one.disposal(0, 300, 1).startswith("1 sold brings $300. The bank has no Continental")
    three = hints(CLASSIC, "AA.CCC", "ann 3A A3", "bob C24", "cyd")
    assert "2 traded bring 1 Continental" in three.disposal(0, 300, 1)
    single = hints(CLASSIC, "AA.CCC", "ann 3A A1", "bob", "cyd")
    assert "A trade needs 2." in single.disposal(0, 300, 1)
    free = hints(CLASSIC, "o", "ann 2A A25", "bob", "cyd")
    assert free.tile(parse_tile("2A"))[1].endswith("get a free certificate, if any is left.")


def test_declaring_says_who_would_win() -> None:
    board = "TTTTTTTTTTT"
    asks = [
        asked(CLASSIC, board, f"ann 9I {cash}", "bob T3 $500", "cyd")
        for cash in ("$50000", "$16700", "$9")
    ]
    told = [one["tiles"][0]["options"][0]["purchase"] for one in asks]
    assert [one["end"] for one in told] == ["Every hotel on the board is safe."] * 3
    assert [one["ending"] for one in told] == [
        "You would win now: $50,000, and bob $16,700.",
        "You would share first place now: $16,700, and bob $16,700.",
        "You would not win now: $9, and bob $16,700.",
    ]


def test_founding_tells_of_the_free_certificate_and_who_holds_others() -> None:
    question = asked(CLASSIC, "o", "ann 2A A2", "bob A4 C25", "cyd A1")
    notes = {one["hotel"]: one["note"] for one in question["tiles"][0]["options"]}
    holders = "held already by you 2, bob 4 and cyd 1"
    assert notes[0] == f"$300 each, you get one free; bonuses $3,000 and $1,500; {holders}"
    assert notes[1] == "$400 each, none left; bonuses $4,000 and $2,000; held already by bob 25"
    assert "held" not in notes[2]
    hidden = asked(with_hidden_assets(WIKIPEDIA), "o", "ann 2A A2", "bob A4", "cyd A1")
    assert hidden["tiles"][0]["options"][0]["note"].endswith("held already by you 2")


@for_each(
    ("free", "tile", "first", "second"),
    [
        (2, "and get 2 free certificates, if any is left.", "you get 2 free", "you get one free"),
        (0, "2 tiles: you choose which.", "none free", "none free"),
    ],
)
def test_founding_tells_of_as_many_certificates_as_the_rulebook_gives(
    free: int, tile: str, first: str, second: str
) -> None:
    rulebook = replace(CLASSIC, founders_certificates=free)
    scene = "o", "ann 2A", "bob C24", "cyd"
    assert hints(rulebook, *scene).tile(parse_tile("2A"))[1].endswith(tile)
    notes = [one["note"] for one in asked(rulebook, *scene)["tiles"][0]["options"]]
    assert notes[0].startswith(f"$300 each, {first};")
    assert notes[1].startswith(f"$400 each, {second};")


def test_hotels_that_are_sold_out_are_listed_with_what_is_held() -> None:
    question = asked(CLASSIC, "AA.CCC", "ann 9I A3", "bob A22", "cyd")
    (sold_out, other) = question["tiles"][0]["options"][0]["purchase"]["hotels"]
    assert (sold_out["hotel"], sold_out["left"]) == (0, 0)
    assert sold_out["effects"] == ["3 held: minority $1,500 (most: bob 22)"]
    assert (other["hotel"], other["size"], other["left"]) == (1, 3, 25)


def test_tiles_that_cannot_be_placed_say_for_how_long() -> None:
    two_safe = "AAAAAAAAAAA/............/CCCCCCCCCCC"
    for rulebook, told in ((CLASSIC, "Never: it is replaced"), (WIKIPEDIA, "It can never be")):
        (tile, _) = asked(rulebook, two_safe, "ann 1B 9I", "bob", "cyd")["tiles"]
        assert told in tile["hint"] and "afe hotel" in tile["hint"] and "would merge" in tile["why"]
    (tile, _) = asked(REVISED, "AA.o", "ann 3A 9I", "bob", "cyd")["tiles"]
    rule = "A tile cannot touch both a hotel and an unincorporated tile."
    assert tile["hint"] == f"{rule} Not now, perhaps later."
    assert tile["why"] == f"Tile 3A touches American and an unincorporated tile. {rule}"


def test_every_bonus_of_a_rulebook_is_named_when_buying() -> None:
    three = replace(CLASSIC, bonus_multiples=(10, 7, 5))
    told = hints(three, "AA", "ann 1B", "bob", "cyd").purchase()
    assert "its majority gets 10 times the price, its minority gets 7" in told
    assert "its third gets 5 times the price." in told
    once = replace(CLASSIC, bonus_multiples=(10, 7, 1))
    told = hints(once, "AA", "ann 1B", "bob", "cyd").purchase()
    assert "its third gets the price." in told
