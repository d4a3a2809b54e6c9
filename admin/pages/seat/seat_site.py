"""The page's site: one page, one event stream, and answers by POST, under an unguessable path."""

import json
import subprocess
import tempfile
from collections.abc import AsyncIterator, Set
from pathlib import Path
from typing import Any, NamedTuple

import trio
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import BaseRoute, Mount, Route

from ....game.market import takes_part
from ....game.rulebook import BONUS_PLACES, Rulebook
from ...refereeing.log.reader import read
from ...refereeing.log.verifier import Verifier
from ...refereeing.view.plain_text import dollars, listed
from ..html.html_page import asset, embedded, script, stylesheet, template, whole_page
from ..html.replay_page import page, page_and_verdict
from ..web import application
from ..web.serving import start_python, wait_or_kill
from .adviser import ADVISER
from .choices import Refused
from .person import Person

MAX_ANSWER = 10_000  # bytes of an answer
MAX_DIGITS = 4  # digits of the number of a turn
LEVELS = {"easier": -1, "harder": 1}  # how many levels stronger opponents are in another game
LAUNCH = "from acquire.admin.cli.main import main; main()"
ANALYSE = """import sys
from acquire.admin.cli.replay_analysis import analyse_into
analyse_into(*sys.argv[1:])"""
NO_SEAT = "There is no such page. The address of your seat is printed by acquire play --browser."
USED = (
    "This address leads to a seat once, and has been used. The address that acquire play --browser "
    "printed still leads there. If you have not opened it before, somebody else on this machine "
    "has: stop the game with Ctrl-C, and start another."
)
LOOK_AGAIN = 0.5  # seconds between two looks at what an analysis has found


def lessons_of(rulebook: Rulebook, seats: int, level: int = 3) -> Markup:
    """Write what a first game of so many players needs of the rules, below headings of a level."""
    prices = [price for prices in rulebook.prices for price in prices if price]
    text = template(__package__, "lessons.jinja").render(
        level=level,
        rulebook=rulebook,
        market=takes_part(rulebook, seats),
        prices=(min(prices), max(prices)),
        off_board=listed(
            hotel.name
            for hotel, of_sizes in zip(rulebook.hotels, rulebook.prices, strict=True)
            if of_sizes[0]
        ),
        places=BONUS_PLACES,
    )
    return Markup(text)


async def json_body(request: Request, limit: int) -> bytes:
    """Return the body of a request; ``HTTPException`` if it is not JSON, or has more bytes.

    A page of another site cannot send JSON without asking first, which is refused.
    """
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise HTTPException(415, "Send JSON.")
    if len(body := await request.body()) > limit:
        raise HTTPException(413, f"Send at most {limit} bytes.")
    return body


class RetriedTurn(NamedTuple):
    """Where a game of the log is to be played again: from a turn, on the seat of ``name``."""

    log: Path
    turn: int
    name: str

    def fields(self, game: int) -> dict[str, Any]:
        """Return what the page says of it; ``game`` is the number of the game."""
        outcome = Verifier(read(self.log)).verify().outcome
        scores = [f"{one.name} {dollars(one.score)}" for one in outcome.standings]
        first = f"When it was first played: {listed(scores)}."
        return {"turn": self.turn, "game": game, "by": ADVISER, "first": first}


class Analysing(NamedTuple):
    """A process that analyses a game, its folder, and the file with what is ``known`` so far."""

    process: subprocess.Popen[bytes]
    folder: tempfile.TemporaryDirectory[str]
    known: Path


