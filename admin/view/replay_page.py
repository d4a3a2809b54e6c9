"""The viewer's page: one file that needs nothing else, of a recorded match or of one under way."""

import base64
import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from admin.log.reader import Record
from admin.log.verifier import Verification, Verifier
from admin.log.writer import Header
from admin.match.events import Event
from admin.view.board_text import COLOURS, INK, initial
from admin.view.frames import Step, Steps
from admin.view.sentences import missing
from game.rulebook import Assets, Hands

HERE = Path(__file__).parent
SCRIPTS = ("text.js", "table.js", "merger.js", "plot.js", "viewer.js")
"""One script, in this order: texts, what is on the table, how it is shown, the way through."""


def page(record: Record) -> str:
    """Write the page of a recorded match, as far as its log holds."""
    return page_and_verdict(record)[0]


def page_and_verdict(record: Record) -> tuple[str, Verification]:
    """Write the page of a recorded match, and say how far its log holds."""
    steps = Steps(record.header)
    told = [steps.begin()]

    def take(event: Event) -> None:
        told.extend(steps.take(event))

    verdict = Verifier(record, take).verify()
    return _written(record.header, told, missing(record, verdict), events=None), verdict


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
                "colour": COLOURS[index],
                "ink": INK[index],
                "prices": list(rulebook.prices[index]),
            }
            for index, hotel in enumerate(rulebook.hotels)
        ],
        "safe": rulebook.safe_size,
        "final": rulebook.final_size,
        "certificates": rulebook.certificates,
        "seats": [{"name": seat.name, "strategy": seat.strategy or ""} for seat in header.seats],
        "hands": "open" if rulebook.hands is Hands.OPEN else "hidden",
        "assets": "hidden" if rulebook.assets is Assets.HIDDEN else "open",
    }


def _written(header: Header, steps: list[Step], notice: str, events: str | None) -> str:
    script, style = "\n".join(map(asset, SCRIPTS)), asset("viewer.css")
    connect = "connect-src 'self'; " if events else ""
    policy = (
        f"default-src 'none'; {connect}script-src {digest(script)}; style-src {digest(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    data = {
        "match": match_fields(header),
        "steps": steps,
        "notice": notice,
        "events": events or "",
    }
    written: str = _template().render(
        policy=policy,
        script=Markup(script),
        style=Markup(style),
        data=embedded(data),
        names=", ".join(seat.name for seat in header.seats),
    )
    return written


@cache
def _template() -> Any:
    environment = Environment(
        loader=PackageLoader("admin.view", "."), autoescape=True, undefined=StrictUndefined
    )
    return environment.get_template("viewer.html.jinja")


@cache
def asset(name: str) -> str:
    """Return a file of this folder as text, such as ``text.js``, which all pages begin with."""
    return (HERE / name).read_text(encoding="utf-8")


def digest(text: str) -> str:
    """Return what a content security policy knows a text by."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def embedded(fields: Any) -> Markup:
    """Write JSON so that it can stand in a script element, whatever texts are in it."""
    text = json.dumps(fields, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)
