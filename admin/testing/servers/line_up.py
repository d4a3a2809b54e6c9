"""Who sits at a table, and what for."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from lxml import etree

from ....game.rulebook import Rulebook
from ....game.tiles import Tile
from ....protocol.messages import RefereeMessage
from ....protocol.plugins import CAST, plugins
from .exchanges import Cheat
from .explorer import Style
from .seat_client import Dress, Manner, SeatPlayer, SocketDeed

MOST_PIECES = 40
"""Bytes of an answer that are sent one by one: a busy machine takes a while for each."""
DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>'


HONESTLY = Manner()


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """A seat: an explorer with a style, or one of the cast."""

    style: Style = Style.EXPLORE
    cheat: Cheat | None = None
    manner: Manner = HONESTLY
    point: str = ""
    """The case that this seat is for, if it is for one: its player must not be ejected."""


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """A match: its seats, those who misbehave at sign-up before them, and the bag if it is chosen.

    ``seed`` is for the explorers. ``surplus`` more players connect when the table is full.
    ``slow`` matches wait for clocks, and begin first. In a ``short`` one the honest players leave
    when the others have misbehaved. ``then`` is the case that asks what the administrator does
    after the match.
    """

    purpose: str
    seats: tuple[SeatPlan, ...]
    seed: int = 0
    bag: tuple[Tile, ...] | None = None
    sign_ups: tuple[Cheat, ...] = ()
    names: tuple[str, ...] = ()
    surplus: int = 0
    slow: bool = False
    short: bool = False
    then: str = ""

    def name_of(self, seat: int) -> str:
        """Return the name that a seat asks for."""
        return self.names[seat] if self.names else f"player{seat + 1}"


class Cast(NamedTuple):
    """The misbehaving players: by name, at play, and what those do who do not sign up."""

    members: dict[str, Cheat]
    player: Callable[[str, Rulebook, int], SeatPlayer]
    sign_up: Callable[[str], SocketDeed]


def cast_for(rulebook: Rulebook) -> Cast:
    """Return the installed cast under a rulebook."""
    found: dict[str, Any] = {name: point.load() for name, point in plugins(CAST).items()}
    return Cast(found["members"](rulebook), found["player"], found["sign_up"])


# -- forms of answers that have to be accepted --------------------------------------------------


def _rewritten(data: bytes) -> bytes:
    return etree.tostring(etree.fromstring(data), method="c14n")


def _spaced(data: bytes) -> list[bytes]:
    return [b"\n" + _rewritten(data).replace(b"><", b">\n<") + b"\n"]


def _declared(data: bytes) -> list[bytes]:
    return [DECLARATION + data]


def _single_quoted(data: bytes) -> list[bytes]:
    return [data.replace(b'"', b"'")]


def _with_zeros(data: bytes) -> list[bytes]:
    return [re.sub(rb'column="(\d)"', rb'column="0\1"', data)]


def _commented(data: bytes) -> list[bytes]:
    return [data.replace(b">", b"><!-- so -->", 1) if data[-2:] != b"/>" else b"<!-- so -->" + data]


def _in_bytes(data: bytes) -> list[bytes]:
    bytes_ = [data[at : at + 1] for at in range(min(len(data), MOST_PIECES))]
    return [*bytes_, data[MOST_PIECES:]] if len(data) > MOST_PIECES else bytes_


def _in_halves(data: bytes) -> list[bytes]:
    return [data[: len(data) // 2], data[len(data) // 2 :]]


DRESSES: dict[str, tuple[Dress, float]] = {
    "white-space": (_spaced, 0.0),
    "declaration": (_declared, 0.0),
    "quotes": (_single_quoted, 0.0),
    "leading-zeros": (_with_zeros, 0.0),
    "comments": (_commented, 0.0),
    "bytes": (_in_bytes, 0.0005),
    "halves": (_in_halves, 0.02),
}
"""Forms in which an answer may be sent, with the seconds between its pieces."""


def slowly(reply: float, turn: float) -> Callable[[RefereeMessage], float]:
    """Return how long a player takes that is slow, but in time: once a turn, sometimes else."""
    count = 0

    def delay(message: RefereeMessage) -> float:
        nonlocal count
        count += 1
        if type(message).__name__ in ("Turn", "TurnView") and count < 8:
            return 0.6 * turn
        return 0.6 * reply if count % 7 == 1 and count < 40 else 0.0

    return delay
