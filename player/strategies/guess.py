"""A position to think about, built from what a player sees: what is hidden is guessed.

Other players' tiles are left out. Hidden cash is assumed to be the starting cash; hidden
certificates are those that neither the bank nor the viewer holds, divided evenly among the others.

Boards and players are copied, because in pure Python nothing keeps a player that runs in the
referee's process from changing them.
"""

import random
from collections.abc import Sequence

from ...game.board import Board
from ...game.rulebook import Rulebook
from ...game.state import Player, State, position
from ...game.tiles import TILES, mask_of
from ...protocol.player_view import PlayerView


def guess_state(rulebook: Rulebook, view: PlayerView) -> State:
    """Return the guessed position; its bag is empty."""
    board, bank, aside, seen = view
    known = [seat.shares for seat in seen if seat.shares is not None]
    holders = len(seen) - len(known)
    unseen = [rulebook.certificates - sum(held) for held in zip(bank, *known, strict=True)]
    players, place = [], 0
    for name, cash, shares, hand, _ in seen:
        if shares is None:
            # The first such players get one more where the certificates do not divide evenly.
            shares = tuple([(count + holders - 1 - place) // holders for count in unseen])
            place += 1
        players.append(Player(name, rulebook.cash if cash is None else cash, shares, hand))
    return State(rulebook, Board(*board), tuple(players), bank, (), aside)


def own_position(rulebook: Rulebook, board: Board, players: Sequence[Player]) -> State:
    """Return a position in which nothing is hidden; its bag is empty."""
    copies = [Player(one.name, one.cash, one.shares, one.hand) for one in players]
    return position(rulebook, Board(*board), copies)


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
