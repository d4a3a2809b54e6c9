"""The value of the options of a decision, found by playing each on, many times.

All options that are valued meet the same deals. The best of many measured values is too high by
chance more often than not. So if an option looks better than the recorded one, both meet again on
other deals, and these alone say what the recorded one has cost. Half of these games are played by
other players.

The other players are needed because early in a game an option can be good for ``quick`` and bad for
``planner``, as they go on differently: a matter of taste, and no mistake. A lead over the best
other player is not everything either: who cannot win any more may prefer money of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ....game.placement import Placement
from ....game.rulebook import Hands
from ....game.state import State
from ....protocol import messages
from ..statistics.student import critical_distance
from ..whatif.single_game import WIN
from .analyst import analyst
from .decision import Decision, What
from .playing import AnalysedTable, Result, results

MOST_OPTIONS = 6
"""Options that are valued beside the recorded one."""
COSTLY_LEAD = 2000
"""Dollars of lead that a decision has to cost to be costly."""
COSTLY_WIN = 0.1
"""Chance to win that a decision has to cost, if it does not cost as much of the lead."""
CONFIDENCE = 0.997
"""How sure it has to be that the loss is no noise: three standard errors, if games are many."""
SUSPICIOUS = 0.5
"""The part of either limit from which on more games are played."""
CONFIRMED_BY = "careful"
"""The analyst that plays on as well before a decision is called costly."""
CLEARLY = 2.5
"""Standard errors by which an option has to be behind to be played no more."""


class Mean(NamedTuple):
    """A mean over games, and its standard error; dollars, or a share of the games."""

    value: float
    error: float


class Value(NamedTuple):
    """What an option was worth: the mean lead in dollars, the chance to win.

    ``more_lead`` and ``more_win`` are how much more than the recorded option, on the same deals.
    """

    option: int
    lead: float
    win: float
    more_lead: Mean
    more_win: Mean
    games: int


class Cost(NamedTuple):
    """How much the recorded option falls short of the one that looked best, on other deals.

    ``confirmed`` if both kinds of players have played them, and not only the quick ones.
    """

    lead: Mean
    win: Mean
    games: int
    confirmed: bool

    @property
    def is_costly(self) -> bool:
        """Whether it is more than noise, and more than a trifle."""
        return self.confirmed and (
            _exceeds(self.lead, COSTLY_LEAD, self.games)
            or _exceeds(self.win, COSTLY_WIN, self.games)
        )


@dataclass(frozen=True, slots=True)
class Valued:
    """A decision with the values of some of its options, the best lead first.

    ``left_out`` is how many options were not valued because they promised less. ``cost`` is that of
    the recorded option beside the best one, ``None`` if it is the best, or about as good.
    """

    decision: Decision
    values: tuple[Value, ...]
    left_out: int
    cost: Cost | None

    @property
    def is_costly(self) -> bool:
        """Whether the decision was a costly mistake."""
        return self.cost is not None and self.cost.is_costly


def valued(table: AnalysedTable, decision: Decision, games: int) -> Valued:
    """Value a decision by this many games for each option, and twice as many for a suspicion."""
    chosen = candidates(table, decision)
    recorded = decision.recorded
    played = _first_games(table, decision, chosen, games)
    own = _means(played[recorded])
    values = [_value(option, found, played[recorded], own) for option, found in played.items()]
    values.sort(key=lambda value: (-value.lead, value.option))
    cost, best = None, values[0]
    if best.option != recorded and _is_suspicious(best.more_lead, best.more_win):
        cost = _cost(table, decision, best.option, games)
    return Valued(decision, tuple(values), len(decision.options) - len(chosen), cost)


def _cost(table: AnalysedTable, decision: Decision, best: int, games: int) -> Cost:
    """Compare the recorded option with the best one on other deals.

    First the same players play them. If the suspicion is left, others do as well: a decision is not
    costly because of what one kind of players makes of it.
    """
    found: list[list[Result]] = [[], []]
    for kind, first in ((table.analyst, games), (CONFIRMED_BY, 2 * games)):
        for option, its in zip((best, decision.recorded), found, strict=True):
            fresh = range(first, first + games)
            its += _play(table._replace(analyst=kind), decision, option, fresh)
        lead, win = _differences(*found)
        if not _is_suspicious(lead, win):
            break
    return Cost(lead, win, len(found[0]), len(found[0]) == 2 * games)


def _play(
    table: AnalysedTable, decision: Decision, option: int, games: Sequence[int]
) -> list[Result]:
    return [results(table, decision, decision.options[option], game) for game in games]


def _first_games(
    table: AnalysedTable, decision: Decision, chosen: Sequence[int], games: int
) -> dict[int, list[Result]]:
    """Play the games of all options; those that are clearly worse after a third play no more."""
    early = max(2, games // 3)
    played = {option: _play(table, decision, option, range(early)) for option in chosen}
    best = max(chosen, key=lambda option: sum(result.lead for result in played[option]))
    behind = {option: _differences(played[best], played[option])[0] for option in chosen}
    for option, by in behind.items():
        if option == decision.recorded or by.value <= CLEARLY * by.error:
            played[option] += _play(table, decision, option, range(early, games))
    return played


def _value(
    option: int, found: Sequence[Result], recorded: Sequence[Result], own: tuple[float, float]
) -> Value:
    more = _differences(found, recorded[: len(found)])
    win = min(max(own[1] + more[1].value, 0.0), 1.0)  # it can have played fewer games
    return Value(option, own[0] + more[0].value, win, *more, len(found))


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
    state = _as_seen(decision.state, decision.name)
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


def _as_seen(state: State, viewer: str) -> State:
    """Return the position without the hands that the player cannot see."""
    if state.rulebook.hands is Hands.OPEN:
        return state
    players = tuple(
        player if player.name == viewer else player._replace(hand=0) for player in state.players
    )
    return state._replace(players=players)


def _means(found: Sequence[Result]) -> tuple[float, float]:
    """Return the mean lead in dollars, and the share of the games that were won."""
    lead, win = _differences(found, [Result(0, 0)] * len(found))
    return lead.value, win.value


def _differences(one: Sequence[Result], other: Sequence[Result]) -> tuple[Mean, Mean]:
    """Return how much more one has than the other, game by game: lead and wins."""
    pairs = list(zip(one, other, strict=True))
    return (
        _mean([mine.lead - its.lead for mine, its in pairs]),
        _mean([(mine.win - its.win) / WIN for mine, its in pairs]),
    )


def _mean(values: Sequence[float]) -> Mean:
    found = np.array(values, np.float64)
    error = found.std(ddof=1) / len(found) ** 0.5 if len(found) > 1 else 0.0
    return Mean(float(found.mean()), float(error))


def _is_suspicious(lead: Mean, win: Mean) -> bool:
    return (lead.value >= SUSPICIOUS * COSTLY_LEAD and lead.value > lead.error) or (
        win.value >= SUSPICIOUS * COSTLY_WIN and win.value > win.error
    )


def _exceeds(found: Mean, limit: float, games: int) -> bool:
    noise = critical_distance(CONFIDENCE, games - 1) * found.error
    return found.value >= limit and found.value > noise
