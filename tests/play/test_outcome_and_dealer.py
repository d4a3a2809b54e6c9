"""Standings and chance."""

from acquire.admin.refereeing.play.dealer import Dealer, new_seed
from acquire.admin.refereeing.play.outcome import Standing, standings
from acquire.game.tiles import TILES


def test_nobody_wins_where_nobody_finishes() -> None:
    last, first = standings([], ["ann", "bob"])
    assert (last.name, last.rank, first.rank) == ("bob", 1, 2)
    assert not last.won and not first.won
    assert [place.won for place in standings([("ann", 7), ("bob", 7), ("cyd", 5)], [])] == [
        *(True, True, False)
    ]


def test_equals_share_a_rank_and_stand_by_name() -> None:
    ranking = standings([("cyd", 500), ("ann", 900), ("bob", 900), ("dan", 100)], [])
    assert [(place.rank, place.name) for place in ranking] == [
        (1, "ann"),
        (1, "bob"),
        (3, "cyd"),
        (4, "dan"),
    ]


def test_ejected_rank_below_all_who_finished_the_last_ejected_first() -> None:
    ranking = standings([("ann", 0)], ["cyd", "bob"])
    assert ranking == (
        Standing(1, "ann", 0, finished=True),
        Standing(2, "bob", 0, finished=False),
        Standing(3, "cyd", 0, finished=False),
    )


def test_seed_and_game_number_make_the_bag() -> None:
    assert Dealer(7, 1).bag == Dealer(7, 1).bag
    assert len({Dealer(7, 1).bag, Dealer(7, 2).bag, Dealer(8, 1).bag}) == 3
    assert sorted(Dealer(7, 1).bag) == list(TILES)


def test_each_shuffle_differs_and_can_be_repeated() -> None:
    first, second = Dealer(3), Dealer(3)
    shuffles = [first.shuffle(TILES) for _ in range(3)]
    assert len(set(shuffles)) == 3
    assert shuffles == [second.shuffle(TILES) for _ in range(3)]


def test_a_new_seed_can_be_given_as_an_option() -> None:
    assert all(0 <= new_seed() < 10**18 for _ in range(100))
