"""What all connections of a match show together: every hand, every draw, whole positions.

All seats are ours, so nothing stays hidden but the order of the bag, and that shows as it is drawn.
"""

from collections.abc import Iterable, Iterator, Mapping

from ....game.board import Board
from ....game.rulebook import Rulebook, Start
from ....game.state import Player, State, position
from ....game.tiles import TILES, Mask, Tile, column_of, tiles_in
from ....protocol import messages
from ....protocol.messages import RefereeMessage
from ....protocol.player_view import PlayerView, SeatView
from .exchanges import MatchTrace, SeatTrace


class SeenTable:
    """The draws of a match, and positions put together from what the players were sent."""

    def __init__(self, rulebook: Rulebook, trace: MatchTrace) -> None:
        self.rulebook = rulebook
        self._draws = sorted(
            (received, tile) for seat in trace.seats for received, tile in _drawn(seat)
        )

    def bag(self, tiles: Iterable[Tile], since: int) -> tuple[Tile, ...]:
        """Return tiles in the order in which they were drawn after a moment, then the others."""
        left = set(tiles)
        drawn = [tile for received, tile in self._draws if received > since and tile in left]
        return (*(order := dict.fromkeys(drawn)), *sorted(left - order.keys()))

    def first_bag(self, state: State, names: list[str]) -> tuple[Tile, ...]:
        """Return a whole bag that deals a position, as far as there is one."""
        starts = _start_tiles(self.rulebook, state, names)
        hands = [tile for player in state.players for tile in tiles_in(player.hand)]
        dealt = list(dict.fromkeys([*starts, *hands]))
        return (*dealt, *self.bag(set(TILES) - set(dealt), 0))

    def position(
        self, sent: Mapping[str, RefereeMessage], since: int, before: State | None = None
    ) -> State:
        """Return the position that messages to several players show, with the bag from then on.

        ``sent`` are messages with a position, by player. Of a player that is not among them, what
        is hidden from the others is as ``before``. ``ValueError`` if it is impossible.
        """
        board, bank, aside, seats = parts(next(iter(sent.values())))
        assert board is not None, "the message has a position"
        known = {each.name: each for each in before.players} if before is not None else {}
        players = tuple(self._player(seat, sent, known.get(seat.name)) for seat in seats)
        if bank is None:
            state = position(self.rulebook, board, players)
        else:
            state = State(self.rulebook, board, players, bank, (), aside or 0)
        hands = 0
        for player in players:
            hands |= player.hand
        out = board.occupied | state.aside | hands
        bag = self.bag([tile for tile in TILES if not out >> tile & 1], since)
        return state._replace(bag=bag, idle=before.idle if before is not None else 0)

    @staticmethod
    def _player(
        seat: SeatView, sent: Mapping[str, RefereeMessage], before: Player | None
    ) -> Player:
        own = next((each for each in _seats(sent.get(seat.name)) if each.name == seat.name), seat)
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
        case messages.State(board, players) | messages.Turn(board, players):
            return board, None, None, _open(players)
        case messages.Score(_, board, players):
            return board, None, None, _open(players)
        case messages.Players(players):
            return None, None, None, _open(players)
    view: PlayerView | None = getattr(message, "view", None)
    return (None, None, None, ()) if view is None else (*view,)


def _open(players: tuple[Player, ...]) -> tuple[SeatView, ...]:
    return tuple(
        SeatView(one.name, one.cash, one.shares, one.hand, one.hand.bit_count()) for one in players
    )


def _seats(message: RefereeMessage | None) -> tuple[SeatView, ...]:
    return parts(message)[3]


def hand_of(message: RefereeMessage | None, name: str) -> Mask | None:
    """Return the tiles of a player in a message, ``None`` if it has none."""
    return next((seat.hand for seat in _seats(message) if seat.name == name), None)


def _drawn(seat: SeatTrace) -> Iterator[tuple[int, Tile]]:
    """Yield the tiles that a connection was shown to be drawn, each with its moment."""
    hand: Mask | None = None
    for each in seat.exchanges:
        match each.message:
            case messages.NewTile(tile):
                yield each.received, tile
            case messages.MarketTile(_, tile, _) if tile is not None:
                yield each.received, tile
            case messages.Turn() | messages.TurnView():
                now = hand_of(each.message, seat.name)
                for tile in tiles_in((now or 0) & ~(hand if hand is not None else now or 0)):
                    yield each.received - 1, tile  # a new hand, drawn before the turn was sent
        hand = hand if (shown := hand_of(each.message, seat.name)) is None else shown


def _start_tiles(rulebook: Rulebook, state: State, names: list[str]) -> list[Tile]:
    """Return who may have drawn which starting tile, in the order of signing up."""
    if rulebook.start is Start.SIGN_UP:
        return []
    tiles = tiles_in(state.board.loose)
    if rulebook.start is Start.COLUMN_FIRST:
        tiles = sorted(tiles, key=lambda tile: (column_of(tile), tile))
    others = iter(tiles[1:])
    first = state.mover.name if state.players else ""
    return [tile for name in names for tile in (tiles[:1] if name == first else [*_next(others)])]


def _next(tiles: Iterator[Tile]) -> Iterator[Tile]:
    tile = next(tiles, None)
    if tile is not None:
        yield tile
