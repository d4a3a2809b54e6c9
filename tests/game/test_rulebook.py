"""The numbers, tables and choices of "Acquire, Revised", and what the other rulebooks are."""

import ast
import copy
import pickle
from dataclasses import FrozenInstanceError, fields, replace
from pathlib import Path

import pytest
from loops import for_each
from positions import hotel

from acquire.game.rulebook import (
    MAX_SIZE,
    Assets,
    EighthHotel,
    ForbiddenMerger,
    LooseNeighbours,
    Rounding,
    Rulebook,
    SoleHolder,
    price_table,
    with_hidden_assets,
)
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, REVISED, RULEBOOKS, WIKIPEDIA
from reference.rulebooks import RULES, to_the_nearest_dollar

HOTELS = [
    ("American", "medium"),
    ("Continental", "expensive"),
    ("Festival", "medium"),
    ("Imperial", "medium"),
    ("Sackson", "cheap"),
    ("Tower", "expensive"),
    ("Worldwide", "cheap"),
]


def test_seven_hotels_in_alphabetical_order_with_their_tier() -> None:
    assert [tuple(hotel) for hotel in REVISED.hotels] == HOTELS
    assert [REVISED.hotel_index(name) for name, _ in HOTELS] == [*range(7)]
    assert [hotel.name for hotel in REVISED.hotels] == sorted(hotel for hotel, _ in HOTELS)


def test_numbers_and_choices_of_revised_are_those_of_its_text() -> None:
    assert (REVISED.cash, REVISED.hand_size, REVISED.certificates) == (8_000, 6, 25)
    assert (REVISED.min_players, REVISED.max_players) == (3, 6)
    assert (REVISED.safe_size, REVISED.final_size) == (12, 40)
    assert (REVISED.order_limit, REVISED.mixed_orders) == (2, False)
    assert REVISED.forbidden_merger is ForbiddenMerger.ANY_SAFE
    assert REVISED.loose_neighbours is LooseNeighbours.REFUSED
    assert REVISED.eighth_hotel is EighthHotel.STAYS_LOOSE
    assert REVISED.sole_holder is SoleHolder.MAJORITY_ALONE
    assert (REVISED.rounding, REVISED.rounding_step) == (Rounding.NEAREST, 1)


def test_majority_is_ten_and_minority_five_times_the_price() -> None:
    assert {rulebook.bonus_multiples for rulebook in RULEBOOKS.values()} == {(10, 5)}


# Prices


@for_each("rulebook", RULEBOOKS.values(), ids=RULEBOOKS)
def test_price_is_that_of_the_reference_at_every_size(rulebook: Rulebook) -> None:
    """It has the printed table, the information card, and base and modifier of `digest`."""
    rules = RULES[rulebook.id]
    for index, (name, tier) in enumerate(rules.tiers.items()):
        assert rulebook.hotel_name(index) == name
        for size in (0, *range(2, MAX_SIZE + 1)):
            assert rulebook.price(index, size) == rules.price_at(tier, size), (name, size)
            assert rulebook.prices[index][size] == rulebook.price(index, size)


def test_continental_of_eight_tiles_costs_800() -> None:
    """The rule text's own example."""
    assert REVISED.price(hotel("Continental"), 8) == 800


@pytest.mark.parametrize(("tier", "price"), [("cheap", 0), ("medium", 200), ("expensive", 300)])
def test_hotel_off_the_board_has_a_price_unless_it_is_cheap(tier: str, price: int) -> None:
    """Clarification 1; where two prices begin at 0 the table, read from the bottom, gives 300."""
    prices = {REVISED.price(index, 0) for index, h in enumerate(REVISED.hotels) if h.tier == tier}
    assert prices == {price}


def test_price_table_takes_the_higher_of_two_prices_that_begin_at_the_same_size() -> None:
    table = price_table({200: 0, 300: 0, 900: 3})
    assert table[:4] == (300, 300, 300, 900)
    assert len(table) == MAX_SIZE + 1 and table[-1] == 900


def test_price_table_has_nothing_below_its_first_size() -> None:
    assert price_table({200: 2})[:3] == (0, 0, 200)


# Shares of a bonus


TO_THE_DOLLAR = (Rounding.NEAREST, 1)
UP, DOWN = (Rounding.UP, 100), (Rounding.DOWN, 100)


