"""``investor`` plays to win: it wins far more than its share, and chooses sensibly."""

from collections import Counter

import pytest
from loops import for_each
from positions import by_initials, scene
from quick_players import greeted
from quiet_games import play_quietly

from acquire.game.board import empty_board
from acquire.game.purchase import buy, legal_orders
from acquire.game.rulebook import Rulebook, with_hidden_assets
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, REVISED, RULEBOOKS, WIKIPEDIA
from acquire.game.state import Player, position
from acquire.played_games import play_game
from acquire.player.strategies.investor import Investor, Leads, lead
from acquire.player.strategies.simple import LargestAlpha, Ordered, Random, SmallestAnti
from acquire.player.strategies.strategy import Strategy
from acquire.protocol import messages
from acquire.protocol.player_view import view_for

DIALECT = (CORPORATIONS, CLASSIC, WIKIPEDIA, DIGEST)
every_dialect_rulebook = for_each("rulebook", DIALECT, ids=lambda r: r.id)


# -- how often it wins --------------------------------------------------------------------------


def wins(rulebook: Rulebook, others: list[type[Strategy]], games: int) -> Counter[str]:
    """Count the wins of each kind of player over games with rotating seats."""
    counted: Counter[str] = Counter()
    for game in range(1, games + 1):
        table: list[type[Strategy]] = [Investor, *others]
        first = game % len(table)
        table = table[first:] + table[:first]
        names = [f"{make.__name__} {seat}" for seat, make in enumerate(table)]
        players = {
            name: make(rulebook, game * 10 + seat)
            for seat, (name, make) in enumerate(zip(names, table, strict=True))
        }
        outcome = play_quietly(rulebook, players, 31, game)
        assert not outcome.ejected
        for standing in outcome.standings:
            if standing.rank == 1:
                counted[standing.name.partition(" ")[0]] += 1
    return counted


SIMPLE: list[type[Strategy]] = [Random, Ordered, SmallestAnti]


@pytest.mark.parametrize(
    ("rulebook", "games"),
    [
        *(pytest.param(rulebook, 8, id=rulebook.id) for rulebook in (REVISED, CLASSIC)),
        *(
            pytest.param(rulebook, 40, id=f"{rulebook.id}-soak", marks=pytest.mark.soak)
            for rulebook in RULEBOOKS.values()
        ),
    ],
)
def test_investor_beats_three_simple_players(rulebook: Rulebook, games: int) -> None:
    assert wins(rulebook, SIMPLE, games)["Investor"] >= 0.85 * games


@pytest.mark.parametrize(
    ("rulebook", "others"),
    [
        pytest.param(REVISED, [LargestAlpha, Ordered, SmallestAnti], id="without chance"),
        pytest.param(CLASSIC, [LargestAlpha, Ordered, SmallestAnti], id="without chance, classic"),
        pytest.param(CLASSIC, [Ordered], id="one other player and the market"),
        pytest.param(with_hidden_assets(CORPORATIONS), SIMPLE, id="hidden assets"),
    ],
)
def test_investor_beats_other_tables(
    rulebook: Rulebook, others: list[type[Strategy]], soak: bool
) -> None:
    games = 20 if soak else 4
    assert wins(rulebook, others, games)["Investor"] >= 0.7 * games


# -- its lead ----------------------------------------------------------------------------------


def test_lead_is_own_money_less_the_mean_of_the_others() -> None:
    nothing = (0,) * 7
    cash = {"ann": 9000, "bob": 7000, "cyd": 6000}
    players = [Player(name, dollars, nothing, 0) for name, dollars in cash.items()]
    state = position(REVISED, empty_board(REVISED), players)
    assert {name: lead(state, name) for name in cash} == {"ann": 2500, "bob": -500, "cyd": -2000}


@for_each("rulebook", RULEBOOKS.values(), ids=lambda r: r.id)
def test_lead_after_an_order_is_that_of_the_position_after_it(rulebook: Rulebook) -> None:
    kinds = {"ann": "investor", "bob": "random", "cyd": "ordered"}
    for state in play_game(kinds, rulebook, seed=3).turns[::5]:
        for player in state.players:
            lead_after = Leads(state, player.name).after
            for order in legal_orders(state):
                assert lead_after(order) == lead(buy(state, order), player.name)


# -- disposing ----------------------------------------------------------------------------------

SMALL = "SSS"
LARGE = "SSSSSSSSSSSS"


@every_dialect_rulebook
@for_each(
    ("survivor", "price", "seats", "disposal"),
    [
        pytest.param(LARGE, 300, "A6, S7, S6", (0, 6), id="a survivor's is worth more than two"),
        pytest.param(LARGE, 300, "A7, S7, S6", (1, 6), id="the odd one is sold"),
        pytest.param(SMALL, 300, "A6, S7, S6", (6, 0), id="two bring more than a survivor's"),
        pytest.param(LARGE, 300, "A6, S13, S11", (4, 2), id="the bank has one"),
        pytest.param(LARGE, 300, "A6, S13, S12", (6, 0), id="the bank has none"),
        pytest.param(LARGE, 300, "A1, S7, S6", (1, 0), id="one cannot be traded"),
        pytest.param(SMALL, 300, "A6 S5, S6, S6", (2, 4), id="the majority is worth a loss"),
    ],
)
def test_what_it_trades_and_sells(
    survivor: str, price: int, seats: str, disposal: tuple[int, int], rulebook: Rulebook
) -> None:
    """A is acquired and S survives; a certificate of S is worth 300 (`SMALL`) or 700 dollars."""
    ann, bob, cyd = seats.split(", ")
    state = scene(rulebook, survivor, f"bob 4A $6000 {bob}", f"ann 1I $6000 {ann}", f"cyd {cyd}")
    acquired, survives = by_initials("AS", rulebook)
    investor = greeted(Investor, rulebook)
    question = messages.Dispose(acquired, price, survives, view_for(state, "ann"))
    assert investor(question) == messages.DisposeAnswer(*disposal)


# -- declaring ----------------------------------------------------------------------------------


@every_dialect_rulebook
@for_each(
    ("ann", "bob", "cyd", "declared"),
    [
        pytest.param("$20000", "$6000", "S10", True, id="ahead"),
        pytest.param("$6000", "$20000", "S10", False, id="behind"),
        pytest.param("$600 S5", "$600 S5", "$600", True, id="as much as the best"),
        pytest.param("$0 S10", "$6000 S5", "$600", True, id="ahead by certificates and a bonus"),
        pytest.param("$600 S5", "$0 S10", "$600", False, id="behind by certificates and a bonus"),
    ],
)
def test_it_declares_the_end_unless_another_player_would_have_more(
    ann: str, bob: str, cyd: str, declared: bool, rulebook: Rulebook
) -> None:
    state = scene(rulebook, LARGE, f"ann 12I {ann}", f"bob {bob}", f"cyd {cyd}")
    investor = greeted(Investor, rulebook)
    answer = investor(messages.PlayersView(view_for(state, "ann")))
    assert isinstance(answer, messages.Order)
    assert answer.end is declared


def test_it_declares_no_end_before_the_game_is_over() -> None:
    state = scene(CLASSIC, SMALL, "ann 12I $9000", "bob $0")
    investor = Investor(CLASSIC, 0)
    for message in (
        messages.PlayersView(view_for(state, "ann")),
        messages.TurnView(view_for(state, "ann")),
    ):
        answer = investor(message)
        assert isinstance(answer, messages.Order | messages.Pbuy)
        assert not answer.end
