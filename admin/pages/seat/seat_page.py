"""The page of a seat: the viewer's board and tables, and a panel for one's own move."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from ..html.html_page import asset, content_security_policy, embedded, stylesheet, template
from ..html.joined_script import script
from .introduction import GuideSection


def playing_page(game: dict[str, Any], sections: Sequence[GuideSection]) -> str:
    """Write the page of a game that has begun; ``sections`` introduce Acquire."""
    return _page(game, sections, script("acquire.admin.pages.seat", "seat.js"))


def waiting_page(sections: Sequence[GuideSection]) -> str:
    """Write the page before the game has begun; it loads again as soon as it has."""
    return _page(None, sections, script("acquire.admin.pages.seat", "waiting.js"))


def door_page(clock: str) -> str:
    """Write the page on which people take a seat; ``clock`` are the seconds for a move."""
    style = stylesheet("acquire.admin.pages.seat", "door.css")
    scripts = script("acquire.admin.pages.seat", "door.js")
    return template("acquire.admin.pages.seat", "door.html.jinja").render(
        policy=content_security_policy(style, scripts, connects=True),
        style=style,
        script=scripts,
        clock=clock,
    )


def _page(game: dict[str, Any] | None, sections: Sequence[GuideSection], scripts: Markup) -> str:
    style = stylesheet("acquire.admin.pages.html", "viewer.css") + Markup(
        asset("acquire.admin.pages.seat", "seat.css")
    )
    return template("acquire.admin.pages.seat", "seat.html.jinja").render(
        policy=content_security_policy(style, scripts, connects=True),
        style=style,
        script=scripts,
        begun=game is not None,
        rulebook="" if game is None else game["rulebook"],
        sections=sections,
        data=embedded({"match": game, "steps": [], "notice": "", "events": "events"}),
    )
