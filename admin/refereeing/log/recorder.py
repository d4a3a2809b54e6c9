"""The records of a game log: one line for the start of a game, and one for each event.

The schema is ``schemas/match-log.xsd``. Only latencies depend on the clock.

A log says by which version of the referee's rules it was written. Version 1, of logs without the
attribute ``rules``, judged declarations by the position after the placement alone, and replaced a
hand without a playable tile without asking the player. Such a log is still played again by the
rules that it was written by.
"""

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import call
from typing import Any, NamedTuple

from ....game.rulebook import Assets, End, Rulebook, StuckHand
from ....game.rulebooks import is_one_of_the_five
from ....game.tiles import TILE_NAMES, Tile, tiles_in
from ....protocol import messages
from ....protocol.rulebook_file import to_json
from ....protocol.writing import Writer, attribute, escape_text
from ..play import events
from ..play.events import Event

FORMAT = 1
VERSION = "2"
"""The present version; only logs by rulebooks in which it differs from the first one have it."""
KEPT = 1024  # how many names of players, or values of a field, are kept as they are written
LOGGED_ASSETS = {
    Assets.HIDDEN: "hidden",
    Assets.CASH_HIDDEN: "cash-hidden",
    Assets.CERTIFICATES_HIDDEN: "certificates-hidden",
}
"""What a log's header says about cash and certificates that the table hides."""


class SeatRecord(NamedTuple):
    """A seat as the header of a log has it."""

    name: str
    kind: str  # `remote`, or `house` for a built-in player, which has a strategy
    strategy: str | None = None
    clock: str | None = None  # its own limit, if it has one: seconds, or `none`


