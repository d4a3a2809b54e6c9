"""What ``acquire serve`` prints while games run: text, or JSON lines."""

import shlex
from typing import Any, assert_never

from rich.live import Live
from rich.text import Text

from ...game.rulebook import Rulebook
from ...game.state import State
from ...protocol.faults import Circumstance, Fault
from ..refereeing.diagnosis.diagnose import hint_on_sign_up
from ..refereeing.log.recorder import LOGGED_ASSETS
from ..refereeing.play import events
from ..refereeing.table import server_events
from ..refereeing.table.crowds import Crowds
from ..refereeing.view.outcome_text import came, ejection, show_end
from ..refereeing.view.plain_text import printable
from .safe_console import SafeConsole


class ServeTerminal:
    """Prints text: one live line per game in a terminal, a few plain lines elsewhere."""

    def __init__(self, console: SafeConsole, rulebook: Rulebook) -> None:
        self.console = console
        self._rulebook = rulebook
        self._lines: dict[int, Text] = {}
        self._last: dict[int, State] = {}
        self._turns: dict[int, int] = {}
        self._crowds = Crowds(self._show_crowd)
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> "ServeTerminal":
        if self.console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._crowds.sum_up()
        self._live.stop()

    def __call__(self, event: server_events.ServerEvent) -> None:
        """Show an event."""
        match event:
            case server_events.Listening(addresses):
                where, rulebook = " and ".join(addresses), self._rulebook
                self.console.say(
                    f"Listening on {where}, rulebook {rulebook.id}{rulebook.assets.words}."
                )
            case server_events.SignUpsChanged(number, names, seats):
                who = f": {', '.join(map(printable, names))}" if names else ""
                self._lines[number] = Text(f"game {number}  {len(names)} of {seats} signed up{who}")
                self._show_lines()
            case server_events.TurnedAway(address, name, fault):
                self._show_turned_away(address, name, fault)
            case server_events.Unfilled(number, signed_up, needed):
                self._drop_line(number)
                self.console.say(
                    f"Game {number} was not played: {signed_up} signed up in time, {needed} "
                    "needed. Start the players sooner, give a longer --signup-timeout, or --fill "
                    "the seats.",
                    style="bold",
                )
            case server_events.GameBegan(number, header):
                players = ", ".join(header.names)
                self.console.say(f"Game {number} begins: {players}. Seed {header.seed}.")
            case server_events.Happened(number, milestone):
                self._show_milestone(number, milestone)
            case server_events.GameEnded():
                self._show_end(event)
            case server_events.GameAbandoned(number, why):
                self._drop_line(number)
                self.console.say(f"Game {number} was abandoned: {why}", style="bold")
            case server_events.LogWritten():
                pass  # spectators see that
            case _:
                assert_never(event)

    def _show_lines(self) -> None:
        if self._live.is_started:
            self._live.update(Text("\n").join(self._lines.values()), refresh=True)

    def _drop_line(self, number: int) -> None:
        self._lines.pop(number, None)
        self._show_lines()

    def _show_turned_away(self, address: str, name: str, fault: Fault) -> None:
        """Print who got no seat, and why; of a crowd only the first, and how many more came."""
        silent = fault.circumstance is Circumstance.CROWDED_OUT
        if self._crowds.shows("silent" if silent else fault.reason.value):
            who = f"{printable(name)} ({address})" if name else address
            what = printable(f"{hint_on_sign_up(fault)} {fault.detail}".lstrip())
            self._show_crowd(f"{who} ({fault.reason.value}). {what}{came(fault.data)}")

    def _show_crowd(self, text: str) -> None:
        self.console.print(Text.assemble(("Turned away: ", "bold"), text))

    def _show_milestone(self, number: int, milestone: server_events.Milestone) -> None:
        match milestone:
            case events.TurnBegan(turn, name, state):
                self._last[number] = state
                self._turns[number] = turn
                if self._live.is_started:
                    self._lines[number] = _line(number, turn, name, state)
                    self._show_lines()
            case events.Declared(name):
                self.console.say(f"{name} declares the end of the game.")
            case events.Ejected():
                self.console.print(ejection(milestone, self._turns.get(number, 0)))
            case events.Ended(_, _, state):
                self._last[number] = state
            case _:
                assert_never(milestone)

    def _show_end(self, game: server_events.GameEnded) -> None:
        self._drop_line(game.number)
        self._turns.pop(game.number, None)
        show_end(self.console, self._last.pop(game.number, None), game.outcome)
        self.console.say(f"Log of game {game.number}: {game.log}", copied=True)
        if game.outcome.ejected:
            command = f"See why a player was ejected: acquire explain {shlex.quote(str(game.log))}"
            self.console.say(command, copied=True)
        if all(seat.kind == "house" for seat in game.seats):
            self.console.say("No player signed up: built-in players took every seat.", style="bold")


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


def json_fields(event: server_events.ServerEvent) -> dict[str, Any] | None:
    """Return an event as ``--json`` prints it; ``None`` if programs are not told of it."""
    match event:
        case server_events.Listening(addresses):
            return {"event": "listening", "addresses": list(addresses)}
        case server_events.TurnedAway(address, name, fault):
            return {
                "event": "turned-away",
                "address": address,
                "name": name or None,
                "reason": fault.reason.value,
                "detail": fault.detail,
                "hint": hint_on_sign_up(fault),
            }
        case server_events.Unfilled(number, signed_up, needed):
            return {"event": "unfilled", "match": number, "signed_up": signed_up, "needed": needed}
        case server_events.GameBegan(number, header):
            return {
                "event": "begun",
                "match": number,
                "rulebook": header.rulebook.id,
                "assets": LOGGED_ASSETS.get(header.rulebook.assets, "open"),
                "seed": header.seed,
                "seats": [seat._asdict() for seat in header.seats],
            }
        case server_events.GameEnded():
            return {"event": "over", **game_fields(event)}
        case server_events.GameAbandoned(number, why):
            return {"event": "broken", "match": number, "why": why}
        case server_events.SignUpsChanged() | server_events.Happened() | server_events.LogWritten():
            return None
        case _:
            assert_never(event)


def game_fields(game: server_events.GameEnded) -> dict[str, Any]:
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
