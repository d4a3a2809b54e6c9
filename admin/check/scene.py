"""Positions drawn as text, for whichever rulebook, and scripts made of them.

A drawing has one line a row, from A on, and one sign a cell, from column 1 on: a letter for a
hotel, ``o`` for an unincorporated tile, ``.`` for an empty cell; rows and columns that are left
out are empty. A hotel's letter stands for its place among those of its price: S and W are the
cheap hotels, A, F and I the medium ones, C and T the expensive ones. So they are the initials of
the hotels that four hotels' rulebooks have, and under the others a hotel of the same price.

A player is one line, the mover's first: ``"player 3A 12I A2 $600"`` has two tiles, two
certificates of A and 600 dollars. Who is given no tile is dealt a hand, ``-`` is an empty one.
"""

from collections.abc import Mapping
from functools import cache
from textwrap import dedent

from admin.check.case import PLAYER
from admin.match.dealer import Dealer
from admin.match.plugins import load_strategy
from admin.match.referee import Segment
from admin.trial.script import Make, Script
from game.board import Board, lay_out
from game.rulebook import Rulebook
from game.state import Player, State, deal, position
from game.tiles import ROWS, Mask, Tile, mask_of, parse_tile, tile_at, tiles_in

LOOSE, EMPTY = "o", "."
LETTERS = {"cheap": "SW", "medium": "AFI", "expensive": "CT"}
NO_HAND = "-"
OTHERS = ("ann", "bob", "cyd", "dan", "eve")
"""Who else sits at a table."""
STRATEGY = "ordered"
"""How the others play: legally, and each time the same."""
ABSENT = "gone"


@cache
def hotels(rulebook: Rulebook) -> Mapping[str, int]:
    """Return the hotels by their letters in drawings."""
    found: dict[str, int] = {}
    for tier, letters in LETTERS.items():
        of_tier = [index for index, hotel in enumerate(rulebook.hotels) if hotel.tier == tier]
        found |= dict(zip(letters, of_tier, strict=True))
    return found


def hotel_name(rulebook: Rulebook, letter: str) -> str:
    """Return the name of the hotel that a letter stands for."""
    return rulebook.hotel_name(hotels(rulebook)[letter])


def tiles(names: str) -> tuple[Tile, ...]:
    """Read tiles such as ``1A 12I``, in the order given."""
    return tuple(map(parse_tile, names.split()))


def board(rulebook: Rulebook, drawing: str) -> Board:
    """Lay out the board that a drawing shows; ``KeyError`` at an unknown sign."""
    cells: dict[str, Mask] = dict.fromkeys([*hotels(rulebook), LOOSE, EMPTY], 0)
    for row, line in enumerate(dedent(drawing).strip("\n").splitlines()):
        for column, sign in enumerate(line.rstrip(), start=1):
            cells[sign] |= 1 << tile_at(column, ROWS[row])
    by_index = {index: cells[letter] for letter, index in hotels(rulebook).items()}
    return lay_out(rulebook, cells[LOOSE], tuple(by_index[index] for index in sorted(by_index)))


def scene(rulebook: Rulebook, drawing: str, *seats: str, bag: str | None = None) -> State:
    """Lay out a position; the bag is what lies nowhere else, unless its tiles are given.

    ``ValueError`` when a tile lies in two places, or more certificates are held than there are.
    """
    laid = board(rulebook, drawing)
    players = [_player(rulebook, told) for told in seats]
    used = laid.occupied
    for player, _ in players:
        if used & player.hand:
            raise ValueError(f"{player.name} has a tile that lies elsewhere")
        used |= player.hand
    rest = [tile for tile in Dealer(0).bag if not used >> tile & 1]
    seated = []
    for player, dealt in players:
        if dealt:
            hand, rest = rest[: rulebook.hand_size], rest[rulebook.hand_size :]
            player = player._replace(hand=mask_of(hand))
        seated.append(player)
    left = rest if bag is None else tiles(bag)
    if not set(left) <= set(rest):
        raise ValueError("the bag has a tile that lies elsewhere")
    return position(rulebook, laid, seated, left)


def _player(rulebook: Rulebook, told: str) -> tuple[Player, bool]:
    """Read a player; and whether a hand is to be dealt."""
    name, *things = told.split()
    cash, shares, hand = rulebook.cash, [0] * len(rulebook.hotels), 0
    dealt = True
    for thing in things:
        if thing[0] == "$":
            cash = int(thing[1:])
        elif thing == NO_HAND:
            dealt = False
        elif thing[0] in hotels(rulebook):
            shares[hotels(rulebook)[thing[0]]] = int(thing[1:])
        else:
            hand |= 1 << parse_tile(thing)
            dealt = False
    return Player(name, cash, tuple(shares), hand), dealt


def hand_of(state: State, name: str) -> list[Tile]:
    """Return a player's tiles, row by row."""
    return tiles_in(state.player(name).hand)


def dealt(rulebook: Rulebook, seats: int, seed: int = 0, place: int = 0) -> State:
    """Deal a match from its beginning, with the player on the seat of this place, from 0 on."""
    names = list(OTHERS[: seats - 1])
    names.insert(place, PLAYER)
    return deal(rulebook, names, Dealer(seed).bag)


def script(
    rulebook: Rulebook,
    *parts: State | Segment,
    thinking: float = 0.0,
    strategies: Mapping[str, str] | None = None,
) -> Script:
    """Make a script: each position for one turn, unless it is a segment of more.

    The seats are those of the players in the first of them; the others play as ``ordered``, or as
    ``strategies`` has it by name.
    """
    segments = tuple(part if isinstance(part, Segment) else Segment(part) for part in parts)
    names = [player.name for player in segments[0].position.players]
    if PLAYER not in names:
        raise ValueError(f"no seat for {PLAYER!r}")
    absent = range(1, rulebook.min_players - len(names) + 1)
    played = {name: (strategies or {}).get(name, STRATEGY) for name in names if name != PLAYER}
    return Script(
        rulebook,
        (*names, *(f"{ABSENT}-{number}" for number in absent)),
        PLAYER,
        segments,
        {name: _maker(rulebook, strategy) for name, strategy in played.items()},
        thinking,
    )


def _maker(rulebook: Rulebook, strategy: str) -> Make:
    return lambda: _strategy(strategy)(rulebook, 0)


_strategy = cache(load_strategy)
"""Looking a strategy up among all that is installed costs more than a case."""
