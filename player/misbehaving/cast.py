"""The misbehaving players as data, each named after the step at which it misbehaves and how.

A member of the cast plays as ``ordered`` until it is at its step and the position gives it an
opening. It misbehaves once, and if it may play on, it plays on correctly.

The cast is the product of the steps and the ways to break an answer there: corrupted bytes,
messages that are out of turn, and illegal moves. A way that no answer at a step gives an opening
for yields no member, so there is no list of exceptions. The cast depends on the rulebook, whose
protocol and rules its members break.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import NamedTuple, TypeAlias

from ...game import market
from ...game.board import empty_board
from ...game.placement import Placement
from ...game.purchase import Order
from ...game.rulebook import DisposalRule, Rulebook, StuckHand
from ...game.rulebooks import REVISED, RULEBOOKS
from ...game.state import State, position
from ...game.violation import Violation
from ...protocol import conversation, messages
from ...protocol.conversation import TABLES, Side, allowed
from ...protocol.dialect import Dialect
from ...protocol.faults import Fault, Reason
from ...protocol.messages import TAGS, PlayerMessage, RefereeMessage
from ...protocol.reading import player_reader
from ...protocol.writing import Writer
from ..strategies.simple import Ordered
from . import NotInCast
from .illegal_moves import Moment, illegal_moves
from .wire_faults import BrokenAnswer, RawBytes, WireFault, broken_answers

# -- the steps ----------------------------------------------------------------------------------


class AnswerStep(NamedTuple):
    """A step of the conversation at which a player answers."""

    name: str
    when: str  # the step in words
    stands: conversation.Step  # where the conversation stands there
    answer: PlayerMessage  # a correct one, with every part that one can have

    @property
    def question(self) -> str:
        """The root element that asks, but ``setup`` for the first ``state``."""
        return "players" if self.stands is conversation.Step.ORDERING else self.name


_C = conversation.Step
_PLACED = Placement(0, 0)

SIGNUP = AnswerStep("signup", "At sign-up", _C.CONNECTED, messages.SignUp("x"))
SETUP = AnswerStep("setup", "On the first state", _C.INFORMED, messages.Void())
TURN = AnswerStep("turn", "On its turn", _C.MOVING, messages.Pbuy(_PLACED, (0, 0)))
KEEP = AnswerStep("keep", "Asked what to keep", _C.KEEPING, messages.KeepAnswer((True,)))
ORDER = AnswerStep("order", "Asked to order", _C.ORDERING, messages.Order((0, 0)))
TILE = AnswerStep("tile", "On a new tile", _C.DRAWING, messages.Void())
STATE = AnswerStep("state", "On a later state", _C.INFORMED, messages.Void())
SCORE = AnswerStep("score", "On the scores", _C.SCORED, messages.Void())

FULL_TURN = TURN._replace(answer=messages.Pbuy(_PLACED, (0, 0), end=True))
FULL_ORDER = ORDER._replace(answer=messages.Order((0, 0), end=True))
_NEW_HAND = messages.ReplaceAnswer(replaces=True)
REPLACE = AnswerStep("replace", "Asked about a new hand", _C.REPLACING, _NEW_HAND)
DISPOSE = AnswerStep("dispose", "Asked to dispose", _C.DISPOSING, messages.DisposeAnswer(0, 0))
MARKET = AnswerStep("market", "On the market's holdings", _C.NOTIFIED, messages.Void())
_MERGED = messages.Merge(Placement(0, 0, (1, 2)))
MERGER = AnswerStep("merger", "Asked for the survivor", _C.CHOOSING, _MERGED)


@cache
def steps_for(rulebook: Rulebook) -> tuple[AnswerStep, ...]:
    """Return the steps at which a player answers under a rulebook, some with two players only."""
    if Dialect.of(rulebook) is Dialect.COURSE:
        return (SIGNUP, SETUP, TURN, KEEP, ORDER, TILE, STATE, SCORE)
    settling = KEEP if rulebook.disposal is DisposalRule.KEEP_OR_RETURN else DISPOSE
    for_two = (MARKET, MERGER) if market.takes_part(rulebook, 2) else ()
    replacing = (REPLACE,) if rulebook.stuck_hand is StuckHand.MAY_REPLACE else ()
    moving = (*replacing, FULL_TURN, settling, *for_two, FULL_ORDER)
    return (SIGNUP, SETUP, *moving, TILE, STATE, SCORE)


# -- a member -----------------------------------------------------------------------------------

Write: TypeAlias = Callable[[PlayerMessage], bytes]
Act: TypeAlias = Callable[[Moment], PlayerMessage | WireFault | None]
"""What a member does at a moment; ``None`` where that gives it no opening."""


class Member(NamedTuple):
    """One misbehaving player; ``reason`` and ``violation`` are what it has to be ejected for."""

    step: AnswerStep
    way: str
    reason: Reason
    violation: Violation | None
    summary: str
    act: Act

    @property
    def name(self) -> str:
        """The step and the way: ``turn-silent``."""
        return f"{self.step.name}-{self.way}"

    @property
    def description(self) -> str:
        """When it does what, in one sentence."""
        return f"{self.step.when}, {self.summary}."


# -- the cast -----------------------------------------------------------------------------------


@cache
def cast_for(rulebook: Rulebook) -> dict[str, Member]:
    """Return every misbehaving player under a rulebook, by name."""
    steps, write = steps_for(rulebook), Writer(rulebook).write
    members = [
        *(member for step in steps for member in _wire_members(rulebook, step, write)),
        *(
            Member(step, move.way, Reason.ILLEGAL, move.violation, move.summary, move.act)
            for step in steps
            for move in illegal_moves(step.name, rulebook)
        ),
    ]
    return {member.name: member for member in members}


def _wire_members(rulebook: Rulebook, step: AnswerStep, write: Write) -> Iterator[Member]:
    """Yield the members whose fault is in the bytes or in the order of messages."""
    reader, table = player_reader(rulebook), TABLES[Dialect.of(rulebook)]
    for broken in broken_answers(lambda root: isinstance(reader.convert(root, b""), Fault)):
        if broken.act(write(step.answer)) is not None:
            act: Act = partial(_breaking, broken, write)
            yield Member(step, broken.name, broken.reason, None, broken.summary, act)
    sendable = [each.answer for each in steps_for(rulebook)]
    sendable += [messages.Merge(Placement(0)), messages.KeepAnswer((True,))]
    for tag, message in {TAGS[type(message)]: message for message in sendable}.items():
        if tag not in allowed(step.stands, Side.PLAYER, table):
            summary = f"sends <{tag}>, which is not expected"
            act = partial(_sending, write(message))
            yield Member(step, f"says-{tag}", Reason.OUT_OF_TURN, None, summary, act)


def _breaking(broken: BrokenAnswer, write: Write, moment: Moment) -> WireFault | None:
    return broken.act(write(moment.answer))


def _sending(data: bytes, _: Moment) -> WireFault:
    return RawBytes(data)


# -- a member at play ---------------------------------------------------------------------------


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