class SeatSite:
    """Answers requests for one person's page; ``streams`` counts the open pages."""

    def __init__(
        self,
        token: str,
        names: Set[str] = frozenset({application.LOCALHOST}),
        *,
        once: str = "",
        lobby: int = 0,
        again: bool = False,
        start: RetriedTurn | None = None,
    ) -> None:
        """The page is at the path ``token``, and answers to ``names`` and every address.

        The path ``once``, if there is one, leads to it a single time. ``lobby`` is the port of the
        lobby on the same host, if there is one. ``again`` is whether there can be another game,
        ``start`` where the wanted game begins, unless it is a new one.
        """
        self.person: Person | None = None
        self.logs = [] if start is None else [start.log]
        """The logs of the games that have ended, also elsewhere, if they are on this machine."""
        self.again, self.start = again, start
        self.wanted = trio.Event()  # set when another game is wanted
        self.harder = 0  # by how many levels its other players are to be stronger
        self.streams = 0
        self._moved = trio.Event()  # set whenever a page has come or gone, and then replaced
        self._seated = trio.Event()
        self._lobby, self._path = lobby, f"/{token}/"
        self._analyses: dict[int, Analysing] = {}
        self._used = False  # whether `once` has led to the page
        routes = [
            Route("/", self._page),
            Route("/events", self._events),
            Route("/answer", self._answer, methods=["POST"]),
            Route("/back", self._back, methods=["POST"]),
            Route("/suggestion", self._suggestion),
            Route("/replay", self._replay),
            Route("/analysis", self._analysed),
            Route("/analysis/events", self._analysis_events),
            Route("/again", self._again),
        ]
        ways_in: list[BaseRoute] = [Mount(f"/{token}", routes=routes)]
        ways_in += [Route(f"/{once}", self._enter)] if once else []
        self.app = application.make(ways_in, names, NO_SEAT, self._ways)

    def _ways(self, request: Request) -> list[tuple[str, str]]:
        """Return where to go on from a page that does not exist; nothing to who has no seat."""
        if not request.url.path.startswith(self._path):
            return []
        leave = ("Leave your game for this one", f"again?{request.url.query}&leave=1")
        return [("To your game", self._path), *([leave] if self._is_busy(request) else [])]

    def _is_busy(self, request: Request) -> bool:
        """Whether another game is asked for while one goes on."""
        return self.again and self._seat.over is None and request.url.path.endswith("/again")

    def seat(self, person: Person) -> None:
        """Show the game of a person from now on; what was analysed before stays."""
        self.person, self.wanted = person, trio.Event()
        self._seated.set()

    @property
    def _seat(self) -> Person:
        assert self.person is not None, "somebody is seated before requests come"
        return self.person

    async def wait_until_left(self, seconds: float) -> None:
        """Wait until no page has been open for some seconds."""
        while True:
            while self.streams:
                await self._moved.wait()
            with trio.move_on_after(seconds) as waiting:
                await self.wait_until_back()
            if waiting.cancelled_caught:
                return

    async def wait_until_back(self) -> None:
        """Wait until a page is open."""
        while not self.streams:
            await self._moved.wait()

    def close(self) -> None:
        """End what was started for the games that were shown."""
        for process, folder, _ in self._analyses.values():
            process.terminate()
            wait_or_kill(process)
            folder.cleanup()
        self._analyses.clear()

    # -- requests -------------------------------------------------------------------------------

    async def _enter(self, _: Request) -> Response:
        """Lead to the page from an address that others may see, but hardly before it is used."""
        if self._used:
            raise application.NoPage(404, USED)
        self._used = True
        return RedirectResponse(self._path, 303, application.NOT_STORED)

    async def _page(self, _: Request) -> Response:
        person, game, retried = self._seat, None, None
        if self.start is not None:
            retried = self.start.fields(self.logs.index(self.start.log) + 1)
        if person.wire is not None and person.begun:
            game = person.wire.fields()
        rules = person.rulebook
        seats = 0 if game is None else len(game["seats"])
        lessons = lessons_of(rules, seats, 3 if game else 2) if rules is not None else ""
        scripts = script(__package__, "seat.js" if game is not None else "waiting.js")
        own = Markup(asset(__package__, "seat.css"))
        style = stylesheet("acquire.admin.pages.html", "viewer.css") + own
        text = whole_page(
            *(__package__, "seat.html.jinja", style, scripts),
            connects=True,
            begun=game is not None,
            rulebook="" if game is None else game["rulebook"],
            lessons=lessons,
            retried=retried,
            data=embedded(
                {"match": game, "steps": [], "notice": "", "events": "events", "lobby": self._lobby}
                | {"retried": retried}
            ),
        )
        return HTMLResponse(text, headers=application.NOT_STORED)

    async def _events(self, _: Request) -> Response:
        return application.event_stream(self._stream())

    def _count(self, change: int) -> None:
        self.streams += change
        self._moved.set()
        self._moved = trio.Event()

    async def _stream(self) -> AsyncIterator[bytes]:
        """Yield the frames so far, then what changes; all of it again after a reconnection."""
        person, sent = self._seat, 0
        self._count(1)
        person.open_page()
        try:
            while True:
                changed = person.changed
                frames = person.wire.frames if person.wire is not None else []
                fields: dict[str, Any] = {
                    **{"from": sent, "frames": frames[sent:], "question": person.question},
                    **{"over": person.over, "time": person.time},
                }
                sent = len(frames)
                yield application.event(fields)
                while not await application.wait_for_change(changed):
                    yield application.ALIVE
        finally:
            self._count(-1)

    async def _suggestion(self, _: Request) -> Response:
        try:
            return JSONResponse(await self._seat.suggestion(), headers=application.NOT_STORED)
        except Refused as error:
            return PlainTextResponse(str(error), 409)

    async def _answer(self, request: Request) -> Response:
        body = await json_body(request, MAX_ANSWER)
        try:
            fields = json.loads(body)
            if not isinstance(fields, dict):
                raise Refused("An answer is a JSON object.")
            self._seat.take_answer(fields)
        except Refused as error:
            return PlainTextResponse(str(error), 409)
        except (ValueError, RecursionError):
            return PlainTextResponse("The answer is not JSON.", 400)
        return Response(status_code=204)

    async def _back(self, request: Request) -> Response:
        await json_body(request, MAX_ANSWER)
        self._seat.come_back()
        return Response(status_code=204)

    # -- after the end --------------------------------------------------------------------------

    def _number(self, request: Request) -> int:
        """Return the number, from 1, of the ended game that is asked for; by default the last."""
        given = request.query_params.get("game", str(len(self.logs)))
        number = int(given) if given.isdecimal() and len(given) <= MAX_DIGITS else 0
        if not 0 < number <= len(self.logs):
            raise application.NoPage(404, "There is no such game, or it is not over yet.")
        return number

    async def _replay(self, request: Request) -> Response:
        log = self.logs[self._number(request) - 1]
        return HTMLResponse(await trio.to_thread.run_sync(lambda path: page(read(path)), log))

    async def _analysed(self, request: Request) -> Response:
        """Show a game and its analysis, as far as another process has found it."""
        number = self._number(request)
        analysing = self._analysing(number)
        over = analysing.process.poll() == 0
        found = json.loads(analysing.known.read_bytes()) if over else None
        events = "" if over else f"analysis/events?game={number}"
        text, *_verdict = await trio.to_thread.run_sync(
            page_and_verdict, read(self.logs[number - 1]), found, f"again?game={number}", events
        )
        return HTMLResponse(text, headers=application.NOT_STORED)

    async def _analysis_events(self, request: Request) -> Response:
        return application.event_stream(self._findings(self._analysing(self._number(request))))

    def _analysing(self, number: int) -> Analysing:
        """Return the analysis of a game; start it if it is asked for the first time."""
        if number not in self._analyses:
            folder = tempfile.TemporaryDirectory()
            known = Path(folder.name) / "analysis.json"
            name = self.person.wire.name if self.person and self.person.wire else ""
            command = ["-c", ANALYSE, str(self.logs[number - 1]), str(known), name]
            process = start_python(command, stderr=subprocess.DEVNULL)
            self._analyses[number] = Analysing(process, folder, known)
        return self._analyses[number]

    async def _findings(self, analysing: Analysing) -> AsyncIterator[bytes]:
        """Yield what is known of the game whenever it is more; at last how it ended."""
        sent = b""
        while analysing in self._analyses.values():
            code = analysing.process.poll()
            if analysing.known.exists() and (known := analysing.known.read_bytes()) != sent:
                sent = known
                yield b"data: " + known + b"\n\n"
            if code is not None:
                why = "" if code == 0 else "The analysis has failed."
                yield application.event({"over": why})
                return
            yield application.ALIVE
            await trio.sleep(LOOK_AGAIN)

    async def _again(self, request: Request) -> Response:
        """Begin another game, easier or harder, or this one again from a turn, and show it."""
        turn, name = (request.query_params.get(key, "") for key in ("turn", "name"))
        if not self.again:
            raise application.NoPage(404, "There can be no other game from here.")
        if self._is_busy(request) and "leave" not in request.query_params:
            raise application.NoPage(
                409, "You are in a game that is not over. If you leave it, it is lost."
            )
        self._seat.hang_up()
        while self._seat.over is None:
            await self._seat.changed.wait()
        self.start, self.harder = None, LEVELS.get(request.query_params.get("level", ""), 0)
        if turn.isdecimal() and len(turn) <= MAX_DIGITS:
            number = self._number(request)
            self.start = RetriedTurn(self.logs[number - 1], int(turn), name)
        self._seated = trio.Event()
        self.wanted.set()
        await self._seated.wait()
        return RedirectResponse("./", 303, application.NOT_STORED)
