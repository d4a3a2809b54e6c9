"""Net worth over a game: it ends at the scores, and no merger is a loss while it is settled."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from golden_games import Stubborn
from loops import for_each

from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.events import Event
from acquire.admin.refereeing.play.net_worth import NetWorth
from acquire.game.placement import Kind
from acquire.game.rulebooks import RULEBOOKS
from acquire.game.state import State, deal
from acquire.played_games import play_game
from acquire.player.strategies.investor import Investor
from acquire.player.strategies.simple import LargestAlpha, Ordered, Random, SmallestAnti

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.xml"))
STRATEGIES = (Random, Stubborn, Investor, Ordered, LargestAlpha, SmallestAnti)


class Moment(NamedTuple):
    """An event, and the net worth of the players after it."""

    event: Event
    worth: dict[str, int]


class Recorder:
    """Notes the net worth after each event of a game."""

    def __init__(self, state: State) -> None:
        self._net_worth = NetWorth(state)
        self.moments = [Moment(events.LaidOut(state), dict(self._net_worth.by_name))]

    def __call__(self, event: Event) -> None:
        self._net_worth.take(event)
        self.moments.append(Moment(event, dict(self._net_worth.by_name)))


def recorded(path: Path) -> list[Moment]:
    """A golden game."""
    record = read(path)
    names = [seat.name for seat in record.header.seats]
    recorder = Recorder(deal(record.header.rulebook, names, record.header.bag))
    for event in Verifier(record).verify().events:
        recorder(event)
    return recorder.moments


def played(number: int) -> list[Moment]:
    """A game of mixed strategies; the number decides rulebook, seats and strategies."""
    rulebook = list(RULEBOOKS.values())[number % len(RULEBOOKS)]
    sizes = range(rulebook.min_players, rulebook.max_players + 1)
    seats = sizes[number // len(RULEBOOKS) % len(sizes)]
    players = {
        f"player {seat}": STRATEGIES[(number + seat) % len(STRATEGIES)] for seat in range(seats)
    }
    game = play_game(players, rulebook, number)
    recorder = Recorder(deal(rulebook, game.players, Dealer(number).bag))
    for event in game.events:
        recorder(event)
    return recorder.moments


def games(soak: bool) -> Iterator[list[Moment]]:
    """Some played games; in the soak 200."""
    return map(played, range(200 if soak else 10))


def check_end(moments: list[Moment]) -> int:
    """Fail unless the last net worth of each player that finished is the score; count them."""
    scores = {
        event.name: event.score
        for event, _ in moments
        if isinstance(event, events.Ranked) and event.finished
    }
    assert moments[-1].worth == scores
    return len(scores)


LOWERS = (events.Traded, events.MarketDrew, events.Ejected, events.TurnUndone)
"""What can lower a net worth within a merger: a trade, the market's tile, an ejection."""
SETTLES = (events.Acquired, events.BonusPaid, events.Returned, events.Sold)


def check_mergers(moments: list[Moment]) -> int:
    """Fail where a player loses by joining hotels, or while they are settled; count the mergers."""
    mergers, in_merger = 0, False
    for before, after in pairwise(moments):
        match after.event:
            case events.Placed(kind=Kind.MERGING):
                in_merger, mergers = True, mergers + 1
            case events.Answered():
                continue
            case event if not isinstance(event, SETTLES + LOWERS):
                in_merger = False
        if in_merger and not isinstance(after.event, LOWERS):
            for name, net_worth in after.worth.items():
                assert net_worth >= before.worth[name], (after.event, name)
    return mergers


UNUSUAL = ("market", "-way-", "trade-cut", "undone", "equals")
"""What the names of games say in which more than usual happens while a merger is settled."""
MERGERS = [path for path in GOLDEN if any(word in path.stem for word in UNUSUAL)]


@for_each("path", MERGERS, ids=lambda path: path.stem)
def test_golden_game_ends_at_the_scores_and_no_merger_is_a_loss(path: Path) -> None:
    moments = recorded(path)
    assert check_end(moments)
    assert check_mergers(moments)


def test_net_worth_ends_at_the_scores_and_no_merger_is_a_loss(soak: bool) -> None:
    scores = mergers = 0
    for moments in games(soak):
        scores += check_end(moments)
        mergers += check_mergers(moments)
    assert scores > 10 and mergers > 10
