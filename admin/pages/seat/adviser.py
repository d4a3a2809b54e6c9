"""What a built-in player would do in the person's place, with the person's own knowledge.

It is sent the position as the person was sent it, and nothing else. It begins anew each time, since
what it would have done before is of no use.
"""

from collections.abc import Sequence
from typing import Any

from ....game.placement import Kind, Placement, kind_of
from ....game.purchase import Order, cost
from ....game.tiles import tile_name
from ....protocol import messages
from ....protocol.knowledge import Knowledge
from ....protocol.messages import PlayerMessage
from ....protocol.plugins import load_strategy
from ....protocol.question import Question
from ...refereeing.view.frames import cell_of
from ...refereeing.view.plain_text import dollars, listed, plural

ADVISER = "planner"
"""The built-in player that is asked."""
CLOSE = 50
"""Dollars of lead that make no difference."""


def suggestion(knowledge: Knowledge, asked: Question) -> dict[str, Any]:
    """Return the adviser's answer to a question: as a draft, in words, and with its reason."""
    answer, reason = consult(knowledge, asked)
    draft, actions = _drafted(asked, answer)
    text = f"Suggestion of the built-in player {ADVISER}: {listed(actions)}."
    return {"draft": draft, "text": text, "reason": reason}


def consult(knowledge: Knowledge, asked: Question) -> tuple[PlayerMessage, str]:
    """Return what the adviser answers to a question, and why, measured as it measures itself."""
    adviser: Any = load_strategy(ADVISER)(knowledge.rulebook, 0)
    message = asked.message
    adviser(messages.SignUp(knowledge.name))
    if knowledge.known is not None:
        adviser(messages.StateView(knowledge.known.view))
    if isinstance(message, messages.Players):  # it has not made the merger itself
        answer = adviser(messages.PlayersView(asked.known.view))
    else:
        answer = adviser(message)
    return answer, _reason(asked, answer, adviser.compared)


def _reason(asked: Question, answer: PlayerMessage, compared: dict[str, Any]) -> str:
    """Say by how much lead the choice beats the next best; empty if there was no choice.

    ``compared`` has by question the leads that the options promise, the best first.
    """
    placed = [(lead, one) for lead, one in compared.get("place", ()) if one is not None]
    others = [(lead, one) for lead, one in placed if one.tile != placed[0][1].tile]
    if others:
        best, other = tile_name(placed[0][1].tile), tile_name(others[0][1].tile)
        return _ahead(placed[0][0] - others[0][0], best, f"{other}, your next best tile")
    match answer:
        case messages.Pbuy() | messages.Order():
            nothing = next((lead for lead, order in compared["order"] if not order), None)
            if nothing is None or not compared["order"][0][1]:
                return "" if nothing is None else "No purchase promises more than the cash for it."
            return _ahead(compared["order"][0][0] - nothing, "this purchase", "buying nothing")
        case messages.Merge():
            options = compared.get("place", ())
        case _:
            options = compared.get("settle", ())
    return _ahead(options[0][0] - options[1][0], "this", "the next best") if options[1:] else ""


def _ahead(difference: float, what: str, other: str) -> str:
    if difference < CLOSE:
        return f"It makes little difference: {what} promises about the same lead as {other}."
    lead = dollars(10 * round(difference / 10))
    found = f"{ADVISER} expects {what} to leave you {lead} further ahead than {other}."
    return f"{found} It counts cash, growth and the mergers that are likely."


def _drafted(asked: Question, answer: PlayerMessage) -> tuple[dict[str, Any], Sequence[str]]:
    """Return an answer as the page's draft, and what it does."""
    state, name = asked.state, asked.known.rulebook.hotel_name
    match answer:
        case messages.Pbuy(None, order, end) | messages.Order(order, end):
            return {"order": [*order], "end": end}, _ordering(asked, None, order, end)
        case messages.Pbuy(Placement() as placement, order, end):
            actions = [_placing(asked, placement), *_ordering(asked, placement, order, end)]
            return _placed(placement) | {"order": [*order], "end": end}, actions
        case messages.Merge(placement):
            return _placed(placement), [_placing(asked, placement)]
        case messages.KeepAnswer(decisions):
            assert isinstance(asked.message, messages.Keep)
            own = state.player(asked.name).shares
            actions = [
                ("keep " if keeps else "return ") + plural(own[hotel], f"{name(hotel)} certificate")
                for hotel, keeps in zip(asked.message.hotels, decisions, strict=True)
                if own[hotel]
            ]
            return {"keep": [*decisions]}, actions or ["go on"]
        case messages.DisposeAnswer(sell, trade):
            assert isinstance(asked.message, messages.Dispose)
            held = state.player(asked.name).shares[asked.message.hotel] - sell - trade
            counts = {"sell": sell, "trade": trade, "hold": held}
            draft = {"sell": sell, "trade": trade}
            return draft, [f"{verb} {count}" for verb, count in counts.items() if count]
        case messages.ReplaceAnswer(replaces):
            return {"replace": replaces}, ["have a new hand" if replaces else "keep this hand"]
    raise AssertionError(f"{answer} answers no question of a page")


def _placed(placement: Placement) -> dict[str, Any]:
    equals = [*placement.equals] or None
    return {"cell": cell_of(placement.tile), "hotel": placement.hotel, "equals": equals}


def _placing(asked: Question, placement: Placement) -> str:
    text = f"place {tile_name(placement.tile)}"
    if placement.hotel is None:
        return text
    name = asked.known.rulebook.hotel_name(placement.hotel)
    merging = kind_of(asked.state.board, placement.tile) is Kind.MERGING
    return f"{text}, so that {name} survives" if merging else f"{text}, founding {name}"


def _ordering(asked: Question, placement: Placement | None, order: Order, end: bool) -> list[str]:
    state, name = asked.ordering(placement), asked.known.rulebook.hotel_name
    bought = listed([f"{order.count(hotel)} {name(hotel)}" for hotel in sorted(set(order))])
    buying = f"buy {bought} for {dollars(cost(state, order))}" if order else "buy nothing"
    return [buying, *(["declare the end"] if end else [])]
