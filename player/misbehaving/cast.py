"""The misbehaving players as data, each named after the step at which it misbehaves and how.

A member of the cast plays as ``ordered`` until it is at its step and the position gives it an
opening. It misbehaves once, and if it may play on, it plays on correctly.

The cast is the product of the steps and the ways to break an answer there: corrupted bytes,
messages that are out of turn, and illegal moves. A way that no answer at a step gives an opening
for yields no member, so there is no list of exceptions. The cast depends on the rulebook, whose
protocol and rules its members break.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple, TypeAlias

from ...game import market
from ...game.placement import Placement
from ...game.rulebook import DisposalRule, Rulebook, StuckHand
from ...game.violation import Violation
from ...protocol import conversation, messages
from ...protocol.conversation import TABLES, Side, allowed
from ...protocol.dialect import Dialect
from ...protocol.faults import Fault, Reason
from ...protocol.messages import TAGS, PlayerMessage
from ...protocol.reading import player_reader
from ...protocol.writing import Writer
from .broken_answers import BrokenAnswer, broken_answers
from .illegal_disposals import ILLEGAL_DISPOSALS, ILLEGAL_KEEPS
from .illegal_move import IllegalMove, Moment
from .illegal_orders import ILLEGAL_ORDERS
from .illegal_placements import ILLEGAL_MARKET_MERGERS, ILLEGAL_PLACEMENTS
from .wire_faults import RawBytes, WireFault

# -- the steps ----------------------------------------------------------------------------------


class AnswerStep(NamedTuple):
    """A step of the conversation at which a player answers.

    ``when`` describes it, ``stands`` is where the conversation stands there. ``answer`` is a
    correct answer with every part that one can have.
    """

    name: str
    when: str
    stands: conversation.Step
    answer: PlayerMessage
    illegal_moves: tuple[IllegalMove, ...] = ()

    @property
    def question(self) -> str:
        """The root element that asks, but ``setup`` for the first ``state``."""
        return "players" if self.stands is conversation.Step.ORDERING else self.name


_C = conversation.Step
_TURN = (*ILLEGAL_PLACEMENTS, *ILLEGAL_ORDERS)
_PLACED = Placement(0, 0)

SIGNUP = AnswerStep("signup", "At sign-up", _C.CONNECTED, messages.SignUp("x"))
SETUP = AnswerStep("setup", "On the first state", _C.INFORMED, messages.Void())
TURN = AnswerStep("turn", "On its turn", _C.MOVING, messages.Pbuy(_PLACED, (0, 0)), _TURN)
KEEP = AnswerStep(
    "keep", "Asked what to keep", _C.KEEPING, messages.KeepAnswer((True,)), ILLEGAL_KEEPS
)
ORDER = AnswerStep("order", "Asked to order", _C.ORDERING, messages.Order((0, 0)), ILLEGAL_ORDERS)
TILE = AnswerStep("tile", "On a new tile", _C.DRAWING, messages.Void())
STATE = AnswerStep("state", "On a later state", _C.INFORMED, messages.Void())
SCORE = AnswerStep("score", "On the scores", _C.SCORED, messages.Void())

FULL_TURN = TURN._replace(answer=messages.Pbuy(_PLACED, (0, 0), end=True))
FULL_ORDER = ORDER._replace(answer=messages.Order((0, 0), end=True))
REPLACE = AnswerStep(
    "replace", "Asked about a new hand", _C.REPLACING, messages.ReplaceAnswer(replaces=True)
)
DISPOSE = AnswerStep(
    "dispose", "Asked to dispose", _C.DISPOSING, messages.DisposeAnswer(0, 0), ILLEGAL_DISPOSALS
)
MARKET = AnswerStep("market", "On the market's holdings", _C.NOTIFIED, messages.Void())
MERGER = AnswerStep(
    "merger",
    "Asked for the survivor",
    _C.CHOOSING,
    messages.Merge(Placement(0, 0, (1, 2))),
    ILLEGAL_MARKET_MERGERS,
)


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


# -- faults that need no knowledge of the game --------------------------------------------------


class _WireMembers:
    """Makes the members whose fault is in the bytes or in the order of messages."""

    def __init__(self, rulebook: Rulebook) -> None:
        self._write = Writer(rulebook).write
        self._table = TABLES[Dialect.of(rulebook)]
        reader = player_reader(rulebook)
        self._broken = broken_answers(lambda root: isinstance(reader.convert(root, b""), Fault))
        sendable = [step.answer for step in steps_for(rulebook)]
        sendable += [messages.Merge(Placement(0)), messages.KeepAnswer((True,))]
        self._sendable = {TAGS[type(message)]: message for message in sendable}

    def at(self, step: AnswerStep) -> Iterator[Member]:
        """Make the members of a step."""
        for broken in self._broken:
            if broken.act(self._write(step.answer)) is not None:
                act = self._breaking(broken)
                yield Member(step, broken.name, broken.reason, None, broken.summary, act)
        for tag, message in self._sendable.items():
            if tag not in allowed(step.stands, Side.PLAYER, self._table):
                summary = f"sends <{tag}>, which is not expected"
                act = self._sending(message)
                yield Member(step, f"says-{tag}", Reason.OUT_OF_TURN, None, summary, act)

    def _breaking(self, broken: BrokenAnswer) -> Act:
        return lambda moment: broken.act(self._write(moment.answer))

    def _sending(self, message: PlayerMessage) -> Act:
        return lambda _: RawBytes(self._write(message))


# -- illegal moves ------------------------------------------------------------------------------


def _making(move: IllegalMove) -> Act:
    return lambda moment: next(move.find(moment), None)


def _illegal_members(rulebook: Rulebook, step: AnswerStep) -> Iterator[Member]:
    for move in step.illegal_moves:
        if move.applies(rulebook):
            act = _making(move)
            yield Member(step, move.way, Reason.ILLEGAL, move.violation, move.summary, act)


# -- the cast -----------------------------------------------------------------------------------


@cache
def cast_for(rulebook: Rulebook) -> dict[str, Member]:
    """Return every misbehaving player under a rulebook, by name."""
    wire, steps = _WireMembers(rulebook), steps_for(rulebook)
    members = [
        *(member for step in steps for member in wire.at(step)),
        *(member for step in steps for member in _illegal_members(rulebook, step)),
    ]
    return {member.name: member for member in members}
