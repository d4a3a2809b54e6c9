"""The misbehaving cast at play in this process: correct answers, but for one."""

from typing import NamedTuple

import pytest
from loops import for_each
from misbehaviour import (
    OTHERS,
    WHOLE_CASTS,
    cases,
    deal_for,
    is_illegal,
    is_sample,
    openings,
    plays,
    seats_for,
)
from quiet_games import play_quietly

from acquire.admin.refereeing.play.in_process import Strategy
from acquire.admin.refereeing.play.outcome import Outcome
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.player.misbehaving import NotInCast
from acquire.player.misbehaving.cast import (
    SIGNUP,
    Member,
    MisbehavingPlayer,
    all_members,
    cast_for,
    misbehaving_player,
    sign_up_fault,
)
from acquire.player.misbehaving.wire_faults import WireFault
from acquire.player.strategies.simple import Ordered
from acquire.protocol import messages
from acquire.protocol.faults import Reason
from acquire.protocol.messages import PlayerMessage, RefereeMessage

# -- signing up ---------------------------------------------------------------------------------


def test_members_that_sign_up_correctly_have_no_fault_at_sign_up() -> None:
    for name, member in all_members().items():
        if member.step is not SIGNUP:
            assert sign_up_fault(name) is None, name
    assert sign_up_fault("ordered") is None


@pytest.mark.parametrize(
    "name", [name for name, member in all_members().items() if member.step is SIGNUP]
)
def test_members_that_do_not_sign_up_correctly_have_a_fault_at_sign_up(name: str) -> None:
    assert isinstance(sign_up_fault(name), WireFault)


# -- which of them can play ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "rulebook"),
    [("dispose-silent", REVISED), ("turn-mixed", CLASSIC), ("market-silent", OTHERS[0])],
    ids=lambda value: value if isinstance(value, str) else value.id,
)
def test_member_with_nothing_to_break_does_not_play(name: str, rulebook: Rulebook) -> None:
    assert name in all_members()
    with pytest.raises(NotInCast, match=f"^{name} has nothing to break under .* {rulebook.id}$"):
        misbehaving_player(name, rulebook, 0)


# -- how they play ------------------------------------------------------------------------------


class Given(NamedTuple):
    """What a member answered, and what `ordered` would have."""

    answer: PlayerMessage | WireFault
    right: PlayerMessage


class Seat:
    """A member beside `ordered`, which is asked the same; the game goes on with its answers."""

    def __init__(self, rulebook: Rulebook, member: Member) -> None:
        self.player = MisbehavingPlayer(member, rulebook, 0)
        self._ordered = Ordered(rulebook, 0)
        self.given: list[Given] = []

    def __call__(self, message: RefereeMessage) -> PlayerMessage:
        right = self._ordered(message)
        self.given.append(Given(self.player(message), right))
        return right


def play_first(rulebook: Rulebook, member: Member, player: Strategy) -> Outcome:
    """Play a game with a member in the first seat, in the deal in which it has its opening."""
    seats: dict[str, Strategy] = {"member": player}
    seats |= {f"other-{seat}": Ordered(rulebook, 0) for seat in range(1, seats_for(member))}
    return play_quietly(rulebook, seats, deal_for(rulebook, member))


@pytest.mark.parametrize(
    ("rulebook", "member"),
    [
        *cases(WHOLE_CASTS, plays, quick=is_sample),
        *cases(OTHERS, is_illegal, quick=lambda rulebook, member: False),
    ],
)
def test_it_plays_as_ordered_but_for_one_fault_at_its_first_opening(
    rulebook: Rulebook, member: Member
) -> None:
    seat = Seat(rulebook, member)
    play_first(rulebook, member, seat)
    opening = next(openings(rulebook, member, deal_for(rulebook, member)))
    wrong = [at for at, given in enumerate(seat.given) if given.answer != given.right]
    assert wrong == [opening.at]
    fault = seat.given[opening.at].answer
    assert fault is seat.player.fault
    assert type(fault) is type(opening.answer)
    assert isinstance(fault, WireFault) is not is_illegal(member)


# -- how they end -------------------------------------------------------------------------------


class InProcess(MisbehavingPlayer):
    """A member whose fault is a move, so that it can sit at a table without a connection."""

    def __call__(self, message: RefereeMessage) -> PlayerMessage:
        answer = super().__call__(message)
        assert not isinstance(answer, WireFault)
        return answer


@for_each(("rulebook", "member"), cases(OTHERS, is_illegal))
def test_referee_ejects_it_for_the_rule_that_it_breaks(rulebook: Rulebook, member: Member) -> None:
    """Where a whole cast is explained, ``tests/explaining`` sees it."""
    outcome = play_first(rulebook, member, InProcess(member, rulebook, 0))
    assert [(left.name, left.reason, left.violation) for left in outcome.ejected] == [
        ("member", Reason.ILLEGAL, member.violation)
    ]


def test_it_behaves_before_it_knows_a_position() -> None:
    """It is sent its own name first, and nothing is to be answered."""
    for member in cast_for(REVISED).values():
        player = MisbehavingPlayer(member, REVISED, 0)
        assert player(messages.SignUp("mallory")) == messages.Void()
        assert player.fault is None
