"""What a frame of a game can be about.

The values are what pages and streams have; ``page_data.d.ts`` names them for the scripts.
"""

from enum import StrEnum, auto

from ....game.placement import Kind
from ..play import events


class FrameKind(StrEnum):
    """What happened in a frame."""

    DEAL = auto()
    START = auto()
    POSITION = auto()
    TURN = auto()
    PLACED = auto()
    GROWN = auto()
    FOUNDED = auto()
    MERGED = auto()
    NOTHING = auto()
    SHARE = auto()
    ACQUIRED = auto()
    BONUS = auto()
    RETURNED = auto()
    SOLD = auto()
    TRADED = auto()
    MARKET = auto()
    BOUGHT = auto()
    DECLARED = auto()
    DREW = auto()
    ASIDE = auto()
    EJECTED = auto()
    UNDONE = auto()
    ENDED = auto()
    RANKED = auto()
    RESULT = auto()
    # on the page of a person's seat only
    ACQUIRING = auto()
    SETTLED = auto()
    NOTE = auto()


OF_PLACEMENT: dict[Kind, FrameKind] = {
    Kind.SINGLETON: FrameKind.PLACED,
    Kind.GROWING: FrameKind.GROWN,
    Kind.FOUNDING: FrameKind.FOUNDED,
    Kind.MERGING: FrameKind.MERGED,
}
OF_EVENT: dict[type, FrameKind] = {
    events.StartTile: FrameKind.START,
    events.LaidOut: FrameKind.POSITION,
    events.TurnBegan: FrameKind.TURN,
    events.HandKept: FrameKind.NOTHING,
    events.NothingPlaced: FrameKind.NOTHING,
    events.FoundersShare: FrameKind.SHARE,
    events.Acquired: FrameKind.ACQUIRED,
    events.BonusPaid: FrameKind.BONUS,
    events.Returned: FrameKind.RETURNED,
    events.Sold: FrameKind.SOLD,
    events.Traded: FrameKind.TRADED,
    events.MarketDrew: FrameKind.MARKET,
    events.MarketPlaced: FrameKind.MARKET,
    events.Bought: FrameKind.BOUGHT,
    events.Declared: FrameKind.DECLARED,
    events.Drew: FrameKind.DREW,
    events.SetAside: FrameKind.ASIDE,
    events.Ejected: FrameKind.EJECTED,
    events.TurnUndone: FrameKind.UNDONE,
    events.Ended: FrameKind.ENDED,
    events.Ranked: FrameKind.RANKED,
}
"""The kind of every event that makes a frame, but placements."""
assert {*OF_EVENT, events.Placed} == {*events.TABLE_EVENTS, events.Ranked}, "every event has a kind"
assert {*OF_PLACEMENT} == {*Kind}

LAYING = frozenset({*OF_PLACEMENT.values(), FrameKind.MARKET})
"""The kinds of frames that lay a tile on the board."""
