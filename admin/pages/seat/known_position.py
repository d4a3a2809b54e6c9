"""What a player knows of its game, from the messages that it was sent."""

from typing import NamedTuple

from ....game.board import Board
from ....game.merger import merge
from ....game.rulebook import Rulebook
from ....game.state import Player, State, position
from ....game.tiles import TILES
from ....protocol import messages
from ....protocol.messages import PlayerMessage, RefereeMessage
from ....protocol.player_view import PlayerView, SeatView


class Known(NamedTuple):
    """A position as one player knows it.

    ``state`` is for the rules: cash and certificates that are hidden are 0 in it, and its bag is
    empty. ``seats`` says what is hidden.
    """

    state: State
    seats: tuple[SeatView, ...]

    @property
    def bag(self) -> int:
        """How many tiles have not been drawn."""
        seen = (self.state.board.occupied | self.state.aside).bit_count()
        return len(TILES) - seen - sum(seat.tiles for seat in self.seats)


class Memory:
    """The last position of a player called ``name``. ``hear`` every message, in order."""

    def __init__(self, rulebook: Rulebook, name: str) -> None:
        self.rulebook = rulebook
        self.name = name
        self.known: Known | None = None
        self.seats = 0
        """How many players sat down."""
        self.begun: State | None = None
        """The position at the start of the player's own turn."""
        self._merged: Board | None = None

    def hear(self, message: RefereeMessage) -> Known | None:
        """Take a message; return the position in it, ``None`` if it has none."""
        found = self._position(message)
        if found is None:
            return None
        self.known = found
        self.seats = self.seats or len(found.seats)
        if isinstance(message, messages.Turn | messages.TurnView):
            self.begun = found.state
        return found

    def _position(self, message: RefereeMessage) -> Known | None:
        match message:
            case messages.State(board, players) | messages.Turn(board, players):
                return self._open(board, players)
            case messages.Score(_, board, players):
                return self._open(board, players)
            case messages.Players(players):
                assert self._merged is not None, "<players> comes after the player's own merger"
                return self._open(self._merged, players)
            case (
                messages.StateView(view)
                | messages.TurnView(view)
                | messages.Replace(view)
                | messages.PlayersView(view)
                | messages.ScoreView(view=view)
                | messages.Dispose(view=view)
                | messages.MarketMerger(view=view)
            ):
                return self._viewed(view)
        return None

    def answered(self, answer: PlayerMessage) -> None:
        """Remember the player's own merger: the course's messages do not repeat the board."""
        if not isinstance(answer, messages.Merge) or self.begun is None or self.known is None:
            return
        if self.known.state is self.begun:
            self._merged = merge(self.begun, answer.placement).state.board

    def _open(self, board: Board, players: tuple[Player, ...]) -> Known:
        seats = tuple(
            SeatView(one.name, one.cash, one.shares, one.hand, one.hand.bit_count())
            for one in players
        )
        return Known(position(self.rulebook, board, players), seats)

    def _viewed(self, view: PlayerView) -> Known:
        nothing = (0,) * len(self.rulebook.hotels)
        players = tuple(
            Player(seat.name, seat.cash or 0, seat.shares or nothing, seat.hand)
            for seat in view.players
        )
        return Known(
            State(self.rulebook, view.board, players, view.bank, (), view.aside), view.players
        )
