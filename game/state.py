"""One position of a game, immutable: actions make new positions, and old ones stay valid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, assert_never, final

from .board import Board, empty_board, lay_out
from .records import Record
from .rulebook import Rulebook, Start
from .tiles import TILES, Mask, Tile, column_of, mask_of, tile_names


@final
class Player(Record):
    """A player's name, cash in dollars, certificates by hotel, and tiles in hand."""

    __match_args__ = ("name", "cash", "shares", "hand")
    __slots__ = __match_args__

    def __init__(self, name: str, cash: int, shares: tuple[int, ...], hand: Mask) -> None:
        self.name: Final = name
        self.cash: Final = cash
        self.shares: Final = shares
        self.hand: Final = hand

    def __repr__(self) -> str:
        """Return a line with the tiles by name: ``<Player ann $600, (4, 0), 1A 2A>``."""
        hand = tile_names(self.hand) or "no tiles"
        return f"<Player {self.name} ${self.cash:,}, {self.shares}, {hand}>"


@final
class State(Record):
    """A position between two actions.

    ``players`` are in turn order, starting with the one to move. ``bank`` is the number of
    certificates left of each hotel. ``bag`` is the tiles not yet drawn, the next one first; it is
    empty, too, where it is not known. ``aside`` is the tiles that were set aside, face up. ``idle``
    counts the latest turns in a row in which no tile was placed and no hand changed.
    """

    __match_args__ = ("rulebook", "board", "players", "bank", "bag", "aside", "idle")
    __slots__ = __match_args__

    def __init__(
        self,
        rulebook: Rulebook,
        board: Board,
        players: tuple[Player, ...],
        bank: tuple[int, ...],
        bag: tuple[Tile, ...],
        aside: Mask = 0,
        idle: int = 0,
    ) -> None:
        self.rulebook: Final = rulebook
        self.board: Final = board
        self.players: Final = players
        self.bank: Final = bank
        self.bag: Final = bag
        self.aside: Final = aside
        self.idle: Final = idle

    def with_players(self, players: tuple[Player, ...], bank: tuple[int, ...]) -> State:
        """Return the position with other assets: these players, and what the bank has left."""
        return State(self.rulebook, self.board, players, bank, self.bag, self.aside, self.idle)

    @property
    def mover(self) -> Player:
        """The player to move; ``IndexError`` if all have left."""
        return self.players[0]

    def player(self, name: str) -> Player:
        """Return the player with this name; ``KeyError`` if there is none at the table."""
        for player in self.players:
            if player.name == name:
                return player
        raise KeyError(name)

    def price(self, hotel: int) -> int:
        """Return the price in dollars of a certificate at the hotel's current size, or 0."""
        return self.rulebook.prices[hotel][self.board.sizes[hotel]]

    def can_replace(self, player: Player) -> bool:
        """Whether the bag holds enough tiles to replace a player's whole hand."""
        return 0 < player.hand.bit_count() <= len(self.bag)

    def __str__(self) -> str:
        """Return the board, with hotels by their initials, and the players, the mover first.

        >>> from acquire import CLASSIC, parse_position
        >>> state = parse_position(CLASSIC, "AA", ["ann 5A 6B A3 $600", "bob"])
        >>> print(str(state).partition("I ")[2].strip(" .\\n"))
        ann $600, A 3, 5A 6B
        bob $0
        """
        return "\n".join([self.board.drawn(self._initials()), *self._player_lines()])

    def __repr__(self) -> str:
        """Return a line: sizes of hotels, loose tiles, players, tiles in the bag.

        >>> from acquire import CLASSIC, parse_position
        >>> parse_position(CLASSIC, "AA...o", ["ann 5A 6B A3 $600", "bob"])
        <State classic: A 2, 1 loose; ann $600, A 3, 5A 6B; bob $0; 0 in the bag>
        """
        sizes = _counted(self._initials(), self.board.sizes)
        board = ", ".join([*sizes, f"{self.board.loose.bit_count()} loose"])
        parts = [board, *self._player_lines(), f"{len(self.bag)} in the bag"]
        return f"<State {self.rulebook.id}: {'; '.join(parts)}>"

    def _initials(self) -> list[str]:
        return [hotel.name[0] for hotel in self.rulebook.hotels]

    def _player_lines(self) -> Iterator[str]:
        for player in self.players:
            cash, shares = f"{player.name} ${player.cash:,}", player.shares
            parts = [cash, *_counted(self._initials(), shares), tile_names(player.hand)]
            yield ", ".join(filter(None, parts))


