"""What ``acquire serve`` prints while games run: text, or JSON lines."""

import os
import shlex
import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from ...game.rulebook import Rulebook
from ...game.state import State
from ...protocol.faults import Circumstance, Fault
from ..refereeing.diagnosis.diagnose import hint_on_sign_up
from ..refereeing.log.writer import LOGGED_ASSETS, Header
from ..refereeing.play import events
from ..refereeing.play.events import Event
from ..refereeing.table.crowds import Crowds
from ..refereeing.table.observer import EndedGame, ServerObserver
from ..refereeing.view.outcome_text import came, ejection, show_end
from ..refereeing.view.plain_text import json_text, printable


class ServeTerminal(ServerObserver):
    """Prints text: one live line per game in a terminal, a few plain lines elsewhere."""

    def __init__(self, console: Console, rulebook: Rulebook) -> None:
        self._console = console
        self._rulebook = rulebook
        self._lines: dict[int, Text] = {}
        self._last: dict[int, State] = {}
        self._turns: dict[int, int] = {}
        self._crowds = Crowds(self._show_crowd)
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> "ServeTerminal":
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._crowds.sum_up()
        self._live.stop()

    def print_line(self, text: str) -> None:
        """Print a line."""
        self._console.print(Text(text, "bold"))

    def _show(self) -> None:
        if self._live.is_started:
            self._live.update(Text("\n").join(self._lines.values()), refresh=True)

    def listening(self, addresses: Sequence[str]) -> None:
        """Print where players can connect."""
        where = " and ".join(addresses)
        hidden = self._rulebook.assets.words
        self._console.print(Text(f"Listening on {where}, rulebook {self._rulebook.id}{hidden}."))

    def signed_up(self, number: int, names: Sequence[str], seats: int) -> None:
        """Show who has signed up."""
        who = f": {', '.join(map(printable, names))}" if names else ""
        self._lines[number] = Text(f"game {number}  {len(names)} of {seats} signed up{who}")
        self._show()

    def turned_away(self, address: str, name: str, fault: Fault) -> None:
        """Print who got no seat, and why; of a crowd only the first, and how many more came."""
        silent = fault.circumstance is Circumstance.CROWDED_OUT
        if not self._crowds.shows("silent" if silent else fault.reason.value):
            return
        who = f"{printable(name)} ({address})" if name else address
        what = f"{hint_on_sign_up(fault)} {fault.detail}".lstrip()
        self._console.print(
            Text.assemble(
                ("Turned away: ", "bold"),
                f"{who} ({fault.reason.value}). {printable(what)}{came(fault.data)}",
            )
        )

    def _show_crowd(self, text: str) -> None:
        self._console.print(Text.assemble(("Turned away: ", "bold"), text))

    def strategy_failed(self, text: str) -> None:
        """Print the traceback of a strategy in a file; its player is ejected."""
        for line in text.splitlines():
            self._console.print(Text(printable(line)), soft_wrap=True)

    def unfilled(self, number: int, signed_up: int, needed: int) -> None:
        """Print that a table was given up."""
        self._lines.pop(number, None)
        self._show()
        self._console.print(
            Text(
                f"Game {number} was not played: {signed_up} signed up in time, {needed} needed. "
                "Start the players sooner, give a longer --signup-timeout, or --fill the seats.",
                "bold",
            )
        )

    def began(self, number: int, header: Header) -> None:
        """Print who plays."""
        names = ", ".join(printable(seat.name) for seat in header.seats)
        self._console.print(Text(f"Game {number} begins: {names}. Seed {header.seed}."))

    def happened(self, number: int, event: Event) -> None:
        """Update the live line, and print ejections."""
        match event:
            case events.TurnBegan(turn, name, state):
                self._last[number] = state
                self._turns[number] = turn
                if self._live.is_started:
                    self._lines[number] = _line(number, turn, name, state)
                    self._show()
            case events.Declared(name):
                self._console.print(Text(f"{printable(name)} declares the end of the game."))
            case events.Ejected():
                self._console.print(ejection(event, self._turns.get(number, 0)))
            case events.Ended(_, _, state):
                self._last[number] = state

    def ended(self, game: EndedGame) -> None:
        """Draw the last position and the standings."""
        self._lines.pop(game.number, None)
        self._show()
        self._turns.pop(game.number, None)
        show_end(self._console, self._last.pop(game.number, None), game.outcome)
        self._console.print(Text(f"Log of game {game.number}: {game.log}"), soft_wrap=True)
        if game.outcome.ejected:
            command = f"See why a player was ejected: acquire explain {shlex.quote(str(game.log))}"
            self._console.print(Text(printable(command)), soft_wrap=True)
        if all(seat.kind == "house" for seat in game.seats):
            self._console.print(
                Text("No player signed up: built-in players took every seat.", "bold")
            )

    def abandoned(self, number: int, why: str) -> None:
        """Print that a game was abandoned, and why."""
        self._lines.pop(number, None)
        self._show()
        self._console.print(Text(f"Game {number} was abandoned: {why}", "bold"), soft_wrap=True)


