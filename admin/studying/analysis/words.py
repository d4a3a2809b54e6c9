"""What an option does, turning points, and what decided a match for one player: in words."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ....game.disposal import TRADED_FOR_ONE
from ....game.merger import bonuses_for, merge
from ....game.placement import Kind, Placement, kind_of, place
from ....game.purchase import Order, buy
from ....game.state import State
from ....game.tiles import tile_name
from ....game.turn import pay_out
from ....protocol import messages
from ...refereeing.view.plain_text import dollars, listed, number, plural, printable
from ..statistics.intervals import INTERVAL, Estimate
from ..whatif.report import estimate_json
from .analysis import Analysis
from .decision_log import Decision, What
from .playing import TurningPoint
from .valuing import COSTLY_LEAD, COSTLY_WIN, Cost, is_loss


def option_reason(decision: Decision, option: int) -> str:
    """Return what an option does, beginning with a verb; money and holdings as they were then."""
    state, chosen = decision.state, decision.options[option]
    match chosen.choice:
        case (Placement() as placement) | messages.Merge(placement):
            return _placement(state, placement)
        case messages.Pbuy(_, order, end) | messages.Order(order, end):
            if decision.what is What.END:
                scores = _foremost(pay_out(state).scores)
                leaders = listed(f"{who} has {dollars(money)}" for who, money in scores)
                return f"{'ends the game' if end else 'plays on'}, where {leaders}"
            return _order(state, order)
        case messages.DisposeAnswer() | messages.KeepAnswer():
            return _disposal(decision, chosen.choice)
        case messages.ReplaceAnswer(replaces):
            return f"{'replaces' if replaces else 'keeps'} the hand"
    raise AssertionError(f"{chosen.choice} is no decision")


def _disposal(decision: Decision, answer: messages.DisposeAnswer | messages.KeepAnswer) -> str:
    """Return what becomes of certificates in a merger, and the cash that the player has then."""
    player, called = decision.state.player(decision.name), decision.state.rulebook.hotel_name
    raised, done, held = 0, [], []
    match decision.asked, answer:
        case messages.Dispose(hotel, price, survivor), messages.DisposeAnswer(sell, trade):
            raised, kept_back = sell * price, player.shares[hotel] - sell - trade
            if trade:
                done.append(f"gets {trade // TRADED_FOR_ONE} {called(survivor)}")
            if kept_back:
                held.append(f"{kept_back} {called(hotel)}")
        case messages.Keep(hotels), messages.KeepAnswer(kept):
            for hotel, keeps in zip(hotels, kept, strict=True):
                if keeps and player.shares[hotel]:
                    held.append(f"{player.shares[hotel]} {called(hotel)}")
                elif not keeps:
                    raised += player.shares[hotel] * decision.start.position.price(hotel)
    if raised:
        done.insert(0, f"raises {dollars(raised)}")
    if held:
        done.append(f"holds {listed(held)}")
    return f"{listed(done)}, with {dollars(player.cash + raised)} in cash then"


def _placement(state: State, placement: Placement) -> str:
    called, kind = state.rulebook.hotel_name, kind_of(state.board, placement.tile)
    if kind is Kind.MERGING:
        merger = merge(state, placement)
        paid = [
            f"{bonus.name} {dollars(bonus.amount)} for {called(bonus.hotel)}"
            for bonus in merger.bonuses
        ]
        return f"pays {listed(paid)}" if paid else "pays no bonus"
    after = place(state, placement)
    for hotel, (size, new) in enumerate(zip(state.board.sizes, after.board.sizes, strict=True)):
        if size != new:
            old, price = dollars(state.price(hotel)), dollars(after.price(hotel))
            if kind is Kind.FOUNDING:
                return f"founds {called(hotel)} at {price} a certificate"
            grown = f"takes a certificate of {called(hotel)} from {old} to {price}"
            if old == price:
                grown = f"grows {called(hotel)} to {new} tiles, at {price} as before"
            return f"{grown}; {_holders(after, hotel)}"
    return "changes no hotel"


def _order(state: State, order: Order) -> str:
    """Return what an order does for the hotel in which the mover's bonus rises most."""
    mover, after = state.mover.name, buy(state, order)
    if not order:
        return f"keeps {dollars(state.mover.cash)} in cash"

    def rise(hotel: int) -> int:
        return _bonus(after, hotel, mover) - _bonus(state, hotel, mover)

    hotel = max(sorted({*order}), key=rise)
    bonus, others = _bonus(after, hotel, mover), [each.shares[hotel] for each in after.players[1:]]
    own, best = after.mover.shares[hotel], max(others, default=0)
    which = "majority" if own > best else "tied majority" if own == best else "minority"
    holders = _holders(after, hotel, without=mover)
    if not bonus:
        return f"gets no bonus of {state.rulebook.hotel_name(hotel)} yet; {holders}"
    verb = "takes" if rise(hotel) > 0 else "strengthens"
    return f"{verb} a {dollars(bonus)} {which} of {state.rulebook.hotel_name(hotel)}; {holders}"