def _counted(initials: Sequence[str], numbers: Sequence[int]) -> list[str]:
    return [f"{a} {count}" for a, count in zip(initials, numbers, strict=True) if count]


def start_tiles(
    rulebook: Rulebook, names: Sequence[str], bag: Sequence[Tile]
) -> tuple[tuple[str, Tile], ...]:
    """Return who draws which tile to decide who starts, in sign-up order.

    >>> from acquire import CLASSIC, REVISED
    >>> start_tiles(CLASSIC, ["ann", "bob"], bag=TILES)
    (('ann', 0), ('bob', 1))

    Under some rulebooks the first to sign up starts, and no tiles are drawn:

    >>> start_tiles(REVISED, ["ann", "bob", "cyd"], bag=TILES)
    ()
    """
    if rulebook.start is Start.SIGN_UP:
        return ()
    return tuple(zip(names, bag, strict=False))


def _first(rulebook: Rulebook, drawn: Sequence[tuple[str, Tile]]) -> int:
    """Return the seat that moves first, counted from 0 in sign-up order."""
    tiles = [tile for _, tile in drawn]
    match rulebook.start:
        case Start.SIGN_UP:
            return 0
        case Start.ROW_FIRST:
            return tiles.index(min(tiles))  # tiles ascend row by row
        case Start.COLUMN_FIRST:
            return tiles.index(min(tiles, key=lambda tile: (column_of(tile), tile)))
        case _:
            assert_never(rulebook.start)


def deal(rulebook: Rulebook, names: Sequence[str], bag: Sequence[Tile]) -> State:
    """Set up a game: tiles are drawn to decide who starts, then each player draws a hand.

    ``names`` are in sign-up order, ``bag`` is all 108 tiles in the order in which they will be
    drawn. Tiles drawn for the start stay on the board, unincorporated even where they touch; hands
    are drawn from the starting player on. ``ValueError`` if two names are the same, their number is
    not one the rulebook allows, or the bag does not hold each tile once.

    >>> from acquire import REVISED
    >>> from acquire.game.tiles import tile_names
    >>> state = deal(REVISED, ["ann", "bob", "cyd"], bag=TILES)
    >>> [(player.name, player.cash, tile_names(player.hand)) for player in state.players[:2]]
    [('ann', 8000, '1A 2A 3A 4A 5A 6A'), ('bob', 8000, '7A 8A 9A 10A 11A 12A')]
    >>> len(state.bag), state.bank
    (90, (25, 25, 25, 25, 25, 25, 25))
    >>> deal(REVISED, ["ann", "bob"], bag=TILES)
    Traceback (most recent call last):
    ValueError: revised is for 3 to 6 players, not 2
    """
    if not rulebook.min_players <= len(names) <= rulebook.max_players:
        limits = f"{rulebook.min_players} to {rulebook.max_players}"
        raise ValueError(f"{rulebook.id} is for {limits} players, not {len(names)}")
    if len(set(names)) != len(names):
        raise ValueError(f"two players have the same name: {', '.join(names)}")
    if sorted(bag) != list(TILES):
        raise ValueError("the bag must hold each of the 108 tiles once")
    drawn = start_tiles(rulebook, names, bag)
    first = _first(rulebook, drawn)
    size, nothing = rulebook.hand_size, (0,) * len(rulebook.hotels)
    players = tuple(
        Player(name, rulebook.cash, nothing, mask_of(tuple(bag[begin : begin + size])))
        for name, begin in zip(
            (*names[first:], *names[:first]), range(len(drawn), len(bag), size), strict=False
        )
    )
    board = empty_board(rulebook)
    if drawn:
        board = lay_out(rulebook, mask_of([tile for _, tile in drawn]), board.hotels)
    bank = (rulebook.certificates,) * len(rulebook.hotels)
    return State(rulebook, board, players, bank, tuple(bag[len(drawn) + size * len(names) :]))


def position(
    rulebook: Rulebook, board: Board, players: Sequence[Player], bag: Sequence[Tile] = ()
) -> State:
    """Set up any position; the bank holds the certificates that no player holds.

    ``ValueError`` if the players hold more certificates of a hotel than there are.
    """
    held = list(map(sum, zip(*[player.shares for player in players], strict=True)))
    certificates = rulebook.certificates
    bank = tuple([certificates - count for count in held or [0] * len(rulebook.hotels)])
    if min(bank) < 0:
        hotel = rulebook.hotel_name(bank.index(min(bank)))
        raise ValueError(f"more than {rulebook.certificates} certificates of {hotel} are held")
    return State(rulebook, board, tuple(players), bank, tuple(bag))
