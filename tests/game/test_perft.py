"""How many ways there are to play on from a position, to a depth of some turns.

The counts are recorded here. A rule that refuses too much or too little changes them, wherever in
the tree it does, and the reference counts the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from itertools import product
from typing import NamedTuple

import pytest
from positions import at_table, crossing, player, reference_game

from acquire.game.disposal import keep
from acquire.game.drawing import refill
from acquire.game.merger import merge
from acquire.game.placement import Kind, Placement, kind_of, legal_placements, place
from acquire.game.purchase import buy, legal_orders
from acquire.game.state import State
from acquire.game.turn import ending, pass_turn
from reference.game import Game


class Counts(NamedTuple):
    """Over all ways to play some turns: what the last of them can begin with, and the ways.

    ``placements`` are the legal ones after all the ways to play one turn less; ``foundings`` and
    ``mergers`` are those among them that found or merge; ``turns`` are the ways to play them all.
    """

    placements: int = 0
    foundings: int = 0
    mergers: int = 0
    turns: int = 0

    def __add__(self, other: object) -> Counts:  # sums, where tuples join
        assert isinstance(other, Counts)
        return Counts(*map(int.__add__, self, other))


def count(state: State, depth: int) -> Counts:
    """Count by the definition: every placement, with all decisions about it, then every order."""
    counts = Counts()
    if ending(state) is not None:
        return counts
    for placement in legal_placements(state):
        kind = kind_of(state.board, placement.tile)
        if depth == 1:
            counts += Counts(1, kind is Kind.FOUNDING, kind is Kind.MERGING)
        for placed in every_outcome(state, placement, kind):
            orders = legal_orders(placed)
            if depth == 1:
                counts += Counts(turns=len(orders))
                continue
            for order in orders:
                drawn = refill(buy(placed, order))
                counts += count(pass_turn(drawn.state), depth - 1)
    return counts


def every_outcome(state: State, placement: Placement, kind: Kind) -> Iterator[State]:
    """The position after a placement, or one for every way in which all can answer *keep*."""
    if kind is not Kind.MERGING:
        yield place(state, placement)
        return
    merger = merge(state, placement)
    answers = list(product([True, False], repeat=len(merger.acquired)))
    for decisions in product(answers, repeat=len(state.players)):
        settled = merger
        for owner, decision in zip(state.players, decisions, strict=True):
            settled = keep(settled, owner.name, decision)
        yield settled.state


def count_by_reference(game: Game, depth: int) -> Counts:
    """The same by the reference, which a turn changes, so it is copied before."""
    counts = Counts()
    if game.ending() is not None:
        return counts
    for tile, hotel, _ in game.legal_placements():
        kind = game.kind(tile)
        if depth == 1:
            founds = kind == "founding" and hotel is not None
            counts += Counts(1, founds, kind == "merging")
        for placed in every_reference_outcome(game, tile, hotel):
            orders = placed.legal_orders()
            if depth == 1:
                counts += Counts(turns=len(orders))
                continue
            for order in orders:
                after = deepcopy(placed)
                after.buy(order)
                after.end_turn()
                counts += count_by_reference(after, depth - 1)
    return counts


def every_reference_outcome(game: Game, tile: str, hotel: str | None) -> Iterator[Game]:
    """As `every_outcome`."""
    placed = deepcopy(game)
    placed.place(tile, hotel)
    if not placed.acquired:
        yield placed
        return
    answers = list(product([True, False], repeat=len(placed.acquired)))
    for decisions in product(answers, repeat=len(placed.players)):
        settled = deepcopy(placed)
        for owner, decision in zip(game.players, decisions, strict=True):
            settled.keep(owner.name, decision)
        yield settled


START = at_table(
    "",
    player("a", "8A 10C 3D 4F 5F 8G"),
    player("b", "1B 11D 9F 4G 7H 6I"),
    player("c", "5A 2C 4C 9C 3G 11H"),
    bag="8C 2A 5G 7C 2E 7F",
)

MIDDLE = at_table(
    """
    ..o.FF......
    ....F....II.
    TTT..o....I.
    T......o....
    T...........
    ...W...S....
    C.WW..SSS.o.
    C....SS.S...
    ..o..S...o..
    """,
    player("c", "5C 5D 1F 10F 2I 9I", 9_500, Festival=3, Imperial=1, Sackson=2, Tower=4,
           Worldwide=2),
    player("d", "8A 2B 4B 7B 6D 5H", 5_650, Continental=2, Sackson=4, Tower=6),
    player("a", "4A 12E 3F 5G 6G 3H", 4_700, American=1, Festival=4, Imperial=6, Tower=1,
           Worldwide=5),
    player("b", "3B 4C 3E 5E 11E 2F", 3_850, American=2, Continental=2, Festival=6, Imperial=2,
           Sackson=2, Worldwide=2),
    bag="8I 7C 4E 10G 8E 2A",
)  # fmt: skip

MERGERS_AND_FOUNDINGS = at_table(
    """
    .TTTTTT.....
    TT..T......o
    ....TT.o....
    C.WW........
    C.W.II....SS
    ...o...FF.SS
    o.o...FFFF..
    .....FF...FF
    ..o..FFFFFFF
    """,
    player("a", "12A 4C 6D 12D 4G 11G", 300, American=3, Continental=4, Festival=2, Imperial=3,
           Sackson=2, Tower=3, Worldwide=2),
    player("b", "11C 12C 2D 7E 6G 2H", 300, Continental=3, Festival=3, Imperial=2, Sackson=3,
           Worldwide=3),
    player("c", "8A 3B 7B 10C 5D 5G", 400, Continental=2, Festival=5, Imperial=7, Tower=2,
           Worldwide=3),
    bag="3H 10E 6F 6B 1H 11D",
)  # fmt: skip

FOUR_HOTELS_MEET = at_table(
    crossing(American=2, Continental=2, Sackson=2, Worldwide=2),
    player("a", "6E 1A", 200, American=25, Sackson=1),
    player("b", "2A 12I", 200, Continental=2, Worldwide=24),
    bag="4A 4B 4C",
)

ALL_SEVEN_ON_THE_BOARD = at_table(
    """
    AA.CC.FF.II.
    ............
    SS.TT.WW...o
    ............
    o...........
    """,
    player("a", "1F 11C 3A 12F", 100, American=20),
    player("b", "2E 12D 6A 3C", 0, Tower=25),
    player("c", "3E 6C 9A 12B", 300, Imperial=25),
    bag="1G 1H 12E 11D",
)

NEAR_THE_END = at_table(
    """
    TTTTTTTTTTTT
    TTTTTTTTTTTT
    TTTTTTTTTTTT
    TT..........
    ............
    FFFFFFFFFFF.
    """,
    player("a", "3D 12F 1E", 2_300, Tower=24),
    player("b", "4D 1G 12I", 500),
    player("c", "12D 12G 2E", 800, Festival=3),
    bag="5D 11G 10G",
)
"""Tower has 38 tiles and Festival 11: the game is over when one has 40, or when both are safe."""


#                           placements, foundings, mergers, turns
COUNTS = {
    "start": (
        START,
        [Counts(6, 0, 0, 66), Counts(462, 77, 0, 5_126), Counts(38_742, 9_317, 0, 434_918)],
    ),
    "middle": (MIDDLE, [Counts(4, 1, 1, 285), Counts(1_950, 510, 0, 29_250)]),
    "mergers and foundings": (
        MERGERS_AND_FOUNDINGS,
        [
            Counts(5, 2, 2, 187),
            Counts(1_238, 352, 131, 26_494),
            Counts(135_703, 3_512, 1_494, 3_172_165),
        ],
    ),
    "four hotels meet": (
        FOUR_HOTELS_MEET,
        [Counts(5, 0, 4, 2_693), Counts(5_396, 15, 0, 57_430)],
    ),
    "all seven on the board": (
        ALL_SEVEN_ON_THE_BOARD,
        [
            Counts(5, 0, 2, 99),
            Counts(498, 192, 300, 11_310),
            Counts(67_500, 21_864, 34_128, 2_036_680),
        ],
    ),
    "near the end": (
        NEAR_THE_END,
        [Counts(2, 0, 0, 20), Counts(30, 0, 0, 180), Counts(120, 0, 0, 960)],
    ),
}
"""A position, and its counts to depth 1, 2 .."""


def cases(usual: int, at_most: int = 10**9) -> pytest.MarkDecorator:
    """Each position and depth of ``at_most`` turns or fewer; the soak has those above ``usual``."""
    return pytest.mark.parametrize(
        ("state", "depth", "expected"),
        [
            pytest.param(
                state,
                depth,
                expected,
                id=f"{name}-{depth}",
                marks=[pytest.mark.soak] if expected.turns > usual else [],
            )
            for name, (state, counts) in COUNTS.items()
            for depth, expected in enumerate(counts, start=1)
            if expected.turns <= at_most
        ],
    )


@cases(usual=1_000_000)
def test_ways_to_play_on_are_as_recorded(state: State, depth: int, expected: Counts) -> None:
    assert count(state, depth) == expected


@cases(usual=12_000, at_most=100_000)
def test_reference_counts_the_same(state: State, depth: int, expected: Counts) -> None:
    assert count_by_reference(reference_game(state), depth) == expected
