"""The same games, played by the reference, by the referee, and by the server over TCP."""

import random
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
import trio
from branches import Reached
from ledger import Ledger
from loopback import serving
from positions import board, crossing, mask
from positions import tiles as tiles_of

from acquire.admin.refereeing.log.recorder import Header, SeatRecord
from acquire.admin.refereeing.log.writer import open_log
from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.events import Event
from acquire.game.rulebook import Rulebook, with_hidden_assets
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, REVISED, RULEBOOKS, WIKIPEDIA
from acquire.game.state import Player, position
from acquire.game.tiles import GRID, mask_of, tiles_in
from acquire.player.program.client import Client, connect
from reference.drivers import RandomPlayer, by_referee, by_reference, refereed
from reference.random_players import VARIED, RandomPlayers, Transcript

EVERY_RULEBOOK = pytest.mark.parametrize("rulebook", RULEBOOKS.values(), ids=lambda book: book.id)


def agreed(begin: Callable[[], RandomPlayers], *readers: Callable[[Event], None]) -> Transcript:
    """Play a game by the reference and by the referee, and return the transcript of both."""
    expected, players = by_reference(begin()), begin()
    found = by_referee(players, *readers)
    where = f"{players.rulebook.id}, seed {players.seed}"
    for number, (fact, right) in enumerate(zip(found, expected, strict=False)):
        assert fact == right, f"{where}: fact {number} of the transcript"
    assert len(found) == len(expected), where
    return expected


# -- games from their deal on ----------------------------------------------------------------------


def reached(rulebook: Rulebook, seed: int) -> set[str]:
    """Play a game in both ways, keep its books, and return the branches of the rules it reached."""
    names = RandomPlayers(rulebook, seed).names
    ledger = Ledger(rulebook, names)
    seen = Reached(ledger)
    transcript = agreed(partial(RandomPlayers, rulebook, seed), seen, ledger)
    return {f"{len(names)} players", *seen.found, *ejections(transcript)}


def ejections(transcript: Transcript) -> Iterator[str]:
    """At which questions players broke a rule, the mover and others."""
    mover, beside = "", ""
    for number, (what, fact) in enumerate(transcript):
        if what == "state":
            assert isinstance(fact, dict)
            mover = next((player["name"] for player in fact["players"]), "")
        elif what == "market":
            beside = " beside the market"
        elif what == "broken":
            _, name = transcript[number + 1]
            yield f"{'the mover' if name == mover else 'another'} ejected at {fact}{beside}"


EARLY = "end declared as the turn began"
IN_ALL = {
    *("ejection", "turn undone", "nobody-left", "all-hotels-safe"),
    *("three-way tie of holders", "three-way tie of survivors"),
    *("the mover ejected at place", "the mover ejected at order"),
}
IN_REVISED = IN_ALL | {
    *("no-placeable-tile", "no-tile-to-hand-back", "founded without a certificate"),
    *("the mover ejected at keep", "another ejected at keep"),
}
IN_THE_OTHERS = IN_ALL | {
    *("large-hotel", "end declared", EARLY, "dead-round", "nothing placed"),
    *("equals ordered by the placer", "trade blocked by an empty bank", "trade cut by the bank"),
    *("the mover ejected at dispose", "another ejected at dispose"),
}
WITH_THE_MARKET = {
    *("market's tile merges", "market's tile set aside", "market with an empty bag"),
    "another ejected at dispose beside the market",
    "the mover ejected at dispose beside the market",
    "the mover ejected at survivor beside the market",
}
GAMES = {
    "revised": ((48, 75, 297, 318, 351), IN_REVISED),
    "corporations": ((2, 9, 10, 26, 118, 124), IN_THE_OTHERS | {"dead tiles replaced"}),
    "classic": (
        (0, 3, 15, 115, 134, 145, 171, 332, 395, 449),
        IN_THE_OTHERS | WITH_THE_MARKET | {"dead tiles replaced", "four-way merger"},
    ),
    "wikipedia": (
        (15, 36, 206, 229, 234, 401, 477),
        IN_THE_OTHERS | {"hand replaced", "hand kept", "four-way merger"},
    ),
    "digest": (
        (9, 20, 27, 121, 208, 468),
        IN_THE_OTHERS | {"dead tiles replaced", "four-way merger"},
    ),
}
"""By rulebook: seeds whose games together reach every branch that the first 1,000 reach, and those
branches. ``python tests/test_agreement.py`` finds such seeds."""


@EVERY_RULEBOOK
def test_referee_and_reference_play_the_same_games(rulebook: Rulebook, soak: bool) -> None:
    seeds, branches = GAMES[rulebook.id]
    sizes = range(rulebook.min_players, rulebook.max_players + 1)
    found: set[str] = set()
    for seed in range(1000) if soak else seeds:
        found |= reached(rulebook, seed)
    assert found >= branches | {f"{size} players" for size in sizes}


