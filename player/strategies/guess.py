"""A position to think about, built from what a player sees: what is hidden is guessed.

Other players' tiles are left out. Where assets are hidden, the certificates that neither the bank
nor the viewer holds are divided evenly among the others, and each of them is assumed to have the
starting cash.
"""

from game.rulebook import Rulebook
from game.state import Player, State
from protocol.player_view import PlayerView, SeatView


def guess_state(rulebook: Rulebook, view: PlayerView) -> State:
    """Return the guessed position; its bag is empty."""
    board, bank, aside, seen = view
    hidden = [player.name for player in seen if player.cash is None]
    if not hidden:
        players = tuple([Player(p.name, p.cash or 0, p.shares, p.hand) for p in seen])
    else:
        known = [sum(held) for held in zip(bank, *(p.shares for p in seen), strict=True)]
        unseen = [rulebook.certificates - count for count in known]
        players = tuple(_guess_player(rulebook, player, hidden, unseen) for player in seen)
    return State(rulebook, board, players, bank, (), aside)


def _guess_player(
    rulebook: Rulebook, seat: SeatView, hidden: list[str], unseen: list[int]
) -> Player:
    if seat.cash is not None:
        return Player(seat.name, seat.cash, seat.shares, seat.hand)
    # The first hidden players get one more where the certificates do not divide evenly.
    place, holders = hidden.index(seat.name), len(hidden)
    shares = tuple([(count + holders - 1 - place) // holders for count in unseen])
    return Player(seat.name, rulebook.cash, shares, seat.hand)
