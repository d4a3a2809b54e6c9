"""Games that other people's programs played, held to what those programs reported of them.

Each game is two files in ``tests/golden/others``: a game log, and beside it the reports, one JSON
object a line: the start, each turn, the end. The log has what this referee computed; the reports
have what the other program computed. The README there says where the games come from.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

from oracle_files import lines
from positions import names, tiles

from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.events import Event
from acquire.game.drawing import refill
from acquire.game.placement import hotel_choices, playable
from acquire.game.rulebooks import CLASSIC
from acquire.game.state import State, deal, start_tiles
from acquire.game.tiles import COLUMNS, GRID, ROWS, tile_at, tile_name, tiles_in
from acquire.game.turn import Ending, pay_out, regular_ending

SIGNS = dict(enumerate("ACFISTW"))
"""The hotels' initials: `revised` and `classic` have the same hotels."""

Report = dict[str, Any]


class Differs(Enum):
    """How the other programs' rules differ from ours; the value stands in a report."""

    TRUNCATED = "bonus-truncated"
    """A bonus that three minority holders share is truncated; ours is rounded."""
    REPLACED_AGAIN = "replaced-again"
    """A dead tile that replaces a dead tile is replaced in the same turn; ours in the next."""
    LAST_TILE = "over-with-the-last-tile-drawn"
    ALL_TILES = "over-with-all-tiles-placed"


ENDINGS = {
    "final": {Ending.LARGE_HOTEL, Ending.ALL_SAFE},
    "no-placeable-tile": {Ending.NOTHING_PLACEABLE},
    "tiles-exhausted": {Ending.NO_MORE_TURNS},
    "declared": {Ending.LARGE_HOTEL, Ending.ALL_SAFE},
    "all-tiles-placed": {Ending.NO_MORE_TURNS},
    "dead-round": {Ending.DEAD_ROUND},
}
"""What ends a game here for each reported ending; a log stops where only ours goes on."""


def reports_of(log: Path) -> list[Report]:
    """Return the reports that belong to a log."""
    path = log.with_name(log.name.replace(".xml.gz", ".jsonl.gz"))
    return [json.loads(line) for line in lines(path)]


def drawing(state: State) -> str:
    """The board in the form of a report."""
    cells = {SIGNS[hotel]: tiles for hotel, tiles in enumerate(state.board.hotels)}
    cells |= {"O": state.board.loose, "X": state.aside}
    signs = {tile: sign for sign, held in cells.items() for tile in tiles_in(held)}
    return "/".join(
        "".join(signs.get(tile_at(column, row), ".") for column in range(1, COLUMNS + 1))
        for row in ROWS
    )


def sheet_of(state: State) -> Report:
    """A position in the form of a report: lists are by hotel, in alphabetical order."""
    players = state.players
    return {
        "board": drawing(state),
        "cash": {player.name: player.cash for player in players},
        "worth": dict(pay_out(state).scores),
        "shares": {player.name: list(player.shares) for player in players},
        "tiles": {player.name: names(player.hand) for player in players},
        "bank": list(state.bank),
        "sizes": list(state.board.sizes),
        "prices": [state.price(hotel) for hotel in SIGNS],
    }


def with_less(state: State, less: Counter[str]) -> State:
    """The position with so many dollars less, by player."""
    players = [player._replace(cash=player.cash - less[player.name]) for player in state.players]
    return state._replace(players=tuple(players))


def truncated(paid: Sequence[Event]) -> Counter[str]:
    """By player, the dollars that it got by rounding a share of 666.67 dollars or the like up.

    All bonuses are multiples of 500, and six can play, so nothing else ends in 67.
    """
    return Counter(
        event.name
        for event in paid
        if isinstance(event, events.BonusPaid) and event.amount % 100 == 67
    )


def replaced_again(state: State, mover: str) -> State:
    """The position after a turn of ``mover`` if it went on replacing dead tiles."""
    at = [player.name for player in state.players].index(mover)
    players = state.players[at:] + state.players[:at]
    drawn = refill(state._replace(players=players)).state
    while (more := refill(drawn)).aside:
        drawn = more.state
    back = len(players) - at
    return drawn._replace(players=drawn.players[back:] + drawn.players[:back])


def agree(ours: Report, theirs: Report, where: str) -> None:
    """Assert that everything in their report is the same in ours."""
    for key, value in theirs.items():
        assert ours[key] == value, f"{where}, {key}: reported {value}, here {ours[key]}"


def agree_on_the_deal(start: Report) -> None:
    """Assert that the reported bag is dealt as there: the start, who begins, the hands by place.

    There the players sit in the order of the tiles drawn for the start, here in that of sign-up.
    """
    bag, signed_up = tiles(start["bag"]), [name for name, _ in start["drew"]]
    starts = start_tiles(CLASSIC, signed_up, bag)
    assert start["drew"] == [[name, tile_name(tile)] for name, tile in starts]
    dealt = deal(CLASSIC, signed_up, bag)
    hands = start["sheet"]["tiles"]
    assert [*hands] == sorted(signed_up)
    assert dealt.mover.name == min(hands)
    assert [*hands.values()] == [names(player.hand) for player in dealt.players]


