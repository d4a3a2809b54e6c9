"""Scenarios and files of cases: what is put into them under a rulebook, and mistakes in files."""

from pathlib import Path

import pytest
from loops import for_each

from acquire.admin.testing.cases.case import Scenario
from acquire.admin.testing.cases.case_file import read_case_file
from acquire.admin.testing.cases.catalogue import cases_for
from acquire.admin.testing.cases.position_text import parse_tiles
from acquire.game.rulebook import Rulebook, with_hidden_assets
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, REVISED
from acquire.game.tiles import tile_names
from acquire.protocol.settings_file import InvalidFile

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


# -- files --------------------------------------------------------------------------------------

FILE = """
title = "The course's own cases"
[sources]
by-end = [
    { when = { end = "administrator" }, source = ["In one minute", "speaks first: it signs up"] },
    { source = ["sheet-3.pdf", "Exercise 2", "any words"] },
]
[boards]
two = "AA....SSS"
[defaults]
source = "by-end"
expected = "Name {A}."
[[cases]]
id = "first"
title = "A hotel of {safe} tiles"
hint = "naming {T}."
board = "two"
players = "player 3A 6A 1C 3C 5C 7C A1 | ann S2 | bob"
tested = "turn keep dispose holders"
[[cases]]
id = "second"
title = "Nobody else is left"
when = { hands = "hidden", market_for_two = [true, false] }
deal = { seats = 3, seed = 1 }
turns = "all"
others = { ann = "leaves: turn after 2", bob = "random" }
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "own.toml"
    path.write_text(FILE)
    return path


def ids(rulebook: Rulebook, file: Path) -> list[str]:
    return [case.id for case in cases_for(rulebook, [file]) if case.section.slug == "own"]


def test_file_adds_a_section_after_the_others(file: Path) -> None:
    case = cases_for(CORPORATIONS, [file])[-2]
    assert (case.id, case.number) == ("own/first", "15.1")
    assert case.section.title == "The course's own cases"
    assert (case.title, case.expected) == ("A hotel of 11 tiles", "Name America.")
    assert case.hint == "naming Quantum."


def test_source_depends_on_the_rulebook_and_may_be_on_another_page(file: Path) -> None:
    (case,) = cases_for(REVISED, [file])[-1:]
    assert str(case.source).endswith("protocol.md, In one minute: “speaks first: it signs up”")
    assert str(cases_for(CLASSIC, [file])[-1].source) == "sheet-3.pdf, Exercise 2: “any words”"


def test_rulebooks_have_the_cases_whose_conditions_they_meet(file: Path) -> None:
    assert ids(REVISED, file) == ["own/first"]
    assert ids(CLASSIC, file) == ["own/first", "own/second"]


def test_questions_that_a_rulebook_never_asks_are_not_tested(file: Path) -> None:
    row = read_case_file(file).rows[0]
    section = cases_for(REVISED, [file])[-1].section
    assert row.under(REVISED, section).tested == {"turn", "keep"}
    assert row.under(CORPORATIONS, section).tested == {"turn", "dispose"}
    hidden = row.under(with_hidden_assets(CORPORATIONS), section)
    assert hidden.tested == {"turn", "dispose", "holders"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('title = "The course', 'titel = "The course', "title: is missing."),
        ('id = "first"', 'id = "First"', "cases[1] (First).id: must be small"),
        ('board = "two"', 'board = "three"', "cases[1] (first).board: must be drawn"),
        ('hint = "naming {T}."', "hint = 3", "cases[1] (first).hint: must be a text"),
        ("hint =", "hnit =", "'hnit' is not a key of a case. Did you mean 'hint'?"),
        ("turn keep", "turns keep", "cases[1] (first).tested: 'turns' is not a question."),
        ('"by-end"', '"by-ende"', "cases[1] (first).source: 'by-ende' is not a source."),
        ("leaves: turn", "leaves: turns", "cases[2] (second).others.ann: 'leaves: turns"),
        ('hands = "hidden"', 'hands = "hid"', "cases[2] (second).when.hands"),
        ("seats = 3, ", "", "cases[2] (second).deal.seats: is missing."),
        ('turns = "all"', "turns = 0", "cases[2] (second).turns: must be at least 1, not 0."),
        ('"second"', '"first"', "cases[2] (first): 'first' is the id of another case."),
        ("{T}", "{Q}", "cases[1] (first): 'Q' is unknown"),
        ("{T}", "{T:>9999999999999}", "cases[1] (first): 'T:>9999999999999' is unknown"),
        ("{T}", "{T.swapcase.__globals__}", "'T.swapcase.__globals__' is unknown"),
        ("{T}", "{safe+9999999999:A}", "'safe+9999999999:A' is unknown"),
        ("AA....SSS", "A.....SSS", "cases[1] (first): the position has a hotel of one tile."),
        ("3A 6A", "3A 7A", "cases[1] (first): player has a tile that is elsewhere as well."),
        ("3A 6A", "3AA", "cases[1] (first): '3AA' is not a tile (3A), certificates (S2) or cash"),
        ("player 3A", "anna 3A", "cases[1] (first): no seat for 'player'."),
        ('title = "The', 'section = "turn"\ntitle = "The', "section: 'turn' is the name of"),
    ],
)
def test_mistake_in_a_file_is_named_with_case_and_key(
    file: Path, old: str, new: str, said: str
) -> None:
    assert FILE.count(old) >= 1
    file.write_text(FILE.replace(old, new))
    with pytest.raises(InvalidFile) as caught:
        cases_for(CLASSIC, [file])
    assert str(caught.value).startswith(f"{file} has ") and said in str(caught.value)


@for_each("text", ["{safe+999:A}" * 4, "x" * 4001], ids=["filled", "long"])
def test_text_that_is_or_becomes_too_long_is_refused(tmp_path: Path, text: str) -> None:
    """In ``[defaults]`` it would be there as often as there are cases."""
    file = tmp_path / "long.toml"
    file.write_text(
        f'title = "a"\n[defaults]\nplayers = "player | ann"\nexpected = "{text}"\n'
        '[[cases]]\nid = "b"\ntitle = "c"\n'
    )
    with pytest.raises(InvalidFile, match="a text has more than 4,000 characters"):
        cases_for(REVISED, [file])
