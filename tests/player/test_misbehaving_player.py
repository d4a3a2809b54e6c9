"""The misbehaving cast at play in this process: right answers, but for one."""

from __future__ import annotations

import pytest
from misbehaviour import OTHERS, WHOLE_CASTS, cases, is_illegal, played, plays, seats_for, step_of

from admin.match.dealer import Dealer
from admin.match.in_process import Strategy, play
from admin.match.referee import Referee
from game.rulebook import Rulebook
from game.rulebooks import CLASSIC, REVISED, RULEBOOKS
from player.misbehaving.cast import SETUP, SIGNUP, STATE, Member, cast_for
from player.misbehaving.misbehaving_player import (
    MisbehavingPlayer,
    NotInCast,
    all_members,
    misbehaving_player,
    sign_up_fault,
)
from player.misbehaving.wire_faults import WireFault
from player.strategies.simple import Ordered
from protocol import messages
from protocol.dialect import Dialect
from protocol.faults import Reason
from protocol.messages import AdministratorMessage, PlayerMessage

ALL = tuple(RULEBOOKS.values())
RARE = 1000
"""Deals after which a misdeed is held to be impossible."""


def can_be_done_anywhere(member: Member) -> bool:
    """Whether a member breaks no rule of the game, and needs no certain answer to break."""
    return member.step in (SETUP, STATE) and not is_illegal(member)


# -- who signs up -------------------------------------------------------------------------------


def test_who_signs_up_rightly_has_no_misdeed_at_sign_up() -> None:
    for name, member in all_members().items():
        if member.step is not SIGNUP:
            assert sign_up_fault(name) is None, name
    assert sign_up_fault("ordered") is None


@pytest.mark.parametrize(
    "name", [name for name, member in all_members().items() if member.step is SIGNUP]
)
def test_who_does_not_sign_up_rightly_has_a_misdeed_at_sign_up(name: str) -> None:
    assert isinstance(sign_up_fault(name), WireFault)


# -- who can play -------------------------------------------------------------------------------


def test_everybody_is_whoever_is_in_any_cast() -> None:
    assert all_members().keys() == {name for rulebook in ALL for name in cast_for(rulebook)}


@pytest.mark.parametrize(
    ("name", "rulebook"),
    [("dispose-silent", REVISED), ("turn-mixed", CLASSIC), ("market-silent", OTHERS[0])],
    ids=lambda value: value if isinstance(value, str) else value.id,
)
def test_nobody_plays_who_has_nothing_to_break(name: str, rulebook: Rulebook) -> None:
    assert name in all_members()
    with pytest.raises(NotInCast, match=f"^{name} has nothing to break under .* {rulebook.id}$"):
        misbehaving_player(name, rulebook, 0)


# -- how they play ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rulebook", "member"), [*cases(WHOLE_CASTS, plays), *cases(OTHERS, is_illegal)]
)
def test_it_plays_as_ordered_but_for_one_misdeed_at_its_step(
    rulebook: Rulebook, member: Member
) -> None:
    for seed in range(RARE):
        watched = played(rulebook, member, seed)
        wrong = [at for at, answer in enumerate(watched.answers) if answer.answer != answer.right]
        assert bool(wrong) is (watched.misbehaving.fault is not None)
        if wrong:
            break
    (at,) = wrong
    assert watched.misbehaving.fault is watched.answers[at].answer
    assert step_of([answer.message for answer in watched.answers[: at + 1]]) == member.step.name
    assert isinstance(watched.misbehaving.fault, WireFault) is not is_illegal(member)


@pytest.mark.parametrize(("rulebook", "member"), cases(WHOLE_CASTS, can_be_done_anywhere))
def test_a_misdeed_that_is_always_possible_is_done_at_the_first_chance(
    rulebook: Rulebook, member: Member
) -> None:
    answers = played(rulebook, member, seed=0).answers
    asked = [answer.message for answer in answers]
    steps = [step_of(asked[: at + 1]) for at in range(len(asked))]
    done = [answer.answer != answer.right for answer in answers].index(True)
    assert done == steps.index(member.step.name)


# -- what becomes of them -----------------------------------------------------------------------


class InProcess(MisbehavingPlayer):
    """A member whose misdeed is a move, so that it can sit at a table without a connection."""

    def __call__(self, message: AdministratorMessage) -> PlayerMessage:
        answer = super().__call__(message)
        assert not isinstance(answer, WireFault)
        return answer


@pytest.mark.parametrize(("rulebook", "member"), cases(ALL, is_illegal))
def test_the_referee_ejects_it_for_the_rule_that_it_breaks(
    rulebook: Rulebook, member: Member
) -> None:
    for seed in range(RARE):
        rogue = InProcess(member, rulebook, 0)
        seats: dict[str, Strategy] = {"a": Ordered(rulebook, 0), "member": rogue}
        if seats_for(member) == 3:
            seats["c"] = Ordered(rulebook, 0)
        dealer = Dealer(seed)
        referee = Referee(rulebook, list(seats), dealer.bag, dealer.shuffle, lambda _: None)
        outcome = play(referee.story(), seats, Dialect.of(rulebook))
        if rogue.fault is not None:
            break
    assert [(left.name, left.reason, left.violation) for left in outcome.ejected] == [
        ("member", Reason.ILLEGAL, member.violation)
    ]


def test_before_it_knows_any_position_it_behaves() -> None:
    """It is told its own name first, which nobody has to answer."""
    for member in cast_for(REVISED).values():
        rogue = MisbehavingPlayer(member, REVISED, 0)
        assert rogue(messages.SignUp("mallory")) == messages.Void()
        assert rogue.fault is None
