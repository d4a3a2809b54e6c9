"""What a person, and what a program, is told of matches under way and of their end."""

import json
import os
import shlex
import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from admin.log.writer import Header
from admin.match import events
from admin.match.events import Event
from admin.table.observer import FinishedMatch, ServerObserver
from admin.view.outcome_text import came, ejection, show_end
from admin.view.plain_text import printable
from game.rulebook import Assets, Rulebook
from game.state import State
from protocol.faults import Fault


class Terminal(ServerObserver):
    """Tells a person: one live line where there is a terminal, a few plain ones where not."""

    def __init__(self, console: Console, rulebook: Rulebook) -> None:
        self._console = console
        self._rulebook = rulebook
        self._lines: dict[int, Text] = {}
        self._last: dict[int, State] = {}
        self._turns: dict[int, int] = {}
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> "Terminal":
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def say(self, text: str) -> None:
        """Say a line."""
        self._console.print(Text(text, "bold"))

    def _show(self) -> None:
        if self._live.is_started:
            self._live.update(Text("\n").join(self._lines.values()), refresh=True)

    def listening(self, addresses: Sequence[str]) -> None:
        """Say where players are to connect."""
        where = " and ".join(addresses)
        hidden = ", assets hidden" if self._rulebook.assets is Assets.HIDDEN else ""
        self._console.print(Text(f"Listening on {where}, rulebook {self._rulebook.id}{hidden}."))

    def signed_up(self, number: int, names: Sequence[str], seats: int) -> None:
        """Show who has signed up."""
        who = f": {', '.join(map(printable, names))}" if names else ""
        self._lines[number] = Text(f"match {number}  {len(names)} of {seats} signed up{who}")
        self._show()

    def turned_away(self, address: str, name: str, fault: Fault) -> None:
        """Say who got no seat, and why."""
        who = f"{printable(name)} ({address})" if name else address
        self._console.print(
            Text.assemble(
                ("Turned away: ", "bold"),
                f"{who} ({fault.reason.value}). {printable(fault.detail)}{came(fault.data)}",
            )
        )

    def unfilled(self, number: int, signed_up: int, least: int) -> None:
        """Say that a table was given up."""
        self._lines.pop(number, None)
        self._show()
        self._console.print(
            Text(
                f"Match {number} was not played: {signed_up} signed up in time, {least} needed. "
                "Start the players sooner, give a longer --signup-timeout, or --fill the seats.",
                "bold",
            )
        )

    def began(self, number: int, header: Header) -> None:
        """Say who plays."""
        names = ", ".join(printable(seat.name) for seat in header.seats)
        self._console.print(Text(f"Match {number} begins: {names}. Seed {header.seed}."))

    def happened(self, number: int, event: Event) -> None:
        """Move the live line on, and say it when a player is ejected."""
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

    def ended(self, match: FinishedMatch) -> None:
        """Draw the last position and the standings."""
        self._lines.pop(match.number, None)
        self._show()
        self._turns.pop(match.number, None)
        show_end(self._console, self._last.pop(match.number, None), match.outcome)
        self._console.print(Text(f"Log of match {match.number}: {match.log}"), soft_wrap=True)
        if match.outcome.ejected:
            why = f"Why somebody was ejected: acquire explain {shlex.quote(str(match.log))}"
            self._console.print(Text(printable(why)), soft_wrap=True)
        if all(seat.kind == "house" for seat in match.seats):
            self._console.print(Text("No player signed up: the house played by itself.", "bold"))

    def abandoned(self, number: int, why: str) -> None:
        """Say that a match was broken off, and why."""
        self._lines.pop(number, None)
        self._show()
        self._console.print(Text(f"Match {number} was broken off: {why}", "bold"), soft_wrap=True)


def _line(number: int, turn: int, name: str, state: State) -> Text:
    hotels = sum(1 for hotel in state.board.hotels if hotel)
    return Text.assemble(
        (f"match {number}", "bold"),
        f"  turn {turn:>3}  {printable(name)} to move  ",
        (
            f"{state.board.occupied.bit_count()} tiles on the board, {hotels} hotels, "
            f"{len(state.bag)} in the bag",
            "dim",
        ),
    )


class JsonLines(ServerObserver):
    """Tells a program: one JSON object a line on standard output.

    ``spectators``, ``listening``, ``begun``, ``over``, ``unfilled`` and ``broken`` in ``event``.
    The person at the terminal is told by ``other`` on standard error.
    """

    def __init__(self, other: Terminal) -> None:
        self._other = other
        self._deaf = False

    def _print(self, **fields: Any) -> None:
        if self._deaf:
            return
        try:
            sys.stdout.write(json.dumps(fields, ensure_ascii=False) + "\n")
            sys.stdout.flush()
        except BrokenPipeError:  # matches go on; what is told is in their logs as well
            self._deaf = True
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # for the flush at exit
            self._other.say("Nobody reads standard output any more; see the logs.")

    def spectators(self, address: str) -> None:
        """Tell where the pages for spectators are."""
        self._print(event="spectators", address=address)

    def listening(self, addresses: Sequence[str]) -> None:
        """Tell the addresses."""
        self._other.listening(addresses)
        self._print(event="listening", addresses=list(addresses))

    def signed_up(self, number: int, names: Sequence[str], seats: int) -> None:
        """Tell the person, who waits for this."""
        self._other.signed_up(number, names, seats)

    def turned_away(self, address: str, name: str, fault: Fault) -> None:
        """Tell who got no seat, and why."""
        self._other.turned_away(address, name, fault)
        self._print(
            event="turned-away",
            address=address,
            name=name or None,
            reason=fault.reason.value,
            detail=fault.detail,
        )

    def unfilled(self, number: int, signed_up: int, least: int) -> None:
        """Tell of a table that was given up."""
        self._other.unfilled(number, signed_up, least)
        self._print(event="unfilled", match=number, signed_up=signed_up, needed=least)

    def began(self, number: int, header: Header) -> None:
        """Tell with what a match begins."""
        self._other.began(number, header)
        self._print(
            event="begun",
            match=number,
            rulebook=header.rulebook.id,
            assets="hidden" if header.rulebook.assets is Assets.HIDDEN else "open",
            seed=header.seed,
            seats=[seat._asdict() for seat in header.seats],
        )

    def happened(self, number: int, event: Event) -> None:
        """Tell the person; a program reads the log."""
        self._other.happened(number, event)

    def ended(self, match: FinishedMatch) -> None:
        """Tell the ending, the standings, who was ejected and why, and the log."""
        self._other.ended(match)
        self._print(event="over", **match_fields(match))

    def abandoned(self, number: int, why: str) -> None:
        """Tell of a match that was broken off."""
        self._other.abandoned(number, why)
        self._print(event="broken", match=number, why=why)


def match_fields(match: FinishedMatch) -> dict[str, Any]:
    """Return what is told of a match that is over."""
    outcome = match.outcome
    return {
        "match": match.number,
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
            }
            for left in outcome.ejected
        ],
        "log": str(match.log),
    }
