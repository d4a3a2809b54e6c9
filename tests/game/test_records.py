"""Records: what a user of positions, placements and the like may rely on."""

import copy
import inspect
import pickle
from dataclasses import replace
from typing import Any

import pytest

from acquire.game.board import Board
from acquire.game.disposal import Disposal
from acquire.game.drawing import refill
from acquire.game.merger import merge
from acquire.game.notation import parse_position
from acquire.game.placement import Placement
from acquire.game.records import Record, add, put
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC
from acquire.game.state import Player, State
from acquire.game.tiles import parse_tile
from acquire.protocol.player_view import view_for
from acquire.protocol.question import Known

STATE = parse_position(CLASSIC, "AA.CCC", ["ann 3A A7 $600", "bob 9I C2"], bag="12I 11I")
MERGER = merge(STATE, Placement(parse_tile("3A"), hotel=1))
RECORDS: list[Record] = [
    STATE,
    STATE.board,
    STATE.mover,
    MERGER,
    MERGER.placement,
    MERGER.bonuses[0],
    Disposal(sell=1, trade=4),
    refill(STATE),
    Known(STATE, view_for(STATE, "ann")),
]


def other(value: Any) -> Any:
    """Return another value of the same type."""
    match value:
        case int():
            return value + 1
        case str():
            return f"{value}?"
        case tuple():
            return (*value, other(value[0])) if value else (1,)
        case Rulebook():
            return replace(value, id=other(value.id))
        case Record():
            first = value.__match_args__[-1]
            return value._replace(**{first: other(getattr(value, first))})
        case _:
            raise TypeError(value)


every_record = pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)


def test_every_class_of_records_is_tested() -> None:
    assert {*Record.__subclasses__()} == {type(record) for record in RECORDS}


@every_record
def test_fields_are_the_parameters_in_their_order(record: Record) -> None:
    cls = type(record)
    assert tuple(inspect.signature(cls).parameters) == cls.__match_args__
    fields = {field: other(getattr(record, field)) for field in cls.__match_args__}
    made = cls(*fields.values())
    assert made == cls(**fields) and tuple(made) == tuple(fields.values())
    assert all(getattr(made, field) == value for field, value in fields.items())


@every_record
def test_records_are_equal_if_all_their_fields_are(record: Record) -> None:
    twin = type(record)(*record)
    assert twin is not record and twin == record and hash(twin) == hash(record)
    for field in record.__match_args__:
        assert record._replace(**{field: other(getattr(record, field))}) != record


def test_records_of_two_classes_are_never_equal() -> None:
    assert Disposal(0, 2) != Placement(0, 2)
    assert Disposal(0, 2).__eq__((0, 2)) is NotImplemented


@every_record
def test_record_is_written_with_the_names_of_its_fields(record: Record) -> None:
    """Or in fewer words, where a field is a mask."""
    if isinstance(record, Board | Placement | Player | State):
        assert repr(record).startswith(f"<{type(record).__name__} ") and len(repr(record)) < 200
        return
    assert repr(record).startswith(f"{type(record).__name__}({record.__match_args__[0]}=")
    for field in record.__match_args__:
        assert f"{field}={getattr(record, field)!r}" in repr(record)


@every_record
def test_copies_and_pickled_records_are_equal(record: Record) -> None:
    assert copy.copy(record) == record
    read = pickle.loads(pickle.dumps(record))
    assert read == record
    assert copy.deepcopy(record) is record
    assert type(read) is type(record)


@every_record
def test_changed_copy_leaves_the_record_as_it_was(record: Record) -> None:
    first, *others = record.__match_args__
    before = tuple(record)
    value = other(getattr(record, first))
    changed = record._replace(**{first: value})
    assert tuple(changed) == (value, *before[1:]) and tuple(record) == before
    assert all(getattr(changed, field) == getattr(record, field) for field in others)
    with pytest.raises(TypeError):
        record._replace(unknown=1)


def test_record_can_be_unpacked_and_matched() -> None:
    name, cash, shares, hand = STATE.mover
    match STATE.mover:
        case Player(first, money, hand=tiles):
            assert (first, money, tiles) == (name, cash, hand) == ("ann", 600, 4)
    assert shares == STATE.mover.shares
    match MERGER.placement:
        case Placement(tile, hotel=1, equals=()):
            assert tile == parse_tile("3A")
        case _:
            pytest.fail("not matched")


@every_record
def test_record_has_no_other_attributes(record: Record) -> None:
    with pytest.raises(AttributeError):
        record.other = 1  # type: ignore[attr-defined]


# -- tuples made from tuples: the old one stays as it was


def test_amount_is_changed_at_one_place_only() -> None:
    amounts = (1, 2, 3)
    assert add(amounts, 0, 5) == (6, 2, 3)
    assert add(amounts, 2, -3) == (1, 2, 0)
    assert amounts == (1, 2, 3)


def test_value_is_put_at_one_place_only() -> None:
    before = (1, 2, 3)
    assert put(before, 2, 9) == (1, 2, 9)
    assert before == (1, 2, 3)
