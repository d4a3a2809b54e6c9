"""Which matches are played: what each is for, and who sits in it."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ....game.rulebook import Rulebook
from ....protocol.faults import Reason
from ...refereeing.play.dealer import Dealer
from ...refereeing.table.clocks import Clocks
from .exchanges import Cheat
from .explorer import Style
from .line_up import DRESSES, MatchPlan, SeatPlan, slowly
from .seat_client import Manner

ODD_NAMES = ('Anna "O\'Neill" <x> & co', "Ünïcödé Ωß 名", "x" * 64, "player", "-", "a b")
TAKEN_NAMES = ("alice",) * 6
LONG_AGO = 10_000
"""Seeds of the matches of a later round are this much larger."""


class MatchSchedule:
    """Plans matches under a rulebook, with ``seats`` at a usual table and up to ``most``."""

    def __init__(self, rulebook: Rulebook, seats: int, most: int, clocks: Clocks) -> None:
        self._rulebook = rulebook
        self._usual = seats
        self._most = most
        self._clocks = clocks

    def _plan(self, purpose: str, seats: Sequence[SeatPlan], seed: int, **more: Any) -> MatchPlan:
        return MatchPlan(purpose, tuple(seats), seed, **more)

    def probe(self) -> MatchPlan:
        """Return a plain match: if it does not come about, no other will."""
        return self._plan("a match of players that do nothing wrong", self._all(Style.EXPLORE), 1)

    def _all(self, style: Style, seats: int = 0) -> list[SeatPlan]:
        return [SeatPlan(style)] * (seats or self._usual)

    def usual(self, wanted: set[str]) -> Iterator[MatchPlan]:
        """Yield the matches in which nobody misbehaves."""
        usual = self._usual
        dressed = [name for name in DRESSES if f"answers/{name}" in wanted]
        for at in range(0, len(dressed), usual):
            seats = self._all(Style.EXPLORE)
            for seat, name in enumerate(dressed[at : at + usual]):
                dress, pause = DRESSES[name]
                seats[seat] = SeatPlan(manner=Manner(dress, pause), point=f"answers/{name}")
            yield self._plan("answers in other forms", seats, 20 + at)
        if "clocks/slow" in wanted:
            delay = slowly(self._clocks.reply, self._clocks.turn)
            seats = [
                SeatPlan(manner=Manner(delay=delay), point="clocks/slow"),
                *self._all(Style.GROW),
            ]
            yield self._plan("a slow player", seats[:usual], 30, slow=True)
        if "sign-up/taken-name" in wanted:
            yield self._plan("a taken name", self._all(Style.GROW), 40, names=TAKEN_NAMES)
        if "sign-up/odd-names" in wanted:
            yield self._plan("odd names", self._all(Style.EXPLORE), 41, names=ODD_NAMES)
        if "sign-up/surplus" in wanted:
            yield self._plan("more players than seats", self._all(Style.EXPLORE), 42, surplus=2)
        if "robustness/all-leave" in wanted:
            leaves = Manner(stays=9)
            seats = [replace(seat, manner=leaves) for seat in self._all(Style.EXPLORE)]
            yield self._plan("all leave", seats, 43, then="robustness/all-leave")
        if "robustness/leaver" in wanted:
            seats = self._all(Style.EXPLORE)
            seats[0] = SeatPlan(manner=Manner(stays=6))
            yield self._plan("one leaves", seats, 44)
        if "robustness/next-match" in wanted:
            yield self._plan(
                "a match and the next", self._all(Style.GROW), 45, then="robustness/next-match"
            )

    def exploring(self, round_: int, sizes: Iterable[int]) -> Iterator[MatchPlan]:
        """Yield matches of explorers of each style, at tables of several sizes."""
        chance = random.Random(round_)
        for number, seats in enumerate(sizes):
            style = [*Style][(round_ + number) % len(Style)]
            seed = LONG_AGO * (round_ + 1) + 100 * number + chance.randrange(90)
            yield self._plan(f"players that {style.value}", self._all(style, seats), seed)

    def sign_ups(self, cheats: Sequence[Cheat]) -> Iterator[MatchPlan]:
        """Yield matches before which others misbehave at sign-up; those that take time apart."""
        slow = [each for each in cheats if each.reason is Reason.TIMED_OUT]
        for seed, part in enumerate(([c for c in cheats if c not in slow], slow)):
            if part:
                yield self._plan(
                    "misbehaving at sign-up",
                    self._all(Style.EXPLORE),
                    50 + seed,
                    sign_ups=tuple(part),
                    slow=part is slow,
                )

    def cheating(self, cheats: Sequence[Cheat], round_: int) -> Iterator[MatchPlan]:
        """Yield matches in which all but one misbehave, a few of each kind at a time."""
        slow = [each for each in cheats if each.reason is Reason.TIMED_OUT]
        fast = [each for each in cheats if each not in slow]
        for part, most in ((slow, 2), (fast, self._most - 1)):
            size = min(most, self._most - 1)
            # members of one step side by side, so that a match is over soon
            for number, at in enumerate(range(0, len(part), size)):
                group = part[at : at + size]
                seats = [SeatPlan(cheat=cheat) for cheat in group]
                seats += [SeatPlan()] * max(1, min(self._usual, self._most) - len(seats))
                least = self._rulebook.min_players
                seats += [SeatPlan()] * max(0, least - len(seats))
                seed = LONG_AGO * (round_ + 1) + 10 * number
                names = ", ".join(cheat.name for cheat in group)
                yield self._plan(
                    f"misbehaving: {names}", seats, seed, slow=part is slow, short=number % 4 != 3
                )

    def chosen(self, plan: MatchPlan) -> MatchPlan:
        """Return a plan with the bag of its seed."""
        return replace(plan, bag=Dealer(plan.seed).bag)