@for_each(
    ("rounding", "holders", "shares"),
    [
        (TO_THE_DOLLAR, 1, {500: 500}),
        (TO_THE_DOLLAR, 2, {3_000: 1_500, 3: 2, 1: 1}),
        (TO_THE_DOLLAR, 3, {1_000: 333, 2_000: 667, 1: 0, 0: 0}),
        (TO_THE_DOLLAR, 4, {1_500: 375}),
        (TO_THE_DOLLAR, 6, {5_000: 833}),
        (UP, 1, {100: 100, 101: 200}),
        (UP, 2, {1_500: 800, 1_000: 500, 0: 0}),
        (UP, 3, {1_000: 400}),
        (UP, 4, {1_200: 300, 1_201: 400}),
        (UP, 7, {6_000: 900}),
        (DOWN, 1, {199: 100, 99: 0}),
        (DOWN, 2, {1_500: 700, 1_000: 500, 0: 0}),
        (DOWN, 3, {1_000: 300}),
    ],
)
def test_share_is_rounded_to_the_nearest_dollar_halves_up_or_up_or_down_to_a_hundred(
    rounding: tuple[Rounding, int], holders: int, shares: dict[int, int]
) -> None:
    how, step = rounding
    assert {amount: how.share(amount, holders, step) for amount in shares} == shares
    if rounding == TO_THE_DOLLAR:
        assert {amount: to_the_nearest_dollar(amount, holders) for amount in shares} == shares


# A rulebook is data


@pytest.mark.parametrize("name", ["tower", "Zeta", ""])
def test_unknown_hotel_is_refused_by_name(name: str) -> None:
    with pytest.raises(ValueError, match=f"rulebook revised has no hotel '{name}'"):
        REVISED.hotel_index(name)


def test_another_rulebook_is_derived_and_leaves_its_parent_alone() -> None:
    other = replace(REVISED, id="other", safe_size=11)
    assert (other.safe_size, REVISED.safe_size) == (11, 12)
    assert other.prices is REVISED.prices


def test_rulebook_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        REVISED.cash = 6_000  # type: ignore[misc]  # what the test is about


# The five


def test_there_are_five_and_revised_comes_first() -> None:
    assert [*RULEBOOKS] == ["revised", "corporations", "classic", "wikipedia", "digest"]
    assert [*RULEBOOKS.values()] == [REVISED, CORPORATIONS, CLASSIC, WIKIPEDIA, DIGEST]


@for_each("rulebook", RULEBOOKS.values(), ids=RULEBOOKS)
def test_hotels_are_two_cheap_three_medium_and_two_expensive_in_alphabetical_order(
    rulebook: Rulebook,
) -> None:
    names = [hotel.name for hotel in rulebook.hotels]
    assert names == sorted(names)
    tiers = [hotel.tier for hotel in rulebook.hotels]
    assert {tier: tiers.count(tier) for tier in tiers} == {"cheap": 2, "medium": 3, "expensive": 2}
    assert len({name[0] for name in names}) == 7, "a board is drawn with initials"


def test_rulebooks_are_played_with_hotels_or_with_corporations() -> None:
    seven = {rulebook.id: rulebook.hotels for rulebook in RULEBOOKS.values()}
    assert seven["classic"] == seven["wikipedia"] == seven["revised"] == REVISED.hotels
    assert seven["digest"] == seven["corporations"] == CORPORATIONS.hotels
    assert {hotel.name: hotel.tier for hotel in CORPORATIONS.hotels} == {
        "Sackson": "cheap", "Zeta": "cheap",
        "America": "medium", "Fusion": "medium", "Hydra": "medium",
        "Phoenix": "expensive", "Quantum": "expensive",
    }  # fmt: skip


@pytest.mark.parametrize("rulebook", [CORPORATIONS, WIKIPEDIA, DIGEST], ids=lambda book: book.id)
def test_table_may_hide_assets_where_the_rulebook_leaves_it_open(rulebook: Rulebook) -> None:
    hidden = with_hidden_assets(rulebook)
    assert (rulebook.assets, hidden.assets) == (Assets.OPTIONAL, Assets.HIDDEN)
    others = [field.name for field in fields(Rulebook) if field.name != "assets"]
    assert all(getattr(hidden, name) == getattr(rulebook, name) for name in others)
    assert with_hidden_assets(hidden).assets is Assets.HIDDEN
    for part, cash, certificates in (
        ("cash", True, False),
        ("certificates", False, True),
        ("both", True, True),
    ):
        assets = with_hidden_assets(hidden, part).assets
        assert (assets.hides_cash, assets.hides_certificates) == (cash, certificates)
        assert assets.hidden == part
    assert rulebook.assets.hidden == "" and not rulebook.assets.hides_cash


