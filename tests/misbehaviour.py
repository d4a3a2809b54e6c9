"""Members of the misbehaving cast at a table in this process, beside `ordered` players.

`played` lets a member play a whole game and writes down what it answered and what `ordered` would
have; `deal_for` looks for a deal in which a misdeed finds its opportunity. No connection is needed
for either: a member's misdeed ends the one, and is passed over in the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, NamedTuple

import pytest

from admin.match.dealer import Dealer
from admin.match.in_process import Strategy, play
from admin.match.judge import Replies, Reply
from admin.match.referee import Referee
from game.rulebook import Rulebook
from game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, REVISED, WIKIPEDIA
from player.misbehaving.cast import MARKET, MERGER, SCORE, SIGNUP, Member, cast_for
from player.misbehaving.misbehaving_player import MisbehavingPlayer
from player.misbehaving.wire_faults import WireFault
from player.strategies.simple import Ordered
from protocol.dialect import Dialect
from protocol.messages import TAGS, AdministratorMessage, PlayerMessage

WHOLE_CASTS = (REVISED, CLASSIC)
"""One rulebook in the course's words, and one in the dialect: it has the most members."""
OTHERS = (CORPORATIONS, WIKIPEDIA, DIGEST)
"""Their members are among those of `classic`; their rules are their own."""

EARLY = 25
"""The turn by which a misdeed should find its opportunity."""
DEALS = 20
"""Deals among which one with an early opportunity is looked for."""
RARE = 1000
"""Deals after which a misdeed is held to be impossible."""


def plays(member: Member) -> bool:
    """Whether a member signs up as anybody does, and misbehaves later."""
    return member.step is not SIGNUP


def is_illegal(member: Member) -> bool:
    """Whether the misdeed is a move that breaks a rule."""
    return member.violation is not None


def cases(
    rulebooks: Iterable[Rulebook], wanted: Callable[[Member], bool] = lambda _: True
) -> list[Any]:
    """Each of the wanted members under each rulebook: the parameters (rulebook, member)."""
    return [
        pytest.param(rulebook, member, id=f"{rulebook.id}-{name}")
        for rulebook in rulebooks
        for name, member in cast_for(rulebook).items()
        if wanted(member)
    ]


def seats_for(member: Member) -> int:
    """How many sit at a member's table: two where only two are asked what it answers."""
    return 2 if member.step in (MARKET, MERGER) else 3


# -- a whole game -------------------------------------------------------------------------------


class Answer(NamedTuple):
    """A question, what a member answered, and what `ordered` would have."""

    message: AdministratorMessage
    answer: object
    right: PlayerMessage


class Watched:
    """A member at play beside `ordered`, which is asked the same questions.

    Where the member does something else, the game goes on with the right answer.
    """

    def __init__(self, rulebook: Rulebook, member: Member) -> None:
        self.misbehaving = MisbehavingPlayer(member, rulebook, 0)
        self._ordered = Ordered(rulebook, 0)
        self.answers: list[Answer] = []

    def __call__(self, message: AdministratorMessage) -> PlayerMessage:
        right = self._ordered(message)
        self.answers.append(Answer(message, self.misbehaving(message), right))
        return right


def played(rulebook: Rulebook, member: Member, seed: int) -> Watched:
    """Play a whole game with a member and the house, in this process."""
    watched = Watched(rulebook, member)
    seats: dict[str, Strategy] = {"member": watched}
    seats |= {f"other-{seat}": Ordered(rulebook, 0) for seat in range(1, seats_for(member))}
    dealer = Dealer(seed)
    referee = Referee(rulebook, list(seats), dealer.bag, dealer.shuffle, lambda _: None)
    play(referee.story(), seats, Dialect.of(rulebook))
    return watched


def step_of(asked: list[AdministratorMessage]) -> str:
    """The name of the step of the last of these questions."""
    tags = [TAGS[type(message)] for message in asked]
    if tags[-1] == "state":
        return "setup" if tags.count("state") == 1 else "state"
    return "order" if tags[-1] == "players" else tags[-1]


# -- a deal with an opportunity -----------------------------------------------------------------


def opportunity(rulebook: Rulebook, member: Member, seed: int) -> int | None:
    """Return the turn in which a member misbehaves in this deal, in the first seat."""
    misbehaving = MisbehavingPlayer(member, rulebook, 0)
    players: dict[str, Callable[[AdministratorMessage], PlayerMessage | WireFault]]
    players = {"member": misbehaving}
    players |= {f"other-{seat}": Ordered(rulebook, 0) for seat in range(1, seats_for(member))}
    dealer = Dealer(seed)
    referee = Referee(rulebook, list(players), dealer.bag, dealer.shuffle, lambda _: None)
    story = referee.story()
    asks = next(story)
    while True:
        replies: Replies = {}
        for name, ask in asks.items():
            answer = players[name](ask.message)
            if misbehaving.fault is not None:
                return referee.turns
            assert not isinstance(answer, WireFault)
            replies[name] = Reply(answer)
        try:
            asks = story.send(replies)
        except StopIteration:
            return None


@cache
def deal_for(rulebook: Rulebook, member: Member) -> int:
    """Return the first seed with an early opportunity, or else the first with any.

    Nearly all find theirs in the first deal. Never early: a merger of safe hotels, a declaration
    sent wrongly, a trade for more than the bank has, in `revised` an order that is too dear after
    a merger, the market's own merger and, of course, whatever happens at the scores, in any deal.
    Whoever does not sign up needs none.
    """
    if member.step in (SIGNUP, SCORE):
        return 0
    for seed in range(DEALS):
        turn = opportunity(rulebook, member, seed)
        if turn is not None and turn <= EARLY:
            return seed
    for seed in range(RARE):
        if opportunity(rulebook, member, seed) is not None:
            return seed
    raise AssertionError(f"{member.name} finds no opportunity under rulebook {rulebook.id}")