class Header(NamedTuple):
    """What a game is played with; ``duplicate`` where other games have the same bag.

    With a ``given`` bag neither it nor the shuffles follow from the seed: it was chosen, or the
    game was refereed by another administrator and recorded by its players.

    ``commitment`` is the digest of the secret from which a tournament derived the seed, published
    before the game; empty in any other game. ``date`` is the day of a game over TCP, such as
    ``2026-11-23``; empty in games that can be played again at any time, with the same log.
    """

    rulebook: Rulebook
    seed: int
    game: int
    bag: tuple[Tile, ...]
    seats: tuple[SeatRecord, ...]
    duplicate: bool = False
    commitment: str = ""
    date: str = ""
    given: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The players in seat order."""
        return tuple([seat.name for seat in self.seats])


def first_version(rulebook: Rulebook) -> Rulebook:
    """Return a rulebook as version 1 played it: the same object where nothing has changed.

    >>> from acquire import CLASSIC, REVISED
    >>> first_version(REVISED) is REVISED, first_version(CLASSIC).end
    (True, <End.DECLARED_AFTER_PLACING: 'a player who declares it after the placement'>)
    """
    end, stuck_hand = rulebook.end, rulebook.stuck_hand
    if end is End.DECLARED:
        end = End.DECLARED_AFTER_PLACING
    if stuck_hand is StuckHand.MAY_REPLACE:
        stuck_hand = StuckHand.REPLACED
    if (end, stuck_hand) == (rulebook.end, rulebook.stuck_hand):
        return rulebook
    return replace(rulebook, end=end, stuck_hand=stuck_hand)


def header_lines(header: Header) -> list[str]:
    """Write the start tag, the rulebook unless it is one of the five, the bag and the seats."""
    rulebook = header.rulebook
    hiding = LOGGED_ASSETS.get(rulebook.assets)
    hidden = f' assets="{hiding}"' if hiding else ""
    of_the_five = is_one_of_the_five(rulebook)
    later = of_the_five and first_version(rulebook) is not rulebook
    rules = f' rules="{VERSION}"' if later else ""
    shared = ' deal="duplicate"' if header.duplicate else ""
    shared = ' deal="given"' if header.given else shared
    committed = f' commitment="{header.commitment}"' if header.commitment else ""
    dated = f' date="{header.date}"' if header.date else ""
    lines = [
        f'<match format="{FORMAT}" rulebook="{rulebook.id}"{rules}{hidden} '
        f'seed="{header.seed}" game="{header.game}"{shared}{committed}{dated}>',
        *([] if of_the_five else [f"<rulebook>{escape_text(to_json(rulebook))}</rulebook>"]),
        f"<bag>{tile_names(header.bag)}</bag>",
    ]
    for name, kind, strategy, clock in header.seats:
        extra = "" if strategy is None else f" strategy={attribute(strategy)}"
        extra += "" if clock is None else f' clock="{clock}"'
        lines.append(f'<seat name={attribute(name)} kind="{kind}"{extra}/>')
    return lines


def tile_names(tiles: Sequence[Tile]) -> str:
    """Write tiles as a list such as ``5A 12I``."""
    return " ".join([TILE_NAMES[tile] for tile in tiles])


_TAGS: dict[type[Event], str] = {
    events.StartTile: "start-tile",
    events.TurnBegan: "turn",
    events.Placed: "placed",
    events.HandKept: "hand-kept",
    events.NothingPlaced: "nothing-placed",
    events.Acquired: "acquired",
    events.BonusPaid: "bonus",
    events.Returned: "returned",
    events.Sold: "sold",
    events.Traded: "traded",
    events.MarketDrew: "market-drew",
    events.MarketPlaced: "market-placed",
    events.Bought: "bought",
    events.Drew: "drew",
    events.Declared: "declared",
    events.SetAside: "set-aside",
    events.TurnUndone: "undone",
    events.OutOfStep: "out-of-step",
    events.Ended: "ended",
    events.Ranked: "ranked",
}
"""The elements of the events whose fields are written as attributes, in their order."""


class Recorder:
    """Writes events as records, one line each."""

    def __init__(self, rulebook: Rulebook) -> None:
        self._writer = Writer(rulebook)
        self._quote = lru_cache(KEPT)(attribute)
        self._acknowledged = lru_cache(KEPT)(self._acknowledged_at_once)
        hotels = [attribute(hotel.name) for hotel in rulebook.hotels]
        values: dict[str, Callable[[Any], str]] = {
            "name": self._quote,
            "hotel": hotels.__getitem__,
            "survivor": hotels.__getitem__,
            "tile": lambda tile: f'"{TILE_NAMES[tile]}"',
            "tiles": lambda tiles: f'"{tile_names(tiles_in(tiles))}"',
            "kind": lambda kind: f'"{kind.value}"',
            "ending": lambda ending: f'"{ending.value}"',
            "finished": lambda finished: f'"{str(finished).lower()}"',
        }
        self.by_type: dict[type, Callable[[Any], str]] = {
            **{kind: _in_attributes(tag, kind._fields, values) for kind, tag in _TAGS.items()},
            events.Answered: self._answered,
            events.FoundersShare: self._founders_share,
            events.LaidOut: self._laid_out,
            events.Ejected: self._ejected,
        }
        """Writes an event of each type as one element."""
        assert self.by_type.keys() == set(events.EVENTS), "every event has a record"

    def record(self, event: Event) -> str:
        """Write one event as one element."""
        return self.by_type[type(event)](event)

    def _answered(self, event: events.Answered) -> str:
        name, question, message, latency, lag = event
        if message is messages.VOID and not latency:
            return self._acknowledged(name, question)
        late = f' lag="{lag}"' if lag else ""
        return (
            f'<answer player={self._quote(name)} to="{question}" latency="{latency}"{late}>'
            f"{self._writer.text(message)}</answer>"
        )

    def _acknowledged_at_once(self, name: str, question: str) -> str:
        """Write the most frequent record in a game of built-in players."""
        return f'<answer player={self._quote(name)} to="{question}" latency="0"><void/></answer>'

    def _founders_share(self, event: events.FoundersShare) -> str:
        name, hotel, shares, state = event
        several = f' shares="{shares}"' if shares > 1 else ""
        named = attribute(state.rulebook.hotel_name(hotel))
        return f"<founders-share player={self._quote(name)} hotel={named}{several}/>"

    def _laid_out(self, event: events.LaidOut) -> str:
        state = event.state
        bag, aside = tile_names(state.bag), tile_names(tiles_in(state.aside))
        position = self._writer.position(state.board, state.players)
        return (
            f'<position idle="{state.idle}"><bag>{bag}</bag><aside>{aside}</aside>'
            f"{position}</position>"
        )

    def _ejected(self, event: events.Ejected) -> str:
        rule = f' rule="{event.violation.value}"' if event.violation else ""
        how = f' {event.circumstance.value}="true"' if event.circumstance else ""
        hint = f" hint={attribute(event.hint)}" if event.hint else ""
        came = f"<bytes>{base64.b64encode(event.data).decode()}</bytes>" if event.data else ""
        bag = "" if event.bag is None else f"<bag>{tile_names(event.bag)}</bag>"
        return (
            f'<ejected player={self._quote(event.name)} reason="{event.reason.value}"{rule} '
            f'to="{event.question}"{how} detail={attribute(event.detail)}{hint}>{came}{bag}'
            "</ejected>"
        )


def _in_attributes(
    tag: str, fields: Sequence[str], values: Mapping[str, Callable[[Any], str]]
) -> Callable[[Any], str]:
    """Return what writes events whose fields are attributes, in order; ``state`` is the last.

    ``values`` write the value of some fields; all others are numbers or words. What was written is
    kept, because most values occur again and again.
    """

    def written(field: str) -> Callable[[object], str]:
        name, quoted = "player" if field == "name" else field, values.get(field, '"{}"'.format)
        return lru_cache(KEPT)(lambda it: "" if it is None else f" {name}={quoted(it)}")

    attributes = [written(field) for field in fields if field != "state"]

    def write(event: Event) -> str:
        return f"<{tag}{''.join(map(call, attributes, event))}/>"

    return write
