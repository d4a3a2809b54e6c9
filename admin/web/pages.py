"""The live pages: each holds its data, and a script that keeps it up to date."""

from functools import cache
from typing import Any, cast

from jinja2 import Template
from markupsafe import Markup

from ..log.writer import Header
from ..view.html_page import (
    asset,
    content_security_policy,
    embedded,
    script,
    stylesheet,
    template,
)
from ..view.palette import HOTEL_COLORS
from ..view.replay_page import Live, live_page

SEED = "in the log"
"""Shown in place of the seed, from which the bag and all hands follow."""


@cache
def _template() -> Template:
    return template("acquire.admin.web", "lobby.html.jinja")


@cache
def _around() -> Template:
    return template("acquire.admin.web", "around.jinja")


def lobby_page(fields: Any) -> str:
    """Write the page of the lobby."""
    scripts = script(("acquire.admin.web", "lobby_card.js"), ("acquire.admin.web", "lobby.js"))
    style = stylesheet("acquire.admin.web", "lobby.css") + _hotel_css()
    return _template().render(
        policy=content_security_policy(style, scripts, connects=True),
        style=style,
        script=scripts,
        data=embedded(fields),
    )


def _hotel_css() -> Markup:
    """Return the colors of the hotels on small boards, where a digit stands for each."""
    return Markup("").join(
        Markup(f".matches .cell-{digit} {{ fill: {fill}; }}\n.letter-{digit} {{ fill: {ink}; }}\n")
        for digit, (fill, ink) in enumerate(HOTEL_COLORS, 1)
    )


def match_page(header: Header, path: str) -> str:
    """Write the viewer's page of a match at ``path``, whose steps come by a stream of events.

    The seed is hidden even after the match: a server can play all its matches by one.
    """
    live = Live(
        f"{path}/events",
        Markup(_around().render(path=path)),
        Markup(asset("acquire.admin.web", "live.css")),
        Markup(asset("acquire.admin.web", "live.js")),
    )
    return live_page(header._replace(seed=cast(int, SEED)), live)
