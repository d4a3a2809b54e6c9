"""A member of the misbehaving cast at play: right answers, but for one."""

from game.board import empty_board
from game.purchase import Order
from game.rulebook import Rulebook
from game.rulebooks import REVISED, RULEBOOKS
from game.state import State, position
from player.cast import SIGNUP, Member, cast_for
from player.fouls import Moment
from player.misdeeds import Misdeed
from player.strategies import Ordered
from protocol import messages
from protocol.messages import TAGS, AdministratorMessage, PlayerMessage

_STEPS = {"players": "order"}
"""The name of a step, where it is not that of the root element that asks."""


class NotInCast(LookupError):
    """No misbehaving player of this name breaks anything under this rulebook."""


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
        if self.deed is not None or step != self._member.step.name or position is None:
            return answer
        ordering = self._player.ordering or position
        moment = Moment(self._player.name, message, position, ordering, answer)
        self.deed = self._member.act(moment)
        return answer if self.deed is None else self.deed

    def _step_of(self, message: AdministratorMessage) -> str:
        tag = TAGS[type(message)]
        if tag == "state" and self._player.state is None:
            return "setup"
        return _STEPS.get(tag, tag)


def everybody() -> dict[str, Member]:
    """Return the misbehaving players of all rulebooks by name, each as the first of them has it."""
    members: dict[str, Member] = {}
    for rulebook in RULEBOOKS.values():
        members = {**cast_for(rulebook), **members}
    return members


def misbehaving(name: str, rulebook: Rulebook, seed: int) -> Misbehaving:
    """Make a player; ``NotInCast`` where the rulebook has nothing that it could break."""
    member = cast_for(rulebook).get(name)
    if member is None:
        raise NotInCast(f"{name} has nothing to break under rulebook {rulebook.id}")
    return Misbehaving(member, rulebook, seed)


def signs_up_with(name: str) -> Misdeed | None:
    """Return what the player of this name does instead of signing up, or ``None``: it signs up."""
    member = everybody().get(name)
    if member is None or member.step is not SIGNUP:
        return None
    nowhere = position(REVISED, empty_board(REVISED), ())
    misdeed = member.act(Moment(name, None, nowhere, nowhere, messages.SignUp(name)))
    assert isinstance(misdeed, Misdeed), f"{name} has no way to sign up wrongly"
    return misdeed
