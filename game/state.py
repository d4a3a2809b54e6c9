"""One position of a game, immutable: an old one stays valid when a new one is made from it."""

from collections.abc import Sequence
from typing import NamedTuple

from game.board import Board, empty_board, lay_out
from game.rulebook import Rulebook, Start
from game.tiles import TILES, Mask, Tile, column_of, mask_of


class Player(NamedTuple):
    """A player's name, cash in dollars, certificates by hotel, and tiles in hand."""

    name: str
    cash: int
    shares: tuple[int, ...]
    hand: Mask


class State(NamedTuple):
    """A position between two actions.

    ``players`` stand in turn order, the one whose turn it is first. ``bank`` are the
    certificates left by hotel; ``bag`` are the tiles not yet drawn, the next one first (empty,
    too, for a player who cannot see it). ``aside`` are the tiles that were set aside, face up;
    ``idle`` is the number of turns, up to now, in which no tile was placed and no hand changed.
    """

    rulebook: Rulebook
    board: Board
    players: tuple[Player, ...]
    bank: tuple[int, ...]
    bag: tuple[Tile, ...]
    aside: Mask = 0
    idle: int = 0

    @property
    def mover(self) -> Player:
        """The player whose turn it is; ``IndexError`` when all have left."""
        return self.players[0]

    def player(self, name: str) -> Player:
        """Return the player of this name; ``KeyError`` when nobody at the table has it."""
        for player in self.players:
            if player.name == name:
                return player
        raise KeyError(name)

    def price(self, hotel: int) -> int:
        """Return the price in dollars of a certificate at the hotel's present size, or 0."""
        return self.rulebook.prices[hotel][self.board.sizes[hotel]]


def start_tiles(
    rulebook: Rulebook, names: Sequence[str], bag: Sequence[Tile]
) -> tuple[tuple[str, Tile], ...]:
    """Return the tile that each player draws for the start, in sign-up order; none in some."""
    if rulebook.start is Start.SIGN_UP:
        return ()
    return tuple(zip(names, bag, strict=False))


def _first(rulebook: Rulebook, drawn: Sequence[tuple[str, Tile]]) -> int:
    """Return the seat, counted from 0 in sign-up order, that moves first."""
    if not drawn:
        return 0
    by_column = rulebook.start is Start.COLUMN_FIRST

    def distance(seat: int) -> tuple[int, Tile]:
        tile = drawn[seat][1]  # tiles ascend row by row
        return (column_of(tile) if by_column else 0, tile)

    return min(range(len(drawn)), key=distance)


def deal(rulebook: Rulebook, names: Sequence[str], bag: Sequence[Tile]) -> State:
    """Set the table: the start is drawn, and each, from the first to move on, draws a hand.

    ``names``, in sign-up order, are different and as many as the rulebook allows; ``bag`` is all
    108 tiles in the order in which they will be drawn; ``ValueError`` otherwise. Tiles drawn for
    the start stay on the board, unincorporated even where they touch.
    """
    if not rulebook.min_players <= len(names) <= rulebook.max_players:
        raise ValueError(f"{rulebook.id} is for {rulebook.min_players} to "
                         f"{rulebook.max_players} players, not {len(names)}")  # fmt: skip
    if len(set(names)) != len(names):
        raise ValueError(f"two players of the same name: {', '.join(names)}")
    if sorted(bag) != list(TILES):
        raise ValueError("the bag has to hold each of the 108 tiles once")
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
    """Lay out any position; the bank holds the certificates that nobody has.

    ``ValueError`` when more certificates of a hotel are held than there are.
    """
    held = [sum(counts) for counts in zip(*(player.shares for player in players), strict=True)]
    bank = tuple(rulebook.certificates - count for count in held or [0] * len(rulebook.hotels))
    if min(bank) < 0:
        hotel = rulebook.hotel_name(bank.index(min(bank)))
        raise ValueError(f"more than {rulebook.certificates} certificates of {hotel} are held")
    return State(rulebook, board, tuple(players), bank, tuple(bag))
