"""Illegal moves of the cast: each would be legal if nothing but its one rule were mended.

That it breaks this rule is the referee's judgement: see ``test_misbehaving_player``, and
``test_ejections`` for whole casts.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from loops import for_each, in_soak
from misbehaviour import is_illegal, openings, ordered_game, seats_for
from positions import scene

from acquire.game.board import lay_out
from acquire.game.disposal import Disposal, legal_disposals
from acquire.game.placement import Kind, kind_of, legal_placements, verify_placement
from acquire.game.purchase import verify_order
from acquire.game.rulebook import EighthHotel, LooseNeighbours, Rulebook
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, REVISED, WIKIPEDIA
from acquire.game.state import State
from acquire.game.tiles import NEIGHBOURS
from acquire.game.violation import Violation
from acquire.player.misbehaving.cast import Member, cast_for, misbehaving_player
from acquire.player.misbehaving.illegal_moves import Moment
from acquire.protocol import messages
from acquire.protocol.player_view import view_for

ENOUGH = 3
"""Illegal answers of each kind to look at."""
DEALS = 300
"""Deals in which they are looked for."""

V = Violation


def found(rulebook: Rulebook, member: Member) -> Iterator[tuple[Moment, Any]]:
    """Yield what a member knew, and its illegal answer, in some games."""
    for seed in range(DEALS):
        for opening in islice(openings(rulebook, member, seed), 1):
            moment = ordered_game(rulebook, seats_for(member), seed)[opening.at].moment
            assert moment is not None
            yield moment, opening.answer


def under(state: State, **changes: Any) -> State:
    """The same position under a rulebook with other settings."""
    rulebook, board = replace(state.rulebook, **changes), state.board
    board = lay_out(rulebook, board.loose, board.hotels)
    return state._replace(rulebook=rulebook, board=board)


def rich(state: State, **changes: Any) -> State:
    """The same position with a mover who can pay for anything."""
    mover = state.mover._replace(cash=10**6)
    return under(state._replace(players=(mover, *state.players[1:])), **changes)


MENDED: dict[V, Callable[[State], State]] = {
    V.SAFE_MERGER: lambda state: under(state, safe_size=109),
    V.TWO_SAFE: lambda state: under(state, safe_size=109),
    V.BESIDE_LOOSE: lambda state: under(state, loose_neighbours=LooseNeighbours.ABSORBED),
    V.EIGHTH_HOTEL: lambda state: under(state, eighth_hotel=EighthHotel.STAYS_LOOSE),
    V.MIXED_ORDER: lambda state: under(state, mixed_orders=True),
    V.NO_PRICE: lambda state: rich(state, prices=((1,) * 109,) * len(state.bank)),
    V.SOLD_OUT: lambda state: state._replace(bank=(25,) * len(state.bank)),
    V.TOO_DEAR: rich,
}
"""Positions in which a rule forbids nothing."""
OF_NAMES = {
    *(V.NO_HOTEL_NAMED, V.HOTEL_NOT_DUE, V.HOTEL_ON_BOARD, V.NOT_INVOLVED, V.NOT_LARGEST),
    V.WRONG_EQUALS,
}
"""Rules about what is named with a tile: without them any tile that can be placed is right."""
OF_FORM = {V.NOT_A_MERGER, V.MERGER_WITH_ORDER}
"""Rules about whether an order comes with a placement."""


def mended(rule: V, state: State) -> State:
    return MENDED[rule](state) if rule in MENDED else state


def is_placed_rightly(rule: V, state: State, answer: messages.Merge | messages.Pbuy) -> bool:
    """Whether a placement breaks no other rule."""
    placement = answer.placement
    if placement is None:
        return bool(legal_placements(state))
    if rule is V.NOT_IN_HAND:
        return not state.mover.hand >> placement.tile & 1
    merges = kind_of(state.board, placement.tile) is Kind.MERGING
    if (merges is isinstance(answer, messages.Merge)) is (rule in OF_FORM):
        return False
    if rule in OF_NAMES:
        return placement.tile in {each.tile for each in legal_placements(state)}
    return verify_placement(mended(rule, state), placement) is None


def is_right_but_for(rule: V, moment: Moment, answer: Any) -> bool:
    """Whether an answer breaks no other rule."""
    state, ordering = moment.position, mended(rule, moment.ordering)
    match moment.question, answer:
        case messages.MarketMerger(tile, view), messages.Merge(placement):
            mover = state.mover._replace(hand=1 << tile)
            state = state._replace(board=view.board, players=(mover, *state.players[1:]))
            tile = tile if rule is V.OTHER_TILE else placement.tile
            return is_placed_rightly(rule, state, messages.Merge(placement._replace(tile=tile)))
        case messages.Dispose(hotel, _, survivor, view), messages.DisposeAnswer(sell, trade):
            (shares,) = [each.shares for each in view.players if each.name == moment.name]
            assert shares is not None, "they are its own"
            owned = 50 if rule is V.NOT_OWNED else shares[hotel]
            left = 25 if rule is V.TRADE_TOO_LARGE else view.bank[survivor]
            disposal = Disposal(sell, trade - (rule is V.ODD_TRADE))
            return disposal in legal_disposals(owned, left)
        case _, messages.KeepAnswer(decisions):
            return 1 <= len(decisions) <= 3
        case _, messages.Merge():
            return is_placed_rightly(rule, state, answer)
        case _, messages.Order(order, end) | messages.Pbuy(_, order, end):
            placed = isinstance(answer, messages.Order) or is_placed_rightly(rule, state, answer)
            ordered = not order or verify_order(ordering, order) is None
            return placed and ordered and end is (rule is V.NOT_OVER)
    raise AssertionError((moment.question, answer))


@pytest.mark.parametrize(
    "rulebook",
    [REVISED, CLASSIC, *in_soak(CORPORATIONS, DIGEST, WIKIPEDIA)],
    ids=lambda rulebook: rulebook.id,
)
def test_illegal_move_breaks_no_rule_but_the_one_named_for_it(rulebook: Rulebook) -> None:
    for member in filter(is_illegal, cast_for(rulebook).values()):
        assert member.violation is not None
        answers = [*islice(found(rulebook, member), ENOUGH)]
        assert answers, member.name
        for moment, answer in answers:
            assert is_right_but_for(member.violation, moment, answer), member.name


def test_founding_an_eighth_hotel_takes_all_seven_on_the_board() -> None:
    answers = [*islice(found(REVISED, cast_for(REVISED)["turn-founds-an-eighth"]), ENOUGH)]
    assert answers
    for moment, answer in answers:
        board = moment.position.board
        assert all(board.hotels) and not board.touched(answer.placement.tile)
        assert NEIGHBOURS[answer.placement.tile] & board.loose


# -- openings -----------------------------------------------------------------------------------


@for_each("hand", ["12I", ""], ids=["a tile in hand", "no tile left"])
@for_each(
    ("way", "others_survivors", "answer"),
    [
        ("odd-trade", 0, messages.DisposeAnswer(0, 1)),
        ("sells-too-many", 0, messages.DisposeAnswer(7, 0)),
        ("trades-too-many", 0, messages.DisposeAnswer(0, 8)),
        ("sells-what-it-trades", 0, messages.DisposeAnswer(5, 2)),
        ("trade-sold-out", 24, messages.DisposeAnswer(0, 4)),
    ],
)
def test_illegal_disposals_of_six_certificates(
    hand: str, way: str, others_survivors: int, answer: messages.DisposeAnswer
) -> None:
    """Without a tile too: play goes on with an empty bag, until all hands are empty."""
    state = scene(CLASSIC, "SSSSS", "bob 4A", f"ann {hand} A6", f"cyd S{others_survivors}")
    view = view_for(state, "ann")
    member = misbehaving_player(f"dispose-{way}", CLASSIC, 0)
    member(messages.SignUp("ann", "classic"))
    member(messages.StateView(view))
    american, sackson = CLASSIC.hotel_index("American"), CLASSIC.hotel_index("Sackson")
    assert member(messages.Dispose(american, 400, sackson, view)) == answer
