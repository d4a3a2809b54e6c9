"""Between the turns: passing the turn, ejection, the endings, the pay-out, and net worth.

A player's net worth is the score if the game ended now: the cash, the final bonuses, and the sale
of all certificates. Nobody can know the tiles that the stock market will draw at the end of a game
of two, so there the market holds nothing until its tiles are drawn: a draw can lower the net worth
of the players.

Rule texts: "Acquire, Revised", Ending the Game, and Scoring; "Ending the game" in the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from .merger import Bonus, Merger, bonuses_for, pay
from .placement import playable
from .rulebook import End, StuckHand
from .sentenced import Sentenced
from .state import State
from .tiles import Tile, tiles_in
from .violation import BrokenRule, Illegal, Violation


class Ending(Sentenced):
    """How a game can end, with a ``sentence`` about it; the value is its code in logs."""

    LARGE_HOTEL = "large-hotel", "A hotel has reached the size that ends the game."
    ALL_SAFE = "all-hotels-safe", "Every hotel on the board is safe."
    NOTHING_PLACEABLE = "no-placeable-tile", "The next player has no playable tile."
    BAG_EMPTY = "no-tile-to-hand-back", "No tile is left to draw."
    DEAD_ROUND = "dead-round", "For a whole round no tile was placed and no hand changed."
    NOBODY_LEFT = "nobody-left", "No player is left at the table."
    INTERRUPTED = "interrupted", "The game was interrupted before its end."
    NO_MORE_TURNS = "no-more-turns", "The requested number of turns has been played."

    @property
    def regular(self) -> bool:
        """Whether the rule texts let a player or the referee choose this ending."""
        return self in (Ending.LARGE_HOTEL, Ending.ALL_SAFE)


_ADMINISTRATOR: Final = End.ADMINISTRATOR
_ENDS_GAME: Final = StuckHand.ENDS_GAME
# Module constants, because looking up an Enum member costs more than the test that uses it.


class PayOut(NamedTuple):
    """The final bonuses, and each player's score in dollars, in turn order."""

    bonuses: tuple[Bonus, ...]
    scores: tuple[tuple[str, int], ...]


def pass_turn(state: State, *, idle: bool = False) -> State:
    """Return the same position with the next player to move.

    ``idle`` means that in this turn no tile was placed and the mover's hand did not change.
    """
    players = state.players[1:] + state.players[:1]
    after = state.idle + 1 if idle else 0
    return State(state.rulebook, state.board, players, state.bank, state.bag, state.aside, after)


def regular_ending(state: State) -> Ending | None:
    """Return why the game may be ended now, or ``None`` if it may not.

    >>> from acquire import CLASSIC, parse_position
    >>> regular_ending(parse_position(CLASSIC, "TTTTTTTTTTT", ["ann"]))
    <Ending.ALL_SAFE: 'all-hotels-safe'>
    >>> regular_ending(parse_position(CLASSIC, "TTTTTTTTTTT/............/AA", ["ann"]))
    """
    board, rulebook = state.board, state.rulebook
    if board.largest >= rulebook.final_size:
        return Ending.LARGE_HOTEL
    if board.largest < rulebook.safe_size:
        return None
    for size in board.sizes:
        if 0 < size < rulebook.safe_size:
            return None
    return Ending.ALL_SAFE


def declared_ending(state: State, begun: State) -> Ending | None:
    """Return which ending the mover may declare in ``state``, or ``None`` if it may not.

    The end may be declared at any time during a turn, so it is enough if it is reached in
    ``begun``, the position at the start of the turn: a founding ends that all hotels are safe.
    Where both positions have an ending, it is that of ``state``, the one that is paid out.

    >>> from acquire import CLASSIC, parse_position
    >>> begun = parse_position(CLASSIC, "TTTTTTTTTTT", ["ann"])
    >>> declared_ending(parse_position(CLASSIC, "TTTTTTTTTTT/............/AA", ["ann"]), begun)
    <Ending.ALL_SAFE: 'all-hotels-safe'>
    """
    end = state.rulebook.end
    if end is _ADMINISTRATOR:
        return None
    found = regular_ending(state)
    if found is None and end is End.DECLARED:
        return regular_ending(begun)
    return found


def verify_declaration(state: State, begun: State) -> Illegal | None:
    """Return why the mover cannot declare the end in ``state``, or ``None`` if it can.

    ``begun`` is the position at the start of the turn, as for :func:`declared_ending`.

    >>> from acquire import CLASSIC, parse_position
    >>> state = parse_position(CLASSIC, "AA.TTT", ["ann"])
    >>> print(verify_declaration(state, begun=state).detail)
    The sizes are American 2, Tower 3; large enough is 41, safe is 11.
    """
    if declared_ending(state, begun) is not None:
        return None
    rulebook, sizes = state.rulebook, state.board.sizes
    named = [f"{rulebook.hotel_name(hotel)} {size}" for hotel, size in enumerate(sizes) if size]
    board = f"The sizes are {', '.join(named)}" if named else "No hotel is on the board"
    limits = f"large enough is {rulebook.final_size}, safe is {rulebook.safe_size}"
    return Illegal(Violation.NOT_OVER, f"{board}; {limits}.")


ROUNDS_OF_DECLINING = 3
"""Rounds in which nothing was placed or changed, although somebody may replace a hand, that end a
game. No rule text sets a number; one round gives everybody the time to see what the others do."""


