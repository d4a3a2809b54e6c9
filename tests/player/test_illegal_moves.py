"""Illegal moves of the cast, judged by the reference, which share nothing with ours.

The reference has to find that each illegal answer of a member in some games breaks the rule
that the cast names for it, and no other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import pytest
from loops import for_each
from misbehaviour import cases, is_illegal, openings, ordered_game, seats_for
from positions import named, reference_game, scene, tile_names

from acquire.game.placement import Placement
from acquire.game.purchase import Order
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, REVISED, WIKIPEDIA
from acquire.game.state import position
from acquire.game.tiles import tile_name
from acquire.game.violation import Violation
from acquire.player.misbehaving.cast import Member, cast_for
from acquire.player.misbehaving.misbehaving_player import misbehaving_player
from acquire.protocol import messages
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from acquire.protocol.player_view import PlayerView, view_for
from reference.game import Game, neighbours

ENOUGH = 3
"""Illegal answers of each kind to look at."""
DEALS = 300
"""Deals in which they are looked for."""

DIALECT = (CORPORATIONS, CLASSIC, WIKIPEDIA, DIGEST)
V = Violation


class Answer(NamedTuple):
    """A question, what a member answered, and what `ordered` would have."""

    message: RefereeMessage
    answer: object
    right: PlayerMessage


@cache
def games_with(rulebook: Rulebook, member: Member) -> list[list[Answer]]:
    """Return games up to the illegal move: for each what a member was asked and answered."""
    found: list[list[Answer]] = []
    for seed in range(DEALS):
        opening = next(openings(rulebook, member, seed), None)
        if opening is not None:
            exchanges = ordered_game(rulebook, seats_for(member), seed)[: opening.at + 1]
            answers = [Answer(each.message, each.answer, each.answer) for each in exchanges]
            answers[-1] = answers[-1]._replace(answer=opening.answer)
            found.append(answers)
        if len(found) == ENOUGH:
            break
    return found


# -- revised ------------------------------------------------------------------------------------

PLACING = messages.Pbuy | messages.Merge


class Judged(NamedTuple):
    """An illegal answer, and its position laid out for the reference."""

    game: Game
    answer: PlayerMessage


def wrong_in_the_order_alone(answer: object, right: PlayerMessage) -> bool:
    match answer, right:
        case messages.Pbuy(placement), messages.Pbuy(right_placement):
            return placement == right_placement
    return False


def lay_out_answer(answers: Sequence[Answer]) -> Judged:
    """Lay out the illegal answer of a game: a placement before it is made, an order after it."""
    game = Game("revised", [], [])
    for message, answer, right in answers:
        match message:
            case messages.Turn(board, players):
                game = reference_game(position(REVISED, board, players))
                assert isinstance(right, PLACING)
                assert right.placement is not None
                if answer == right or wrong_in_the_order_alone(answer, right):
                    game.place(*named(right.placement))
            case messages.Players(players):
                for player in players:
                    owner = game.player(player.name)
                    owner.cash = player.cash
                    owner.shares = dict(zip(owner.shares, player.shares, strict=True))
    answer = answers[-1].answer
    assert isinstance(answer, PLACING | messages.Order | messages.KeepAnswer)
    return Judged(game, answer)


def breaks(violation: Violation, game: Game, answer: PlayerMessage) -> bool:
    """Say whether the answer breaks this rule, by the reference."""
    match answer:
        case messages.KeepAnswer(decisions):
            assert violation is V.KEEP_COUNT
            return len(decisions) != len(game.acquired) and 1 <= len(decisions) <= 3
        case messages.Order(order):
            return breaks_by_order(violation, game, order)
        case messages.Pbuy(placement, order) if order:
            return breaks_by_order(violation, game, order)
        case messages.Pbuy(placement) | messages.Merge(placement):
            assert placement is not None
            alone = isinstance(answer, messages.Merge)
            tile, hotel, _ = named(placement)
            return breaks_by_placement(violation, game, tile, hotel, alone=alone)
    raise AssertionError(answer)


def breaks_by_placement(
    violation: Violation, game: Game, tile: str, hotel: str | None, *, alone: bool
) -> bool:
    if violation is V.NOT_IN_HAND:
        return tile not in game.mover.tiles
    assert tile in game.mover.tiles
    kind, beside = game.kind(tile), game.hotels_beside(tile)
    loose = game.loose & neighbours(tile)
    match violation:
        case V.BESIDE_LOOSE:
            return bool(loose) and bool(beside)
        case V.SAFE_MERGER:
            largest = max(map(game.size, beside))
            named_largest = hotel in beside and game.size(hotel) == largest
            return kind == "merging" and not loose and game.is_safe(hotel or "") and named_largest
    choices = [name for name, _ in game.choices(tile)]
    assert choices
    legal = hotel in choices
    match violation:
        case V.NO_HOTEL_NAMED:
            return hotel is None and not legal and alone is (kind == "merging")
        case V.HOTEL_NOT_DUE:
            return hotel is not None and choices == [None]
        case V.HOTEL_ON_BOARD:
            return kind == "founding" and hotel in game.hotels and not alone
        case V.NOT_A_MERGER:
            return kind != "merging" and legal and alone
        case V.MERGER_WITH_ORDER:
            return kind == "merging" and legal and not alone
        case V.NOT_INVOLVED:
            return kind == "merging" and hotel not in beside and alone
        case V.NOT_LARGEST:
            return kind == "merging" and hotel in beside and not legal and alone
    raise AssertionError(violation)


def breaks_by_order(violation: Violation, game: Game, order: Order) -> bool:
    hotels = [REVISED.hotel_name(hotel) for hotel in order]
    broken = {
        V.MIXED_ORDER: len({*hotels}) > 1,
        V.NO_PRICE: not all(map(game.price, hotels)),
        V.SOLD_OUT: any(hotels.count(hotel) > game.bank(hotel) for hotel in hotels),
        V.TOO_DEAR: sum(map(game.price, hotels)) > game.mover.cash,
    }
    return [rule for rule, is_broken in broken.items() if is_broken] == [violation]


@for_each(("rulebook", "member"), cases([REVISED], is_illegal))
def test_illegal_move_breaks_the_rule_named_for_it(rulebook: Rulebook, member: Member) -> None:
    games = games_with(rulebook, member)
    assert games and member.violation is not None
    for game, answer in map(lay_out_answer, games):
        assert breaks(member.violation, game, answer)


def test_founding_an_eighth_hotel_takes_all_seven_on_the_board() -> None:
    games = games_with(REVISED, cast_for(REVISED)["turn-founds-an-eighth"])
    assert games
    for game, answer in map(lay_out_answer, games):
        assert isinstance(answer, messages.Pbuy)
        assert answer.placement is not None
        tile, _, _ = named(answer.placement)
        assert len(game.hotels) == 7 and game.kind(tile) == "founding"


# -- the other rulebooks ------------------------------------------------------------------------


def laid_out(rulebook: Rulebook, view: PlayerView, *, market: bool = False) -> Game:
    """Lay out what a member sees for the reference; tiles that are hidden are nowhere."""
    board, _, aside, seen = view
    names = [hotel.name for hotel in rulebook.hotels]
    hotels = zip(names, board.hotels, strict=True)
    players = []
    for player in seen:
        assert player.cash is not None and player.shares is not None, "nothing is hidden here"
        shares = dict(zip(names, player.shares, strict=True))
        players.append((player.name, player.cash, shares, tile_names(player.hand)))
    return Game.laid_out(
        rulebook.id,
        players,
        tile_names(board.loose),
        {hotel: tile_names(cells) for hotel, cells in hotels},
        aside=tile_names(aside),
        market=market,
    )


def rules_broken(rulebook: Rulebook, asked: RefereeMessage, answer: object) -> Iterator[V]:
    """List the rules that an answer breaks, by the reference."""
    match asked, answer:
        case messages.TurnView(view), messages.Merge() | messages.Pbuy():
            yield from broken_in_a_turn(rulebook, laid_out(rulebook, view), answer)
        case messages.PlayersView(view), messages.Order(order, end):
            yield from broken_by_purchase(rulebook, laid_out(rulebook, view), order, end=end)
        case messages.Dispose(hotel, _, survivor, view), messages.DisposeAnswer(sell, trade):
            table = laid_out(rulebook, view)
            table.survivor = rulebook.hotel_name(survivor)
            yield from broken_by_disposal(table, rulebook.hotel_name(hotel), sell, trade)
        case messages.MarketMerger(tile, view), messages.Merge(placement):
            table = laid_out(rulebook, view, market=True)
            table.waiting = [tile_name(tile)]
            table.next_waiting()
            yield from broken_for_the_market(rulebook, table, placement)
        case _:
            raise AssertionError((asked, answer))


def broken_in_a_turn(
    rulebook: Rulebook, table: Game, answer: messages.Merge | messages.Pbuy
) -> Iterator[V]:
    if answer.placement is None:
        if table.legal_placements():
            yield V.PLACEMENT_DUE
        return
    alone = isinstance(answer, messages.Merge)
    table.may_end = table.large_or_safe()
    broken = list(broken_by_placement(rulebook, table, answer.placement, alone=alone))
    yield from broken
    if isinstance(answer, messages.Pbuy) and not broken:
        table.place(*named(answer.placement, rulebook))
        yield from broken_by_purchase(rulebook, table, answer.order, end=answer.end)


def broken_by_placement(
    rulebook: Rulebook, table: Game, placement: Placement, *, alone: bool
) -> Iterator[V]:
    tile, hotel, equals = named(placement, rulebook)
    if tile not in table.mover.tiles:
        yield V.NOT_IN_HAND
        return
    merges = len(table.hotels_beside(tile)) > 1
    if table.is_dead(tile):
        assert merges
        yield V.TWO_SAFE
    elif not table.choices(tile):
        assert len(table.hotels) == 7 and not table.hotels_beside(tile)
        assert table.loose & neighbours(tile)
        yield V.EIGHTH_HOTEL
    else:
        yield from broken_by_hotels(table, tile, hotel, equals)
    if merges and not alone:
        yield V.MERGER_WITH_ORDER
    if alone and not merges:
        yield V.NOT_A_MERGER


def broken_by_hotels(
    table: Game, tile: str, hotel: str | None, equals: tuple[str, ...]
) -> Iterator[V]:
    """List the rules that are broken by the hotels named with a tile that can be placed."""
    choices, beside = table.choices(tile), table.hotels_beside(tile)
    can_be = {choice for choice, _ in choices}
    if can_be == {None}:
        if hotel is not None:
            yield V.HOTEL_NOT_DUE
    elif hotel is None:
        yield V.NO_HOTEL_NAMED
    elif not beside:
        if hotel in table.hotels:
            yield V.HOTEL_ON_BOARD
    elif hotel not in beside:
        yield V.NOT_INVOLVED
    elif hotel not in can_be:
        assert table.size(hotel) < max(map(table.size, beside))
        yield V.NOT_LARGEST
    orders = [order for choice, order in choices if choice == hotel and order]
    if equals and sorted(equals) not in [sorted(order) for order in orders]:
        yield V.WRONG_EQUALS


def broken_by_purchase(rulebook: Rulebook, table: Game, order: Order, *, end: bool) -> Iterator[V]:
    hotels = [rulebook.hotel_name(hotel) for hotel in order]
    broken = {
        V.TOO_MANY: len(hotels) > 3,
        V.NO_PRICE: not {*hotels} <= table.hotels.keys(),
        V.SOLD_OUT: any(hotels.count(hotel) > table.bank(hotel) for hotel in hotels),
        V.TOO_DEAR: sum(map(table.price, hotels)) > table.mover.cash,
    }
    assert any(broken.values()) is (tuple(sorted(hotels)) not in table.legal_orders())
    yield from [rule for rule, is_broken in broken.items() if is_broken]
    if end and not table.declarable():
        yield V.NOT_OVER


def broken_by_disposal(table: Game, hotel: str, sell: int, trade: int) -> Iterator[V]:
    """List what a member's disposal breaks; it is the one whose tiles are seen."""
    (owner,) = [player for player in table.players if player.tiles]
    broken = {
        V.ODD_TRADE: trade % 2 == 1,
        V.NOT_OWNED: sell + trade > owner.shares[hotel],
        V.TRADE_TOO_LARGE: trade > 2 * table.bank(table.survivor),
    }
    legal = (sell, trade) in table.legal_disposals(owner.name, hotel)
    assert any(broken.values()) is not legal
    yield from [rule for rule, is_broken in broken.items() if is_broken]


