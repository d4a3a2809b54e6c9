"""A member of the misbehaving cast at play: correct answers, but for one."""

from ...game.board import empty_board
from ...game.purchase import Order
from ...game.rulebook import Rulebook
from ...game.rulebooks import REVISED, RULEBOOKS
from ...game.state import State, position
from ...protocol import messages
from ...protocol.messages import TAGS, PlayerMessage, RefereeMessage
from ..strategies.simple import Ordered
from . import NotInCast
from .cast import SIGNUP, Member, cast_for
from .illegal_moves import Moment
from .wire_faults import WireFault


class _Recorder(Ordered):
    """Plays as ``ordered`` and keeps the position in which it ordered last."""

    def __init__(self, rulebook: Rulebook, seed: int) -> None:
        super().__init__(rulebook, seed)
        self.ordering: State | None = None

    def order(self, state: State) -> Order:
        """Choose as ``ordered`` does."""
        self.ordering = state
        return super().order(state)


class MisbehavingPlayer:
    """A member at play; ``fault`` is what it did wrong, once it has done it."""

    def __init__(self, member: Member, rulebook: Rulebook, seed: int) -> None:
        self._member = member
        self._player = _Recorder(rulebook, seed)
        self.fault: PlayerMessage | WireFault | None = None

    def __call__(self, message: RefereeMessage) -> PlayerMessage | WireFault:
        """Answer one message, correctly or not."""
        question = self._question(message)
        answer = self._player(message)
        position = self._player.state
        if self.fault is not None or question != self._member.step.question or position is None:
            return answer
        ordering = self._player.ordering or position
        moment = Moment(self._player.name, message, position, ordering, answer)
        self.fault = self._member.act(moment)
        return answer if self.fault is None else self.fault

    def _question(self, message: RefereeMessage) -> str:
        tag = TAGS[type(message)]
        return "setup" if tag == "state" and self._player.state is None else tag


def all_members() -> dict[str, Member]:
    """Return the misbehaving players of all rulebooks by name.

    A name means the same under every rulebook; the member is the first rulebook's.
    """
    members: dict[str, Member] = {}
    for rulebook in RULEBOOKS.values():
        members = {**cast_for(rulebook), **members}
    return members


def misbehaving_player(name: str, rulebook: Rulebook, seed: int) -> MisbehavingPlayer:
    """Make a player; ``NotInCast`` where the rulebook has nothing that it could break."""
    member = cast_for(rulebook).get(name)
    if member is None:
        raise NotInCast(f"{name} has nothing to break under rulebook {rulebook.id}")
    return MisbehavingPlayer(member, rulebook, seed)


def sign_up_fault(name: str) -> WireFault | None:
    """Return what the player of this name does instead of signing up; ``None`` if it signs up."""
    member = all_members().get(name)
    if member is None or member.step is not SIGNUP:
        return None
    nowhere = position(REVISED, empty_board(REVISED), ())
    fault = member.act(Moment(name, None, nowhere, nowhere, messages.SignUp(name)))
    assert isinstance(fault, WireFault), f"{name} gives a correct answer at sign-up"
    return fault
