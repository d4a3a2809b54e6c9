"""Positions drawn as text, and texts about them, for any rulebook.

The notation is that of ``acquire.game.notation``, but the letters stand for price classes: S and W
are the cheap hotels, A, F and I the medium ones, C and T the expensive ones. Where the hotels have
these initials, they are the hotels' own letters; elsewhere they stand for hotels of the same class.

The mover's line comes first: ``"player 3A 12I A2 $600"`` has two tiles, two certificates of A and
600 dollars. A player without cash has that of the start; one without tiles is dealt a hand; ``-``
is an empty hand.
"""

import re
from collections.abc import Mapping
from functools import cache
from itertools import combinations

from ....game.notation import EMPTY, LOOSE, parse_board, parse_player
from ....game.rulebook import LooseNeighbours, Rulebook
from ....game.state import Player, State, position
from ....game.tiles import Tile, connected, mask_of, near, parse_tile, tiles_in
from ...refereeing.play.dealer import Dealer

LETTERS = {"cheap": "SW", "medium": "AFI", "expensive": "CT"}
SIGNS = "".join([LOOSE, EMPTY, *LETTERS.values()])  # what a row of a board consists of
_SIZE = re.compile(rf"(safe|final)([+-]\d{{1,3}})?(?::([{SIGNS}]))?")
"""A number of tiles, or a row of as many."""
NO_HAND = "-"
UNUSUAL = ("an unincorporated tile beside a hotel", "a short hand though the bag has tiles")
"""What cannot occur in a game, but can be counted from all the same."""
MAX_TEXT = 4000  # characters of a text, also when it is filled; a whole board has 120
LIMITS = {2: "two", 3: "three"}  # how many certificates an order can have, in words


@cache
def hotels(rulebook: Rulebook) -> Mapping[str, int]:
    """Return the hotels by their letters in drawings."""
    found: dict[str, int] = {}
    for tier, letters in LETTERS.items():
        of_tier = [index for index, hotel in enumerate(rulebook.hotels) if hotel.tier == tier]
        found |= dict(zip(letters, of_tier, strict=True))
    return found


def fill(rulebook: Rulebook, text: str) -> str:
    """Return a text with what stands for the words in braces in it; ``KeyError`` for others.

    ``ValueError`` if it is too long, or becomes so. ``{T}`` is the name of the hotel drawn as T,
    ``{safe}`` the size from which a hotel is safe, ``{final}`` the one that ends a game, ``{most}``
    the limit of an order. ``{safe-1}`` is one tile less, and ``{safe-1:A}`` in a drawing is a row
    of that many tiles of A.

    These are not the formats of Python, which could read any attribute or fill the memory.

    >>> from acquire.game.rulebooks import CLASSIC
    >>> fill(CLASSIC, "{T}, {most}, {safe}, {final-1}, {safe-8:A}")
    'Tower, three, 11, 40, AAA'
    """
    sizes = {"safe": rulebook.safe_size, "final": rulebook.final_size}

    def filled(braces: re.Match[str]) -> str:
        if (word := braces[1]) == "most":
            return LIMITS[rulebook.order_limit]
        if size := _SIZE.fullmatch(word):
            tiles = sizes[size[1]] + int(size[2] or 0)
            return size[3] * tiles if size[3] else str(tiles)
        return rulebook.hotel_name(hotels(rulebook)[word])

    found = text if len(text) > MAX_TEXT else re.sub(r"\{([^{}]*)\}", filled, text)
    if len(found) > MAX_TEXT:
        raise ValueError(f"a text has more than {MAX_TEXT:,} characters")
    return found


def parse_tiles(names: str) -> tuple[Tile, ...]:
    """Parse tiles such as ``1A 12I``, in the order given."""
    return tuple(map(parse_tile, names.split()))


def parse_position(rulebook: Rulebook, text: str, bag: str | None = None) -> State:
    """Parse a position: the rows of a board, then the players, the mover first, divided by bars.

    Unless ``bag`` is given, all remaining tiles are in the bag. ``ValueError`` if a tile is in two
    places, or players hold more certificates than there are.
    """
    lines = [line.strip() for line in text.strip().splitlines()]
    rows = [line for line in lines if not line.strip(SIGNS)]
    board = parse_board(rulebook, "\n".join(rows).rstrip(), hotels(rulebook))
    seats = " ".join(lines[len(rows) :]).split("|")
    players = [_parse_player(rulebook, seat) for seat in seats]
    used = board.occupied
    for player, _ in players:
        if used & player.hand:
            raise ValueError(f"{player.name} has a tile that is elsewhere as well")
        used |= player.hand
    rest = [tile for tile in Dealer(0).bag if not used >> tile & 1]
    seated = []
    for player, is_dealt in players:
        if is_dealt:
            hand, rest = rest[: rulebook.hand_size], rest[rulebook.hand_size :]
            player = player._replace(hand=mask_of(hand))
        seated.append(player)
    left = rest if bag is None else parse_tiles(bag)
    if not set(left) <= set(rest):
        raise ValueError("the bag has a tile that is elsewhere as well")
    return position(rulebook, board, seated, left)


def _parse_player(rulebook: Rulebook, seat: str) -> tuple[Player, bool]:
    """Parse a player; and whether a hand is to be dealt."""
    name, *items = seat.split()
    for item in items:
        if not re.fullmatch(r"[A-Z]-?\d+|\$\d+|\d+[A-Z]|-", item):
            raise ValueError(f"{item!r} is not a tile (3A), certificates (S2) or cash ($600)")
    given = [item for item in items if item != NO_HAND]
    line = " ".join([name, f"${rulebook.cash}", *given])
    player = parse_player(rulebook, line, hotels(rulebook))
    return player, not player.hand and given == items


def impossible(state: State) -> list[str]:
    """Return what a position has that could not occur in a game, as parts of a sentence."""
    rulebook, hotels_on_board = state.rulebook, [each for each in state.board.hotels if each]
    pairs = list(combinations(hotels_on_board, 2))
    refused = rulebook.loose_neighbours is LooseNeighbours.REFUSED
    tiles = [
        *(tile for hotel in hotels_on_board for tile in tiles_in(hotel)),
        *(tile for player in state.players for tile in tiles_in(player.hand)),
        *(*tiles_in(state.board.loose), *tiles_in(state.aside), *state.bag),
    ]
    sizes = [player.hand.bit_count() for player in state.players]
    found = {
        "a hotel of one tile": any(hotel.bit_count() == 1 for hotel in hotels_on_board),
        "a hotel in two parts": any(
            connected(hotel & -hotel, hotel) != hotel for hotel in hotels_on_board
        ),
        "hotels that touch": any(near(hotel) & other for hotel, other in pairs),
        UNUSUAL[0]: refused and any(near(hotel) & state.board.loose for hotel in hotels_on_board),
        "a tile in two places": len(set(tiles)) < len(tiles),
        "a hand that is too large": max(sizes, default=0) > rulebook.hand_size,
        UNUSUAL[1]: bool(state.bag) and min(sizes, default=rulebook.hand_size) < rulebook.hand_size,
    }
    return [what for what, is_so in found.items() if is_so]