def _line(number: int, turn: int, name: str, state: State) -> Text:
    hotels = sum(1 for hotel in state.board.hotels if hotel)
    return Text.assemble(
        (f"game {number}", "bold"),
        f"  turn {turn:>3}  {printable(name)} to move  ",
        (
            f"{state.board.occupied.bit_count()} tiles on the board, {hotels} hotels, "
            f"{len(state.bag)} in the bag",
            "dim",
        ),
    )


class ServeJson(ServerObserver):
    """Prints one JSON object per line on standard output; ``other`` prints text.

    The field ``event`` is ``spectators``, ``listening``, ``turned-away``, ``unfilled``, ``begun``,
    ``over`` or ``broken``.
    """

    def __init__(self, other: ServeTerminal) -> None:
        self._other = other
        self._closed = False

    def _print(self, **fields: Any) -> None:
        if self._closed:
            return
        try:
            sys.stdout.write(json_text(fields) + "\n")
            sys.stdout.flush()
        except BrokenPipeError:  # games go on; their logs have it all
            self._closed = True
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # for the flush at exit
            self._other.print_line("Standard output was closed. The games go on; see their logs.")

    def spectators(self, address: str) -> None:
        """Print the address of the pages for spectators."""
        self._print(event="spectators", address=address)

    def listening(self, addresses: Sequence[str]) -> None:
        """Print the addresses."""
        self._other.listening(addresses)
        self._print(event="listening", addresses=list(addresses))

    def signed_up(self, number: int, names: Sequence[str], seats: int) -> None:
        """Pass it on."""
        self._other.signed_up(number, names, seats)

    def turned_away(self, address: str, name: str, fault: Fault) -> None:
        """Print who got no seat, and why."""
        self._other.turned_away(address, name, fault)
        self._print(
            event="turned-away",
            address=address,
            name=name or None,
            reason=fault.reason.value,
            detail=fault.detail,
            hint=hint_on_sign_up(fault),
        )

    def unfilled(self, number: int, signed_up: int, needed: int) -> None:
        """Print that a table was given up."""
        self._other.unfilled(number, signed_up, needed)
        self._print(event="unfilled", match=number, signed_up=signed_up, needed=needed)

    def began(self, number: int, header: Header) -> None:
        """Print the facts of a game that begins."""
        self._other.began(number, header)
        self._print(
            event="begun",
            match=number,
            rulebook=header.rulebook.id,
            assets=LOGGED_ASSETS.get(header.rulebook.assets, "open"),
            seed=header.seed,
            seats=[seat._asdict() for seat in header.seats],
        )

    def happened(self, number: int, event: Event) -> None:
        """Pass it on; programs read the log."""
        self._other.happened(number, event)

    def ended(self, game: EndedGame) -> None:
        """Print the ending, the standings, the ejections and the log."""
        self._other.ended(game)
        self._print(event="over", **game_fields(game))

    def abandoned(self, number: int, why: str) -> None:
        """Print that a game was abandoned."""
        self._other.abandoned(number, why)
        self._print(event="broken", match=number, why=why)


def game_fields(game: EndedGame) -> dict[str, Any]:
    """Return the facts of a finished game for JSON."""
    outcome = game.outcome
    return {
        "match": game.number,
        "ending": outcome.ending.value,
        "regular": outcome.ending.regular,
        "turns": outcome.turns,
        "standings": [standing._asdict() for standing in outcome.standings],
        "ejected": [
            {
                "name": left.name,
                "reason": left.reason.value,
                "rule": left.violation.value if left.violation else None,
                "to": left.question,
                "detail": left.detail,
                "hint": left.hint,
            }
            for left in outcome.ejected
        ],
        "log": str(game.log),
    }
