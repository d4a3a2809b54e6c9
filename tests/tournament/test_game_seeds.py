"""A game's seed follows from what was committed to, and from nothing that players can know."""

import hashlib
import hmac
from typing import NamedTuple

from loops import for_each

from acquire.admin.refereeing.play.dealer import SEEDS
from acquire.admin.tournament.planning.game_seeds import GameSeed, Seeds, Series, check_seed
from acquire.admin.tournament.store.secret_file import TournamentSecret

SECRET = TournamentSecret(bytes(range(32)))
OPEN = Series(1, 1, SECRET.commitment(1))
REVEALED = OPEN._replace(last=3, secret=SECRET.deals(1).hex())
SECOND = Series(2, 4, SECRET.commitment(2))
BOTH = (REVEALED, SECOND)
GAME, BLOCK = "d2-t1-s4", "d2-t1"


def secret_seeds(*series: Series, duplicate: bool = False) -> Seeds:
    secrets = {each.number: SECRET.deals(each.number) for each in series}
    return Seeds(0, duplicate, series, secrets)


def derived(series: int, what: str) -> int:
    deals = hmac.new(bytes(range(32)), f"acquire deals {series}".encode(), hashlib.sha256).digest()
    digest = hmac.new(deals, f"bag {what}".encode(), hashlib.sha256).hexdigest()
    return int(digest, 16) % 10**18


def test_public_seed_is_that_of_earlier_versions() -> None:
    digest = hashlib.sha256(b"acquire tournament 2013 d2-t1").hexdigest()
    same = GameSeed(int(digest, 16) % 10**18)
    assert Seeds(2013, True).seed_of_game(GAME, BLOCK) == same
    assert Seeds(2013, True).seed_of_game("d2-t1-s1", BLOCK, voids=2) == same
    assert Seeds(2013, False).seed_of_game(GAME, BLOCK) != same


def test_secret_seed_is_as_documented() -> None:
    found = secret_seeds(OPEN).seed_of_game(GAME, BLOCK)
    assert found == (derived(1, GAME), SECRET.commitment(1))
    assert found.value < SEEDS


def test_games_of_a_block_share_a_secret_seed_only_with_duplicate() -> None:
    games = [f"{BLOCK}-s{number}" for number in range(1, 5)]
    shared = {secret_seeds(OPEN, duplicate=True).seed_of_game(game, BLOCK) for game in games}
    assert shared == {(derived(1, BLOCK), SECRET.commitment(1))}
    assert len({secret_seeds(OPEN).seed_of_game(game, BLOCK) for game in games}) == 4


def test_game_that_was_void_has_another_bag_unless_its_block_shares_one() -> None:
    seeds = [secret_seeds(OPEN).seed_of_game(GAME, BLOCK, voids).value for voids in range(3)]
    assert seeds == [derived(1, what) for what in (GAME, f"{GAME} attempt 2", f"{GAME} attempt 3")]
    again = secret_seeds(OPEN, duplicate=True).seed_of_game(GAME, BLOCK, voids=1)
    assert again.value == derived(1, BLOCK)


def test_game_belongs_to_the_series_of_its_deal_or_round() -> None:
    numbers = {"d1-t1-s1": 1, "d3-t9-s1": 1, "d4-t1-s1": 2, "d10-t1-s1": 2, "r4-d1-t1-s1": 2}
    for game, number in numbers.items():
        found = secret_seeds(*BOTH).seed_of_game(game, "block")
        assert found == (derived(number, game), SECRET.commitment(number)), game


def test_secrets_do_not_print_themselves() -> None:
    assert SECRET.deals(1).hex() not in repr(secret_seeds(OPEN))
    assert repr(SECRET.deals(1)) not in repr(secret_seeds(OPEN))


# -- checks afterwards --------------------------------------------------------------------------


class Check(NamedTuple):
    """A seed with its commitment, what is known of the tournament, and what the check finds."""

    found: GameSeed
    expected: bool | None
    series: tuple[Series, ...] = (REVEALED,)
    game: str = GAME
    duplicate: bool = False
    voids: int = 0


RIGHT = GameSeed(derived(1, GAME), SECRET.commitment(1))
OTHER = TournamentSecret(bytes(32))
CHECKS = {
    "right": Check(RIGHT, True),
    "another seed": Check(RIGHT._replace(value=RIGHT.value + 1), False),
    "another commitment": Check(RIGHT._replace(commitment=OTHER.commitment(1)), False),
    "no commitment": Check(GameSeed(RIGHT.value), False),
    "of another game": Check(RIGHT, False, game="d2-t1-s3"),
    "of a game, not the block": Check(RIGHT, False, duplicate=True),
    "of the first attempt": Check(RIGHT, False, voids=1),
    "right second attempt": Check(
        RIGHT._replace(value=derived(1, f"{GAME} attempt 2")), True, voids=1
    ),
    "right with duplicate": Check(RIGHT._replace(value=derived(1, BLOCK)), True, duplicate=True),
    "not revealed": Check(RIGHT, None, (OPEN,)),
    "not revealed, another commitment": Check(
        GameSeed(RIGHT.value, SECRET.commitment(2)), False, (OPEN,)
    ),
    "revealed secret is not the one committed to": Check(
        GameSeed(RIGHT.value, OTHER.commitment(1)),
        False,
        (REVEALED._replace(commitment=OTHER.commitment(1)),),
    ),
    "second series, not revealed": Check(
        GameSeed(1, SECRET.commitment(2)), None, BOTH, game="d4-t1-s1"
    ),
    "first of two series": Check(RIGHT, True, BOTH),
    "right public seed": Check(Seeds(7, False).seed_of_game(GAME, ""), True, ()),
    "public seed with a commitment": Check(
        Seeds(7, False).seed_of_game(GAME, "")._replace(commitment="00"), False, ()
    ),
    "wrong public seed": Check(Seeds(8, False).seed_of_game(GAME, ""), False, ()),
}


@for_each("case", CHECKS.values(), CHECKS)
def test_seed_is_checked_against_what_was_committed_to(case: Check) -> None:
    seeds = Seeds(7, case.duplicate, case.series)
    checked = check_seed(case.found, case.game, BLOCK, seeds, case.voids)
    assert checked is case.expected
