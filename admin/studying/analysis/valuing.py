"""What a decision has cost, found by playing its options on, many times.

The best of many measured values is too high by chance more often than not, and so is the largest of
many costs. So there are three stages, each on deals of its own; in a stage all options meet the
same deals:

1. In the *look* all options are played a few times, then the better half again. It says which
   option is compared with the recorded one, and whether there is anything to compare.
2. The *check* says whether the decision was costly.
3. The *measurement* gives the figures that are shown. Nothing is chosen by them, and how many games
   are played does not depend on them, so they are right on average and their intervals hold.

In the check and the measurement of a costly decision others play as well: early in a game an option
can be good for ``quick`` and bad for ``planner``, as they go on differently: a matter of taste, and
no mistake. A lead over the best other player is not everything either: who cannot win any more may
prefer money of its own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple, TypeAlias

import numpy as np

from ....game.placement import Placement
from ....protocol import messages
from ..statistics.intervals import Estimate, block_means, critical_distance, standard_errors
from ..whatif.report import estimated
from ..whatif.single_game import WIN
from .decision_log import Decision, What
from .playing import AnalysedTable, Result, analyst, results

MOST_OPTIONS = 6  # options that are played beside the recorded one
COSTLY_LEAD = 2000  # dollars of lead that a decision has to cost to be costly
COSTLY_WIN = 0.1  # chance to win that a decision must cost, unless it costs enough lead
CONFIDENCE = 0.997  # how sure the check must be of a loss: three standard errors of many games
SUSPICIOUS = 0.5  # the part of either limit from which on more games are played
NARROW = 500  # dollars: with this standard error, half of the games suffice to measure
ANALYST, OTHERS = "quick", "careful"  # the analysts: in all stages, and to confirm suspicions

Play: TypeAlias = Callable[[str, int, int], Result]
"""Plays a game: the analyst, the place of the option, the number of the deal."""
Pairs: TypeAlias = list[tuple[Result, Result]]
"""Games with the better option and with the recorded one, deal by deal."""


class Value(NamedTuple):
    """What an option was worth: its place, the mean lead in dollars, the chance to win."""

    option: int
    lead: float
    win: float


class Cost(NamedTuple):
    """How much more the ``better`` option was worth than the ``recorded`` one, by measurement."""

    better: Value
    recorded: Value
    lead: Estimate  # in dollars
    win: Estimate  # in shares of the win
    games: int  # how many pairs of games were measured


class Compared(NamedTuple):
    """The options as the look has ordered them, the most promising first."""

    order: tuple[int, ...]
    cost: Cost | None = None  # None if none looked better than the recorded one
    is_costly: bool = False  # what the check says


@dataclass(frozen=True, slots=True)
class Valued:
    """A decision, and how its options compare; the others promised less, and were left out."""

    decision: Decision
    found: Compared

    @property
    def is_costly(self) -> bool:
        """Whether the decision was a costly mistake: the measurement confirms what the check says.

        So a list of mistakes has none that cost nothing, but its figures are a little too high.
        """
        if not self.found.is_costly or (cost := self.found.cost) is None:
            return False
        return is_loss(cost.lead) or is_loss(cost.win)

    @property
    def lost(self) -> float:
        """The lead that it cost, in dollars; 0 if no option looked better."""
        return 0.0 if self.found.cost is None else self.found.cost.lead.value


def is_loss(found: Estimate) -> bool:
    """Whether something was lost, by the interval of a measurement if it has one."""
    return (found.value if found.low is None else found.low) > 0


def value(table: AnalysedTable, decision: Decision, games: int) -> Compared:
    """Compare the options of a decision, by this many games for each in a stage, or fewer."""

    def play(kind: str, option: int, game: int) -> Result:
        return results(table._replace(analyst=kind), decision, option, game)

    return compare(play, candidates(table, decision), decision.recorded, games)


def compare(play: Play, tried: Sequence[int], recorded: int, games: int) -> Compared:
    """Compare some options with the recorded one, which is one of them."""
    few, half = max(2, games // 4), max(2, games // 2)
    order, found = _look(play, tried, recorded, few)
    if order[0] == recorded or not _loses(found, SUSPICIOUS, 1):
        return Compared(order)
    better = order[0]

    def paired(kind: str, first: int, count: int) -> Pairs:
        fresh = range(first, first + count)
        return [(play(kind, better, game), play(kind, recorded, game)) for game in fresh]

    checked = paired(ANALYST, games, games)
    is_costly = _loses(checked, SUSPICIOUS, 1)
    if is_costly:
        checked += paired(OTHERS, 2 * games, half)
        is_costly = _loses(checked, 1, critical_distance(CONFIDENCE, len(checked) - 1))
    (_, error), _ = _differences(checked)
    count = half if error * (len(checked) / half) ** 0.5 <= NARROW else games
    measured = paired(ANALYST, 3 * games, count)
    if is_costly:
        measured += paired(OTHERS, 4 * games, count)
    return Compared(order, _cost(better, recorded, measured), is_costly)


def _look(
    play: Play, tried: Sequence[int], recorded: int, few: int
) -> tuple[tuple[int, ...], Pairs]:
    """Return the options in order, and the games of the first one beside the recorded one."""
    played = {option: [play(ANALYST, option, game) for game in range(few)] for option in tried}

    def promise(option: int) -> tuple[bool, float, int]:
        found = played[option]
        return len(found) == few, -sum(result.lead for result in found) / len(found), option

    leading = sorted(tried, key=promise)[: (len(tried) + 1) // 2]
    for option in {*leading, recorded}:
        played[option] += [play(ANALYST, option, game) for game in range(few, 2 * few)]
    order = sorted(tried, key=promise)
    return tuple(order), list(zip(played[order[0]], played[recorded], strict=True))


def _cost(better: int, recorded: int, found: Pairs) -> Cost:
    differences = [(one.lead - own.lead, one.win - own.win) for one, own in found]
    best, own = (
        Value(
            option, fmean(each.lead for each in its), sum(each.win for each in its) / WIN / len(its)
        )
        for option, its in zip((better, recorded), zip(*found, strict=True), strict=True)
    )
    return Cost(best, own, *estimated(differences, (-1.0, 1.0)), len(found))


def candidates(table: AnalysedTable, decision: Decision) -> list[int]:
    """Return the places of the options to be valued: the recorded one, and the best by estimate.

    Placements and orders are estimated. Of the disposals those are taken that do one thing with as
    many certificates as possible.
    """
    if len(decision.options) <= MOST_OPTIONS + 1:
        return [*range(len(decision.options))]
    estimates = _estimates(table, decision)
    best = sorted(range(len(estimates)), key=lambda at: (-estimates[at], at))
    others = [at for at in best if at != decision.recorded][:MOST_OPTIONS]
    return [decision.recorded, *others]


def _estimates(table: AnalysedTable, decision: Decision) -> list[float]:
    state = decision.state
    player = analyst(table.analyst)(state.rulebook, 0)
    choices = [option.choice for option in decision.options]
    match decision.what:
        case What.PLACEMENT:
            placements = [choice for choice in choices if isinstance(choice, Placement)]
            return player.estimate_placements(state, placements)
        case What.ORDER:
            return player.estimate_orders(state, [_ordered(choice) for choice in choices])
        case What.DISPOSAL:
            return _purity(choices)
        case _:
            return [0.0] * len(choices)


def _ordered(choice: object) -> tuple[int, ...]:
    match choice:
        case messages.Pbuy(_, order, _) | messages.Order(order, _):
            return order
    raise TypeError(choice)


def _purity(choices: Sequence[object]) -> list[float]:
    """Return for each disposal how far it goes in one direction: to hold, to sell or to trade."""
    found = [each for each in choices if isinstance(each, messages.DisposeAnswer)]
    sell, trade = max(each.sell for each in found), max(each.trade for each in found)
    corners = ((0, 0), (sell, 0), (0, trade), (sell - trade, trade), (sell // 2, 0))
    at = {corner: place for place, corner in enumerate(corners)}
    return [-float(at.get((each.sell, each.trade), 9 + each.trade)) for each in found]


def _differences(found: Pairs) -> list[tuple[float, float]]:
    """Return how much more lead, and wins, the first ones have: the means, with standard errors."""
    rows = [[(1, one.lead - own.lead, one.win - own.win)] for one, own in found]
    means = block_means(np.array(rows, np.float64), (1, WIN))
    errors = standard_errors(means.pulls, means.blocks[:, np.newaxis])
    return list(zip(means.values[0].tolist(), errors[0].tolist(), strict=True))


def _loses(found: Pairs, part: float, noise: float) -> bool:
    """Whether the loss is at least this part of a limit, and more than so many standard errors."""
    return any(
        mean >= part * limit and mean > noise * error
        for (mean, error), limit in zip(_differences(found), (COSTLY_LEAD, COSTLY_WIN), strict=True)
    )
