"""Scenarios and rows of the catalogue: what is put into them under a rulebook."""

from __future__ import annotations

import pytest

from acquire.admin.testing.case_parts.case import CaseSection, CaseSource
from acquire.admin.testing.case_parts.case_row import CaseRow, is_met
from acquire.admin.testing.case_parts.position_text import parse_tiles
from acquire.admin.testing.case_parts.scenario import Scenario
from acquire.game.rulebook import Hands, with_hidden_assets
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, REVISED
from acquire.game.tiles import tile_names

SEATS = "player 3A A2 | ann A3 | bob $700"


def test_seats_are_divided_by_bars_and_hands_are_dealt_where_none_is_given() -> None:
    position = Scenario("AA\n" + SEATS).laid_out(REVISED)
    assert [player.name for player in position.players] == ["player", "ann", "bob"]
    assert [player.cash for player in position.players] == [8000, 8000, 700]
    assert [player.hand.bit_count() for player in position.players] == [1, 6, 6]


def test_tiles_come_first_in_the_bag_if_they_are_in_it_and_none_that_is_aside() -> None:
    position = Scenario("AA\n" + SEATS, bag_top="9I 3A 1I", aside="5I").laid_out(REVISED)
    assert position.bag[:2] == parse_tiles("9I 1I")
    assert tile_names(position.aside) == "5I"
    assert not {*parse_tiles("3A 5I")} & {*position.bag}
    assert len(set(position.bag)) == len(position.bag) == 108 - 2 - 1 - 6 - 6 - 1


def test_numbers_of_the_rulebook_make_rows_of_tiles() -> None:
    scenario = Scenario("{safe-1:A}\n\n{safe:C}\nplayer | ann")
    for rulebook in (REVISED, CLASSIC):
        sizes = set(scenario.laid_out(rulebook).board.sizes)
        assert sizes == {0, rulebook.safe_size - 1, rulebook.safe_size}


def test_opponents_have_other_names_in_their_order() -> None:
    script = Scenario("player | ann | bob", names=("Zoë", "{T}")).script(REVISED)
    assert script.seats == ("player", "Zoë", "Tower")
    assert set(script.opponents) == {"Zoë", "Tower"}


def test_players_of_the_table_that_the_position_lacks_have_left() -> None:
    assert Scenario("player").script(CORPORATIONS).seats == ("player", "gone-1")
    assert Scenario("player", at_table=3).script(CORPORATIONS).seats[1:] == ("gone-1", "gone-2")


def test_assets_are_hidden_only_where_the_table_may_hide_them() -> None:
    script = Scenario(SEATS, hides_assets=True).script(CORPORATIONS)
    assert script.rulebook.assets.hides_certificates
    hidden = with_hidden_assets(CORPORATIONS, "certificates")
    assert Scenario(SEATS, hides_assets=True).script(hidden).rulebook is hidden


def test_anybody_at_the_table_can_be_the_one_under_test() -> None:
    script = Scenario(SEATS).script(REVISED, "ann")
    assert script.subject == "ann" and set(script.opponents) == {"player", "bob"}
    with pytest.raises(ValueError, match="no seat for 'eve'"):
        Scenario(SEATS).script(REVISED, "eve")


ROW = CaseRow(
    "slug",
    "A hotel of {safe} tiles",
    lambda rulebook: CaseSource("The bag", rulebook.id),
    SEATS,
    expected="Name {A}.",
    hint="naming {T}.",
    tested="turn keep dispose holders",
)
SECTION = CaseSection(4, "turn", "The plain turn")


def test_texts_name_the_hotels_and_numbers_of_the_rulebook() -> None:
    case = ROW.under(CORPORATIONS, SECTION)
    assert (case.title, case.expected) == ("A hotel of 11 tiles", "Name America.")
    assert case.hint == "naming Quantum." and case.source.words == "corporations"


def test_questions_that_a_rulebook_never_asks_are_not_tested() -> None:
    assert ROW.under(REVISED, SECTION).tested == {"turn", "keep"}
    assert ROW.under(CORPORATIONS, SECTION).tested == {"turn", "dispose"}
    hidden = ROW.under(with_hidden_assets(CORPORATIONS), SECTION)
    assert hidden.tested == {"turn", "dispose", "holders"}


def test_a_choice_is_met_by_the_rulebooks_that_have_it() -> None:
    assert is_met(Hands.HIDDEN, CLASSIC) and not is_met(Hands.HIDDEN, REVISED)
