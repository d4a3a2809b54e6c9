"""A member of the misbehaving cast at play: right answers, but for one."""

from game.board import empty_board
from game.purchase import Order
from game.rulebook import REVISED, Rulebook
from game.state import State, position
from player.cast import (
    CAST,
    KEEP,
    ORDER,
    SCORE,
    SETUP,
    SIGNUP,
    STATE,
    TILE,
    TURN,
    Member,
    Moment,
    Step,
)
from player.misdeeds import Misdeed
from player.strategies import Ordered
from protocol import messages
from protocol.messages import AdministratorMessage, PlayerMessage

_ASKED_BY = {
    messages.Turn: TURN,
    messages.Keep: KEEP,
    messages.Players: ORDER,
    messages.NewTile: TILE,
    messages.Score: SCORE,
}


class _Noting(Ordered):
    """Plays as ``ordered`` and notes in which position an order is given."""

    def __init__(self, rulebook: Rulebook, seed: int) -> None:
        super().__init__(rulebook, seed)
        self.ordering: State | None = None

    def order(self, state: State) -> Order:
        """Choose as ``ordered`` does."""
        self.ordering = state
        return super().order(state)


class Misbehaving:
    """A member at play; ``deed`` is what it did wrong once it has done it."""

    def __init__(self, member: Member, rulebook: Rulebook, seed: int) -> None:
        self._member = member
        self._player = _Noting(rulebook, seed)
        self.deed: PlayerMessage | Misdeed | None = None

    def __call__(self, message: AdministratorMessage) -> PlayerMessage | Misdeed:
        """Answer one message, rightly or not."""
        step = self._step_of(message)
        answer = self._player(message)
        position = self._player.state
        if self.deed is not None or step is not self._member.step or position is None:
            return answer
        self.deed = self._member.act(Moment(position, self._player.ordering or position, answer))
        return answer if self.deed is None else self.deed

    def _step_of(self, message: AdministratorMessage) -> Step | None:
        if isinstance(message, messages.State):
            return SETUP if self._player.state is None else STATE
        return _ASKED_BY.get(type(message))


def signs_up_with(name: str) -> Misdeed | None:
    """Return what the player of this name does instead of signing up, or ``None``: it signs up."""
    member = CAST.get(name)
    if member is None or member.step is not SIGNUP:
        return None
    nowhere = position(REVISED, empty_board(REVISED), ())
    misdeed = member.act(Moment(nowhere, nowhere, messages.SignUp(name)))
    assert isinstance(misdeed, Misdeed), f"{name} has no way to sign up wrongly"
    return misdeed
