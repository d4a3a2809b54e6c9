"""What one player may see of a position: the only place that hides anything.

Under a rulebook that hides hands, a player sees its own tiles and how many the others have; at a
table that hides cash or certificates, its own only. The certificates left in the bank are
always visible, because a player may always ask for them; tiles set aside lie face up.
"""

from typing import NamedTuple, TypeAlias

from ..game.board import Board
from ..game.rulebook import Hands, Rulebook
from ..game.state import Player, State
from ..game.tiles import Mask


class SeatView(NamedTuple):
    """A player as another one, or itself, sees it.

    ``cash`` is in dollars; it and ``shares`` are ``None`` if they are hidden.
    ``hand`` is empty if it is hidden; ``tiles`` is the number of tiles in it either way.
    """

    name: str
    cash: int | None
    shares: tuple[int, ...] | None
    hand: Mask
    tiles: int


class PlayerView(NamedTuple):
    """A position as one player sees it: a :class:`~acquire.game.state.State` without the bag."""

    board: Board
    bank: tuple[int, ...]
    aside: Mask
    players: tuple[SeatView, ...]


def view_for(state: State, viewer: str) -> PlayerView:
    """Return what the player called ``viewer`` may see of a position.

    >>> from acquire import CLASSIC, parse_position
    >>> state = parse_position(CLASSIC, "", ["ann 1A 2A $600", "bob 3A $700"])
    >>> view = view_for(state, "bob")
    >>> [(seat.name, seat.cash, seat.hand, seat.tiles) for seat in view.players]
    [('ann', 600, 0, 2), ('bob', 700, 4, 1)]
    """
    hidden = _hidden(state.rulebook)
    seats = [
        open_seat(player) if player.name == viewer else _others(hidden, player)
        for player in state.players
    ]
    return PlayerView(state.board, state.bank, state.aside, tuple(seats))


_Hidden: TypeAlias = tuple[bool, bool, bool]
"""Whether cash, certificates and hands are hidden from the others."""


def _hidden(rulebook: Rulebook) -> _Hidden:
    assets, hands = rulebook.assets, rulebook.hands
    return assets.hides_cash, assets.hides_certificates, hands is not Hands.OPEN


def open_seat(player: Player) -> SeatView:
    """Return a player as it sees itself, or everybody does where nothing is hidden."""
    hand = player.hand
    return SeatView(player.name, player.cash, player.shares, hand, hand.bit_count())


def _others(hidden: _Hidden, player: Player) -> SeatView:
    cash, certificates, hand = hidden
    return SeatView(
        player.name,
        None if cash else player.cash,
        None if certificates else player.shares,
        0 if hand else player.hand,
        player.hand.bit_count(),
    )


class Views:
    """What each player may see of a game's positions; what has not changed is not made again."""

    def __init__(self, rulebook: Rulebook) -> None:
        self._rulebook = rulebook
        self._hidden = _hidden(rulebook)
        self._state: State | None = None
        self._views: dict[str, PlayerView] = {}
        self._seats: dict[str, tuple[Player, SeatView, SeatView]] = {}
        """Each player as it was last, and how the others and itself saw it."""

    def of(self, state: State) -> dict[str, PlayerView]:
        """Return :func:`view_for` each player at the table."""
        if state is self._state:
            return self._views
        if state.rulebook is not self._rulebook:
            self._rulebook, self._hidden = state.rulebook, _hidden(state.rulebook)
            self._seats = {}
        seats = []
        for player in state.players:
            known = self._seats.get(player.name)
            if known is None or known[0] is not player:
                known = player, _others(self._hidden, player), open_seat(player)
                self._seats[player.name] = known
            seats.append(known)
        others = [seat for _, seat, _ in seats]
        views = {}
        for at, (player, _, own) in enumerate(seats):
            seen = (*others[:at], own, *others[at + 1 :])
            views[player.name] = PlayerView(state.board, state.bank, state.aside, seen)
        self._state, self._views = state, views
        return views
