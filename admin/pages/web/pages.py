"""The live pages: each holds its data, and a script that keeps it up to date."""

from typing import Any

from markupsafe import Markup

from ...refereeing.log.recorder import Header
from ...refereeing.view.palette import HOTEL_COLORS
from ..html.html_page import asset, content_security_policy, embedded, stylesheet, template
from ..html.joined_script import script, script_beside
from ..html.replay_page import Live, live_page

SEED = "in the log"
"""Shown in place of the seed, from which the bag and all hands follow."""


def lobby_page(fields: Any) -> str:
    """Write the page of the lobby."""
    scripts = script("acquire.admin.pages.web", "lobby.js")
    style = stylesheet("acquire.admin.pages.web", "lobby.css") + _hotel_css()
    return template("acquire.admin.pages.web", "lobby.html.jinja").render(
        policy=content_security_policy(style, scripts, connects=True),
        style=style,
        script=scripts,
        data=embedded(fields),
    )


def _hotel_css() -> Markup:
    """Return the colors of the hotels on small boards, where a digit stands for each."""
    return Markup("").join(
        Markup(f".games .cell-{digit} {{ fill: {fill}; }}\n.letter-{digit} {{ fill: {ink}; }}\n")
        for digit, (fill, ink) in enumerate(HOTEL_COLORS, 1)
    )


def live_game_page(header: Header, path: str) -> str:
    """Write the viewer's page of a game at ``path``, whose steps come by a stream of events.

    The seed is hidden even after the game: a referee can deal all its games by one.
    """
    live = Live(
        f"{path}/events",
        SEED,
        Markup(template("acquire.admin.pages.web", "around.jinja").render(path=path)),
        Markup(asset("acquire.admin.pages.web", "live.css")),
        script_beside("acquire.admin.pages.web", "live.js"),
    )
    return live_page(header, live)
