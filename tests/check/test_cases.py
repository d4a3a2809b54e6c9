"""Every case under every rulebook: it is told where it comes from, looks reachable, and is fair."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from admin.check.case import Case
from admin.check.catalogue import cases_for
from admin.check.judging import Verdict
from check.doors import check
from game.rulebook import LooseNeighbours, Rulebook, with_hidden_assets
from game.rulebooks import CORPORATIONS, REVISED, RULEBOOKS
from game.state import State
from game.tiles import connected, near, tiles_in
from player.program.client import Answerer, AnswererFactory
from player.strategies.investor import Investor
from player.strategies.simple import LargestAlpha, Ordered, Random, SmallestAnti

PROTOCOL = Path(__file__).parents[2] / "docs" / "protocol.md"
HOUSE: dict[str, Callable[[Rulebook, int], Answerer]] = {
    "ordered": Ordered,
    "random": Random,
    "largest-alpha": LargestAlpha,
    "smallest-anti": SmallestAnti,
    "investor": Investor,
}

every = pytest.mark.parametrize(
    ("rulebook", "case"),
    [
        pytest.param(rulebook, case, id=f"{rulebook.id}-{case.id}")
        for rulebook in RULEBOOKS.values()
        for case in cases_for(rulebook)
    ],
)


@cache
def sections() -> dict[str, str]:
    """The protocol page by heading, white space normalised."""
    parts = re.split(r"^#+ (.*)$", PROTOCOL.read_text(), flags=re.MULTILINE)
    return {
        heading.strip(): " ".join(text.split())
        for heading, text in zip(parts[1::2], parts[2::2], strict=True)
    }


@every
def test_case_says_where_it_is_written(rulebook: Rulebook, case: Case) -> None:
    assert " ".join(case.source.words.split()) in sections()[case.source.heading]


def test_cases_with_hidden_assets_say_where_it_is_written() -> None:
    for case in cases_for(with_hidden_assets(CORPORATIONS)):
        assert " ".join(case.source.words.split()) in sections()[case.source.heading], case.id


@every
def test_case_is_told_in_whole_sentences(rulebook: Rulebook, case: Case) -> None:
    assert not case.title[0].islower() and not case.title.endswith(".")
    for text in (case.expected, case.hint):
        assert not text[0].islower() and text.endswith(".")
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", case.slug)
    assert case.about
    assert case.to_reach or case.about == {"signup"}, "nothing that has to be answered"


@every
def test_positions_look_reachable(rulebook: Rulebook, case: Case) -> None:
    for position, _ in case.script.segments:
        looks_reachable(rulebook, position)


def looks_reachable(rulebook: Rulebook, state: State) -> None:
    """Fail where a position could not have come about in a match."""
    board = state.board
    on_board = [hotel for hotel in board.hotels if hotel]
    for hotel in on_board:
        assert hotel.bit_count() >= 2, "a hotel of one tile"
        assert connected(hotel & -hotel, hotel) == hotel, "a hotel in two parts"
    for place, hotel in enumerate(on_board):
        assert not any(near(hotel) & other for other in on_board[place + 1 :]), "hotels that touch"
    if rulebook.loose_neighbours is LooseNeighbours.REFUSED:
        assert not any(near(hotel) & board.loose for hotel in on_board), "loose beside a hotel"
    lying = [
        *(tile for hotel in on_board for tile in tiles_in(hotel)),
        *(tile for player in state.players for tile in tiles_in(player.hand)),
        *(*tiles_in(board.loose), *tiles_in(state.aside), *state.bag),
    ]
    assert len(set(lying)) == len(lying), "a tile in two places"
    for player in state.players:
        full = player.hand.bit_count() == rulebook.hand_size
        assert full or not state.bag, f"{player.name} has a short hand, and the bag has tiles"
    assert min(state.bank) >= 0


@pytest.mark.parametrize("rulebook", RULEBOOKS.values(), ids=lambda rulebook: rulebook.id)
def test_every_case_has_a_name_of_its_own(rulebook: Rulebook) -> None:
    cases = cases_for(rulebook)
    assert len({case.id for case in cases}) == len(cases)
    assert len({case.number for case in cases}) == len(cases)


def test_there_are_cases_enough() -> None:
    assert len(cases_for(REVISED)) >= 80


PAIRS = [
    pytest.param(
        rulebook,
        strategy,
        id=f"{rulebook.id}-{strategy}",
        marks=()
        if strategy == "investor" or (rulebook is REVISED and strategy in ("ordered", "random"))
        else pytest.mark.soak,
    )
    for rulebook in RULEBOOKS.values()
    for strategy in HOUSE
]
"""Which house players are checked under which rulebook; some of them in the soak alone."""


@pytest.mark.parametrize(("rulebook", "strategy"), PAIRS)
async def test_house_players_pass_every_case(rulebook: Rulebook, strategy: str) -> None:
    def make() -> AnswererFactory:
        return lambda played: HOUSE[strategy](played, 1)

    results = await check(rulebook, cases_for(rulebook), make, strict=True)
    failed = [f"{each.case.id}: {each.came} {each.warnings}" for each in results
              if each.verdict is not Verdict.PASS]  # fmt: skip
    assert not failed, "\n".join(failed)
