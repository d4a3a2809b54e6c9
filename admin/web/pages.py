"""The pages as HTML: each holds its data, and a script that keeps them up to date."""

from functools import cache
from pathlib import Path
from typing import Any, cast

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from admin.log.writer import Header
from admin.view.replay_page import asset, digest, embedded, live_page

HERE = Path(__file__).parent
SEED = "in the log"
"""What is shown as the seed: whoever knew it would know the bag, and all hands of the match."""


@cache
def _template(name: str) -> Any:
    environment = Environment(
        loader=PackageLoader("admin.web", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)


@cache
def _own(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def lobby_page(fields: Any) -> str:
    """Write the page of the lobby."""
    script, style = f"{asset('text.js')}\n{_own('lobby.js')}", _own("lobby.css")
    policy = (
        f"default-src 'none'; connect-src 'self'; script-src {digest(script)}; "
        f"style-src {digest(style)}; base-uri 'none'; form-action 'none'"
    )
    page: str = _template("lobby.html.jinja").render(
        policy=policy, script=Markup(script), style=Markup(style), data=embedded(fields)
    )
    return page


def match_page(header: Header, events: str) -> str:
    """Write the viewer's page of a match whose steps come by a stream of events.

    The seed stays untold when it is over as well: a server can play all its matches by one.
    """
    return live_page(header._replace(seed=cast(int, SEED)), events)
