"""What a built-in player would do in the person's place, with the person's own knowledge.

It is sent the position as the person was sent it, and nothing else. It begins anew each time, since
what it would have done before is of no use.
"""

from collections.abc import Iterator
from typing import Any

from ....game.placement import Placement
from ....game.tiles import tile_name
from ....protocol import messages
from ....protocol.knowledge import Knowledge
from ....protocol.messages import PlayerMessage
from ....protocol.plugins import load_strategy
from ....protocol.question import Question
from ...refereeing.view.frames import cell_of
from ...refereeing.view.plain_text import number

ADVISER = "planner"  # the built-in player that is asked
CLOSE = 50  # dollars of lead that make no difference


def suggestion(knowledge: Knowledge, asked: Question) -> dict[str, Any]:
    """Return the adviser's answer to a question: as the page's draft, and with its reason."""
    answer, reason = consult(knowledge, asked)
    return {"draft": _drafted(answer), "reason": reason}


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
    told = ", and ".join(_reasons(answer, adviser.compared))
    return answer, f"As {ADVISER}, a built-in player, sees it, {told}." if told else ""


def _reasons(answer: PlayerMessage, compared: dict[str, Any]) -> Iterator[str]:
    """Say by how much lead each choice beats the next best, if there was a choice.

    ``compared`` has by question the leads that the options promise, the best first.
    """
    placed = [(lead, one) for lead, one in compared.get("place", ()) if one is not None]
    others = [(lead, one) for lead, one in placed if one.tile != placed[0][1].tile]
    if others:
        best, other = tile_name(placed[0][1].tile), tile_name(others[0][1].tile)
        yield _ahead(placed[0][0] - others[0][0], best, f"{other}, your next best tile")
    match answer:
        case messages.Pbuy() | messages.Order():
            nothing = next((lead for lead, order in compared["order"] if not order), None)
            if nothing is not None and compared["order"][0][1]:
                more = compared["order"][0][0] - nothing
                yield _ahead(more, "this purchase", "buying nothing")
            elif nothing is not None:
                yield "no purchase is worth more to you than the cash for it"
        case _ if not others:
            options = compared.get("place" if isinstance(answer, messages.Merge) else "settle", ())
            if options[1:]:
                other = "the next best" if options[2:] else "the other choice"
                yield _ahead(options[0][0] - options[1][0], "this", other)


def _ahead(difference: float, what: str, other: str) -> str:
    if difference < CLOSE:
        return f"{what} is about as good as {other}"
    more = number(difference, -2 if difference >= 1000 else -1)
    return f"{what} leaves you about ${more} better off against your best rival than {other}"


def _drafted(answer: PlayerMessage) -> dict[str, Any]:
    match answer:
        case messages.Pbuy(None, order, end) | messages.Order(order, end):
            return {"order": [*order], "end": end}
        case messages.Pbuy(Placement() as placement, order, end):
            return _placed(placement) | {"order": [*order], "end": end}
        case messages.Merge(placement):
            return _placed(placement)
        case messages.KeepAnswer(decisions):
            return {"keep": [*decisions]}
        case messages.DisposeAnswer(sell, trade):
            return {"sell": sell, "trade": trade}
        case messages.ReplaceAnswer(replaces):
            return {"replace": replaces}
    raise AssertionError(f"{answer} answers no question of a page")


def _placed(placement: Placement) -> dict[str, Any]:
    equals = [*placement.equals] or None
    return {"cell": cell_of(placement.tile), "hotel": placement.hotel, "equals": equals}
