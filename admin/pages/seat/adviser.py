"""What a built-in player would do in the person's place, with the person's own knowledge.

It is sent the position as the person was sent it, and nothing else. It begins anew each time, since
what it would have done before is of no use.
"""

from typing import Any, NamedTuple

from ....game.disposal import TRADED_FOR_ONE
from ....game.merger import merge
from ....game.placement import Kind, Placement, kind_of, place
from ....game.purchase import Order, buy, cost
from ....game.state import State
from ....game.tiles import tile_name
from ....protocol import messages
from ....protocol.knowledge import Knowledge
from ....protocol.messages import PlayerMessage
from ....protocol.plugins import load_strategy
from ....protocol.question import Question
from ...refereeing.view.frames import cell_of
from ...refereeing.view.plain_text import dollars, listed, plural
from .choice_hints import Hints

ADVISER = "planner"
"""The built-in player that is asked."""


class Advice(NamedTuple):
    """An answer as the page's draft, what it does, and the reasons in figures."""

    draft: dict[str, Any]
    actions: list[str]
    reasons: list[str]


def suggestion(knowledge: Knowledge, asked: Question) -> dict[str, Any]:
    """Return the adviser's answer to a question: as a draft, in words, and with reasons."""
    draft, actions, reasons = _advice(knowledge.seated, asked, _ask(knowledge, asked))
    text = f"Suggestion of the built-in player {ADVISER}: {listed([*filter(None, actions)])}."
    return {"draft": draft, "text": text, "reasons": [*filter(None, reasons)]}


def _ask(knowledge: Knowledge, asked: Question) -> PlayerMessage:
    adviser, message = load_strategy(ADVISER)(knowledge.rulebook, 0), asked.message
    adviser(messages.SignUp(knowledge.name))
    if knowledge.known is not None:
        adviser(messages.StateView(knowledge.known.view))
    if isinstance(message, messages.Players):  # it has not made the merger itself
        return adviser(messages.PlayersView(asked.known.view))
    return adviser(message)


def _advice(seats: int, asked: Question, answer: PlayerMessage) -> Advice:
    state, hints = asked.state, Hints(asked.known, asked.name, seats)
    match asked.message, answer:
        case _, messages.Pbuy(None, order, end):
            return _order(hints, hints, order, end)
        case _, messages.Pbuy(Placement() as placement, order, end):
            after = place(state, placement)
            bought = _order(hints.at(after), hints, order, end)
            alone = kind_of(state.board, placement.tile) is Kind.SINGLETON
            reason = "" if alone else f"{tile_name(placement.tile)}: {hints.tile(placement.tile)}"
            return Advice(
                {"cell": cell_of(placement.tile)} | _hotels(placement) | bought.draft,
                [_placing(state, placement), *bought.actions],
                [reason, *bought.reasons, hints.leads()],
            )
        case messages.MarketMerger(), messages.Merge(placement):
            return Advice(
                _hotels(placement), [_placing(state, placement)], _merging(hints, placement)
            )
        case _, messages.Merge(placement):
            draft = {"cell": cell_of(placement.tile)} | _hotels(placement)
            reasons = [*_merging(hints, placement), hints.leads()]
            return Advice(draft, [_placing(state, placement)], reasons)
        case _, messages.Order(order, end):
            return _order(hints, hints, order, end)
        case messages.Keep(hotels), messages.KeepAnswer(decisions):
            own, name = state.player(asked.name).shares, state.rulebook.hotel_name
            actions = [
                ("keep " if keeps else "return ") + plural(own[hotel], f"{name(hotel)} certificate")
                for hotel, keeps in zip(hotels, decisions, strict=True)
                if own[hotel]
            ]
            reasons = [hints.kept(hotel, own[hotel], asked.price(hotel)) for hotel in hotels]
            return Advice({"keep": [*decisions]}, actions or ["go on"], reasons)
        case messages.Dispose(hotel, price, survivor), messages.DisposeAnswer(sell, trade):
            held = state.player(asked.name).shares[hotel] - sell - trade
            counts = {"sell": sell, "trade": trade, "hold": held}
            actions = [f"{verb} {count}" for verb, count in counts.items() if count]
            reasons = [hints.disposal(hotel, price, survivor)]
            if trade:
                gained = trade // TRADED_FOR_ONE
                count = state.player(asked.name).shares[survivor] + gained
                (standing,) = hints.held(survivor, [count])
                reasons.append(f"{state.rulebook.hotel_name(survivor)}, {standing}.")
            return Advice({"sell": sell, "trade": trade}, actions, reasons)
        case _, messages.ReplaceAnswer(replaces):
            action = "have a new hand" if replaces else "keep this hand"
            return Advice({"replace": replaces}, [action], [hints.replacement()])
    raise AssertionError(f"{answer} answers no question of a page")


def _placing(state: State, placement: Placement) -> str:
    text = f"place {tile_name(placement.tile)}"
    if placement.hotel is None:
        return text
    name = state.rulebook.hotel_name(placement.hotel)
    merging = kind_of(state.board, placement.tile) is Kind.MERGING
    return f"{text}, so that {name} survives" if merging else f"{text}, founding {name}"


def _hotels(placement: Placement) -> dict[str, Any]:
    equals = [*placement.equals] or None
    return {"hotel": placement.hotel, "equals": equals}


def _merging(hints: Hints, placement: Placement) -> list[str]:
    return [hints.survivor(placement), hints.worth(merge(hints.state, placement))]


def _order(hints: Hints, before: Hints, order: Order, end: bool) -> Advice:
    """Put an order into words; it is made in the position of ``hints``, after a placement."""
    state, name = hints.state, hints.rulebook.hotel_name
    counts = [(hotel, order.count(hotel)) for hotel in sorted(set(order))]
    bought = listed([f"{count} {name(hotel)}" for hotel, count in counts])
    price = dollars(cost(state, order))
    reasons = []
    for hotel, count in counts:
        (standing,) = hints.held(hotel, [state.mover.shares[hotel] + count])
        reasons.append(f"{name(hotel)}, {standing}.")
    return Advice(
        {"order": [*order], "end": end},
        [f"buy {bought} for {price}" if order else "buy nothing", "declare the end" if end else ""],
        [
            *reasons,
            before.worth(buy(state, order)),
            hints.at(buy(state, order)).ending() if end else "",
        ],
    )
