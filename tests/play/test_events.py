"""What a person sees of an event: tiles and hotels by name, and no position."""

from functools import partialmethod
from typing import get_type_hints

import pytest
from positions import scene

from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.events import Event
from acquire.admin.refereeing.play.questions import Ask
from acquire.game.placement import Kind, legal_placements
from acquire.game.rulebooks import CLASSIC
from acquire.game.tiles import parse_tile, parse_tiles
from acquire.protocol import messages
from acquire.protocol.faults import Reason

STATE = scene(CLASSIC, "AA.CC", "ann 3A 9I A2 $600", "bob", bag="12I")
TILE, AMERICAN, TOWER = parse_tile("9I"), 0, 5


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (
            events.Placed("ann", TILE, Kind.FOUNDING, TOWER, STATE),
            "<Placed name=ann tile=9I kind=founding hotel=Tower>",
        ),
        (
            events.Placed("ann", TILE, Kind.SINGLETON, None, STATE),
            "<Placed name=ann tile=9I kind=singleton>",
        ),
        (
            events.Traded("ann", AMERICAN, 4, TOWER, 2, STATE),
            "<Traded name=ann hotel=American shares=4 survivor=Tower gained=2>",
        ),
        (events.SetAside("ann", parse_tiles("9I 1A"), STATE), "<SetAside name=ann tiles=1A 9I>"),
        (
            events.Ejected(
                *("ann", Reason.TIMED_OUT, None, Ask(messages.NewTile(TILE), STATE)),
                *("It was late.", b"<vo", (TILE,), STATE),
            ),
            "<Ejected name=ann reason=timed-out detail=It was late.>",
        ),
        (
            events.LaidOut(STATE),
            "<LaidOut state=<State classic: A 2, C 2, 0 loose; ann $600, A 2, 3A 9I; bob $0; "
            "1 in the bag>>",
        ),
        (
            events.Answered("ann", "turn", messages.Pbuy(legal_placements(STATE)[0], (0, 0)), 5, 0),
            "<Answered name=ann question=turn message=<Pbuy <Placement 3A, hotel 0>, order (0, 0)> "
            "latency=5 lag=0>",
        ),
    ],
)
def test_event_is_shown_in_one_line(event: Event, line: str) -> None:
    assert repr(event) == line


def test_every_event_has_such_a_line() -> None:
    for kind in events.EVENTS:
        assert isinstance(vars(kind)["__repr__"], partialmethod), kind
        hotels = {"hotel", "survivor"} & get_type_hints(kind).keys()
        assert not hotels or "state" in get_type_hints(kind), "the state has the names"