# -- games from positions that random play hardly reaches ------------------------------------------

FOUR_MEET = crossing(Worldwide=4, American=4, Sackson=4, Tower=4).removesuffix("..") + "FF"
ALMOST_40 = """
    TTTTTTTTTTTT
    TTTTTTTTTTTT
    TTTTTTTTTTTT
    TT..........
    ............
    FFFFFFFFFFF.
    ............
    SS..........
"""
ALL_SEVEN = """
    AA.CC.FF.II.
    AA.CC.FF.II.
    ............
    SSS.TTT.WWW.
    ............
    oo..........
    ............
    .......o....
"""


def rare(rulebook: Rulebook, drawing: str, first: str, bag: int, seed: int) -> RandomPlayers:
    """A game that goes on from a drawing.

    The mover has the tile ``first``; the other tiles and certificates are dealt at random, and as
    many tiles as ``bag`` are left to draw.
    """
    chance = random.Random(seed)
    laid = board(drawing, rulebook)
    free = GRID & ~(laid.occupied | mask(first))
    tiles = [*tiles_of(first), *chance.sample(tiles_in(free), free.bit_count())]
    left = [rulebook.certificates] * len(rulebook.hotels)
    players = []
    for seat, name in enumerate("abcd"[: 3 + seed % 2]):
        shares = [chance.randint(0, min(6, count)) for count in left]
        left = [count - owned for count, owned in zip(left, shares, strict=True)]
        hand = tiles[6 * seat : 6 * seat + 6]
        players.append(Player(name, 100 * chance.randrange(80), tuple(shares), mask_of(hand)))
    begin = 6 * len(players)
    start = position(rulebook, laid, players, tiles[begin : begin + bag])
    return RandomPlayers(rulebook, seed, VARIED[seed % len(VARIED)], start)


@pytest.mark.parametrize(
    ("rulebook", "drawing", "first", "bag", "expected"),
    [
        pytest.param(REVISED, FOUR_MEET, "6E", 60, "acquires 3", id="four hotels meet"),
        pytest.param(CLASSIC, FOUR_MEET, "6E", 60, "orders 3", id="three equal ones acquired"),
        pytest.param(REVISED, ALMOST_40, "3D", 60, "large-hotel", id="a hotel of 38"),
        pytest.param(WIKIPEDIA, ALMOST_40, "3D", 60, "large-hotel", id="41 is declared"),
        pytest.param(REVISED, ALL_SEVEN, "3F", 60, "3F stays loose", id="an eighth hotel"),
        pytest.param(
            CLASSIC, ALL_SEVEN, "3F", 60, "3F is not offered", id="an eighth hotel is refused"
        ),
        pytest.param(REVISED, "", "5E", 5, "no-tile-to-hand-back", id="a bag of five"),
        pytest.param(CLASSIC, "", "5E", 5, "dead-round", id="play without a bag"),
    ],
)
def test_referee_and_reference_agree_from_rare_positions(
    rulebook: Rulebook, drawing: str, first: str, bag: int, expected: str, soak: bool
) -> None:
    found: set[object] = set()
    for seed in range(100 if soak else 2):
        transcript = agreed(partial(rare, rulebook, drawing, first, bag, seed))
        for what, fact in transcript:
            match what, fact:
                case "over", _:
                    found.add(fact)
                case "keep", (_, [*acquired], _):
                    found.add(f"acquires {len(acquired)}")
                case "place", (_, _, (_, *others)):
                    found.add(f"orders {len(others) + 1}")
                case "place", (tile, None, _) if tile == first:
                    found.add(f"{tile} stays loose")
        options = next(fact for what, fact in transcript if what == "place?")
        if first not in str(options):
            found.add(f"{first} is not offered")
    assert expected in found


# -- over TCP --------------------------------------------------------------------------------------

SEED = 1


async def over_tcp(
    games: list[RandomPlayers], log_dir: Path, seed: int = SEED
) -> list[list[RandomPlayer]]:
    """Play games at one server, a client in a thread for each player; return the players."""
    first, tables = games[0], []
    async with serving(
        log_dir, rulebook=first.rulebook, players=len(first.names), games=len(games), seed=seed
    ) as (_, witness):
        for players in games:
            seats = [RandomPlayer(name, players) for name in players.names]
            async with trio.open_nursery() as nursery:
                for seat in seats:  # seated in the order of connecting
                    client = Client(connect("127.0.0.1", witness.port, timeout=0))
                    play = partial(client.play, seat.called, partial(seated, seat))
                    nursery.start_soon(trio.to_thread.run_sync, play)
            tables.append(seats)
    return tables


def seated(player: RandomPlayer, _: Rulebook) -> RandomPlayer:
    """Take a seat, whatever rulebook is played there."""
    return player


