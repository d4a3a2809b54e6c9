"""The misbehaving players, each named for the step and the way in which it breaks, as data.

A member plays as ``ordered`` until it is at its step and its misdeed is possible there, misbehaves
once, and plays on as before if it may. Steps times ways (:func:`player.misdeeds.ways`) times the
messages that are not due there, and the moves that break a rule (:mod:`player.fouls`): a
combination that no answer at that step has room for does not come about, so nothing has to be
excepted. Which members there are hangs on the rulebook, whose words and rules they break.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple, TypeAlias

from game import market
from game.placement import Placement
from game.rulebook import DisposalRule, Rulebook
from game.rulebooks import REVISED
from game.violation import Violation
from player.fouls import Foul, Moment
from player.merger_fouls import DISPOSALS, KEEPS
from player.misdeeds import Misdeed, Send, Way, ways
from player.order_fouls import ORDERS
from player.placement_fouls import MARKET, PLACEMENTS
from protocol import conversation, messages
from protocol.conversation import TABLES, Side, allowed
from protocol.dialect import Dialect
from protocol.faults import Fault, Reason
from protocol.messages import TAGS, PlayerMessage
from protocol.reading import read_players_side
from protocol.writing import Writer

# -- the steps ----------------------------------------------------------------------------------


class Step(NamedTuple):
    """Where a player answers: when that is, in words and in the conversation.

    ``answer`` is a right answer that has every part which one can have there.
    """

    name: str
    when: str
    stands: conversation.Step
    answer: PlayerMessage


_C = conversation.Step

SIGNUP = Step("signup", "Signing up", _C.CONNECTED, messages.SignUp("x"))
SETUP = Step("setup", "Told the first state", _C.INFORMED, messages.Void())
TURN = Step("turn", "Asked to move", _C.MOVING, messages.Pbuy(Placement(0, 0), (0, 0)))
KEEP = Step("keep", "Asked what to keep", _C.KEEPING, messages.KeepAnswer((True,)))
ORDER = Step("order", "Asked to order", _C.ORDERING, messages.Order((0, 0)))
TILE = Step("tile", "Handed a tile", _C.DRAWING, messages.Void())
STATE = Step("state", "Told a later state", _C.INFORMED, messages.Void())
SCORE = Step("score", "Told the scores", _C.SCORED, messages.Void())

STEPS = (SIGNUP, SETUP, TURN, KEEP, ORDER, TILE, STATE, SCORE)
"""Where a player answers under the course's rulebook."""

FULL_TURN = TURN._replace(answer=messages.Pbuy(Placement(0, 0), (0, 0), end=True))
FULL_ORDER = ORDER._replace(answer=messages.Order((0, 0), end=True))
DISPOSE = Step("dispose", "Asked to dispose", _C.DISPOSING, messages.DisposeAnswer(0, 0))
TOLD = Step("market", "Told what the market holds", _C.NOTIFIED, messages.Void())
MERGER = Step("merger", "Asked who survives", _C.CHOOSING, messages.Merge(Placement(0, 0, (1, 2))))


@cache
def steps_for(rulebook: Rulebook) -> tuple[Step, ...]:
    """Return where a player answers under a rulebook; some steps are for two players only."""
    if Dialect.of(rulebook) is Dialect.COURSE:
        return STEPS
    settling = KEEP if rulebook.disposal is DisposalRule.KEEP_OR_RETURN else DISPOSE
    for_two = (TOLD, MERGER) if market.takes_part(rulebook, 2) else ()
    return (SIGNUP, SETUP, FULL_TURN, settling, *for_two, FULL_ORDER, TILE, STATE, SCORE)


# -- a member -----------------------------------------------------------------------------------

Act: TypeAlias = Callable[[Moment], PlayerMessage | Misdeed | None]
"""What a member does at its moment; ``None`` where its misdeed is not possible."""


class Member(NamedTuple):
    """One misbehaving player; ``reason`` and ``violation`` are what it is to be ejected for."""

    step: Step
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


# -- ways that need no knowledge of the game ----------------------------------------------------


class _Wire:
    """The members whose misdeed is in the bytes or in the order of messages."""

    def __init__(self, rulebook: Rulebook) -> None:
        self._write = Writer(rulebook).write
        self._table = TABLES[Dialect.of(rulebook)]
        reader = read_players_side(rulebook)
        self._ways = ways(lambda root: isinstance(reader.convert(root, b""), Fault))
        known = [step.answer for step in steps_for(rulebook)]
        known += [messages.Merge(Placement(0)), messages.KeepAnswer((True,))]
        self._known = {TAGS[type(message)]: message for message in known}

    def members(self, step: Step) -> Iterator[Member]:
        """Make the members of a step."""
        for way in self._ways:
            if way.act(self._write(step.answer)) is not None:
                act = self._spoiling(way)
                yield Member(step, way.name, way.reason, None, way.summary, act)
        for tag, message in self._known.items():
            if tag not in allowed(step.stands, Side.PLAYER, self._table):
                summary = f"says <{tag}>, which is not due"
                act = self._saying(message)
                yield Member(step, f"says-{tag}", Reason.OUT_OF_TURN, None, summary, act)

    def _spoiling(self, way: Way) -> Act:
        return lambda moment: way.act(self._write(moment.answer))

    def _saying(self, message: PlayerMessage) -> Act:
        return lambda _: Send(self._write(message))


# -- moves that break a rule --------------------------------------------------------------------

_FOULS: dict[str, tuple[Foul, ...]] = {
    "turn": (*PLACEMENTS, *ORDERS),
    "order": ORDERS,
    "keep": KEEPS,
    "dispose": DISPOSALS,
    "merger": MARKET,
}
"""By the step at which they are committed."""


def _committing(foul: Foul) -> Act:
    return lambda moment: next(foul.find(moment), None)


def _illegal_members(rulebook: Rulebook, step: Step) -> Iterator[Member]:
    for foul in _FOULS.get(step.name, ()):
        if foul.concerns(rulebook):
            illegal, broken, summary = Reason.ILLEGAL, foul.violation, foul.summary
            yield Member(step, foul.way, illegal, broken, summary, _committing(foul))


# -- the cast -----------------------------------------------------------------------------------


@cache
def cast_for(rulebook: Rulebook) -> dict[str, Member]:
    """Return every misbehaving player under a rulebook, by name."""
    wire, steps = _Wire(rulebook), steps_for(rulebook)
    members = [
        *(member for step in steps for member in wire.members(step)),
        *(member for step in steps for member in _illegal_members(rulebook, step)),
    ]
    return {member.name: member for member in members}


CAST: dict[str, Member] = cast_for(REVISED)
"""Every misbehaving player under ``revised``."""

EXPECTED: dict[str, Reason] = {name: member.reason for name, member in CAST.items()}
"""What each of them is to be ejected for."""

VIOLATIONS: dict[str, Violation] = {
    name: member.violation for name, member in CAST.items() if member.violation is not None
}
"""The rule that each of those breaks whose move is illegal."""
