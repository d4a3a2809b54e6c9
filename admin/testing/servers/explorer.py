"""An honest player that looks for what has not happened yet in the whole check.

It counts what kinds of placements, orders and disposals were chosen, by itself and by all others of
its kind, and prefers the rarest. A style adds a taste: towards large hotels, or away from hotels.
"""

import random
from collections import Counter
from collections.abc import Iterator
from enum import Enum

from ....game.disposal import Disposal
from ....game.placement import Kind, Placement, equal_acquired, kind_of, largest_of
from ....game.purchase import Order, verify_order
from ....game.rulebook import Rulebook
from ....game.state import State
from ....protocol import messages
from ....protocol.knowledge import Knowledge
from ....protocol.messages import VOID, PlayerMessage, RefereeMessage
from ....protocol.question import Question

DECLARES = 0.4  # how often an explorer declares an end that it may declare
SAMPLE = 60  # how many disposals are looked at


class Style(Enum):
    """What an explorer prefers among placements that are equally new."""

    EXPLORE = "look for what is new"
    GROW = "make hotels large"
    SCATTER = "keep tiles apart"
    HOARD = "buy all of one hotel"
    LINGER = "never declare the end"
    LOWEST = "place the first of their tiles"
    HIGHEST = "place the last of their tiles"
    FOUND = "found and join hotels, but buy nothing"


EXPLORING = [style for style in Style if style not in (Style.LOWEST, Style.HIGHEST, Style.FOUND)]
"""The styles that look for what is new; the others follow a plan."""


class Explorer:
    """One player; ``tried`` counts what all explorers of a check have chosen."""

    def __init__(self, rulebook: Rulebook, style: Style, seed: int, tried: Counter[str]) -> None:
        self._knowledge = Knowledge(rulebook)
        self._style = style
        self._random = random.Random(seed)
        self._tried = tried

    def __call__(self, message: RefereeMessage) -> PlayerMessage:
        """Answer one message."""
        question = self._knowledge.hear(message)
        if question is None:
            return VOID
        answer = self._answer(question)
        self._knowledge.answered(answer)
        return answer

    def _answer(self, question: Question) -> PlayerMessage:
        match question.message:
            case messages.Keep() | messages.MarketMerger():
                return self._random.choice(question.legal())
            case messages.Dispose():
                disposal = self._disposal(question)
                return messages.DisposeAnswer(disposal.sell, disposal.trade)
            case messages.Replace():
                return messages.ReplaceAnswer(self._random.random() < 0.7)
            case messages.Turn() | messages.TurnView():
                placement = self._placement(question)
                if placement is not None and question.merges(placement):
                    return messages.Merge(placement)
                return self._ordered(question, placement)
            case _:
                return self._ordered(question, None)

    def _ordered(self, question: Question, placement: Placement | None) -> PlayerMessage:
        state = question.ordering(placement)
        may_end = question.ending(placement) is not None and self._style is not Style.LINGER
        end = may_end and self._random.random() < DECLARES
        return question.turn_answer(placement, self._order(state), end)

    # -- choices --------------------------------------------------------------------------------

    def _placement(self, question: Question) -> Placement | None:
        state = question.state
        options = question.placements()
        if not options:
            return None
        if self._style in (Style.LOWEST, Style.HIGHEST):
            return options[0 if self._style is Style.LOWEST else -1]
        chosen = max(options, key=lambda each: self._worth(state, each))
        self._tried.update(_features(state, chosen))
        return chosen

    def _worth(self, state: State, placement: Placement) -> float:
        new = sum(1 / (1 + self._tried[each]) for each in _features(state, placement))
        kind, taste = kind_of(state.board, placement.tile), 0.0
        if self._style is Style.GROW:
            founds = 3.0 if not state.board.largest else -1.0  # one hotel alone is soon safe
            taste = {Kind.GROWING: 2.0, Kind.MERGING: 1.5, Kind.FOUNDING: founds}.get(kind, 0.0)
        elif self._style is Style.SCATTER:
            taste = {Kind.SINGLETON: 3.0, Kind.FOUNDING: 1.0}.get(kind, 0.0)
        elif self._style is Style.FOUND:
            taste = {Kind.MERGING: 6.0, Kind.FOUNDING: 3.0}.get(kind, 0.0)
        return new + taste + self._random.random() / 50

    def _order(self, state: State) -> Order:
        limit = state.rulebook.order_limit
        hotels = [hotel for hotel in range(len(state.bank)) if not verify_order(state, (hotel,))]
        if not hotels or self._style is Style.FOUND:
            return ()
        if self._style is Style.HOARD:
            hotel = max(hotels, key=lambda each: (state.board.sizes[each] > 0, -state.bank[each]))
            wanted = [(hotel,) * count for count in range(limit, 0, -1)]
        else:
            wanted = [self._wish(state, hotels, limit) for _ in range(4)]
        legal = [order for order in wanted if verify_order(state, order) is None]
        return legal[0] if legal else ()

    def _wish(self, state: State, hotels: list[int], limit: int) -> Order:
        count = self._random.randint(0, limit)
        if state.rulebook.mixed_orders and self._random.random() < 0.5:
            return tuple(sorted(self._random.choices(hotels, k=count)))
        mine = state.mover.shares
        # to hold as many as another player does makes ties
        close = [h for h in hotels if any(p.shares[h] > mine[h] for p in state.players[1:])]
        return (self._random.choice(close or hotels),) * count

    def _disposal(self, question: Question) -> Disposal:
        options = question.disposals()
        few = options if len(options) <= SAMPLE else self._random.sample(options, SAMPLE)
        chosen = max(
            few, key=lambda each: (1 / (1 + self._tried[_mix(each)]), self._random.random())
        )
        self._tried[_mix(chosen)] += 1
        return chosen


def _mix(disposal: Disposal) -> str:
    return f"dispose {disposal.sell > 0} {disposal.trade > 0}"


def _features(state: State, placement: Placement) -> Iterator[str]:
    """Yield what is notable about a placement, to be counted."""
    board, tile = state.board, placement.tile
    kind = kind_of(board, tile)
    yield kind.value
    if placement.hotel is not None and kind is Kind.FOUNDING:
        yield f"founds {placement.hotel} {bool(state.bank[placement.hotel])}"
    if kind is not Kind.MERGING:
        return
    hotels = board.touched(tile)
    yield f"merges {len(hotels)} {len(largest_of(board, hotels))}"
    assert placement.hotel is not None
    yield f"equal {len(equal_acquired(board, tile, placement.hotel))} {bool(placement.equals)}"
    for hotel in hotels:
        if hotel != placement.hotel:
            held = sorted((player.shares[hotel] for player in state.players), reverse=True)
            ranks = [sum(other > count for other in held) for count in held if count]
            yield f"holders {ranks}"
