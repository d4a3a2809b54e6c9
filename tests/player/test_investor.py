"""``investor`` is the strong one: it wins far more than its share."""

from collections import Counter

from admin import local
from admin.deal import Dealer
from admin.referee import Referee
from game.rulebook import REVISED
from player.investor import Investor, lead
from player.strategies import LargestAlpha, Ordered, Random, SmallestAnti
from player.strategy import Strategy


def wins(others: list[type[Strategy]], games: int) -> Counter[str]:
    """Count the wins of each kind of player, seats rotating."""
    counted: Counter[str] = Counter()
    for game in range(1, games + 1):
        table: list[type[Strategy]] = [Investor, *others]
        table = table[game % 4 :] + table[: game % 4]
        names = [f"{make.__name__} {seat}" for seat, make in enumerate(table)]
        dealer = Dealer(31, game)
        players = {
            name: make(REVISED, game * 10 + seat)
            for seat, (name, make) in enumerate(zip(names, table, strict=True))
        }
        referee = Referee(REVISED, names, dealer.bag, dealer.shuffle, lambda _: None)
        outcome = local.play(referee.story(), players)
        assert not outcome.ejected
        for standing in outcome.standings:
            if standing.rank == 1:
                counted[standing.name.partition(" ")[0]] += 1
    return counted


def test_investor_beats_the_simple_players() -> None:
    assert wins([Random, Ordered, SmallestAnti], 20)["Investor"] >= 15
    assert wins([LargestAlpha, Ordered, SmallestAnti], 20)["Investor"] >= 13


def test_lead_counts_own_money_less_that_of_the_others() -> None:
    from game.board import empty_board
    from game.state import Player, position

    nothing = (0,) * 7
    players = [Player("ann", 9000, nothing, 0), Player("bob", 7000, nothing, 0)]
    state = position(REVISED, empty_board(REVISED), players)
    assert lead(state, "ann") == 2000
    assert lead(state, "bob") == -2000
