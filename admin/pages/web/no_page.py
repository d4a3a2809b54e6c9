"""What a browser is shown where there is no page: why, and where to go on."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from ..html.html_page import content_security_policy, stylesheet, template


class NoPage(HTTPException):
    """There is no page, for a reason that a person can read."""


def no_page(
    unknown: str, ways: Callable[[Request], Iterable[tuple[str, str]]]
) -> Mapping[Any, Callable[[Request, Exception], Response]]:
    """Return handlers of an application: of an ``HTTPException`` they make a page.

    It has the sentence of a :class:`NoPage`, else ``unknown``, and ``ways`` to go on: what
    they are called, with their addresses.
    """

    def answer(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        style = stylesheet("acquire.admin.pages.html", "page.css")
        text = template(__package__, "no_page.html.jinja").render(
            policy=content_security_policy(style),
            style=style,
            why=error.detail if isinstance(error, NoPage) else unknown,
            ways=ways(request),
            heading="Not now" if error.status_code == 409 else "Nothing here",
        )
        return HTMLResponse(text, error.status_code)

    return {404: answer, 409: answer}
