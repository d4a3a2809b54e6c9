"""The messages of a match as they are taken one by one, what differs in them, what they show.

All seats are ours, so nothing stays hidden but the order of the bag, and that shows as it is drawn.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any, NamedTuple, TypeAlias

from ....game.board import Board
from ....game.rulebook import Rulebook, Start
from ....game.state import Player, State, position
from ....game.tiles import TILES, Mask, Tile, column_of, tile_name, tile_names, tiles_in
from ....protocol import messages
from ....protocol.faults import Fault
from ....protocol.messages import TAGS, RefereeMessage
from ....protocol.player_view import PlayerView, SeatView, open_seat
from ...refereeing.view.plain_text import dollars
from .exchanges import Exchanged, MatchTrace, SeatTrace

STATES = (messages.State, messages.StateView)
TURNS = (messages.Turn, messages.TurnView)
SCORES = (messages.Score, messages.ScoreView)


class CannotGoOn(Exception):
    """The match cannot be judged further."""


class SentMessages:
    """What is left of each connection's messages; ``since`` is when the last one taken came."""

    def __init__(self, trace: MatchTrace) -> None:
        self.rulebook = trace.rulebook
        self.trace = trace
        self.seats = {seat.name: seat for seat in trace.seats if seat.name}
        self.since = 0.0
        self._next = dict.fromkeys(self.seats, 0)
        self._draws = sorted(draw for seat in trace.seats for draw in drawn_by(seat))

    # -- one by one -----------------------------------------------------------------------------

    def peek(self, name: str) -> Exchanged | None:
        """Return the next message to a player; ``None`` where there is none but ``ejected``."""
        found = self.last(name)
        return None if found is None or isinstance(found.message, messages.Ejected) else found

    def last(self, name: str) -> Exchanged | None:
        """Return the next message to a player, whatever it is."""
        exchanges, at = self.seats[name].exchanges, self._next[name]
        return exchanges[at] if at < len(exchanges) else None

    def taken(self, name: str) -> Exchanged | None:
        """Return the last message to a player that was taken."""
        at = self._next[name]
        return self.seats[name].exchanges[at - 1] if at else None

    def take(self, name: str, exchange: Exchanged) -> None:
        """Take the next message to a player."""
        self._next[name] += 1
        self.since = max(self.since, exchange.at)

    def repeated(self, name: str, exchange: Exchanged) -> Exchanged | None:
        """Return the next message to a player if it is the one before once more.

        After a turn that is undone, the next may ask the same of others than the mover.
        """
        again = self.peek(name)
        if again is None or again.data != exchange.data:
            return None
        once = isinstance(exchange.message, (*STATES, *TURNS)) or isinstance(exchange.answer, Fault)
        sent = (each for seat in self.seats.values() for each in seat.exchanges)
        turns = [each.at for each in sent if isinstance(each.message, TURNS)]
        return again if once or not any(exchange.at < at < again.at for at in turns) else None

    def coming(self, names: Iterable[str]) -> dict[str, Exchanged]:
        """Return the next message to each of some players."""
        return {name: each for name in names if (each := self.peek(name)) is not None}

    def skip_to_position(self) -> dict[str, Exchanged]:
        """Skip to the next position sent to everybody; return it by player. ``CannotGoOn``."""
        coming: list[tuple[float, int, str]] = []
        for name, seat in self.seats.items():
            for at in range(self._next[name], len(seat.exchanges)):
                if isinstance(seat.exchanges[at].message, STATES):
                    coming.append((seat.exchanges[at].at, at, name))
                    break
        if not coming:
            raise CannotGoOn
        found: dict[str, Exchanged] = {}
        _, first, name = min(coming)
        signature = _signature(self.seats[name].exchanges[first])
        for _, at, name in coming:
            exchange = self.seats[name].exchanges[at]
            if _signature(exchange) == signature:
                self._next[name], found[name] = at, exchange
        return found

    # -- positions ------------------------------------------------------------------------------

    def bag(self, tiles: Iterable[Tile], since: float) -> tuple[Tile, ...]:
        """Return tiles in the order in which they were drawn after a moment, then the others."""
        left = set(tiles)
        drawn = [tile for at, tile in self._draws if at > since and tile in left]
        return (*(order := dict.fromkeys(drawn)), *sorted(left - order.keys()))

    def first_bag(self, state: State) -> tuple[Tile, ...]:
        """Return a whole bag that deals a position, as far as there is one."""
        starts = _start_tiles(self.rulebook, state, [*self.seats])
        hand = {player.name: player.hand for player in state.players}
        order = self.seats if self.rulebook.start is Start.SIGN_UP else hand
        hands = [tile for name in order for tile in tiles_in(hand[name])]
        dealt = list(dict.fromkeys([*starts, *hands]))
        return (*dealt, *self.bag(set(TILES) - set(dealt), 0))

    def position(self, sent: Mapping[str, Exchanged], before: State | None = None) -> State:
        """Return the position that messages to several players show, with the bag from then on.

        ``sent`` are messages with a position, by player. Of a player that is not among them, what
        is hidden from the others is as ``before``. ``ValueError`` if it is impossible,
        ``CannotGoOn`` if it has players that are not ours.
        """
        board, bank, aside, seats = parts(next(iter(sent.values())).message)
        assert board is not None, "the message has a position"
        names = {seat.name for seat in seats}
        if not names <= self.seats.keys() or len(names) < len(seats):
            raise CannotGoOn
        known = {each.name: each for each in before.players} if before is not None else {}
        players = tuple(_player(seat, sent.get(seat.name), known.get(seat.name)) for seat in seats)
        state = position(self.rulebook, board, players)
        if bank is not None:
            state = State(self.rulebook, board, players, bank, (), aside or 0)
        out = board.occupied | state.aside
        for player in players:
            out |= player.hand
        since = min(each.at for each in sent.values())
        bag = self.bag([tile for tile in TILES if not out >> tile & 1], since)
        return state._replace(bag=bag, idle=before.idle if before is not None else 0)


