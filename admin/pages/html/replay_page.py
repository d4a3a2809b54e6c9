"""The viewer's page: of a recorded game or of a live one.

It is one file that needs nothing else, or one of many pages that share the viewer's files.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from ....game.market import takes_part
from ....game.rulebook import DisposalRule, Hands
from ...refereeing.log.reader import RecordedGame
from ...refereeing.log.recorder import Header
from ...refereeing.log.verifier import Verification
from ...refereeing.view.board_text import initial
from ...refereeing.view.frames import LAYING, Frame, frames_of, hidden_assets, turn_order
from ...refereeing.view.palette import HOTEL_COLORS
from ...refereeing.view.sentences import missing
from .html_page import asset, content_security_policy, embedded, nonce, script, stylesheet, template


def page(record: RecordedGame) -> str:
    """Write the page of a recorded game, as far as its log holds."""
    return page_and_verdict(record)[0]


def page_and_verdict(
    record: RecordedGame,
    analysis: Mapping[str, Any] | None = None,
    retry: str = "",
    analysing: str = "",
) -> tuple[str, Verification]:
    """Write the page of a recorded game; return it, and how far its log holds.

    ``analysis`` is shown beside the game: plain values, as ``acquire.admin.studying.analysis``
    writes them; while they are found, they come from the event stream at ``analysing``. ``retry``
    is the command that plays the game on from a turn, without the turn.
    """
    frames, verdict = frames_of(record)
    data, style = _data(record.header, frames, missing(record, verdict)), _style()
    if analysed := analysis is not None or bool(analysing):
        data |= {"analysis": analysis, "analysing": analysing, "retry": retry}
        style += Markup(asset(__package__, "why.css"))
    return _written(record.header, data, style, analysed=analysed), verdict


def live_page(
    header: Header,
    *,
    events: str,
    seed: str,
    waited: float,
    title: str,
    above: Markup,
    own_style: Markup,
    own_script: Markup,
) -> str:
    """Write the page of a game whose steps come from the event stream at ``events``.

    ``seed`` is shown in place of the seed. ``waited`` is for how many seconds nothing has happened.
    The page's own script runs before the viewer's, and follows the stream.
    """
    data, style = _data(header, (), ""), _style() + own_style
    data["match"]["seed"] = seed
    data |= {"events": events, "policy": content_security_policy(style, _scripts())}
    data |= {"waited": round(waited, 1), "clocks": [seat.clock for seat in header.seats]}
    return _written(header, data, style, own_script, title=title, above=above)


def game_fields(header: Header) -> dict[str, Any]:
    """Return what a viewer has to know of a game beside its steps."""
    rulebook = header.rulebook
    return {
        "rulebook": rulebook.id,
        "title": rulebook.title,
        "date": header.date,
        "seed": str(header.seed),  # a number of JavaScript is too short for it
        "hotels": [
            {
                "name": hotel.name,
                "letter": initial(rulebook, index),
                "fill": HOTEL_COLORS[index].fill,
                "ink": HOTEL_COLORS[index].ink,
                "prices": _without_repeats(rulebook.prices[index]),
            }
            for index, hotel in enumerate(rulebook.hotels)
        ],
        "safe": rulebook.safe_size,
        "bonuses": len(rulebook.bonus_multiples),
        "market": takes_part(rulebook, len(header.seats)),
        "trades": rulebook.disposal is DisposalRule.HOLD_SELL_TRADE,
        "final": rulebook.final_size,
        "certificates": rulebook.certificates,
        "laying": sorted(LAYING),
        "seats": [
            {"name": seat.name, "strategy": seat.strategy or "", "number": number}
            for seat, number in zip(header.seats, turn_order(header), strict=True)
        ],
        "hands": "open" if rulebook.hands is Hands.OPEN else "hidden",
        "hidden": hidden_assets(rulebook),
    }


def _without_repeats(prices: Sequence[int]) -> list[int]:
    """Return prices by size up to the last that differs, which all larger sizes have too."""
    end = len(prices)
    while end > 1 and prices[end - 1] == prices[end - 2]:
        end -= 1
    return list(prices[:end])


def shared_files() -> dict[str, bytes]:
    """Return the files of the viewer, by name, for pages that share them."""
    return {"viewer.css": _style().encode(), "viewer.js": _scripts().encode()}


def page_beside_others(
    header: Header,
    steps: Sequence[Frame],
    notice: str,
    first: int,
    printed: Mapping[int, Mapping[str, Any]],
    *parts: Markup,
) -> str:
    """Write the page of a game that shares the viewer's files, in the folder above, with others.

    It opens at the step with the number ``first``. ``printed`` is what programs have printed, by
    seat, from 0: ``turns`` with their texts, where 0 is before the first turn, and whether the
    beginning is ``cut``. The three ``parts`` are above the title, between it and the board, and
    below all.
    """
    data = embedded(_data(header, steps, notice) | {"open": first, "printed": printed})
    source = nonce(data, *parts)
    return _rendered(
        header,
        policy=content_security_policy(source, source),
        nonce=source.split("-", 1)[1].rstrip("'"),
        data=data,
        shared="../",
        printed=printed,
        **dict(zip(("above", "between", "below"), parts, strict=True)),
    )


def _written(
    header: Header, data: Frame, style: Markup, live_script: str = "", **fields: Any
) -> str:
    """Write a page with everything inside."""
    connects = bool(live_script or data.get("analysing"))
    policy = content_security_policy(style, _scripts(), live_script, connects=connects)
    inside = {"policy": policy, "style": style, "script": _scripts(), "data": embedded(data)}
    return _rendered(header, live_script=live_script, **inside, **fields)


def _rendered(header: Header, **fields: Any) -> str:
    """Fill in the template; what a page does not have is empty."""
    texts = ("above", "between", "below", "printed", "title", "live_script")
    empty = {**dict.fromkeys(texts, ""), "shared": None, "analysed": False}
    names = ", ".join(header.names)
    market = takes_part(header.rulebook, len(header.seats))
    page = template(__package__, "viewer.html.jinja")
    return page.render(empty | fields, names=names, market=market)


def _style() -> Markup:
    return stylesheet(__package__, "viewer.css")


def _scripts() -> Markup:
    return script(__package__, "viewer.js")


def _data(header: Header, steps: Sequence[Frame], notice: str) -> dict[str, Any]:
    return {"match": game_fields(header), "steps": steps, "notice": notice, "events": ""}