class Follower:
    """Receives the events of a game, and holds each turn to the report of it."""

    def __init__(self, reports: Sequence[Report]) -> None:
        self._start, *self._turns, self._end = reports
        self._events: list[Event] = []
        self._turn = 0

    def __call__(self, event: Event) -> None:
        """Take an event; a turn is compared when it is over."""
        if isinstance(event, events.LaidOut | events.TurnBegan | events.Ended):
            self._finish_turn()
        if isinstance(event, events.LaidOut):
            told = self._turns[self._turn - 1] if self._turn else self._start
            agree(sheet_of(event.state), told["sheet"], f"laid out after turn {self._turn}")
        self._events.append(event)

    def finish(self) -> None:
        """Compare the end of the game, after its last event."""
        ended, *rest = self._events
        assert isinstance(ended, events.Ended) and ended.turns == len(self._turns)
        agree({"ending": True}, {"ending": ended.ending in ENDINGS[self._end["ending"]]}, "the end")
        scores = {event.name: event.score for event in rest if isinstance(event, events.Ranked)}
        less = truncated(rest)
        ours = {name: score - less[name] for name, score in scores.items()}
        agree({"scores": ours}, {"scores": self._end["scores"]}, "the end")
        found = [Differs.TRUNCATED] if less else []
        if ended.ending is Ending.NO_MORE_TURNS:
            found.append(_why_over(ended.state))
        _agree_on_the_differences(found, self._end, "the end")

    def _finish_turn(self) -> None:
        """Compare the turn of which all events have come, if there is one."""
        turn, self._events = self._events, []
        if not turn or not isinstance(turn[0], events.TurnBegan):
            return
        self._turn = turn[0].number
        told, where = self._turns[self._turn - 1], f"turn {self._turn}"
        state = _last_state(turn)
        agree(_facts(turn, state), {key: told[key] for key in told if key in FACTS}, where)
        found = []
        if less := truncated(turn):
            state = with_less(state, less)
            found.append(Differs.TRUNCATED)
        if Differs.REPLACED_AGAIN.value in told.get("differs", ()):
            state, before = replaced_again(state, turn[0].name), state
            assert state != before, where
            found.append(Differs.REPLACED_AGAIN)
        _agree_on_the_differences(found, told, where)
        agree(sheet_of(state), told.get("sheet", {}), where)


def _agree_on_the_differences(found: list[Differs], told: Report, where: str) -> None:
    differs = [each.value for each in found]
    agree({"differs": differs}, {"differs": told.get("differs", [])}, where)


def _why_over(state: State) -> Differs:
    if state.board.occupied | state.aside == GRID:
        return Differs.ALL_TILES
    assert not state.bag
    return Differs.LAST_TILE


def _last_state(turn: Sequence[Event]) -> State:
    """The position after the last event that has one."""
    return [event.state for event in turn if isinstance(event, events.TABLE_EVENTS)][-1]


# -- what happened in a turn, in the form of a report ------------------------------------------

FACTS = (
    "player",
    "legal",
    "tile",
    "kind",
    "hotel",
    "choices",
    "merged",
    "bonuses",
    "disposals",
    "can_end",
)


def _facts(turn: Sequence[Event], state: State) -> Report:
    """What a report can say of a turn after which this is the position."""
    began = turn[0]
    assert isinstance(began, events.TurnBegan)
    return {
        "player": began.name,
        "legal": names(playable(began.state)),
        "can_end": regular_ending(state) is not None,
        **_placement(began.state, turn),
        **_merger(turn),
    }


def _placement(before: State, turn: Sequence[Event]) -> Report:
    """What was placed, and which hotels could be named with it."""
    for event in turn:
        if isinstance(event, events.Placed):
            choices = [
                hotel for hotel in hotel_choices(before.board, event.tile) if hotel is not None
            ]
            return {
                "tile": tile_name(event.tile),
                "kind": event.kind.value,
                "hotel": _name(before, event.hotel),
                "choices": [_name(before, hotel) for hotel in choices if hotel is not None],
            }
    return {"tile": None, "kind": None, "hotel": None, "choices": []}


def _name(state: State, hotel: int | None) -> str | None:
    return None if hotel is None else state.rulebook.hotel_name(hotel)


def _merger(turn: Sequence[Event]) -> Report:
    """The hotels that merged, the bonuses, and what each holder could dispose of."""
    merged: set[str | None] = set()
    bonuses = []
    for event in turn:
        match event:
            case events.Acquired(survivor, hotel, state=state):
                merged |= {_name(state, survivor), _name(state, hotel)}
            case events.BonusPaid(name, hotel, amount, state):
                bonuses.append([name, _name(state, hotel), amount])
    return {
        "merged": sorted(filter(None, merged)),
        "bonuses": sorted(bonuses),
        "disposals": [list(each) for each in _disposals(turn)],
    }


def _disposals(turn: Sequence[Event]) -> Iterator[tuple[str, str | None, str | None, int, int]]:
    """For each answer: who disposes of which hotel for which, how many, how many are left."""
    acquired = [event for event in turn if isinstance(event, events.Acquired)]
    asked = iter(
        [
            (each.survivor, each.hotel)
            for each in acquired
            for player in each.state.players
            if player.shares[each.hotel]
        ]
    )
    state = _last_state(turn[:1])
    for event in turn:
        if isinstance(event, events.TABLE_EVENTS):
            state = event.state
        elif isinstance(event, events.Answered) and event.question == "dispose":
            survivor, hotel = next(asked)
            owned, left = state.player(event.name).shares[hotel], state.bank[survivor]
            yield event.name, _name(state, hotel), _name(state, survivor), owned, left