def _player(seat: SeatView, sent: Exchanged | None, before: Player | None) -> Player:
    message = None if sent is None else sent.message
    own = next((each for each in parts(message)[3] if each.name == seat.name), seat)
    hand, cash, shares = own.hand, own.cash, own.shares
    if own is seat and before is not None:
        hand = hand or before.hand
        cash = before.cash if cash is None else cash
        shares = before.shares if shares is None else shares
    return Player(seat.name, cash or 0, shares or (0,) * 7, hand)


def parts(
    message: RefereeMessage | None,
) -> tuple[Board | None, tuple[int, ...] | None, Mask | None, tuple[SeatView, ...]]:
    """Return board, bank, tiles set aside and players of a message, as far as it has them."""
    match message:
        case (
            messages.State(board, players)
            | messages.Turn(board, players)
            | messages.Score(_, board, players)
        ):
            return board, None, None, tuple(map(open_seat, players))
        case messages.Players(players):
            return None, None, None, tuple(map(open_seat, players))
    view: PlayerView | None = getattr(message, "view", None)
    return (None, None, None, ()) if view is None else (*view,)


def hand_of(message: RefereeMessage | None, name: str) -> Mask | None:
    """Return the tiles of a player in a message, ``None`` if it has none."""
    return next((seat.hand for seat in parts(message)[3] if seat.name == name), None)


def shown(exchange: Exchanged) -> str:
    """Return what was sent as an element."""
    message = exchange.message
    return "what cannot be read" if message is None else f"<{TAGS[type(message)]}>"


def twice(exchange: Exchanged, name: str) -> str:
    """Return that a message was sent to a player once more."""
    return f"The same {shown(exchange)} was sent to {name} twice."


def _signature(exchange: Exchanged) -> object:
    """Return what is the same in all messages of one position."""
    board, _, _, seats = parts(exchange.message)
    return board, tuple(seat.name for seat in seats)


def drawn_by(seat: SeatTrace) -> Iterator[tuple[float, Tile]]:
    """Yield the tiles that a connection was shown to be drawn, each with its moment."""
    hand: Mask | None = None
    for each in seat.exchanges:
        match each.message:
            case messages.NewTile(tile):
                yield each.at, tile
            case messages.MarketTile(_, tile, _) if tile is not None:
                yield each.at, tile
            case messages.Turn() | messages.TurnView():
                now = hand_of(each.message, seat.name)
                for tile in tiles_in((now or 0) & ~(hand if hand is not None else now or 0)):
                    yield each.at, tile  # a new hand, drawn before the turn was sent
        hand = hand if (seen := hand_of(each.message, seat.name)) is None else seen


def _start_tiles(rulebook: Rulebook, state: State, names: list[str]) -> list[Tile]:
    """Return who may have drawn which starting tile, in the order of signing up."""
    if rulebook.start is Start.SIGN_UP:
        return []
    tiles = tiles_in(state.board.loose)
    if rulebook.start is Start.COLUMN_FIRST:
        tiles = sorted(tiles, key=lambda tile: (column_of(tile), tile))
    first, others = state.mover.name, iter(tiles[1:])
    found = [next(iter(tiles), None) if name == first else next(others, None) for name in names]
    return [tile for tile in found if tile is not None]


# -- differences --------------------------------------------------------------------------------

