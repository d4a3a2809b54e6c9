"""Which matches are played: what each is for, who sits in it, and with which bag.

A bag that leads to something is found by rehearsals: matches played in this process beforehand. Our
players choose alike whenever they are sent the same, so a match with the same bag at the
administrator goes the same way, as long as it does nothing wrong.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

from lxml import etree

from ....game.rulebook import Rulebook, Start, StuckHand
from ....game.tiles import TILES, Tile, parse_tile, tile_name
from ....protocol import messages
from ....protocol.dialect import Dialect
from ....protocol.faults import Fault, Reason
from ....protocol.messages import PlayerMessage, RefereeMessage
from ....protocol.plugins import CAST, plugins
from ...refereeing.play import in_process
from ...refereeing.play.dealer import Dealer
from ...refereeing.play.referee import Referee
from ...refereeing.table.clocks import Clocks
from ..cases.message_forms import SPLITS, add_comments, add_declaration
from ..trial.wire import Delivery
from .exchanges import Cheat
from .explorer import EXPLORING, Explorer, Style
from .game_moment import GameMoment
from .seat_client import Manner, SeatPlayer, SocketDeed

LONG_AGO = 10_000  # seeds of the matches of a later round are this much larger
REHEARSALS = 60  # matches that are rehearsed in a round
HONESTLY = Manner()


class Cast(NamedTuple):
    """The misbehaving players: by name, at play, and what those do who do not sign up."""

    rulebook: Rulebook
    members: dict[str, Cheat]
    player: Callable[[str, Rulebook, int], SeatPlayer]
    sign_up: Callable[[str], SocketDeed]


def cast_for(rulebook: Rulebook) -> Cast:
    """Return the installed cast under a rulebook."""
    found: dict[str, Any] = {name: point.load() for name, point in plugins(CAST).items()}
    return Cast(rulebook, found["members"](rulebook), found["player"], found["sign_up"])


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """A seat: an explorer with a style, or one of the cast."""

    style: Style = Style.EXPLORE
    cheat: Cheat | None = None
    manner: Manner = HONESTLY
    point: str = ""  # the case that it is for, if any: then its player must not be ejected


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """A match: its seats, who misbehaves at sign-up before them, and the bag if it is chosen."""

    purpose: str
    seats: tuple[SeatPlan, ...]
    seed: int = 0  # for the explorers
    bag: tuple[Tile, ...] | None = None
    sign_ups: tuple[Cheat, ...] = ()
    names: tuple[str, ...] = ()
    surplus: int = 0  # how many more players connect when the table is full
    slow: bool = False  # waits for clocks; such matches begin first
    short: bool = False  # the honest players leave when the others have misbehaved
    case: str = ""  # the one that the match is for as a whole
    and_then: bool = False  # the case asks what the administrator does afterwards

    def name_of(self, seat: int) -> str:
        """Return the name that a seat asks for."""
        return self.names[seat] if self.names else f"player{seat + 1}"

    def with_bag(self) -> "MatchPlan":
        """Return the same match with a chosen bag."""
        return replace(self, bag=Dealer(self.seed).bag)


def _spaced(data: bytes) -> bytes:
    """Put white space around all tags; an empty element gets an end tag for that."""
    whole = etree.tostring(etree.fromstring(data), method="c14n")
    return b"\n" + whole.replace(b"><", b">\n<") + b"\n"


FORMS = {
    "white-space": Delivery(_spaced),
    "declaration": Delivery(add_declaration),
    "quotes": Delivery(lambda data: data.replace(b'"', b"'")),
    "leading-zeros": Delivery(lambda data: re.sub(rb'column="(\d)"', rb'column="0\1"', data)),
    "comments": Delivery(add_comments),
    "bytes": Delivery(split=SPLITS["bytes"], gap=0.0005),
    "halves": Delivery(split=SPLITS["halves"], gap=0.02),
}
"""Forms in which an answer has to be accepted."""

Delay: TypeAlias = Callable[[RefereeMessage, PlayerMessage | SocketDeed], float]


def slowly(clocks: Clocks) -> Delay:
    """Return how long a player takes that is slow, but in time: once a turn, sometimes else."""
    count = 0

    def delay(message: RefereeMessage, _: object) -> float:
        nonlocal count
        count += 1
        if isinstance(message, messages.Turn | messages.TurnView) and count < 8:
            return 0.6 * clocks.turn
        return 0.6 * clocks.reply if count % 7 == 1 and count < 40 else 0.0

    return delay


def stuck_bag() -> tuple[Tile, ...]:
    """Return a bag that leaves two of four players without a playable tile in their 13th turn.

    These place the lowest of their tiles, and keep six of row H each. The two after them place the
    highest, and so make a safe hotel each of the rows G and I, which no tile of row H may join.
    """
    start = ["1E", "3E", "5E", "7E"]
    apart = [f"{column}{row}" for row in "ABCD" for column in range(1 + "BD".count(row), 13, 2)]
    apart.insert(1, "2A")  # founds a hotel that is never safe: nobody may declare the end
    g, h, i = ([f"{column}{row}" for column in range(12, 0, -1)] for row in "GHI")
    used = {*start, *apart[:24], *g, *h, *i}
    rest = [tile for tile in map(tile_name, TILES) if tile not in used]
    due = [
        [*apart[at : at + 1], *h[at // 2 : at // 2 + 5], *apart[at + 1 : at + 12], h[at // 2 + 5]]
        for at in (0, 12)
    ]
    due += [[*g, *rest[:6]], [*i, *rest[6:12]]]
    return _bag(start, due, rest[12:])


def crossing_bag(rulebook: Rulebook) -> tuple[Tile, ...]:
    """Return a bag that merges four hotels if four players place the lowest of their tiles.

    Two of the hotels have three tiles, two have two: sizes and names decide their order.
    """
    start = [] if rulebook.start is Start.SIGN_UP else ["1A", "3A", "5A", "7A"]
    due = [["2E", "3E", "4E", "5E"], ["5C", "5D"], ["6E", "7E", "8E"], ["5F", "5G"]]
    used = {*start, *(tile for tiles in due for tile in tiles)}
    rest = [tile for tile in map(tile_name, reversed(TILES)) if tile not in used]
    for tiles in due:
        tiles += [rest.pop(0) for _ in range(6 - len(tiles))]
    return _bag(start, due, rest)


def _bag(start: list[str], due: list[list[str]], rest: list[str]) -> tuple[Tile, ...]:
    """Return a bag for four players: each is dealt six of the tiles due to it, and draws others."""
    hands = [tile for tiles in due for tile in tiles[:6]]
    draws = [tile for drawn in zip(*(tiles[6:] for tiles in due), strict=True) for tile in drawn]
    return tuple(map(parse_tile, [*start, *hands, *draws, *rest]))


class MatchSchedule:
    """Plans matches with ``usual`` seats, and at tables of all ``sizes``."""

    def __init__(self, cast: Cast, sizes: Sequence[int], usual: int, clocks: Clocks) -> None:
        self._clocks = clocks
        self._rulebook, self._cast, self._sizes = cast.rulebook, cast, sizes
        self._usual, self._most = usual, max(sizes)
        self._all = (SeatPlan(),) * usual

    def probe(self) -> MatchPlan:
        """Return a plain match: if it does not come about, no other will."""
        return MatchPlan("a match of players that do nothing wrong", self._all, 1)

    def usual(self, wanted: set[str]) -> Iterator[MatchPlan]:
        """Yield the matches in which nobody misbehaves, for the cases that are wanted."""
        usual, growing = self._usual, (SeatPlan(Style.GROW),) * self._usual
        forms = [name for name in FORMS if f"answers/{name}" in wanted]
        for at in range(0, len(forms), usual):
            seats = [
                SeatPlan(manner=Manner(FORMS[name]), point=f"answers/{name}")
                for name in forms[at : at + usual]
            ]
            seats += self._all[len(seats) :]
            yield MatchPlan("answers in other forms", tuple(seats), 20 + at)
        slow = SeatPlan(manner=Manner(delay=slowly(self._clocks)), point="clocks/slow")
        all_leave = (replace(self._all[0], manner=Manner(stays=9)),) * usual
        one_leaves = (SeatPlan(manner=Manner(stays=6)), *self._all[1:])
        # 64 characters, but more in UTF-16, and more bytes
        long = "x" * 32 + "\N{GAME DIE}" * 32
        odd = ('Anna "O\'Neill" <x> & co', "Ünïcödé Ωß 名", long, "player", "-", "a b")
        for case, plan in {
            "clocks/slow": MatchPlan("a slow player", (slow, *growing[1:]), 30, slow=True),
            "sign-up/taken-name": MatchPlan("a taken name", growing, 40, names=("alice",) * 6),
            "sign-up/odd-names": MatchPlan("odd names", self._all, 41, names=odd),
            "sign-up/surplus": MatchPlan("more players than seats", self._all, 42, surplus=2),
            "robustness/all-leave": MatchPlan("all leave", all_leave, 43, and_then=True),
            "robustness/leaver": MatchPlan("one leaves", one_leaves, 44),
            "robustness/next-match": MatchPlan("a match and the next", growing, 45, and_then=True),
        }.items():
            # the game ends without players where all leave, too
            if case in wanted or (plan.seats == all_leave and "end/nobody-left" in wanted):
                yield replace(plan, case="" if plan.slow else case)

    def exploring(self, round_: int, more: int = 0) -> Iterator[MatchPlan]:
        """Yield matches of explorers of each style: one of each size, and more of the usual one.

        As many are of the largest, where hotels grow until the game ends by that. The names fall,
        so that players who tie are not in the order of their turns.
        """
        chance = random.Random(round_)
        tables = [(self._most, Style.GROW)] * more
        for number, seats in enumerate([*self._sizes, *[self._usual] * more]):
            tables.append((seats, EXPLORING[(round_ + number) % len(EXPLORING)]))
        for number, (seats, style) in enumerate(tables):
            seed = LONG_AGO * (round_ + 1) + 100 * number + chance.randrange(90)
            names = tuple(f"player{place}" for place in range(seats, 0, -1))
            purpose = f"players that {style.value}"
            yield MatchPlan(purpose, (SeatPlan(style),) * seats, seed, names=names)

    def sign_ups(self, cheats: Sequence[Cheat]) -> Iterator[MatchPlan]:
        """Yield matches before which others misbehave at sign-up; those that take time apart."""
        for slow in (False, True):
            part = tuple(each for each in cheats if (each.reason is Reason.TIMED_OUT) is slow)
            if part:
                yield MatchPlan(
                    "misbehaving at sign-up", self._all, 50 + slow, sign_ups=part, slow=slow
                )

    def helping(self, wanted: set[str], round_: int) -> Iterator[MatchPlan]:
        """Yield matches for the wanted cases that only misbehaving players lead to.

        They are played whether or not the misbehaving players are judged themselves.
        """

        def some(step: str, reason: Reason, most: int = 1) -> list[Cheat]:
            members = self._cast.members.values()
            return [e for e in members if e.step.name == step and e.reason is reason][:most]

        seed = LONG_AGO * round_ + 60
        if "sign-up/seat-stays-open" in wanted:
            turned_away = tuple(some("signup", Reason.MALFORMED, 2))
            yield MatchPlan("misbehaving at sign-up", self._all, seed, sign_ups=turned_away)
        on_time = wanted & {"clocks/not-early", "clocks/not-late"}
        late = some("tile", Reason.TIMED_OUT) if on_time else []
        after = {f"ejection/{each}" for each in ("undone", "goods", "tiles", "goes-on")}
        if wanted & {"end/ejected", *after}:
            late += [*some("turn", Reason.ILLEGAL), *some("order", Reason.ILLEGAL)]
        for number, cheat in enumerate(late, 1):
            seats = (SeatPlan(cheat=cheat), *self._all[1:])
            slow = cheat.reason is Reason.TIMED_OUT
            yield MatchPlan(f"misbehaving: {cheat.name}", seats, seed + number, slow=slow)

        def slowly_merging(_: RefereeMessage, answer: object) -> float:
            return 0.6 * self._clocks.turn if isinstance(answer, messages.Merge) else 0.0

        silent = some("order", Reason.TIMED_OUT) if "clocks/whole-turn" in wanted else []
        for number, cheat in enumerate(silent, 10):
            twice = SeatPlan(cheat=cheat, manner=Manner(delay=slowly_merging))
            purpose = "a player that uses its clock up in two answers"
            seats = (twice, *self._all[1:])
            yield MatchPlan(purpose, seats, seed + number, slow=True, short=True)
        if "ejection/twice" in wanted:
            asked = [*some("keep", Reason.INVALID), *some("dispose", Reason.INVALID)]
            size = min(self._most, 4)
            movers = some("order", Reason.INVALID, size - 1)
            for number in range(2):
                seats = tuple(SeatPlan(cheat=each) for each in [*asked, *movers])
                purpose = "two misbehave in one merger"
                yield MatchPlan(purpose, seats, seed + 20 + number)
        if "mergers/nobody" in wanted:
            # hotels that nobody holds are those of players who have left
            size = min(self._most, 5)
            for number in range(2):
                seats = tuple(
                    SeatPlan(Style.FOUND, manner=Manner(stays=stays))
                    for stays in [*range(12, 12 + 9 * (size - 2), 9), None, None]
                )
                yield MatchPlan("founders leave", seats, seed + 30 + number)

    def cheating(self, cheats: Iterable[Cheat], round_: int) -> Iterator[MatchPlan]:
        """Yield matches in which all but one misbehave, a few of each kind at a time.

        Of those who are late there are fewer. The stock market asks at a table of two only.
        """

        def size_of(cheat: Cheat) -> int:
            if cheat.step.name in ("market", "merger") and 2 in self._sizes:
                return 2
            return min(self._most, 3) if cheat.reason is Reason.TIMED_OUT else self._most

        # members of one step side by side, so that a match is over soon
        for size, kind in groupby(sorted(cheats, key=size_of), size_of):
            some = [*kind]
            for number, at in enumerate(range(0, len(some), size - 1)):
                group = some[at : at + size - 1]
                seats = max(self._rulebook.min_players, min(size, self._usual), len(group) + 1)
                honest = (SeatPlan(),) * (seats - len(group))
                yield MatchPlan(
                    f"misbehaving: {', '.join(cheat.name for cheat in group)}",
                    (*(SeatPlan(cheat=cheat) for cheat in group), *honest),
                    LONG_AGO * (round_ + 1) + 10 * number,
                    slow=any(cheat.reason is Reason.TIMED_OUT for cheat in group),
                    short=number % 4 != 3,
                )

    def crossing(self) -> Iterator[MatchPlan]:
        """Yield a match with a merger of four hotels, which hardly comes by chance."""
        if 4 in self._sizes:
            seats = (SeatPlan(Style.LOWEST),) * 4
            yield MatchPlan("a merger of four hotels", seats, 70, crossing_bag(self._rulebook))

    def rehearsed(self, cheats: Sequence[Cheat], missing: set[str], round_: int) -> list[MatchPlan]:
        """Return matches with bags that lead to something missing, by rehearsals."""
        found: list[MatchPlan] = []
        left = set(missing)
        if self._rulebook.stuck_hand is StuckHand.MAY_REPLACE and 4 in self._sizes:
            stuck = [SeatPlan(cheat=each) for each in cheats if each.step.name == "replace"]
            stuck += [SeatPlan(Style.LOWEST)] * (2 + len(stuck) % 2)
            for number, two in enumerate(zip(stuck[::2], stuck[1::2], strict=True)):
                seats = (*two, *[SeatPlan(Style.HIGHEST)] * 2)
                seed = LONG_AGO * round_ + number
                plan = MatchPlan("a hand without a playable tile", seats, seed, stuck_bag())
                found.append(plan)
                left -= rehearse(plan, self._cast)
            cheats = [each for each in cheats if each.step.name != "replace"]
        for at in range(REHEARSALS * round_, REHEARSALS * (round_ + 1)):
            candidates = [*self.exploring(at)][at % len(self._sizes) :][:1]
            candidates += self.cheating([c for c in cheats if f"ejection/{c.name}" in left], at)
            for plan in candidates:
                chosen = plan.with_bag()
                if new := rehearse(chosen, self._cast) & left:
                    found.append(chosen)
                    left -= new
        return found


def player_for(plan: MatchPlan, seat: int, cast: Cast, tried: Counter[str]) -> SeatPlayer:
    """Make the player of a seat; ``tried`` counts what explorers have chosen."""
    chosen, seed = plan.seats[seat], plan.seed + seat
    if chosen.cheat is not None:
        return cast.player(chosen.cheat.name, cast.rulebook, seed)
    return Explorer(cast.rulebook, chosen.style, seed, tried)


def rehearse(plan: MatchPlan, cast: Cast) -> set[str]:
    """Play a match with the bag of a plan, and return the cases that it comes to."""
    assert plan.bag is not None, "a rehearsal is for chosen bags"
    dealer, tried, rulebook = Dealer(plan.seed), Counter[str](), cast.rulebook
    names = [plan.name_of(seat) for seat in range(len(plan.seats))]
    players: dict[str, in_process.Answerer] = {
        name: _in_process(player_for(plan, seat, cast, tried), plan.seats[seat].manner)
        for seat, name in enumerate(names)
    }
    moment = GameMoment(rulebook, len(names))
    referee = Referee(rulebook, names, plan.bag, dealer.shuffle, moment.take)
    moment.before = moment.last = referee.state
    outcome = in_process.play(referee.play(), players, Dialect.of(rulebook))
    found = set(moment.cases)
    for each in outcome.ejected:
        cheat = plan.seats[names.index(each.name)].cheat
        if cheat is not None and each.violation is cheat.violation:
            found.add(f"ejection/{cheat.name}")
    return found


def _in_process(player: SeatPlayer, manner: Manner) -> in_process.Answerer:
    """Return a player that plays in this process: leaving and misbehaving become a fault."""
    heard = 0

    def answer(message: RefereeMessage) -> PlayerMessage | Fault:
        nonlocal heard
        done = player(message)
        heard += not isinstance(message, messages.SignUp)
        stays = manner.stays is None or heard <= manner.stays
        gone = Fault(Reason.DISCONNECTED, "It would misbehave or leave.")
        return done if stays and isinstance(done, PlayerMessage) else gone

    return answer