def _bonus(state: State, hotel: int, name: str) -> int:
    paid = bonuses_for(state.rulebook, hotel, state.price(hotel), state.players)
    return sum(bonus.amount for bonus in paid if bonus.name == name)


def _holders(state: State, hotel: int, without: str = "") -> str:
    """Return who holds most certificates of a hotel."""
    held = [(each.name, each.shares[hotel]) for each in state.players if each.name != without]
    most = _foremost([each for each in held if each[1]])
    words = [f"{name} {'' if at else 'holds '}{count}" for at, (name, count) in enumerate(most)]
    return listed(words) if words else f"nobody{' else' if without else ''} holds any"


def _foremost(amounts: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return the two with the largest amounts, and whoever ties with the second."""
    ranked = sorted(amounts, key=lambda each: (-each[1], each[0]))
    return [each for each in ranked if each[1] >= ranked[:2][-1][1]]


# -- turning points -------------------------------------------------------------------------------


def _in_percent(point: TurningPoint) -> tuple[int, int, list[int]]:
    """Return the chance of its seat before and after, and what each decision and the draw changed.

    Changes follow from the chances as they are printed, so what is said of them agrees with these.
    """
    shares = point.before, *(after for _, after in point.steps), point.after
    shown = [int(number(each[point.seat] * 100)) for each in shares]
    return shown[0], shown[-1], [after - before for before, after in pairwise(shown)]


def point_words(point: TurningPoint, names: Sequence[str]) -> str:
    """Return how the chance has changed for whom it changed most, and by what."""
    (before, after, (*parts, drawn)), at = _in_percent(point), point.decisive
    text = f"{printable(names[point.seat])} from {before} % to {after} %"
    if not point.steps:
        return text
    draw = f"{_points(drawn)} by the draw"
    if at is None:
        return f"{text}: {_points(sum(parts))} by decisions, {draw}"
    decision = point.steps[at][0]
    chosen = decision.options[decision.recorded].text
    others = sum(parts) - parts[at]
    return (
        f"{text}: {_points(parts[at])} by \N{LEFT DOUBLE QUOTATION MARK}{chosen}"
        f"\N{RIGHT DOUBLE QUOTATION MARK} of {printable(decision.name)}"
        f"{f', {_points(others)} by other decisions' if others else ''}, {draw}"
    )


def _points(change: int) -> str:
    """Write a change in percentage points, with a minus sign."""
    return f"{change:+}".replace("-", "\N{MINUS SIGN}")


def _in_points(count: int) -> str:
    return f"{_points(count)} point{'' if abs(count) == 1 else 's'}"


# -- what decided a match for one player ----------------------------------------------------------
# All figures are of games that chose nothing: the turn was found by other games than those that
# give its chances, and so was the decision.


def cost_words(cost: Cost) -> str:
    """Return what a decision has cost; points of chance where they were surely lost."""
    (lead, low, high), interval = cost.lead, ""
    if low is not None and high is not None and low < high:
        interval = f" ({INTERVAL} {dollars(low)} to {dollars(high)})"
    lost = [f"{dollars(lead)} of lead{interval}"] if lead > 0 else []
    if is_loss(cost.win):
        lost.append(f"{plural(int(number(cost.win.value * 100)), 'point')} of chance")
    return listed(lost)


class Decided:
    """What decided a match for ``name``, as far as the analysis came."""

    def __init__(self, analysis: Analysis, name: str) -> None:
        self._analysis, self._name = analysis, name
        self._seat = analysis.work.table.names.index(name)
        self._point = analysis.decisive.get(name)
        self._mover, self._drew, turn = "", list[str](), 0
        if self._point is not None:
            turn, log = self._point.turn, analysis.log
            self._mover = log.turns[turn][1].mover.name
            self._drew = [tile_name(tile) for tile in log.drew.get(turn, [])]
        self._costly = analysis.costly(name)
        self._costly.sort(key=lambda each: each.decision.turn != turn)  # else the most costly

    def sentences(self) -> list[str]:
        """Return three sentences: the decisive turn, the player's own choices, luck."""
        if self._point is None:
            return ["The analysis was stopped too early to say what decided the game."]
        return [self._turn(self._point), self._own_choices(), self._luck(self._point)]

    def _chance(self, turn: int) -> Estimate:
        return self._analysis.chances[turn].win[self._seat]

    def _turn(self, point: TurningPoint) -> str:
        name, begun = self._name, _percent(self._chance(point.turn))
        before, after, parts = _in_percent(point)
        ending = f"{after} %"
        if point.turn + 1 in self._analysis.chances:
            ending = _percent(self._chance(point.turn + 1))
        has_won = self._analysis.won and self._analysis.won[self._seat]
        verb = "helped" if has_won else "hurt"
        whose = "its own" if self._mover == name else f"that of {self._mover}"
        if not (after > before if has_won else after < before):
            went = f"stayed at {begun}" if after == before else f"went from {begun} to {ending}"
            return (
                f"No turn is known to have {verb} {name} most: some games found {point.turn}, "
                f"{whose}, but in others the chance to win {went}."
            )
        by_decision = ""
        if point.decisive is not None:
            decision, part = point.steps[point.decisive][0], parts[point.decisive]
            by_decision = (
                f", where “{decision.options[decision.recorded].text}” of {decision.name} alone "
                f"made {_in_points(part)}: it {option_reason(decision, decision.recorded)}"
            )
        return (
            f"The turn that {verb} {name} most was {point.turn}, {whose}, as some games found: "
            f"in others the chance to win went from {begun} to {ending}{by_decision}."
        )

    def _own_choices(self) -> str:
        found = self._costly[0] if self._costly else None
        if found is None or found.found.cost is None:
            done = sum(each.decision.name == self._name for each in self._analysis.valued)
            return (
                f"None of the {plural(done, 'decision')} of {self._name} was found to be costly: "
                f"to lose {dollars(COSTLY_LEAD)} of lead, or {COSTLY_WIN * 100:.0f} points of "
                "chance."
            )
        cost, decision = found.found.cost, found.decision
        chose, better = (decision.options[at.option].text for at in (cost.recorded, cost.better))
        count = len(self._costly)
        which = f"worst of {count} costly decisions" if count > 1 else "only costly decision"
        return (
            f"The {which} of {self._name} was in turn {decision.turn}: against “{better}”, "
            f"“{chose}” cost {cost_words(cost)}; "
            f"the better one {option_reason(decision, cost.better.option)}."
        )

    def _luck(self, point: TurningPoint) -> str:
        first = self._chance(min(self._analysis.chances))
        begun = f"Luck: {self._name} began with a chance of {_percent(first)}"
        if not point.steps:
            return f"{begun}; what the draws of that turn changed is not known."
        drew = f" ({listed(self._drew)} drawn by {self._mover})" if self._drew else ""
        *_, by_draw = _in_percent(point)[2]
        changed = f"it by {_in_points(by_draw)}" if by_draw else "nothing"
        return f"{begun}; the draw of that turn{drew} changed {changed}."

    def fields(self) -> dict[str, Any]:
        """Return it for a program; chances are shares of the games, leads are in dollars."""
        point, found = self._point, self._costly[0] if self._costly else None
        cost = found.found.cost if found else None
        return {
            "sentences": self.sentences(),
            "whole": self._analysis.is_whole,
            "turn": point and point.turn,
            "mover": self._mover,
            "before": point and estimate_json(self._chance(point.turn)),
            "after": point and point.after[point.seat],
            "by_draw": point.by_draw if point else 0.0,
            "drew": self._drew,
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
    found = f"{number(chance.value * 100)} %"
    if chance.low is None or chance.high is None:
        return found
    return f"{found} ({number(chance.low * 100)} to {number(chance.high * 100)} %)"