Key: TypeAlias = tuple[str, str, int | None]  # a value of a message: what, whose, which hotel
RESULTS, PLAYERS = "the order of the results is", "the order of the players is"
OTHERS = {RESULTS: "the results are for", PLAYERS: "the players are"}
"""What a difference is called where not only the order of names differs."""
_WORDS = {
    "shares": "{who} has {sent} {hotel} certificates, expected {expected}",
    "bank": "the bank has {sent} {hotel} certificates, expected {expected}",
    "hand": "{who}'s hand is {sent}, expected {expected}",
    "score": "{who}'s score is {sent}, expected {expected}",
    "cash": "{who}'s cash is {sent}, expected {expected}",
    "holds": "{hotel} is {sent}, expected {expected}",
}


class SentDifference(NamedTuple):
    """One value that differs: ``field`` of a player, a hotel, or the message itself."""

    field: str
    who: str
    hotel: int | None
    expected: Any
    sent: Any

    @property
    def delta(self) -> int:
        """How much more was sent than expected, of a number."""
        if isinstance(self.sent, int) and isinstance(self.expected, int):
            return self.sent - self.expected
        return 0

    @property
    def key(self) -> tuple[Key, int]:
        """What is the same where the same mistake shows again."""
        return self[:3], self.delta

    def words(self, rulebook: Rulebook) -> str:
        """Return the difference as a clause that can be continued after a colon."""
        who, sent, expected = self.who, self.sent, self.expected
        if self.field == "cash" and self.delta:
            more = f"{dollars(abs(self.delta))} too {'much' if self.delta > 0 else 'little'}"
            return f"{who} has {dollars(sent)}, expected {dollars(expected)} ({more})"
        hotel = "" if self.hotel is None else rulebook.hotel_name(self.hotel)
        sent, expected = (
            ", ".join(each) or "none" if isinstance(each, tuple) else each
            for each in (sent, expected)
        )
        words = _WORDS.get(self.field, f"{self.field} {{sent}}, expected {{expected}}")
        return words.format(who=who, hotel=hotel, sent=sent, expected=expected)


def differences(
    expected: RefereeMessage, sent: RefereeMessage, rulebook: Rulebook
) -> list[SentDifference]:
    """Return what differs between two messages of the same kind, the most telling first."""
    if expected == sent:
        return []
    due, came = dict(_values(expected, rulebook)), dict(_values(sent, rulebook))
    found = []
    for (field, who, hotel), value in due.items():
        if (other := came.get((field, who, hotel), value)) != value:
            if field in OTHERS and {*value} != {*other}:
                field = OTHERS[field]  # not only their order
            found.append(SentDifference(field, who, hotel, value, other))
    return found


def _values(message: RefereeMessage, rulebook: Rulebook) -> Iterator[tuple[Key, Any]]:
    """Yield the values of a message. Those of a player that only one message has do not differ."""
    for name in [each.name for each in fields(message)]:
        value = getattr(message, name)
        match name:
            case "board" | "players" | "view":
                continue
            case "results":
                yield from ((("score", who, None), score) for who, score in value)
                yield (RESULTS, "", None), tuple(who for who, _ in value)
                continue
            case "hotel" | "survivor" | "hotels":
                hotels = value if isinstance(value, tuple) else (value,)
                value = tuple(map(rulebook.hotel_name, hotels))
            case "counts":
                value = tuple(f"{who} {count}" for who, count in value)
            case "tile" if value is not None:
                value = tile_name(value)
        yield (f"the {name} {'are' if name.endswith('s') else 'is'}", "", None), value
    board, bank, aside, seats = parts(message)
    if board is not None:
        for hotel, tiles in enumerate(board.hotels):
            yield ("holds", "", hotel), _tiles(tiles)
        yield ("the unincorporated tiles are", "", None), _tiles(board.loose)
    yield (PLAYERS, "", None), tuple(seat.name for seat in seats)
    for seat in seats:
        who = seat.name
        yield ("cash", who, None), seat.cash
        yield from ((("shares", who, hotel), n) for hotel, n in enumerate(seat.shares or ()))
        yield ("hand", who, None), _tiles(seat.hand)
        if not seat.hand:
            yield (f"the number of {who}'s tiles is", who, None), seat.tiles
        hidden = "open" if seat.shares is not None else "hidden"
        yield (f"the certificates of {who} are", who, None), hidden
    for hotel, count in enumerate(bank or ()):
        yield ("bank", "", hotel), count
    if aside is not None:
        yield ("the tiles set aside are", "", None), _tiles(aside)


def _tiles(mask: Mask) -> str:
    return tile_names(mask) or "empty"
