"""A match log as it is written: one record a line, as the match goes.

What a killed server leaves is a readable prefix: whole lines, without the end tag. The form is
``schemas/match-log.xsd``. Nothing but latencies depends on the clock.
"""

import base64
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple, assert_never

from admin import events
from admin.events import Event
from game.rulebook import Rulebook
from game.tiles import TILE_NAMES, Tile
from protocol.writing import Writer, attribute

FORMAT = 1


class SeatRecord(NamedTuple):
    """Who sits where: ``kind`` is ``remote`` or ``house``; a house player has a strategy."""

    name: str
    kind: str
    strategy: str | None = None


class Header(NamedTuple):
    """What a match was played with."""

    rulebook: Rulebook
    seed: int
    game: int
    bag: tuple[Tile, ...]
    seats: tuple[SeatRecord, ...]


def header_lines(header: Header) -> list[str]:
    """Write the start tag, the bag and the seats."""
    lines = [
        f'<match format="{FORMAT}" rulebook="{header.rulebook.id}" seed="{header.seed}" '
        f'game="{header.game}">',
        f"<bag>{tile_names(header.bag)}</bag>",
    ]
    for name, kind, strategy in header.seats:
        extra = "" if strategy is None else f" strategy={attribute(strategy)}"
        lines.append(f'<seat name={attribute(name)} kind="{kind}"{extra}/>')
    return lines


def tile_names(tiles: Sequence[Tile]) -> str:
    """Write tiles as a list such as ``5A 12I``."""
    return " ".join([TILE_NAMES[tile] for tile in tiles])


class Recorder:
    """Writes events as records, one line each."""

    def __init__(self, rulebook: Rulebook) -> None:
        self._writer = Writer(rulebook)
        self._hotels = [attribute(hotel.name) for hotel in rulebook.hotels]
        self._quoted: dict[str, str] = {}

    def _quote(self, name: str) -> str:
        quoted = self._quoted.get(name)
        if quoted is None:
            quoted = self._quoted[name] = attribute(name)
        return quoted

    def record(self, event: Event) -> str:  # one case an event
        """Write one event as one element."""
        hotels, quote = self._hotels, self._quote
        match event:
            case events.Answered(name, question, message, latency, lag):
                late = f' lag="{lag}"' if lag else ""
                return (
                    f'<answer player={quote(name)} to="{question}" latency="{latency}"{late}>'
                    f"{self._writer.text(message)}</answer>"
                )
            case events.TurnBegan(number, name):
                return f'<turn number="{number}" player={quote(name)}/>'
            case events.Placed(name, tile, kind, hotel):
                where = "" if hotel is None else f" hotel={hotels[hotel]}"
                return (
                    f'<placed player={quote(name)} tile="{TILE_NAMES[tile]}" '
                    f'kind="{kind.value}"{where}/>'
                )
            case events.FoundersShare(name, hotel):
                return f"<founders-share player={quote(name)} hotel={hotels[hotel]}/>"
            case events.Acquired(survivor, hotel, size, price):
                return (
                    f"<acquired survivor={hotels[survivor]} hotel={hotels[hotel]} "
                    f'size="{size}" price="{price}"/>'
                )
            case events.BonusPaid(name, hotel, amount):
                return f'<bonus player={quote(name)} hotel={hotels[hotel]} amount="{amount}"/>'
            case events.Returned(name, hotel, shares, amount):
                return f"<returned {self._traded(name, hotel, shares, amount)}/>"
            case events.Bought(name, hotel, shares, amount):
                return f"<bought {self._traded(name, hotel, shares, amount)}/>"
            case events.Drew(name, tile):
                return f'<drew player={quote(name)} tile="{TILE_NAMES[tile]}"/>'
            case events.Ejected():
                return self._ejected(event)
            case events.TurnUndone(name):
                return f"<undone player={quote(name)}/>"
            case events.Ended(ending, turns):
                return f'<ended ending="{ending.value}" turns="{turns}"/>'
            case events.Ranked(rank, name, score, finished):
                return (
                    f'<ranked rank="{rank}" player={quote(name)} score="{score}" '
                    f'finished="{str(finished).lower()}"/>'
                )
            case _:
                assert_never(event)

    def _traded(self, name: str, hotel: int, shares: int, amount: int) -> str:
        return (
            f"player={self._quote(name)} hotel={self._hotels[hotel]} "
            f'shares="{shares}" amount="{amount}"'
        )

    def _ejected(self, event: events.Ejected) -> str:
        rule = f' rule="{event.violation.value}"' if event.violation else ""
        came = f"<bytes>{base64.b64encode(event.data).decode()}</bytes>" if event.data else ""
        bag = "" if event.bag is None else f"<bag>{tile_names(event.bag)}</bag>"
        return (
            f'<ejected player={self._quote(event.name)} reason="{event.reason.value}"{rule} '
            f'to="{event.question}" detail={attribute(event.detail)}>{came}{bag}</ejected>'
        )


class MatchLog:
    """A log file under way: an event reader that writes."""

    def __init__(self, file: BinaryIO, header: Header) -> None:
        self._file = file
        self._recorder = Recorder(header.rulebook)
        self._lines = ['<?xml version="1.0" encoding="UTF-8"?>', *header_lines(header)]
        self.flush()

    def __call__(self, event: Event) -> None:
        """Take an event; what came before a turn reaches the file when the turn begins."""
        if isinstance(event, events.TurnBegan):
            self.flush()
        self._lines.append(self._recorder.record(event))

    def flush(self) -> None:
        """Hand all records so far to the operating system."""
        self._lines.append("")
        self._file.write("\n".join(self._lines).encode())
        self._file.flush()
        self._lines.clear()

    def close(self) -> None:
        """Write the end tag and close the file."""
        self._lines.append("</match>")
        self.flush()
        self._file.close()


def new_log_file(folder: Path, header: Header) -> tuple[Path, BinaryIO]:
    """Open a new file for a match, never one that exists; ``OSError`` where it cannot be made.

    The name tells rulebook, seed and game, and a count where the same was played before.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{header.rulebook.id}-seed{header.seed}-game{header.game}"
    count = 1
    while True:
        path = folder / (f"{stem}.xml" if count == 1 else f"{stem}-{count}.xml")
        try:
            return path, path.open("xb")
        except FileExistsError:
            count += 1
