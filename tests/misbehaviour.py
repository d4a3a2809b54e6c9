"""Members of the misbehaving cast at a table in this process, beside `ordered` players.

A member plays as `ordered` until the position gives it an opening. So one game of `ordered` players
shows where every member would find its opening: `ordered_game` plays it, `openings` and `deal_for`
look there.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from typing import Any, NamedTuple

import pytest

from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.in_process import Strategy, play
from acquire.admin.refereeing.play.referee import Referee
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, REVISED, WIKIPEDIA
from acquire.player.misbehaving.cast import (
    MARKET,
    MERGER,
    SCORE,
    SIGNUP,
    Member,
    MisbehavingPlayer,
    cast_for,
)
from acquire.player.misbehaving.illegal_moves import Moment
from acquire.player.misbehaving.wire_faults import WireFault
from acquire.player.strategies.simple import Ordered
from acquire.protocol.dialect import Dialect
from acquire.protocol.faults import Reason
from acquire.protocol.messages import PlayerMessage, RefereeMessage

WHOLE_CASTS = (REVISED, CLASSIC)
"""One rulebook for the course's messages and one for the dialect: it has the most members."""
OTHERS = (CORPORATIONS, WIKIPEDIA, DIGEST)
"""Their members are among those of `classic`; their rules are their own."""

EARLY = 25
"""The turn by which a member should find its opening."""
DEALS = 20
"""Deals among which one with an early opening is looked for."""
RARE = 1000
"""Deals after which an opening is considered impossible."""


def plays(member: Member) -> bool:
    """Whether a member signs up correctly, and misbehaves later."""
    return member.step is not SIGNUP


def is_illegal(member: Member) -> bool:
    """Whether the member breaks a rule of the game, not the protocol."""
    return member.violation is not None


def cases(
    rulebooks: Iterable[Rulebook],
    wanted: Callable[[Member], bool] = lambda _: True,
    quick: Callable[[Rulebook, Member], bool] = lambda rulebook, member: True,
) -> list[Any]:
    """Each of the wanted members under each rulebook: the parameters (rulebook, member).

    Those that are not `quick` run in the soak.
    """
    return [
        pytest.param(
            rulebook,
            member,
            id=f"{rulebook.id}-{name}",
            marks=() if quick(rulebook, member) else pytest.mark.soak,
        )
        for rulebook in rulebooks
        for name, member in cast_for(rulebook).items()
        if wanted(member)
    ]


@cache
def _samples() -> frozenset[tuple[str, str]]:
    """Members, by rulebook and name, for every way to break an answer and every reason at a step.

    What arrives is judged in the same way at every step, so their product proves nothing new.
    """
    found: set[tuple[str, str]] = set()
    steps: set[tuple[str, Reason]] = set()
    ways: set[str] = set()
    for rulebook in WHOLE_CASTS:
        members = [member for member in cast_for(rulebook).values() if not is_illegal(member)]
        for new_way in (True, False):  # so that the steps share the ways among them
            for member in members:
                step = (member.step.name, member.reason)
                if step not in steps and (not new_way or member.way not in ways):
                    found.add((rulebook.id, member.name))
                    steps.add(step)
                    ways.add(member.way)
        for member in sorted(members, key=lambda member: not plays(member)):
            if member.way not in ways:
                found.add((rulebook.id, member.name))
                ways.add(member.way)
    return frozenset(found)


def is_sample(rulebook: Rulebook, member: Member) -> bool:
    """Whether a member is in the sample that proves what the whole casts do, or breaks a rule."""
    return is_illegal(member) or (rulebook.id, member.name) in _samples()


def seats_for(member: Member) -> int:
    """How many sit at a member's table: two where only two are asked what it answers."""
    return 2 if member.step in (MARKET, MERGER) else 3


# -- a game, and the openings in it -------------------------------------------------------------


class Exchange(NamedTuple):
    """A question to the first seat, and what `ordered` answers.

    ``moment`` is what a member of the cast would know; ``None`` before the first position.
    """

    turn: int
    step: str
    message: RefereeMessage
    answer: PlayerMessage
    moment: Moment | None


class _Watch:
    """The first seat: `ordered`, and what a member of the cast would know at each step."""

    def __init__(self, rulebook: Rulebook, turn: Callable[[], int]) -> None:
        self._ordered = Ordered(rulebook, 0)
        self._turn = turn
        self._known: list[tuple[str, Moment]] = []
        at_steps = {member.step.name: member for member in cast_for(rulebook).values()}
        self._probes = [
            MisbehavingPlayer(self._probe(member), rulebook, 0) for member in at_steps.values()
        ]
        self.exchanges: list[Exchange] = []

    def _probe(self, member: Member) -> Member:
        def note(moment: Moment) -> None:
            self._known.append((member.step.name, moment))

        return member._replace(act=note)

    def __call__(self, message: RefereeMessage) -> PlayerMessage:
        answer = self._ordered(message)
        self._known.clear()
        for probe in self._probes:
            assert probe(message) == answer
        step, moment = self._known[0] if self._known else ("", None)
        self.exchanges.append(Exchange(self._turn(), step, message, answer, moment))
        return answer


@lru_cache(maxsize=256)
def ordered_game(rulebook: Rulebook, players: int, seed: int) -> tuple[Exchange, ...]:
    """Play a whole game of `ordered` players and return the part of the first seat."""
    names = ["member", *(f"other-{seat}" for seat in range(1, players))]
    dealer = Dealer(seed)
    referee = Referee(rulebook, names, dealer.bag, dealer.shuffle, lambda _: None)
    watch = _Watch(rulebook, lambda: referee.turns)
    seats: dict[str, Strategy] = {name: Ordered(rulebook, 0) for name in names}
    play(referee.play(), seats | {"member": watch}, Dialect.of(rulebook))
    return tuple(watch.exchanges)


@cache
def steps_of(rulebook: Rulebook, players: int, seed: int) -> frozenset[str]:
    """Return what the first seat is asked in that game; some questions come in few games."""
    return frozenset(exchange.step for exchange in ordered_game(rulebook, players, seed))


class Opening(NamedTuple):
    """Where a member finds its opening: the exchange's index, and the wrong answer."""

    at: int
    turn: int
    answer: PlayerMessage | WireFault


def openings(rulebook: Rulebook, member: Member, seed: int) -> Iterator[Opening]:
    """List the openings that a member has in a deal, in the first seat; it takes the first."""
    if member.step.name not in steps_of(rulebook, seats_for(member), seed):
        return
    for at, exchange in enumerate(ordered_game(rulebook, seats_for(member), seed)):
        if exchange.moment is not None and exchange.step == member.step.name:
            answer = member.act(exchange.moment)
            if answer is not None:
                yield Opening(at, exchange.turn, answer)


@cache
def deal_for(rulebook: Rulebook, member: Member) -> int:
    """Return the first seed with an early opening, or else the first with any.

    Nearly all members find theirs in the first deal. Never early: a merger of safe hotels, a
    declaration in the wrong place, a trade for more than the bank has, in `revised` an order that
    is too dear after a merger, the market's own merger and, of course, whatever happens at the
    scores, in any deal. A member that does not sign up needs none.
    """
    if member.step in (SIGNUP, SCORE):
        return 0
    for seed in range(DEALS):
        opening = next(openings(rulebook, member, seed), None)
        if opening is not None and opening.turn <= EARLY:
            return seed
    for seed in range(RARE):
        if next(openings(rulebook, member, seed), None) is not None:
            return seed
    raise AssertionError(f"{member.name} finds no opening under rulebook {rulebook.id}")