def without_times(log: Path) -> bytes:
    """A game log without its day and the times, which depend on the clock."""
    return re.sub(rb' (date|latency|lag)="[-0-9]+"', b"", log.read_bytes())


QUICK = [(REVISED, 3), (CLASSIC, 2)]
HIDING = [
    with_hidden_assets(CORPORATIONS, "cash"),
    with_hidden_assets(DIGEST, "certificates"),
    with_hidden_assets(WIKIPEDIA, "both"),
]


@pytest.mark.parametrize("rulebook", HIDING, ids=lambda book: f"{book.id}, {book.assets.hidden}")
def test_referee_and_reference_agree_where_assets_are_hidden(
    rulebook: Rulebook, soak: bool
) -> None:
    for seed in range(1, 1000 if soak else 2):  # the first is played over TCP, too
        reached(rulebook, seed)


RARE_GAMES = [
    (DIGEST, 208, {EARLY}),
    (WIKIPEDIA, 737, {"hand kept", "hand replaced"}),
    (HIDING[0], 0, {"end declared"}),
]
MORE_RARE_GAMES = [
    *((CORPORATIONS, 9, {EARLY}), (CLASSIC, 332, {EARLY}), (WIKIPEDIA, 401, {EARLY})),
    *((rulebook, 0, {"end declared"}) for rulebook in HIDING[1:]),
]
"""Seeds, and branches of the rules that a game of that seed reaches."""
EVERY_TABLE = [
    pytest.param(rulebook, size, 40, id=f"{rulebook.id}-{size}", marks=pytest.mark.soak)
    for rulebook in RULEBOOKS.values()
    for size in range(rulebook.min_players, rulebook.max_players + 1)
]


@pytest.mark.parametrize(
    ("rulebook", "size", "count"),
    [*(pytest.param(book, size, 1, id=f"{book.id}-{size}") for book, size in QUICK), *EVERY_TABLE],
)
async def test_game_over_tcp_is_that_of_this_process(
    rulebook: Rulebook, size: int, count: int, tmp_path: Path
) -> None:
    """By all that each player received, and by the logs, byte for byte."""
    sizes = range(rulebook.min_players, rulebook.max_players + 1)
    numbers = range(1, count + 1)

    def games() -> list[RandomPlayers]:
        seeds = [(number + size) * len(sizes) + sizes.index(size) for number in numbers]
        return [
            RandomPlayers(rulebook, seed, dealer=Dealer(SEED, number))
            for seed, number in zip(seeds, numbers, strict=True)
        ]

    tables = await over_tcp(games(), tmp_path / "tcp")
    for number, players, seats in zip(numbers, games(), tables, strict=True):
        compare(players, seats, SEED, number, tmp_path)
    assert len(list((tmp_path / "tcp").iterdir())) == len(numbers)


@pytest.mark.parametrize(
    ("rulebook", "seed", "branches"),
    [
        pytest.param(
            *case,
            id=f"{case[0].id}{case[0].assets.words}: {', '.join(sorted(case[2]))}",
            marks=() if case in RARE_GAMES else pytest.mark.soak,
        )
        for case in RARE_GAMES + MORE_RARE_GAMES
    ],
)
async def test_rare_game_over_tcp_is_that_of_this_process(
    rulebook: Rulebook, seed: int, branches: set[str], tmp_path: Path
) -> None:
    assert branches <= reached(rulebook, seed)
    (seats,) = await over_tcp([RandomPlayers(rulebook, seed)], tmp_path / "tcp", seed)
    compare(RandomPlayers(rulebook, seed), seats, seed, 1, tmp_path)


def compare(
    players: RandomPlayers, seats: list[RandomPlayer], seed: int, number: int, folder: Path
) -> None:
    """Play a game in this process; what the seats received over TCP, and the log, are the same."""
    records = tuple(SeatRecord(name, "remote") for name in players.names)
    header = Header(players.rulebook, seed, number, players.dealer.bag, records)
    (folder / "here").mkdir(exist_ok=True)
    log = open_log(folder / "here", header)
    _, expected = refereed(players, log)
    log.close()
    for seat, right in zip(seats, expected, strict=True):
        assert seat.received == right.received, f"{seat.name} in game {number}"
    assert without_times(log.path) == without_times(folder / "tcp" / log.path.name)


def covering_seeds(rulebook: Rulebook) -> list[int]:
    """Find few of the first 1,000 games that reach every branch that one of them reaches."""
    games = {seed: reached(rulebook, seed) for seed in range(1000)}
    left, chosen = set[str]().union(*games.values()), list[int]()
    while left:
        chosen.append(max(games, key=lambda seed: len(games[seed] & left)))
        left -= games[chosen[-1]]
    return sorted(chosen)


if __name__ == "__main__":
    for each in RULEBOOKS.values():
        print(each.id, covering_seeds(each))
