"""The viewer's page: one file that needs nothing else, of a recorded match or of a live one."""

from functools import cache
from typing import Any

from jinja2 import Template

from admin.log.reader import RecordedMatch
from admin.log.verifier import Verification, Verifier
from admin.log.writer import Header
from admin.match.events import Event
from admin.view.board_text import initial
from admin.view.frames import Frame, Frames
from admin.view.html_page import (
    content_security_policy,
    embedded,
    script,
    stylesheet,
    template,
)
from admin.view.palette import HOTEL_COLORS
from admin.view.redaction import hidden_assets
from admin.view.sentences import missing
from game.market import takes_part
from game.rulebook import Hands

SCRIPTS = ("table.js", "merger.js", "plot.js", "viewer.js")
"""In the order in which they use each other."""


def page(record: RecordedMatch) -> str:
    """Write the page of a recorded match, as far as its log holds."""
    return page_and_verdict(record)[0]


def page_and_verdict(record: RecordedMatch) -> tuple[str, Verification]:
    """Write the page of a recorded match; return it, and how far its log holds."""
    maker = Frames(record.header)
    frames = [maker.begin()]

    def take(event: Event) -> None:
        frames.extend(maker.take(event))

    verdict = Verifier(record, take).verify()
    return _written(record.header, frames, missing(record, verdict), events=None), verdict


def live_page(header: Header, events: str) -> str:
    """Write the page of a match whose steps come from an event stream at ``events``."""
    return _written(header, [], "", events)


def match_fields(header: Header) -> dict[str, Any]:
    """Return what a viewer has to know of a match beside its steps."""
    rulebook = header.rulebook
    return {
        "rulebook": rulebook.id,
        "title": rulebook.title,
        "seed": str(header.seed),  # a number of JavaScript is too short for it
        "hotels": [
            {
                "name": hotel.name,
                "letter": initial(rulebook, index),
                "fill": HOTEL_COLORS[index].fill,
                "ink": HOTEL_COLORS[index].ink,
                "prices": list(rulebook.prices[index]),
            }
            for index, hotel in enumerate(rulebook.hotels)
        ],
        "safe": rulebook.safe_size,
        "final": rulebook.final_size,
        "certificates": rulebook.certificates,
        "seats": [{"name": seat.name, "strategy": seat.strategy or ""} for seat in header.seats],
        "hands": "open" if rulebook.hands is Hands.OPEN else "hidden",
        "hidden": hidden_assets(rulebook),
    }


def _written(header: Header, steps: list[Frame], notice: str, events: str | None) -> str:
    scripts = script(*(("admin.view", name) for name in SCRIPTS))
    style = stylesheet("admin.view", "viewer.css")
    data = {
        "match": match_fields(header),
        "steps": steps,
        "notice": notice,
        "events": events or "",
    }
    return _template().render(
        policy=content_security_policy(style, scripts, connects=bool(events)),
        style=style,
        script=scripts,
        data=embedded(data),
        names=", ".join(seat.name for seat in header.seats),
        market=takes_part(header.rulebook, len(header.seats)),
    )


@cache
def _template() -> Template:
    return template("admin.view", "viewer.html.jinja")
