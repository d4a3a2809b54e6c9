"""The golden games: recorded games that reach every ending and every rare branch of the rules.

They are kept so that the rules, the log and its verification cannot change unseen. This file says
what each is to reach, and found them: ``python tests/golden_games.py`` looks for those missing,
which takes minutes for the rarest.
"""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import NamedTuple

from branches import branches

from acquire.admin.refereeing.log.recorder import Header, SeatRecord
from acquire.admin.refereeing.log.writer import GameLog
from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.in_process import Answerer, Response, Strategy, play
from acquire.admin.refereeing.play.referee import Referee
from acquire.game.placement import Kind, Placement, kind_of, legal_placements
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import RULEBOOKS
from acquire.game.state import State
from acquire.game.turn import Ending
from acquire.player.strategies.investor import Investor
from acquire.player.strategies.simple import LargestAlpha, Ordered, Random, SmallestAnti
from acquire.protocol.dialect import Dialect
from acquire.protocol.faults import Fault, Reason
from acquire.protocol.messages import TAGS, RefereeMessage

FOLDER = Path(__file__).parent / "golden"
SEED = 1964


class Stubborn(Random):
    """As random, but never ends a game."""

    def declare(self, state: State) -> bool:
        return False


class Founder(Stubborn):
    """Founds hotels and keeps them apart, until three can be acquired at once."""

    def place(self, state: State) -> Placement:
        def promise(placement: Placement) -> tuple[int, float]:
            touched = len(state.board.touched(placement.tile))
            kind = kind_of(state.board, placement.tile)
            ranks = {Kind.FOUNDING: 3, Kind.SINGLETON: 2, Kind.GROWING: 1, Kind.MERGING: 0}
            return (4 if touched > 3 else ranks[kind]), self._random.random()

        return max(legal_placements(state), key=promise)


class Grower(Stubborn):
    """Lets the largest hotel grow, and founds none if it can help it."""

    def place(self, state: State) -> Placement:
        board = state.board

        def promise(placement: Placement) -> tuple[int, int, float]:
            touched = board.touched(placement.tile)
            kind = kind_of(board, placement.tile)
            ranks = {Kind.MERGING: 3, Kind.GROWING: 2, Kind.SINGLETON: 1, Kind.FOUNDING: 0}
            largest = max([board.size(hotel) for hotel in touched], default=0)
            return ranks[kind], largest, self._random.random()

        return max(legal_placements(state), key=promise)


Maker = Callable[[Rulebook, int], Strategy]


class Golden(NamedTuple):
    """One game: what it reaches, who plays, and who leaves at which question from which turn on."""

    rulebook: str
    reaches: str
    players: tuple[Maker, ...]
    leaves: tuple[tuple[int, int, str], ...] = ()
    interrupted: int = 0

    @property
    def path(self) -> Path:
        """Where its log is."""
        words = self.reaches.replace("'", "").replace(" ", "-")
        return FOLDER / f"{self.rulebook}-{words}.xml"


HOUSE = (Random, Ordered, LargestAlpha, SmallestAnti)

GAMES: tuple[Golden, ...] = (
    Golden("revised", Ending.LARGE_HOTEL.value, (Grower,) * 3),
    Golden("revised", Ending.ALL_SAFE.value, (Grower,) * 3),
    Golden("revised", Ending.NOTHING_PLACEABLE.value, (Investor, *HOUSE[:3])),
    Golden("revised", Ending.BAG_EMPTY.value, (*HOUSE, Random, Ordered)),
    Golden(
        "revised",
        Ending.NOBODY_LEFT.value,
        HOUSE[:3],
        ((0, 4, "turn"), (1, 9, "tile"), (2, 15, "state")),
    ),
    Golden("revised", Ending.INTERRUPTED.value, HOUSE[:3], interrupted=20),
    Golden("revised", "three-way tie of survivors", (Random,) * 3),
    Golden("revised", "three-way tie of holders", (Random,) * 4),
    Golden("revised", "founded without a certificate", HOUSE[:3]),
    Golden("classic", "four-way merger", (Founder,) * 3),
    Golden("classic", Ending.DEAD_ROUND.value, (Stubborn,) * 4),
    Golden("classic", Ending.ALL_SAFE.value, (Investor, *HOUSE[:3])),
    Golden("classic", Ending.LARGE_HOTEL.value, HOUSE),
    Golden("classic", "three-way tie of holders", (Random,) * 4),
    Golden("classic", "market's tile merges", (Random, Investor)),
    Golden("classic", "market's tile set aside", (Random,) * 2),
    Golden("classic", "market with an empty bag", (Stubborn,) * 2),
    Golden("classic", "trade cut by the bank", HOUSE[:3]),
    Golden("classic", "turn undone", (Random,) * 3, ((0, 10, "players"),)),
    Golden("corporations", "equals ordered by the placer", (Random,) * 3),
    Golden("corporations", "trade blocked by an empty bank", HOUSE[:3]),
    Golden("corporations", "dead tiles replaced", (Random, Investor)),
    Golden("corporations", "nothing placed", (Random,) * 2),
    Golden("digest", "three-way tie of survivors", (Random,) * 3),
    Golden("digest", Ending.NOBODY_LEFT.value, HOUSE[:2], ((1, 5, "turn"), (0, 9, "turn"))),
    Golden("wikipedia", "hand replaced", (Random,) * 3),
    Golden("wikipedia", "founded without a certificate", HOUSE[:3]),
    Golden("wikipedia", Ending.DEAD_ROUND.value, (Stubborn,) * 3),
)


class _Interrupted(Exception):
    """Raised where a game is to be interrupted."""


def record(golden: Golden, number: int) -> None:
    """Play the game of this number, and keep its log."""
    rulebook, dealer = RULEBOOKS[golden.rulebook], Dealer(SEED, number)
    kinds = [make.__name__.lower() for make in golden.players]
    names = [f"{kind}-{seat}" for seat, kind in enumerate(kinds, start=1)]
    seats = tuple(SeatRecord(name, "house", kind) for name, kind in zip(names, kinds, strict=True))
    header = Header(rulebook, SEED, number, dealer.bag, seats)
    log = GameLog(golden.path, golden.path.open("xb", buffering=0), header)
    referee = Referee(rulebook, names, dealer.bag, dealer.shuffle, log)

    def seated(seat: int) -> Answerer:
        """The player of a seat, which leaves or interrupts the game when it has to."""
        strategy = golden.players[seat](rulebook, 10 * number + seat)
        left = [(turn, question) for who, turn, question in golden.leaves if who == seat]

        def answer(message: RefereeMessage) -> Response:
            if golden.interrupted and referee.turns >= golden.interrupted:
                raise _Interrupted
            for turn, question in left:
                if referee.turns >= turn and TAGS[type(message)] == question:
                    return Fault(Reason.DISCONNECTED, "The connection was closed.")
            return strategy(message)

        return answer

    players = {name: seated(seat) for seat, name in enumerate(names)}
    try:
        play(referee.play(), players, Dialect.of(rulebook))
        log.close()
    except _Interrupted:
        log.close(interrupted_after=golden.interrupted)


def main() -> None:
    """Record, for each log that is missing, the first game that reaches what it is kept for."""
    for golden in GAMES:
        if golden.path.exists():
            continue
        for number in count(1):
            record(golden, number)
            if golden.reaches in branches(golden.path):
                print(f"{golden.path.name}: game {number}")
                break
            golden.path.unlink()


if __name__ == "__main__":
    main()
