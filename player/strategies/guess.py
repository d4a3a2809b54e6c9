"""A position to think about, built from what a player sees: what is hidden is guessed.

Other players' tiles are left out. Hidden cash is assumed to be the starting cash; hidden
certificates are those that neither the bank nor the viewer holds, divided evenly among the others.

Boards and players are copied, because in pure Python nothing keeps a player that runs in the
referee's process from changing them.
"""

from collections.abc import Sequence

from game.board import Board
from game.rulebook import Rulebook
from game.state import Player, State, position
from protocol.player_view import PlayerView


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
