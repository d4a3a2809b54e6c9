"""Positions drawn as text, for any rulebook, and scripts made of them.

The notation is that of ``acquire.game.notation``, but the letters stand for price classes: S and W
are the cheap hotels, A, F and I the medium ones, C and T the expensive ones. Where the hotels have
these initials, they are the hotels' own letters; elsewhere they stand for hotels of the same class.

The mover's line comes first: ``"player 3A 12I A2 $600"`` has two tiles, two certificates of A and
600 dollars. A player without cash has that of the start; one without tiles is dealt a hand; ``-``
is an empty hand.
"""

from collections.abc import Mapping
from functools import cache
from textwrap import dedent

from ....game.notation import parse_board, parse_player
from ....game.rulebook import Rulebook
from ....game.state import Player, State, deal, position
from ....game.tiles import Tile, mask_of, parse_tile
from ...refereeing.play.dealer import Dealer
from ...refereeing.play.plugins import load_strategy
from ...refereeing.play.referee import Segment
from ..trial.script import MakePlayer, Script
from .case import PLAYER

LETTERS = {"cheap": "SW", "medium": "AFI", "expensive": "CT"}
NO_HAND = "-"
OPPONENTS = ("ann", "bob", "cyd", "dan", "eve")
STRATEGY = "ordered"
"""How opponents play: legally, and the same each time."""
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


def parse_tiles(names: str) -> tuple[Tile, ...]:
    """Parse tiles such as ``1A 12I``, in the order given."""
    return tuple(map(parse_tile, names.split()))


def parse_position(rulebook: Rulebook, drawing: str, *seats: str, bag: str | None = None) -> State:
    """Parse a position; unless ``bag`` is given, all remaining tiles are in the bag.

    ``ValueError`` if a tile is in two places, or players hold more certificates than there are.
    """
    board = parse_board(rulebook, dedent(drawing).strip("\n"), hotels(rulebook))
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
    given = [item for item in items if item != NO_HAND]
    line = " ".join([name, f"${rulebook.cash}", *given])
    player = parse_player(rulebook, line, hotels(rulebook))
    return player, not player.hand and given == items


def with_bag_top(state: State, tiles: str) -> State:
    """Return the position with these tiles on top of the bag."""
    first = parse_tiles(tiles)
    return state._replace(bag=(*first, *(tile for tile in state.bag if tile not in first)))


def deal_game(rulebook: Rulebook, seats: int, seed: int = 0, place: int = 0) -> State:
    """Deal the first position of a game, with the player on this seat, from 0 on."""
    names = list(OPPONENTS[: seats - 1])
    names.insert(place, PLAYER)
    return deal(rulebook, names, Dealer(seed).bag)


def make_script(
    rulebook: Rulebook,
    *parts: State | Segment,
    think_time: float = 0.0,
    strategies: Mapping[str, str] | None = None,
) -> Script:
    """Make a script of segments; a position alone is played for one turn.

    The players of the first position have the seats. The opponents play as ``ordered``, or by the
    ``strategies`` given for their names.
    """
    segments = tuple(part if isinstance(part, Segment) else Segment(part) for part in parts)
    names = [player.name for player in segments[0].position.players]
    if PLAYER not in names:
        raise ValueError(f"no seat for {PLAYER!r}")
    absent = range(1, rulebook.min_players - len(names) + 1)
    by_name = {name: (strategies or {}).get(name, STRATEGY) for name in names if name != PLAYER}
    return Script(
        rulebook,
        (*names, *(f"{ABSENT}-{number}" for number in absent)),
        PLAYER,
        segments,
        {name: _maker(strategy) for name, strategy in by_name.items()},
        think_time,
    )


def _maker(strategy: str) -> MakePlayer:
    return lambda rulebook: _load_strategy(strategy)(rulebook, 0)


_load_strategy = cache(load_strategy)
"""Cached: searching all installed packages for a strategy takes longer than a case."""
