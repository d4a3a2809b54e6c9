"""The live pages: each holds its data, and a script that keeps it up to date."""

from functools import cache
from typing import Any, cast

from jinja2 import Template

from admin.log.writer import Header
from admin.view.html_page import content_security_policy, embedded, script, stylesheet, template
from admin.view.replay_page import live_page

SEED = "in the log"
"""Shown in place of the seed, from which the bag and all hands follow."""


@cache
def _template() -> Template:
    return template("admin.web", "lobby.html.jinja")


def lobby_page(fields: Any) -> str:
    """Write the page of the lobby."""
    scripts, style = script(("admin.web", "lobby.js")), stylesheet("admin.web", "lobby.css")
    return _template().render(
        policy=content_security_policy(style, scripts, connects=True),
        style=style,
        script=scripts,
        data=embedded(fields),
    )


def match_page(header: Header, events: str) -> str:
    """Write the viewer's page of a match whose steps come by a stream of events.

    The seed is hidden even after the match: a server can play all its matches by one.
    """
    return live_page(header._replace(seed=cast(int, SEED)), events)
