"""What decided a match for one player: the decisive turn, what its own choices cost, and luck.

All figures are of games that chose nothing: the turn was found by other games than those that give
its chances, and so was the decision.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...refereeing.view.plain_text import dollars, listed, plural
from ..statistics.intervals import INTERVAL, Estimate
from ..whatif.report import estimate_json
from .analysis import Analysis
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

    @property
    def _seat(self) -> int:
        return self.analysis.work.table.names.index(self.name)

    def sentences(self) -> list[str]:
        """Return three sentences: the decisive turn, the player's own choices, luck."""
        point, chances = self.analysis.decisive, self.analysis.chances
        if point is None:
            return ["The analysis was stopped too early to say what decided the match."]
        before = chances[point.turn].win[self._seat]
        after = chances[point.turn + 1].win[self._seat] if point.turn + 1 in chances else None
        ending = _percent(after) if after else f"{point.after[self._seat]:.0%}"
        whose = "its own" if self.mover == self.name else f"that of {self.mover}"
        verb = "helped" if self.won else "hurt"
        said = (
            f"The turn that {verb} {self.name} most was {point.turn}, {whose}: the chance to win "
            f"went from {_percent(before)} to {ending}{self._by_decision()}."
        )
        return [said, self._own_choices(), self._luck()]

    def _by_decision(self) -> str:
        """Return which decision of the turn had the largest part of the change."""
        point = self.analysis.decisive
        if point is None or point.decisive is None:
            return ""
        decision, _ = point.steps[point.decisive]
        part = _points(point.by_decision[point.decisive])
        chosen = decision.options[decision.recorded].text
        why = option_reason(decision, decision.recorded)
        return f", where “{chosen}” of {decision.name} alone made {part}: it {why}"

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

    @property
    def by_draw(self) -> float:
        """What the draws of the decisive turn changed in the player's chance."""
        point = self.analysis.decisive
        return 0.0 if point is None or not point.steps else point.change - sum(point.by_decision)

    def _luck(self) -> str:
        first = self.analysis.chances[min(self.analysis.chances)].win[self._seat]
        begun = f"{self.name} began with a chance of {_percent(first)}"
        drew = f" ({listed(self.drew)} drawn by {self.mover})" if self.drew else ""
        point = self.analysis.decisive
        if point is None or not point.steps:
            return f"Luck: {begun}; what the draws of that turn changed is not known."
        if abs(self.by_draw) < LEAST_POINTS:
            return f"Luck: {begun}; the draw of that turn{drew} changed nothing."
        return f"Luck: {begun}; the draw of that turn{drew} changed it by {_points(self.by_draw)}."

    def fields(self) -> dict[str, Any]:
        """Return it for a program; chances are shares of the games, leads are in dollars."""
        point, found = self.analysis.decisive, self.costliest
        cost = found.found.cost if found else None
        chances: Mapping[int, Any] = self.analysis.chances
        return {
            "sentences": self.sentences(),
            "whole": self.analysis.is_whole,
            "turn": point and point.turn,
            "mover": self.mover,
            "before": point and estimate_json(chances[point.turn].win[self._seat]),
            "after": point and point.after[self._seat],
            "by_draw": self.by_draw,
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
