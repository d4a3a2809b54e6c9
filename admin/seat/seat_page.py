"""The page of a seat: the viewer's board and tables, and a panel for one's own move."""

from functools import cache
from typing import Any

from jinja2 import Template
from markupsafe import Markup

from admin.view.html_page import (
    asset,
    content_security_policy,
    embedded,
    script,
    stylesheet,
    template,
)


def playing_page(match: dict[str, Any]) -> str:
    """Write the page of a match that has begun."""
    return _page(match, script(("admin.view", "table.js"), ("admin.seat", "seat.js")))


def waiting_page() -> str:
    """Write the page before the match has begun; it loads again as soon as it has."""
    return _page(None, script(("admin.seat", "waiting.js")))


def _page(match: dict[str, Any] | None, scripts: Markup) -> str:
    style = Markup(stylesheet("admin.view", "viewer.css") + asset("admin.seat", "seat.css"))
    return _template().render(
        policy=content_security_policy(style, scripts, connects=True),
        style=style,
        script=scripts,
        begun=match is not None,
        data=embedded({"match": match, "steps": [], "notice": "", "events": "events"}),
    )


@cache
def _template() -> Template:
    return template("admin.seat", "seat.html.jinja")
