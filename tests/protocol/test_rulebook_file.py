"""A rulebook file: every setting reaches the rulebook, and every mistake is reported with a fix."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from loops import for_each

from acquire.game.rulebook import MAX_SIZE, Draw, Hotel, Rounding, Rulebook, with_hidden_assets
from acquire.game.rulebooks import CLASSIC, REVISED, RULEBOOKS
from acquire.protocol.rulebook_file import (
    MAX_JSON,
    SETTINGS,
    UnknownRulebook,
    find,
    from_json,
    read,
    rulebook_from,
    settings_of,
    to_json,
)
from acquire.protocol.settings_file import InvalidFile, InvalidSettings, parse

each_rulebook = for_each("rulebook", RULEBOOKS.values(), ids=RULEBOOKS)

VARIANT = """
id = "campus"
base = "classic"
title = "Campus rules"
cash = 7000
hand_size = 7
certificates = 30
bonus_multiples = [10, 5, 3]
rounding = "down"
rounding_step = 50
draw = "up-to-full"

[hotels]
Gala = "expensive"
Alto = "cheap"
Bravo = "cheap"
Cima = "medium"
Duna = "medium"
Este = "medium"
Faro = "expensive"

[prices]
cheap = { 2 = 100, 3 = 250, 41 = 600 }
"""


def changed(rulebook: Rulebook, base: Rulebook) -> set[str]:
    """The fields in which two rulebooks differ."""
    return {
        field.name
        for field in fields(rulebook)
        if getattr(rulebook, field.name) != getattr(base, field.name)
    }


def test_file_changes_what_it_says_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "campus.toml"
    file.write_text(VARIANT)
    rulebook = read(file)
    assert (rulebook.id, rulebook.title, rulebook.cash) == ("campus", "Campus rules", 7000)
    assert (rulebook.hand_size, rulebook.certificates) == (7, 30)
    assert rulebook.bonus_multiples == (10, 5, 3)
    assert (rulebook.rounding, rulebook.rounding_step) == (Rounding.DOWN, 50)
    assert rulebook.draw is Draw.UP_TO_FULL
    assert rulebook.hotels[0] == Hotel("Alto", "cheap")
    assert [hotel.name[0] for hotel in rulebook.hotels] == list("ABCDEFG")
    alto, faro = rulebook.prices[0], rulebook.prices[5]
    assert [alto[size] for size in (0, 1, 2, 3, 40, 41, 108)] == [0, 0, 100, 250, 250, 600, 600]
    assert faro == CLASSIC.prices[CLASSIC.hotel_index("Tower")]
    assert changed(rulebook, CLASSIC) == {
        *("id", "title", "cash", "hand_size", "certificates", "bonus_multiples"),
        *("rounding", "rounding_step", "draw", "hotels", "prices"),
    }


def test_base_is_revised_unless_it_is_named() -> None:
    assert changed(rulebook_from({"id": "mine"}), REVISED) == {"id", "title"}


def test_every_field_of_a_rulebook_is_a_setting() -> None:
    assert SETTINGS.keys() == {field.name for field in fields(Rulebook)} | {"base"}


@each_rulebook
def test_rulebook_written_and_read_is_the_same(rulebook: Rulebook) -> None:
    written = settings_of(rulebook) | {"id": "copy"}
    for base in RULEBOOKS:
        assert changed(rulebook_from(written | {"base": base}), rulebook) == {"id"}


def test_json_is_one_line_from_which_the_rulebook_is_read() -> None:
    rulebook = rulebook_from({"id": "mine", "title": 'Über "mine" <&>', "base": "digest"})
    text = to_json(rulebook)
    assert "\n" not in text
    assert changed(from_json(text), rulebook) == set()


@each_rulebook
def test_json_of_one_of_the_five_is_its_id(rulebook: Rulebook) -> None:
    assert to_json(rulebook) == f'"{rulebook.id}"'
    assert from_json(to_json(rulebook)) is rulebook


def test_json_of_a_table_that_hides_assets_has_all_settings() -> None:
    rulebook = with_hidden_assets(RULEBOOKS["digest"])
    assert changed(from_json(to_json(rulebook)), RULEBOOKS["digest"]) == {"assets"}


def test_json_of_the_longest_rulebook_is_read_and_padding_is_refused() -> None:
    names = {letter + "'" * 18 + "x": "cheap" for letter in "ABCDE"}
    names |= {"F" + "'" * 18 + "x": "medium", "G" + "'" * 18 + "x": "expensive"}
    prices = {str(size): 1_000_000 - MAX_SIZE + size for size in range(MAX_SIZE + 1)}
    tiers = {"cheap": prices, "medium": prices, "expensive": prices}
    longest = {"id": "x" * 32, "title": "\U0001f40d" * 80, "hotels": names, "prices": tiers}
    text = to_json(rulebook_from(longest))
    assert len(text) < MAX_JSON / 2
    assert changed(from_json(text.ljust(MAX_JSON)), from_json(text)) == set()
    with pytest.raises(InvalidSettings, match="more than 32,768 characters"):
        from_json(text.ljust(MAX_JSON + 1))


@for_each("text", ["", "{", "3", "[]", '"house"', "{}", "[" * 50_000])
def test_json_that_is_no_rulebook_is_refused(text: str) -> None:
    with pytest.raises(InvalidSettings):
        from_json(text)


SEVEN = {"Alto": "cheap", "Bravo": "cheap", "Cima": "medium", "Duna": "medium", "Este": "medium",
         "Faro": "expensive", "Gala": "expensive"}  # fmt: skip

BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no id": ({"id": None}, "id: is missing. Write a name for the rulebook, such as id ="),
    "id with a blank": ({"id": "my rules"}, "id: 'my rules' cannot be an id. Write a letter,"),
    "unknown base": ({"base": "clasic"}, "base: 'clasic' is not a rulebook. Did you mean 'clas"),
    "empty title": ({"title": " "}, "title: ' ' cannot be a title. Write printable characters."),
    "title of a page": ({"title": "x" * 81}, "title: must have at most 80 characters."),
    "number as a title": ({"title": 5}, "title: must be a text in quotes, not 5."),
    "title with a control": ({"title": "a\x1bb"}, "title: 'a\\x1bb' cannot be a title."),
    "misspelt setting": ({"certficates": 30}, "'certficates' is not a setting. Did you mean 'cert"),
    "text for a number": ({"cash": "6000"}, "cash: must be a whole number, not '6000'."),
    "fraction": ({"safe_size": 10.5}, "safe_size: must be a whole number, not 10.5."),
    "truth as a number": ({"hand_size": True}, "hand_size: must be a whole number, not True."),
    "negative cash": ({"cash": -1}, "cash: must be at least 0, not -1."),
    "one player": ({"min_players": 1}, "min_players: must be at least 2, not 1."),
    "seven players": ({"max_players": 7}, "max_players: must be at most 6, not 7."),
    "more at least than at most": (
        {"min_players": 5, "max_players": 4},
        "min_players: is 5, but max_players is 4. Raise max_players, or lower it.",
    ),
    "hands that the bag cannot deal": (
        {"hand_size": 19},
        "hand_size: 6 players with hands of 19 need 114 tiles, and there are 108. Set at most 18, "
        "or fewer max_players.",
    ),
    "hands and start tiles that the bag cannot deal": (
        {"hand_size": 18, "start": "row-first"},
        "hand_size: 6 players with hands of 18 and a tile each for the start need 114 tiles, and "
        "there are 108. Set at most 17, or fewer max_players.",
    ),
    "no hand": ({"hand_size": 0}, "hand_size: must be at least 1, not 0."),
    "no certificates": ({"certificates": 0}, "certificates: must be at least 1, not 0."),
    "too many certificates": ({"certificates": 101}, "certificates: must be at most 100, not 101."),
    "order that no message has room for": (
        {"order_limit": 21},
        "order_limit: must be at most 20, not 21.",
    ),
    "orders that are too many to list": (
        {"base": "classic", "order_limit": 11},
        "order_limit: is 11: an order could be chosen in 31,824 ways, all of which are looked at. "
        "Set at most 10, or mixed_orders = false.",
    ),
    "word for truth": ({"mixed_orders": "yes"}, "mixed_orders: must be true or false, not 'yes'."),
    "unknown choice": ({"draw": "two"}, 'draw: must be one of "one", "up-to-full", not \'two\'.'),
    "choice of another setting": (
        {"start": "hidden"},
        'start: must be one of "sign-up", "row-first", "column-first", not \'hidden\'.',
    ),
    "no bonus": ({"bonus_multiples": []}, "bonus_multiples: must have 1 or more."),
    "rising bonuses": (
        {"bonus_multiples": [5, 10]},
        "bonus_multiples: rises from one place to the next. Write the largest bonus first.",
    ),
    "seven bonuses": ({"bonus_multiples": [7] * 7}, "bonus_multiples: must have at most 6."),
    "bonus of nothing": ({"bonus_multiples": [10, 0]}, "bonus_multiples[2]: must be at least 1"),
    "number for bonuses": ({"bonus_multiples": 10}, "bonus_multiples: must be a list in [ ], not"),
    "rounding to nothing": ({"rounding_step": 0}, "rounding_step: must be at least 1, not 0."),
    "market that would not draw": (
        {"market_for_two": True, "min_players": 2},
        'market_for_two: needs disposal = "hold-sell-trade"',
    ),
    "six hotels": (
        {"hotels": {name: tier for name, tier in SEVEN.items() if name != "Gala"}},
        "hotels: has 6 hotels. Name 7, each with its tier.",
    ),
    "two hotels with an initial": (
        {"hotels": {"Avon": "cheap"} | {name: SEVEN[name] for name in SEVEN if name != "Gala"}},
        "hotels: has several names that begin with A, the sign of the hotel on a board.",
    ),
    "hotel in lower case": (
        {"hotels": SEVEN | {"ritz": "cheap"}},
        "hotels: 'ritz' cannot be a hotel's name. Write a capital letter,",
    ),
    "hotel with markup": (
        {"hotels": SEVEN | {"A<b>": "cheap"}},
        "hotels: 'A<b>' cannot be a hotel",
    ),
    "unknown tier": (
        {"hotels": SEVEN | {"Alto": "posh"}},
        "hotels.Alto: must be 'cheap', 'medium' or 'expensive', not 'posh'.",
    ),
    "prices of an unknown tier": (
        {"prices": {"posh": {"2": 100}}},
        "prices.posh: is not a tier. Write cheap, medium or expensive.",
    ),
    "price that is missing": (
        {"prices": {"cheap": {"3": 200}}},
        "prices.cheap: has no price at size 2. Write one, such as 2 = 200.",
    ),
    "falling price": (
        {"prices": {"cheap": {"2": 200, "10": 300, "11": 250}}},
        "prices.cheap: falls from $300 to $250 at size 11. Let prices rise with the size.",
    ),
    "price of a size that is none": (
        {"prices": {"cheap": {"2": 200, "109": 300}}},
        "prices.cheap: has a price for size '109'. Write a number from 0 to 108.",
    ),
    "price in words": (
        {"prices": {"cheap": {"2": "200"}}},
        "prices.cheap.2: must be a whole number, not '200'.",
    ),
    "prices as a list": ({"prices": [200]}, "prices: must be a table such as { ... }, not [200]."),
}
"""Settings added to those of a right file, and what is reported."""


@for_each(("settings", "expected"), BAD.values(), ids=BAD)
def test_mistake_is_reported_with_its_place_and_a_fix(
    settings: dict[str, Any], expected: str
) -> None:
    right = {"id": "mine"}
    data = {name: value for name, value in (right | settings).items() if value is not None}
    with pytest.raises(InvalidSettings) as caught:
        rulebook_from(data)
    (mistake,) = caught.value.mistakes
    assert ": ".join(filter(None, mistake)).startswith(expected)


def test_all_mistakes_of_a_file_are_reported_at_once(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('id = "my rules"\ncash = -5\n[prices]\nposh = { 2 = 1 }\n')
    with pytest.raises(InvalidFile) as caught:
        read(file)
    assert [place for place, _ in caught.value.mistakes] == ["id", "cash", "prices.posh"]
    assert str(caught.value).startswith(f"{file} has 3 mistakes:\n  id: ")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"id = mine", "line 1, column 6: this is not valid TOML: Invalid value. Texts need quot"),
        (b"id = 'a'\n# \xff", "line 2: byte 0xff is not UTF-8. Save the file as UTF-8."),
        (b"id = 'classic'", "id: 'classic' is one of the five rulebooks. Write another id."),
        (b"id = 'a'\ncash" + b".a" * 201 + b" = 1", "line 2: has more than 200 dots. Write"),
        (b"id = 'a'\n[cash" + b".a" * 199 + b"]\nb" + b".a" * 200 + b" = 1", "not {'a': {'a': {"),
        (b"id = 'a'\ncash = 0x" + b"f" * 9999, "cash: must be at most 1000000, not a number that"),
        (None, "The file cannot be read: No such file or directory. `acquire rulebooks --init"),
    ],
)
def test_file_that_is_no_rulebook_is_reported(
    tmp_path: Path, content: bytes | None, expected: str
) -> None:
    file = tmp_path / "mine.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(InvalidFile, match="has a mistake") as caught:
        read(file)
    assert expected in str(caught.value)


USELESS = {
    "a market that never plays": (
        "base = 'classic'\nmin_players = 3",
        "market_for_two: is true, but the market plays with two players, and min_players is 3. Set "
        "market_for_two = false, or min_players = 2.",
    ),
    "more certificates in an order than there are": (
        "certificates = 10\norder_limit = 12",
        "order_limit: is 12, but there are only 10 certificates of each hotel. Set at most 10, or "
        "more certificates.",
    ),
    "more than there are of all hotels": (
        "base = 'classic'\ncertificates = 1\norder_limit = 8",
        "order_limit: is 8, but there are only 7 certificates in all. Set at most 7, or more ",
    ),
    "a mixture of one": (
        "base = 'classic'\norder_limit = 1",
        "mixed_orders: is true, but an order is for one certificate (order_limit). Set ",
    ),
    "an order without a difference": (
        "equal_acquired = 'placer-orders'",
        'equal_acquired: is "placer-orders", but all acquired hotels are settled at once ',
    ),
    "one tile that fills the hand": (
        "base = 'wikipedia'\nhand_size = 1",
        'draw: is "up-to-full", but a hand has one tile (hand_size), so never lacks more. ',
    ),
    "safe after the end": (
        "base = 'classic'\nsafe_size = 45",
        "safe_size: is 45, but the game can end with a hotel of 41 tiles (final_size), before any "
        "is safe. Set at most 41, or a larger final_size.",
    ),
    "two safe hotels that cannot meet": (
        "base = 'classic'\nsafe_size = 54\nfinal_size = 60",
        "safe_size: is 54, but two such hotels and a tile between them do not fit on the board, ",
    ),
    "a safe hotel that meets none": (
        "safe_size = 106\nfinal_size = 106\nempty_bag = 'plays-on'",
        "safe_size: is 106, but such a hotel, another and a tile between them do not fit on the ",
    ),
    "safe from the first": (
        "base = 'digest'\nsafe_size = 2\nfinal_size = 30",
        "final_size: has no effect, since every hotel is safe (safe_size = 2), which already lets ",
    ),
    "larger than the bag allows": (
        "hand_size = 17\nfinal_size = 59",
        "final_size: is 59, but the bag is empty, which ends the game (empty_bag), when 58 tiles ",
    ),
    "a bonus for more than there are players": (
        "max_players = 3\nbonus_multiples = [10, 5, 3, 1]",
        "bonus_multiples: has 4 places, but at most 3 can hold certificates of a hotel. Write at ",
    ),
    "the only one of one bonus": (
        "bonus_multiples = [10]\nsole_holder = 'all-bonuses'",
        "sole_holder: has no effect, since there is one bonus (bonus_multiples). Remove it, or ",
    ),
    "rounding of round shares": (
        "base = 'corporations'\nmax_players = 2\nrounding_step = 50",
        "rounding_step: has no effect, since every share of a bonus is a multiple of $50 as it is.",
    ),
    "prices of no hotel": (
        "prices.cheap = { 2 = 300 }\n[hotels]\n"
        + "\n".join(f"{name} = 'medium'" for name in SEVEN),
        "prices.cheap: has no effect, since no hotel is cheap. Remove it, or give a hotel this ",
    ),
    "the price of one tile": (
        "prices.cheap = { 1 = 100, 2 = 300 }",
        "prices.cheap.1: has no effect, since a hotel has 0 tiles or at least 2. Remove it, or ",
    ),
}
"""What a file says, and what is reported."""


@for_each(("content", "expected"), USELESS.values(), ids=USELESS)
def test_setting_that_changes_nothing_is_a_mistake(
    content: str, expected: str, tmp_path: Path
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f"id = 'mine'\n{content}\n")
    with pytest.raises(InvalidFile) as caught:
        read(file)
    (mistake,) = caught.value.mistakes
    assert ": ".join(mistake).startswith(expected)
    assert rulebook_from(parse(file, "")).id == "mine", "logs of games by it stay readable"


@for_each(
    "content",
    [
        *(f"base = '{name}'" for name in RULEBOOKS),
        "base = 'classic'\nmarket_for_two = false\nmin_players = 3",
        "base = 'classic'\ncertificates = 1\norder_limit = 7",
        "base = 'classic'\norder_limit = 10",
        "order_limit = 20\ncertificates = 20",
        "base = 'classic'\norder_limit = 1\nmixed_orders = false",
        "certificates = 10\norder_limit = 10",
        "base = 'classic'\nsafe_size = 41",
        "base = 'classic'\nsafe_size = 53\nfinal_size = 53",
        "safe_size = 105\nfinal_size = 105\nempty_bag = 'plays-on'",
        "base = 'digest'\nsafe_size = 3\nfinal_size = 30",
        "hand_size = 17\nfinal_size = 58",
        "max_players = 3\nbonus_multiples = [10, 5, 3]",
        "base = 'classic'\nmax_players = 2\nbonus_multiples = [10, 5, 3, 1]",
        "base = 'corporations'\nmax_players = 2\nrounding_step = 500",
        "prices.cheap = { 1 = 100, 3 = 300 }",
    ],
)
def test_setting_that_changes_some_position_is_none(content: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f"id = 'mine'\n{content}\n")
    assert read(file).id == "mine"


def test_rulebook_is_found_by_its_id_or_its_file(tmp_path: Path) -> None:
    own = tmp_path / "mine"
    own.write_text('id = "mine"\nbase = "classic"\n')
    assert find("classic") is CLASSIC
    assert find(str(own)).id == "mine"
    with pytest.raises(UnknownRulebook, match="'clasic' is not a rulebook"):
        find("clasic")
    with pytest.raises(InvalidFile, match="cannot be read"):  # a file was meant
        find("missing.toml")
