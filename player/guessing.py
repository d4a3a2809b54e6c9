"""A position to think about, made of what a player sees: what is hidden is guessed.

Tiles of others are left out. Where the assets are hidden, the certificates that neither the bank
nor the player has are shared out evenly among the others, and each of those is taken to have the
cash that he began with.
"""

from game.rulebook import Rulebook
from game.state import Player, State
from protocol.player_view import PlayerView, SeatView


def guessed(rulebook: Rulebook, view: PlayerView) -> State:
    """Return the position; its bag is empty."""
    board, bank, aside, seen = view
    hidden = [player.name for player in seen if player.cash is None]
    if not hidden:
        players = tuple([Player(p.name, p.cash or 0, p.shares, p.hand) for p in seen])
    else:
        known = [sum(held) for held in zip(bank, *(p.shares for p in seen), strict=True)]
        unseen = [rulebook.certificates - count for count in known]
        players = tuple(_guess(rulebook, player, hidden, unseen) for player in seen)
    return State(rulebook, board, players, bank, (), aside)


def _guess(rulebook: Rulebook, seen: SeatView, hidden: list[str], unseen: list[int]) -> Player:
    if seen.cash is not None:
        return Player(seen.name, seen.cash, seen.shares, seen.hand)
    seat, among = hidden.index(seen.name), len(hidden)
    shares = tuple([(count + among - 1 - seat) // among for count in unseen])
    return Player(seen.name, rulebook.cash, shares, seen.hand)
