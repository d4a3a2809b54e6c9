"""A recorded game turn by turn, for a terminal: the position before each, and what happened.

One can step through the turns by the keys of the replay page, which goes by steps, too.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.segment import Segment
from rich.text import Text

from ....game.placement import Kind
from ....game.state import State
from ....game.tiles import Tile
from ....protocol.plugins import why_missing
from ....protocol.user_error import UserError
from ..log.reader import RecordedGame
from ..log.verifier import Verification, Verifier
from ..play import events
from ..play.net_worth import NetWorth
from . import board_text
from .board_text import PlayerRow
from .plain_text import printable
from .sentences import Sentences

HELP = "q quit  ← → PgUp PgDn turn  p n event  Home  End r result"
_EVENTFUL = (Kind.FOUNDING, Kind.MERGING)


class TurnSummary(NamedTuple):
    """One turn: the position before it, and what happened, in words."""

    number: int  # 0 at the set-up; at the end, the number after the last turn
    who: str  # the mover; empty at the set-up and at the end
    state: State
    players: tuple[PlayerRow, ...]  # those in the position, and all ejected before
    happened: tuple[str, ...] = ()
    eventful: bool = False  # a hotel was founded or acquired, or a player was ejected
    after: tuple[State, tuple[PlayerRow, ...]] | None = None  # `state` and `players` afterwards
    tile: Tile | None = None  # the tile that was placed

    def title(self, of: int) -> Text:
        """Draw the heading, in a game of ``of`` turns."""
        title = "The end" if self.number else "The set-up"
        if self.who:
            title = f"Turn {self.number} of {of}: {printable(self.who)}"
        return Text(title, "bold")


def turns_of(record: RecordedGame) -> tuple[list[TurnSummary], Verification]:
    """Return the turns of a game, as far as the log holds, and how far that is."""
    verdict = Verifier(record).verify()
    sentences, net_worth = Sentences(record.header.rulebook), NetWorth(verdict.start)
    found: list[TurnSummary] = []
    happened: list[str] = []
    names = record.header.names

    def rows(state: State) -> tuple[PlayerRow, ...]:
        at_table = {player.name for player in state.players}
        ejected = [name for name in names if name not in at_table]
        return tuple(board_text.player_rows(state, net_worth.by_name, ejected))

    def begin(number: int, who: str, state: State) -> None:
        if found:
            found[-1] = found[-1]._replace(happened=tuple(happened), after=(state, rows(state)))
        happened.clear()
        found.append(TurnSummary(number, who, state, rows(state)))

    begin(0, "", verdict.start)
    for event in verdict.events:
        if isinstance(event, events.WIRE_EVENTS):
            continue
        net_worth.take(event)
        match event:
            case events.TurnBegan(number, name, state):
                begin(number, name, state)
            case events.Ended(_, turns, state):
                begin(turns + 1, "", state)
                happened.append(sentences.sentence(event))
            case events.LaidOut(state):
                found[-1] = found[-1]._replace(state=state, players=rows(state))
            case _:
                happened.append(sentences.sentence(event))
                placed = isinstance(event, events.Placed) and event.kind in _EVENTFUL
                if placed or isinstance(event, events.Acquired | events.Ejected):
                    found[-1] = found[-1]._replace(eventful=True)
                if isinstance(event, events.Placed):
                    found[-1] = found[-1]._replace(tile=event.tile)
    found[-1] = found[-1]._replace(happened=tuple(happened))
    if found[-1].number and not found[-1].who:  # the final bonuses have been paid by now
        found[-1] = found[-1]._replace(players=rows(found[-1].state))
    return found, verdict


def count_turns(turns: Sequence[TurnSummary]) -> int:
    """Return how many turns there were, of which the set-up and the end are none."""
    return max((turned.number for turned in turns if turned.who), default=0)


def draw_turn(turned: TurnSummary, of: int) -> RenderableType:
    """Draw a turn, of ``of``: the position before it, the players, what happened."""
    position = board_text.draw(turned.state, turned.players)
    return Group(turned.title(of), position, Text(), draw_happened(turned))


def draw_happened(turned: TurnSummary) -> Text:
    """Draw what happened in a turn, a sentence on each line."""
    return Text("\n".join(f"  {printable(sentence)}" for sentence in turned.happened))


# -- stepping -----------------------------------------------------------------------------------


def key_reader() -> Callable[[], str]:
    """Return what waits for a key, and returns its name; ``UserError`` where that cannot be."""
    try:
        from readchar import key, readkey
    except ImportError as error:
        raise UserError(f"Keys cannot be read: {why_missing(error) or error}") from error
    names = {
        key.LEFT: "back",
        key.RIGHT: "on",
        key.PAGE_UP: "back",
        key.PAGE_DOWN: "on",
        key.HOME: "first",
        key.END: "last",
        "\x1b[1~": "first",
        "\x1b[4": "last",  # tmux and others send this and a ~, which is no key here
        "p": "event back",
        "n": "event",
        "r": "last",
        "q": "quit",
        key.ESC: "quit",
    }

    def read() -> str:
        return names.get(readkey(), "")

    return read


def step(
    console: Console, turns: Sequence[TurnSummary], place: int, read: Callable[[], str]
) -> None:
    """Show a turn, and go where the keys lead, until one quits."""
    of = count_turns(turns)
    with console.screen(hide_cursor=True) as screen:
        while True:
            turned = turns[place]
            state, players = turned.after or (turned.state, turned.players)
            title, keys = turned.title(of), Text(HELP, "dim")
            screen.update(
                PositionScreen(title, state, players, draw_happened(turned), keys, turned.tile)
            )
            key = read()
            if key == "quit":
                return
            place = _moved(turns, place, key)


class PositionScreen(NamedTuple):
    """A position that fills the screen, a tile marked; the last of what happened; the keys."""

    title: Text
    state: State
    players: Sequence[PlayerRow]
    happened: Text
    keys: Text
    tile: Tile | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        height = options.height or console.height

        def lines(*parts: RenderableType) -> list[list[Segment]]:
            return console.render_lines(Group(*parts), options.update(height=None))

        both = board_text.BoardAndHotels(self.state, self.tile, "bold reverse")
        board = lines(self.title, both)
        players = lines(board_text.draw_players(self.state.rulebook, self.players, wrap=False))
        happened = lines(self.happened) if self.happened else []
        self.keys.no_wrap, self.keys.overflow = True, "ellipsis"
        keys = lines(self.keys)[:1]
        room = height - len(keys) - len(board) - len(players)
        if len(happened) > room:
            cut = max(room - 1, 0)
            happened = lines(Text("  ..", "dim"))[:room] + happened[len(happened) - cut :]
        empty, spare = lines(Text()), room - len(happened)
        position = [*board, *(empty if spare > 0 else []), *players, *(empty if spare > 1 else [])]
        shown = [*position, *happened][: height - len(keys)]
        shown += empty * (height - len(keys) - len(shown))
        for line in shown:
            yield from line
            yield Segment.line()
        yield from keys[0]


def _moved(turns: Sequence[TurnSummary], place: int, key: str) -> int:
    last = len(turns) - 1
    eventful = [at for at, turned in enumerate(turns) if turned.eventful]
    places = {
        "first": 0,
        "back": max(place - 1, 0),
        "event back": max([at for at in eventful if at < place], default=0),
        "event": min([at for at in eventful if at > place], default=last),
        "on": min(place + 1, last),
        "last": last,
    }
    return places.get(key, place)
