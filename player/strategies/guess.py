"""A position to think about, made of what a player knows: what is hidden is guessed.

Other players' tiles are left out. Hidden cash is assumed to be the starting cash; hidden
certificates are those that neither the bank nor the viewer holds, divided evenly among the others.
"""

import random

from ...game.rulebook import Assets
from ...game.state import Player, State
from ...game.tiles import TILES, mask_of
from ...protocol.question import Known

_SHOWN = (Assets.OPEN, Assets.OPTIONAL)
"""Where nothing has to be guessed. A constant: this is asked at every question of a game."""


def guess(known: Known) -> State:
    """Return the guessed position; its bag is empty."""
    state = known.state
    rulebook = state.rulebook
    if rulebook.assets in _SHOWN:
        return state
    seats = known.seats
    shown = [seat.shares for seat in seats if seat.shares is not None]
    holders = len(seats) - len(shown)
    unseen = [rulebook.certificates - sum(held) for held in zip(state.bank, *shown, strict=True)]
    players, place = [], 0
    for name, cash, shares, hand, _ in seats:
        if shares is None:
            # The first such players get one more where the certificates do not divide evenly.
            shares = tuple([(count + holders - 1 - place) // holders for count in unseen])
            place += 1
        players.append(Player(name, rulebook.cash if cash is None else cash, shares, hand))
    return state.with_players(tuple(players), state.bank)


def complete(state: State, seed: int) -> State:
    """Return a position with the tiles that a player does not see dealt at random.

    Hands that are empty because they are hidden are filled; the rest is the bag. The same seed
    deals the same tiles. This is how a player looks ahead: it knows neither the bag nor, under most
    rulebooks, the others' tiles.
    """
    seen = state.board.occupied | state.aside
    for player in state.players:
        seen |= player.hand
    unseen = [tile for tile in TILES if not seen >> tile & 1]
    random.Random(f"acquire complete {seed}").shuffle(unseen)
    players = []
    for at, player in enumerate(state.players):
        if at and not player.hand:
            hand = [unseen.pop() for _ in range(min(state.rulebook.hand_size, len(unseen)))]
            player = player._replace(hand=mask_of(hand))
        players.append(player)
    return state._replace(players=tuple(players), bag=tuple(unseen))
