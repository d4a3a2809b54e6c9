"""The rules in the Python starter are those of the rules engine, under every rulebook.

The other starters have the same parts; what they choose is checked by whole cases of the check.
"""

import runpy
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from loops import for_each
from lxml import etree

from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.admin.refereeing.play.events import TurnBegan
from acquire.game.disposal import legal_disposals
from acquire.game.merger import bonuses_for, merge
from acquire.game.placement import Kind, Placement, kind_of, legal_placements, place
from acquire.game.purchase import legal_orders
from acquire.game.rulebook import Rulebook, with_hidden_assets
from acquire.game.rulebooks import CORPORATIONS, RULEBOOKS
from acquire.game.state import State
from acquire.game.tiles import tile_name
from acquire.game.turn import regular_ending, worth
from acquire.protocol import messages
from acquire.protocol.dialect import Dialect
from acquire.protocol.messages import RefereeMessage
from acquire.protocol.player_view import view_for
from acquire.protocol.writing import Writer

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parents[1] / "golden"
every_rulebook = for_each("rulebook", RULEBOOKS.values(), ids=lambda rulebook: rulebook.id)


@pytest.fixture(scope="module")
def starter() -> SimpleNamespace:
    return SimpleNamespace(
        **runpy.run_path(str(ROOT / "player" / "starters" / "python" / "player.py"))
    )


@cache
def positions(rulebook: Rulebook) -> list[State]:
    """Return every eleventh position of the recorded games."""
    found: list[State] = []
    for log in sorted(GOLDEN.glob(f"{rulebook.id}-*.xml")):
        verdict = Verifier(read(log)).verify()
        assert verdict.divergence is None
        found += [event.state for event in verdict.events if isinstance(event, TurnBegan)]
    assert len(found) > 15
    return found[::11]


def received(starter: SimpleNamespace, state: State, rulebook: Rulebook) -> tuple[Any, Any]:
    """Return the board and the players that the starter reads of a mover's position."""
    turn: RefereeMessage = messages.Turn(state.board, state.players)
    if Dialect.of(rulebook) is not Dialect.COURSE:
        turn = messages.TurnView(view_for(state, state.mover.name))
    message = etree.fromstring(Writer(rulebook).write(turn))
    starter.use_rulebook(rulebook.id)
    return starter.read_board(message), starter.read_players(message)


def hotel_of(state: State, placement: Placement) -> str:
    """Return the hotel that a placement founds, lets grow or lets survive."""
    hotel = placement.hotel
    if hotel is None and kind_of(state.board, placement.tile) is Kind.GROWING:
        (hotel,) = state.board.touched(placement.tile)
    return "" if hotel is None else state.rulebook.hotel_name(hotel)


@every_rulebook
def test_moves_orders_money_and_mergers_are_those_of_the_rules(
    starter: SimpleNamespace, rulebook: Rulebook
) -> None:
    mergers = 0
    for state in positions(rulebook):
        board, players = received(starter, state, rulebook)
        me = state.mover.name
        assert starter.worth(board, players) == worth(state)
        assert starter.may_end(board) is (regular_ending(state) is not None)
        moves = [move for tile in players[me].tiles for move in starter.legal_moves(board, tile)]
        placements = [one for one in legal_placements(state) if not one.equals]
        assert [(move.tile, move.hotel) for move in moves] == [
            (tile_name(one.tile), hotel_of(state, one)) for one in placements
        ]
        for move, placement in zip(moves, placements, strict=True):
            after = starter.players_after(board, players, me, move)
            if move.kind != "merge":
                placed = place(state, placement)
                names = [tuple(map(rulebook.hotel_name, o)) for o in legal_orders(placed)]
                assert sorted(starter.legal_orders(move.board, after, me)) == sorted(names)
                continue
            mergers += 1
            merger = merge(state, placement)
            for player in merger.state.players:
                sold = [
                    price * player.shares[hotel]
                    for hotel, price in zip(merger.acquired, merger.prices, strict=True)
                ]
                assert after[player.name].cash == player.cash + sum(sold)
    assert mergers > 1


@every_rulebook
@for_each("held", [(5, 3, 1), (5, 5, 1), (5, 3, 3), (5, 5, 5), (5, 0, 0), (0, 0, 0), (7, 2, 2)])
def test_bonuses_are_those_of_the_rules(
    starter: SimpleNamespace, held: tuple[int, ...], rulebook: Rulebook
) -> None:
    state = positions(rulebook)[-1]
    hotel = max(range(7), key=state.board.sizes.__getitem__)
    seats = [
        player._replace(shares=tuple(count if h == hotel else 0 for h in range(7)))
        for player, count in zip(state.players, held, strict=False)
    ]
    state = state._replace(players=tuple(seats))
    board, players = received(starter, state, rulebook)
    expected = bonuses_for(rulebook, hotel, state.price(hotel), seats)
    found = starter.bonuses(board, players, rulebook.hotel_name(hotel))
    assert found == {bonus.name: bonus.amount for bonus in expected}


@for_each(("owned", "left"), [(0, 5), (1, 5), (7, 5), (7, 2), (6, 0)])
def test_disposals_are_those_of_the_rules(starter: SimpleNamespace, owned: int, left: int) -> None:
    found = [(each.sell, each.trade) for each in starter.legal_disposals(owned, left)]
    assert found == [(each.sell, each.trade) for each in legal_disposals(owned, left)]


def test_hidden_certificates_and_cash_are_guessed(starter: SimpleNamespace) -> None:
    hiding = with_hidden_assets(CORPORATIONS)
    for state in positions(CORPORATIONS):
        state = state._replace(rulebook=hiding)
        _, players = received(starter, state, hiding)
        mover, *others = state.players
        named = dict(zip(map(hiding.hotel_name, range(7)), mover.shares, strict=True))
        assert (players[mover.name].cash, players[mover.name].shares) == (mover.cash, named)
        assert all(players[other.name].cash == CORPORATIONS.cash for other in others)
        for hotel, left in enumerate(state.bank):
            assert starter.in_bank(players, hiding.hotel_name(hotel)) == left
