"""Positions as files, for comparing two engines; docs/students/perft.md describes them."""

from ....game.rulebook import Rulebook
from ....game.state import State
from ....game.tiles import connected
from ..case_parts.position_text import NO_HAND, SIGNS, parse_position

BAG = "bag:"


class InvalidPosition(ValueError):
    """A text is not a position; its message is a sentence that says why."""


def read_position(rulebook: Rulebook, text: str) -> State:
    """Read a position: rows of the board, a player a line, the mover first, and the bag.

    ``InvalidPosition`` if the text is not of this form or there can be no such position.

    >>> from acquire.game.rulebooks import CORPORATIONS
    >>> text = '''AA.TT    # row A: America and Quantum
    ... ann $600 A3 3A 9I
    ... bob T2 1I
    ... bag: 12I 11I'''
    >>> state = read_position(CORPORATIONS, text)
    >>> state.board.sizes, state.bank[4], len(state.bag)
    ((2, 0, 0, 0, 2, 0, 0), 23, 2)
    """
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    bag = " ".join(line.removeprefix(BAG) for line in lines if line.startswith(BAG))
    lines = [line for line in lines if line and not line.startswith(BAG)]
    rows = [line for line in lines if not line.strip(SIGNS)]
    players = [f"{line} {NO_HAND}" for line in lines if line.strip(SIGNS)]
    names = {line.split()[0] for line in players}
    if not 1 <= len(players) <= rulebook.max_players or len(names) < len(players):
        most = rulebook.max_players
        raise InvalidPosition(f"A position has 1 to {most} players with different names.")
    try:
        state = parse_position(rulebook, "\n".join([*rows, "|".join(players)]), bag)
    except KeyError as error:
        raise InvalidPosition(f"{error} is not the letter of a hotel.") from None
    except ValueError as error:
        raise InvalidPosition(f"{error}.") from None
    if len(set(state.bag)) < len(state.bag):
        raise InvalidPosition("A tile is twice in the bag.")
    for player in state.players:
        if player.hand.bit_count() > rulebook.hand_size or min(player.shares) < 0:
            raise InvalidPosition(f"{player.name} has too many tiles or too few certificates.")
    for hotel, tiles in zip(rulebook.hotels, state.board.hotels, strict=True):
        if tiles and (tiles.bit_count() == 1 or connected(tiles & -tiles, tiles) != tiles):
            raise InvalidPosition(f"The tiles of {hotel.name} have to be two or more, connected.")
    return state