@pytest.mark.parametrize("rulebook", [REVISED, CLASSIC], ids=lambda book: book.id)
def test_table_may_not_hide_assets_where_the_rulebook_keeps_them_open(rulebook: Rulebook) -> None:
    with pytest.raises(ValueError, match=f"{rulebook.id} keeps cash and certificates open"):
        with_hidden_assets(rulebook)


# "Nothing asks a rulebook for its id": what differs is in its fields

ROOT = Path(__file__).parents[2]
VALUES = {"REVISED", "CORPORATIONS", "CLASSIC", "WIKIPEDIA", "DIGEST"}


def asks_which(source: str) -> list[int]:
    """The lines on which a choice is made by a rulebook's id, or by its being one of the five."""
    found = set()
    tree = ast.parse(source)
    tree.body = [node for node in tree.body if not is_the_exception(node)]
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left, _, others):
                asked = [left, *others]
            case ast.Match(subject):
                asked = [subject]
            case ast.Subscript():
                asked = [] if is_lookup(node) else [node.slice]
            case ast.Call(ast.Attribute(_, "get"), arguments):
                asked = arguments
            case ast.Call(ast.Attribute(text, "startswith" | "endswith")):
                asked = [text]
            case _:
                continue
        if any(tells_which(part) for part in asked):
            found.add(node.lineno)
    return sorted(found)


def is_the_exception(node: ast.AST) -> bool:
    """The functions that may ask, because no rule depends on them: a log's two ids must agree."""
    return isinstance(node, ast.FunctionDef) and node.name in ("is_one_of_the_five", "_embedded")


def is_lookup(node: ast.AST) -> bool:
    return isinstance(node, ast.Subscript) and ast.unparse(node.value) == "RULEBOOKS"


def tells_which(node: ast.AST) -> bool:
    """Whether an expression says which rulebook it is, other than by looking it up."""
    match node:
        case ast.Attribute(_, "id"):
            return True
        case ast.Name(name):
            return name in VALUES
        case ast.Constant(value):
            return value in RULEBOOKS
    return not is_lookup(node) and any(map(tells_which, ast.iter_child_nodes(node)))


@for_each(
    "package",
    [
        "game",
        "protocol",
        "admin/refereeing/play",
        "admin/refereeing/log",
        "admin/refereeing/table",
        "admin/refereeing/view",
    ],
)
def test_nothing_asks_a_rulebook_for_its_id(package: str) -> None:
    modules = sorted((ROOT / package).rglob("*.py"))
    assert len(modules) >= 5
    asking = {str(module): asks_which(module.read_text()) for module in modules}
    assert {name: lines for name, lines in asking.items() if lines} == {}


@for_each(
    ("source", "asks"),
    [
        ("if rulebook.id == 'x': pass", True),
        ("small = state.rulebook.id in SMALL", True),
        ("if rulebook is REVISED: pass", True),
        ("if name != 'classic': pass", True),
        ("match rulebook.id:\n    case _: pass", True),
        ("limit = LIMITS[rulebook.id]", True),
        ("limit = LIMITS.get(rulebook.id, 2)", True),
        ("corporate = rulebook.id.startswith('c')", True),
        ("print(f'rulebook {rulebook.id}')", False),
        ("plain = cell == RULEBOOKS['classic'].cash", False),
        ("if rulebook.draw is Draw.ONE: pass", False),
    ],
)
def test_asking_for_an_id_would_be_seen(source: str, asks: bool) -> None:
    assert asks_which(source) == ([1] if asks else [])


def test_copied_and_pickled_rulebook_is_itself() -> None:
    """A rulebook is equal to itself only; one of another process is still one of the five."""
    for rulebook in RULEBOOKS.values():
        assert pickle.loads(pickle.dumps(rulebook)) is rulebook
    variant = with_hidden_assets(CORPORATIONS)
    assert copy.deepcopy(variant) is variant
    read = pickle.loads(pickle.dumps(variant))
    assert all(getattr(read, each.name) == getattr(variant, each.name) for each in fields(Rulebook))
