"""What decided a match for one player: the decisive turn, what its own choices cost, and luck.

All figures are of games that chose nothing: the turn was found by other games than those that give
its chances, and so was the decision.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...refereeing.view.plain_text import dollars, listed, plural
from ..statistics.intervals import INTERVAL, Estimate
from ..whatif.report import estimate_json
from .analysis import Analysis
from .chances import TurningPoint
from .valuing import COSTLY_LEAD, COSTLY_WIN, Valued
from .words import option_reason

LEAST_POINTS = 0.005
"""A change of the chance that is not 0 when it is rounded."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What decided a match for ``name``; ``mover`` is whose turn was decisive, ``turn``.

    ``drew`` are the tiles that were drawn in it. ``won`` says that the player has won.
    """

    analysis: Analysis
    name: str
    mover: str
    drew: Sequence[str]
    won: bool

    def sentences(self) -> list[str]:
        """Return three sentences: the decisive turn, the player's own choices, luck."""
        point = self.analysis.decisive
        if point is None:
            return ["The analysis was stopped too early to say what decided the match."]
        return [self._turn(point), self._own_choices(), self._luck(point)]

    def _chance(self, turn: int) -> Estimate:
        """Return the player's chance to win as a turn begins."""
        names = self.analysis.work.table.names
        return self.analysis.chances[turn].win[names.index(self.name)]

    def _turn(self, point: TurningPoint) -> str:
        ending = f"{point.after[point.seat]:.0%}"
        if point.turn + 1 in self.analysis.chances:
            ending = _percent(self._chance(point.turn + 1))
        whose = "its own" if self.mover == self.name else f"that of {self.mover}"
        by_decision = ""
        if point.decisive is not None:
            decision, part = point.steps[point.decisive][0], point.by_decision[point.decisive]
            by_decision = (
                f", where “{decision.options[decision.recorded].text}” of {decision.name} alone "
                f"made {_points(part)}: it {option_reason(decision, decision.recorded)}"
            )
        return (
            f"The turn that {'helped' if self.won else 'hurt'} {self.name} most was {point.turn}, "
            f"{whose}: the chance to win went from {_percent(self._chance(point.turn))} to "
            f"{ending}{by_decision}."
        )

    @property
    def costliest(self) -> Valued | None:
        """The player's costly decision in the decisive turn, or else the most costly of all."""
        costly, point = self.analysis.costly(self.name), self.analysis.decisive
        there = [each for each in costly if point and each.decision.turn == point.turn]
        return next(iter([*there, *costly]), None)

    def _own_choices(self) -> str:
        found, done = self.costliest, len(self.analysis.valued)
        if found is None or found.found.cost is None:
            return (
                f"None of the {plural(done, 'decision')} of {self.name} was found to be costly: to "
                f"lose {dollars(COSTLY_LEAD)} of lead, or {COSTLY_WIN * 100:.0f} points of chance."
            )
        cost, decision = found.found.cost, found.decision
        chose, better = (decision.options[at.option].text for at in (cost.recorded, cost.better))
        low = ""
        if cost.lead.low is not None and cost.lead.high is not None:
            low = f" ({INTERVAL} {_money(cost.lead.low)} to {_money(cost.lead.high)})"
        count = len(self.analysis.costly(self.name))
        which = f"worst of {count} costly decisions" if count > 1 else "only costly decision"
        return (
            f"The {which} of {self.name} was in turn {decision.turn}: against “{better}”, "
            f"“{chose}” cost {_money(cost.lead.value)} of lead{low}, and "
            f"{_points(-cost.win.value)} of chance; "
            f"the better one {option_reason(decision, cost.better.option)}."
        )

    def _luck(self, point: TurningPoint) -> str:
        first = self._chance(min(self.analysis.chances))
        begun = f"Luck: {self.name} began with a chance of {_percent(first)}"
        if not point.steps:
            return f"{begun}; what the draws of that turn changed is not known."
        drew = f" ({listed(self.drew)} drawn by {self.mover})" if self.drew else ""
        is_nothing = abs(point.by_draw) < LEAST_POINTS
        changed = "nothing" if is_nothing else f"it by {_points(point.by_draw)}"
        return f"{begun}; the draw of that turn{drew} changed {changed}."

    def fields(self) -> dict[str, Any]:
        """Return it for a program; chances are shares of the games, leads are in dollars."""
        point, found = self.analysis.decisive, self.costliest
        cost = found.found.cost if found else None
        return {
            "sentences": self.sentences(),
            "whole": self.analysis.is_whole,
            "turn": point and point.turn,
            "mover": self.mover,
            "before": point and estimate_json(self._chance(point.turn)),
            "after": point and point.after[point.seat],
            "by_draw": point.by_draw if point else 0.0,
            "drew": list(self.drew),
            "decision": found
            and cost
            and {
                "turn": found.decision.turn,
                "chose": found.decision.options[cost.recorded.option].text,
                "better": found.decision.options[cost.better.option].text,
                "lead": estimate_json(cost.lead),
                "win": estimate_json(cost.win),
                "games": cost.games,
            },
        }


def _percent(chance: Estimate) -> str:
    if chance.low is None or chance.high is None:
        return f"{chance.value:.0%}"
    return f"{chance.value:.0%} ({chance.low * 100:.0f} to {chance.high:.0%})"


def _points(change: float) -> str:
    count = round(change * 100)
    return f"{count:+} point{'' if abs(count) == 1 else 's'}".replace("-", "\N{MINUS SIGN}")


def _money(amount: float) -> str:
    return dollars(round(amount)).replace("$-", "\N{MINUS SIGN}$")