def broken_for_the_market(rulebook: Rulebook, table: Game, placement: Placement) -> Iterator[V]:
    tile, hotel, equals = named(placement, rulebook)
    (waiting,) = table.waiting
    assert table.waiting_choices()
    if tile != waiting:
        yield V.OTHER_TILE
    yield from broken_by_hotels(table, waiting, hotel, equals)


@for_each(("rulebook", "member"), cases(DIALECT, is_illegal))
def test_illegal_move_breaks_the_rule_named_for_it_and_no_other(
    rulebook: Rulebook, member: Member
) -> None:
    games = games_with(rulebook, member)
    assert games
    for game in games:
        asked, answer, _ = game[-1]
        assert [*rules_broken(rulebook, asked, answer)] == [member.violation]


@for_each(
    ("rulebook", "players"),
    [
        pytest.param(rulebook, players, id=f"{rulebook.id}-{players}")
        for rulebook in DIALECT
        for players in sorted({rulebook.min_players, 3})
    ],
)
def test_reference_find_no_fault_with_what_ordered_answers(
    rulebook: Rulebook, players: int
) -> None:
    answers = [
        (exchange.message, exchange.answer)
        for seed in range(5)
        for exchange in ordered_game(rulebook, players, seed)
        if not isinstance(exchange.answer, messages.Void)
    ]
    assert len(answers) > 100
    for asked, answer in answers:
        assert not [*rules_broken(rulebook, asked, answer)]


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