def ending(state: State) -> Ending | None:
    """Return the ending that the referee announces between turns, or ``None``.

    A regular ending takes precedence. The rule texts do not mention the round in which nobody
    placed a tile and no hand changed; purchases in it do not prolong the game. Where players choose
    whether their hands are replaced, a round is not dead as long as the bag can replace one; but if
    they decline for :data:`ROUNDS_OF_DECLINING` rounds in a row, the game ends, since it would
    never end otherwise.

    >>> from acquire import REVISED, parse_position
    >>> ending(parse_position(REVISED, "TTTTTTTTTTTT", ["ann 1I"]))
    <Ending.ALL_SAFE: 'all-hotels-safe'>
    >>> ending(parse_position(REVISED, "TT.o", ["ann 3A"]))
    <Ending.NOTHING_PLACEABLE: 'no-placeable-tile'>
    """
    if not state.players:
        return Ending.NOBODY_LEFT
    rulebook = state.rulebook
    if rulebook.end is _ADMINISTRATOR and (found := regular_ending(state)) is not None:
        return found
    if rulebook.stuck_hand is _ENDS_GAME and not playable(state):
        return Ending.NOTHING_PLACEABLE
    rounds = 1
    if rulebook.stuck_hand is StuckHand.MAY_REPLACE and any(map(state.can_replace, state.players)):
        rounds = ROUNDS_OF_DECLINING
    return Ending.DEAD_ROUND if state.idle >= rounds * len(state.players) else None


def pay_out(state: State, market: Mapping[int, int] | None = None) -> PayOut:
    """Pay the bonuses of every hotel on the board and sell all certificates at their price.

    ``market`` is how many certificates of each hotel the stock market holds, if it takes part.

    >>> from acquire import CLASSIC, parse_position
    >>> state = parse_position(CLASSIC, "AA", ["ann A3 $100", "bob A1 T5"])
    >>> pay_out(state).scores
    (('ann', 4000), ('bob', 1800))
    """
    market = market or {}
    bonuses = [
        bonus
        for hotel, tiles in enumerate(state.board.hotels)
        if tiles
        for bonus in bonuses_for(
            state.rulebook, hotel, state.price(hotel), state.players, market.get(hotel, 0)
        )
    ]
    prices = [state.price(hotel) if tiles else 0 for hotel, tiles in enumerate(state.board.hotels)]
    scores = tuple(
        (player.name, player.cash + sum(map(int.__mul__, player.shares, prices)))
        for player in pay(state.players, bonuses)
    )
    return PayOut(tuple(bonuses), scores)


def worth(state: State, market: Mapping[int, int] | None = None) -> dict[str, int]:
    """Return each player's net worth in dollars between two actions, in turn order.

    ``market`` is how many certificates of each hotel the stock market holds, as far as its tiles
    are drawn.

    >>> from acquire import CLASSIC, parse_position
    >>> state = parse_position(CLASSIC, "AA", ["ann A3 $100", "bob A1 T5"])
    >>> worth(state)
    {'ann': 4000, 'bob': 1800}
    >>> worth(state, market={0: 9})
    {'ann': 2500, 'bob': 300}
    """
    return dict(pay_out(state, market).scores)


def worth_in_merger(merger: Merger, market: Mapping[int, int] | None = None) -> dict[str, int]:
    """Return each player's net worth in dollars while a merger is settled, in turn order.

    Bonuses not yet paid count as if they were. Certificates of acquired hotels count at their price
    before the merger for as long as their holders have them.
    """
    market = market or {}
    state = merger.state
    paid = {bonus.hotel for bonus in merger.bonuses}
    owed = [
        bonus
        for hotel, price in zip(merger.acquired, merger.prices, strict=True)
        if hotel not in paid
        for bonus in bonuses_for(state.rulebook, hotel, price, state.players, market.get(hotel, 0))
    ]
    found = worth(state._replace(players=pay(state.players, owed)))
    for player in state.players:
        for hotel, price in zip(merger.acquired, merger.prices, strict=True):
            found[player.name] += price * player.shares[hotel]
    return found


def returned_bag(state: State, name: str) -> tuple[Tile, ...]:
    """Return the bag with a leaving player's tiles at its end, to be shuffled by the caller."""
    return (*state.bag, *tiles_in(state.player(name).hand))


def eject(state: State, name: str, bag: Sequence[Tile]) -> State:
    """Remove a player: its certificates return to the bank, its tiles to the bag; its cash is gone.

    ``bag`` is the shuffled :func:`returned_bag`; ``BrokenRule`` if it holds other tiles. The count
    of idle turns starts again at 0.

    >>> from acquire import CLASSIC, parse_position
    >>> state = parse_position(CLASSIC, "AA", ["ann 1I A5 $600", "bob"], bag="12I")
    >>> after = eject(state, "ann", bag=returned_bag(state, "ann"))
    >>> [player.name for player in after.players], after.bank[0], len(after.bag)
    (['bob'], 25, 2)
    """
    leaver = state.player(name)
    if sorted(bag) != sorted(returned_bag(state, name)):
        raise BrokenRule(f"the bag does not hold the tiles left after {name} is ejected")
    return State(
        state.rulebook,
        state.board,
        tuple(player for player in state.players if player is not leaver),
        tuple(map(int.__add__, state.bank, leaver.shares)),
        tuple(bag),
        state.aside,
    )


def eject_midway(state: State, name: str, bag: Sequence[Tile]) -> State:
    """Remove a player from a position within a turn, given the bag of the committed position.

    That bag also has the tiles that were drawn in this turn; they stay drawn, and the others keep
    their order.
    """
    within = set(returned_bag(state, name))
    return eject(state, name, [tile for tile in bag if tile in within])
