"""Illegal moves of the cast, judged by the reference, which share nothing with ours.

The reference has to find that each illegal answer of a member in some games breaks the rule
that the cast names for it, and no other.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import pytest
from loops import for_each, in_soak
from misbehaviour import is_illegal, openings, ordered_game, seats_for
from positions import named, reference_game, scene, tile_names

from acquire.game.placement import Placement
from acquire.game.purchase import Order
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, REVISED, RULEBOOKS, WIKIPEDIA
from acquire.game.state import position
from acquire.game.tiles import tile_name
from acquire.game.violation import Violation
from acquire.player.misbehaving.cast import Member, cast_for, misbehaving_player
from acquire.protocol import messages
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from acquire.protocol.player_view import PlayerView, view_for
from reference.game import Game, neighbours

ENOUGH = 3
"""Illegal answers of each kind to look at."""
DEALS = 300
"""Deals in which they are looked for."""

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


# -- as the reference sees it -------------------------------------------------------------------


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


def after_merger(answers: Sequence[Answer]) -> Game:
    """Lay out `revised` after the merger of the last turn, with what the players have now."""
    game = Game("revised", [], [])
    for message, _, right in answers:
        match message, right:
            case messages.Turn(board, players), messages.Merge(placement):
                game = reference_game(position(REVISED, board, players))
                game.place(*named(placement))
            case messages.Players(players), _:
                for player in players:
                    owner = game.player(player.name)
                    owner.cash = player.cash
                    owner.shares = dict(zip(owner.shares, player.shares, strict=True))
    return game


def rules_broken(rulebook: Rulebook, answers: Sequence[Answer]) -> Iterator[V]:
    """List the rules that the last answer breaks, by the reference."""
    asked, answer, _ = answers[-1]
    match asked, answer:
        case messages.Turn(board, players), messages.Merge() | messages.Pbuy():
            table = reference_game(position(rulebook, board, players))
            yield from broken_in_a_turn(rulebook, table, answer)
        case messages.Keep(acquired), messages.KeepAnswer(decisions):
            if len(decisions) != len(acquired) and 1 <= len(decisions) <= 3:
                yield V.KEEP_COUNT
        case messages.Players(), messages.Order(order, end):
            yield from broken_by_purchase(rulebook, after_merger(answers), order, end=end)
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
    beside, loose = table.hotels_beside(tile), table.loose & neighbours(tile)
    merges, safe = len(beside) > 1, sum(map(table.is_safe, beside))
    if table.choices(tile):
        yield from broken_by_hotels(table, tile, hotel, equals)
    elif rulebook is REVISED:
        if merges and safe:
            assert table.size(hotel or "") == max(map(table.size, beside))
            yield V.SAFE_MERGER
        if beside and loose:
            yield V.BESIDE_LOOSE
    elif merges:
        assert safe > 1
        yield V.TWO_SAFE
    else:
        assert len(table.hotels) == 7 and not beside and loose
        yield V.EIGHTH_HOTEL
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
        V.TOO_MANY: len(hotels) > rulebook.order_limit,
        V.MIXED_ORDER: rulebook is REVISED and len({*hotels}) > 1,
        V.NO_PRICE: not all(map(table.price, hotels)),
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


@pytest.mark.parametrize(
    "rulebook",
    [REVISED, CLASSIC, *in_soak(CORPORATIONS, DIGEST, WIKIPEDIA)],
    ids=lambda rulebook: rulebook.id,
)
def test_illegal_move_breaks_the_rule_named_for_it_and_no_other(rulebook: Rulebook) -> None:
    for member in filter(is_illegal, cast_for(rulebook).values()):
        games = games_with(rulebook, member)
        assert games, member.name
        for game in games:
            assert [*rules_broken(rulebook, game)] == [member.violation], member.name


def test_founding_an_eighth_hotel_takes_all_seven_on_the_board() -> None:
    games = games_with(REVISED, cast_for(REVISED)["turn-founds-an-eighth"])
    assert games
    for message, answer, _ in (game[-1] for game in games):
        assert isinstance(message, messages.Turn) and isinstance(answer, messages.Pbuy)
        assert answer.placement is not None
        game = reference_game(position(REVISED, message.board, message.players))
        assert len(game.hotels) == 7 and game.kind(named(answer.placement)[0]) == "founding"


@for_each(
    ("rulebook", "players"),
    [
        pytest.param(rulebook, players, id=f"{rulebook.id}-{players}")
        for rulebook in RULEBOOKS.values()
        for players in sorted({rulebook.min_players, 3})
    ],
)
def test_reference_find_no_fault_with_what_ordered_answers(
    rulebook: Rulebook, players: int
) -> None:
    count = 0
    for seed in range(5):
        game = [
            Answer(each.message, each.answer, each.answer)
            for each in ordered_game(rulebook, players, seed)
        ]
        for at, each in enumerate(game, 1):
            if not isinstance(each.answer, messages.Void | messages.SignUp):
                assert not [*rules_broken(rulebook, game[:at])]
                count += 1
    assert count > 100


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
