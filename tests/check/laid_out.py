"""Cases by name, what is legal in their positions, and what is wrong with other answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

import pytest

from admin.check.case import Case
from admin.check.catalogue import cases_for
from admin.check.scene import hotels
from game.merger import merge
from game.placement import Kind, Placement, kind_of, legal_placements, place, verify_placement
from game.purchase import Order, legal_orders, verify_order
from game.rulebook import Rulebook
from game.rulebooks import RULEBOOKS
from game.state import State
from game.tiles import tile_name, tiles_in
from game.violation import Violation
from player.misbehaving.wire_faults import WireFault
from player.program.client import AnswererFactory
from player.strategies.simple import Ordered
from protocol.messages import AdministratorMessage, PlayerMessage

every_rulebook = pytest.mark.parametrize(
    "rulebook", RULEBOOKS.values(), ids=lambda rulebook: rulebook.id
)


@cache
def _cases(rulebook: Rulebook) -> dict[str, Case]:
    return {case.id: case for case in cases_for(rulebook)}


def case_of(rulebook: Rulebook, name: str) -> Case:
    """The case of this id, such as ``turn/alone``; ``KeyError`` where there is none."""
    return _cases(rulebook)[name]


def slugs(rulebook: Rulebook, section: str) -> set[str]:
    """The names of a section's cases."""
    return {case.slug for case in _cases(rulebook).values() if case.section.slug == section}


def position_of(rulebook: Rulebook, name: str) -> State:
    """The last position that a case lays out."""
    return case_of(rulebook, name).script.segments[-1].position


def hand(state: State) -> list[str]:
    """The mover's tiles, row by row."""
    return [tile_name(tile) for tile in tiles_in(state.mover.hand)]


def placeable(state: State) -> list[str]:
    """The tiles that the mover may place, row by row."""
    return list(dict.fromkeys(tile_name(each.tile) for each in legal_placements(state)))


def kinds(state: State) -> set[Kind]:
    """What the legal placements do."""
    return {kind_of(state.board, placement.tile) for placement in legal_placements(state)}


class Choice(NamedTuple):
    """A legal placement and the position in which its order is given."""

    placement: Placement
    ordering: State


def choices(state: State) -> Iterator[Choice]:
    """Each legal placement; after a merger everybody has kept all certificates."""
    for placement in legal_placements(state):
        if kind_of(state.board, placement.tile) is Kind.MERGING:
            yield Choice(placement, merge(state, placement).state)
        else:
            yield Choice(placement, place(state, placement))


def orders(state: State) -> set[Order]:
    """All orders that are legal after some legal placement."""
    return {order for _, ordering in choices(state) for order in legal_orders(ordering)}


def letters(rulebook: Rulebook, *wanted: str) -> set[Order]:
    """Orders by the letters of drawings: ``"SS"`` is two certificates of S."""
    index = hotels(rulebook)
    return {tuple(sorted(index[letter] for letter in order)) for order in wanted}


def order_refused(state: State, order: Order) -> set[Violation | None]:
    """What is wrong with an order after each legal placement; ``None`` where nothing is."""
    found = [verify_order(ordering, order) for _, ordering in choices(state)]
    return {illegal and illegal.violation for illegal in found}


def placement_refused(
    state: State, hotel: int | None, only: Callable[[int], bool] = lambda tile: True
) -> set[Violation | None]:
    """What is wrong with placing each tile of the hand and naming ``hotel``."""
    found = [
        verify_placement(state, Placement(tile, hotel))
        for tile in tiles_in(state.mover.hand)
        if only(tile)
    ]
    return {illegal and illegal.violation for illegal in found}


def answering(
    wrong: Callable[[AdministratorMessage], WireFault | None],
) -> Callable[[], AnswererFactory]:
    """A built-in player that commits a fault at those messages for which ``wrong`` gives one."""

    def make() -> AnswererFactory:
        def begin(
            rulebook: Rulebook,
        ) -> Callable[[AdministratorMessage], PlayerMessage | WireFault]:
            ordered = Ordered(rulebook, 0)

            def answer(message: AdministratorMessage) -> PlayerMessage | WireFault:
                right = ordered(message)
                return wrong(message) or right

            return answer

        return begin

    return make
