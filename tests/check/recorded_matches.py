"""Matches of a faulty administrator, played in a process of their own, and judged in this one.

There are no sockets: the players are given the messages as values, and the traces come back through
a pipe. So a planted fault of the rules costs a second instead of a minute.
"""

import os
import pickle
from collections import Counter
from collections.abc import Sequence
from itertools import count

from faulty_administrator import FAULTS

from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.events import Ejected, Event
from acquire.admin.refereeing.play.questions import Replies, Reply
from acquire.admin.refereeing.play.referee import Referee
from acquire.admin.refereeing.table.clocks import Clocks
from acquire.admin.testing.judging.check_result import CaseResult, CaseVerdict
from acquire.admin.testing.servers.administrator_check import AdministratorCheck, PlayedMatch
from acquire.admin.testing.servers.exchanges import Exchanged, MatchTrace, SeatTrace
from acquire.admin.testing.servers.explorer import EXPLORING
from acquire.admin.testing.servers.match_player import AddressSource, MatchPlayer
from acquire.admin.testing.servers.plans import (
    MatchPlan,
    MatchSchedule,
    SeatPlan,
    cast_for,
    player_for,
)
from acquire.admin.testing.servers.requirements import cases_for
from acquire.admin.testing.servers.seat_client import SeatPlayer
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import RULEBOOKS
from acquire.protocol import messages
from acquire.protocol.faults import Fault
from acquire.protocol.messages import PlayerMessage
from acquire.protocol.reading import referee_reader
from acquire.protocol.writing import Writer

SEATS = 3


CLOCKS = Clocks(1.0, 12.0)


def plans(rulebook: Rulebook, cheats: Sequence[str], matches: int) -> list[MatchPlan]:
    """Plan matches of explorers, and one for each cheat, or for a case that only cheats lead to."""
    members, styles = cast_for(rulebook).members, EXPLORING
    found = [
        MatchPlan(
            "exploring", (SeatPlan(styles[seed % len(styles)]),) * (SEATS + seed % 4), 1000 * seed
        )
        for seed in range(matches)
    ]
    schedule = MatchSchedule(cast_for(rulebook), [3, 4, 5, 6], SEATS, CLOCKS)
    for seed, name in enumerate(cheats, matches):
        member = members.get(name.removeprefix("ejection/"))
        if member is None:
            found += schedule.helping({name}, 0)
            continue
        seats = (SeatPlan(cheat=member), *[SeatPlan()] * (SEATS - 1))
        found.append(MatchPlan(f"misbehaving: {name}", seats, 1000 * seed))
    return found


class _Unfair(Exception):
    """The administrator asks what none of its players can answer."""


def play(plan: MatchPlan, rulebook: Rulebook, played: Rulebook, tried: Counter[str]) -> MatchTrace:
    """Play a match by the referee as it is in this process, and record it.

    The players know the right ``rulebook``, and the referee the one that it has.
    """
    cast, order = cast_for(rulebook), count(1e-7, 1e-7)
    trace = MatchTrace(rulebook)
    names = [plan.name_of(seat) for seat in range(len(plan.seats))]
    writer = Writer(rulebook)
    players: dict[str, SeatPlayer] = {}
    for number, (name, seat) in enumerate(zip(names, plan.seats, strict=True)):
        trace.seats.append(SeatTrace(name, name, cheat=seat.cheat))
        players[name] = player_for(plan, number, cast, tried)
        players[name](messages.SignUp(name))
    seats = {seat.name: seat for seat in trace.seats}

    def emit(event: Event) -> None:
        if isinstance(event, Ejected):
            told = messages.Ejected(event.reason.value, event.sentences)
            seats[event.name].exchanges.append(Exchanged(told, b"", next(order)))

    dealer = Dealer(plan.seed)
    reader = referee_reader(rulebook)
    try:
        referee = Referee(played, names, plan.bag or dealer.bag, dealer.shuffle, emit)
        questions = referee.play()
        asks = next(questions)
        for _ in range(3000):
            replies: Replies = {}
            for name, ask in asks.items():
                data = writer.write(ask.message)
                read = reader.convert(root := reader.parse(data), data)
                each = Exchanged(None, data, next(order))
                if isinstance(read, Fault):
                    each.form, each.message = read.detail, reader.convert_leniently(root)
                else:
                    each.message = read
                seats[name].exchanges.append(each)
                try:
                    answer = players[name](each.message or ask.message)
                except Exception as error:
                    seats[name].gave_up = f"{type(error).__name__}: {error}"
                    raise _Unfair from error
                each.answered = next(order)
                if isinstance(answer, PlayerMessage):
                    each.answer, each.sent = answer, writer.write(answer)
                    replies[name] = Reply(answer)
                else:
                    cheat = seats[name].cheat
                    assert cheat is not None
                    each.answer = Fault(cheat.reason, cheat.description)
                    seats[name].cheated = each
                    replies[name] = each.answer
            asks = questions.send(replies)
    except StopIteration:
        pass
    except Exception as error:  # the administrator has crashed
        trace.trouble = f"{type(error).__name__}: {error}"
    for own in trace.seats:
        own.end, own.ended = "The administrator closed the connection.", next(order)
    return trace


def _record(fault: str, right: Rulebook, planned: list[MatchPlan], writing: int) -> None:
    """Plant a fault, play the matches, and write their traces to a pipe."""
    cast_for(right)
    if fault:
        FAULTS[fault].plant()
    tried = Counter[str]()
    found = [play(plan, right, RULEBOOKS[right.id], tried) for plan in planned]
    for trace, plan in zip(found, planned, strict=True):
        _sit(trace, plan, None)
    with os.fdopen(writing, "wb") as pipe:
        pickle.dump(found, pipe)


def _sit(trace: MatchTrace, plan: MatchPlan, rulebook: Rulebook | None) -> None:
    """Put in a rulebook and its cheats; take them out for a pipe, which cannot send them."""
    trace.rulebook = rulebook  # type: ignore[assignment]  # put back by who receives it
    for seat, planned in zip(trace.seats, plan.seats, strict=True):
        seat.cheat = planned.cheat if rulebook else None


def traces(fault: str, rulebook: Rulebook, planned: list[MatchPlan]) -> list[MatchTrace]:
    """Play matches in a child of this process in which a fault is planted."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(reading)
            _record(fault, rulebook, planned, writing)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        recorded: list[MatchTrace] = pickle.load(pipe)
    os.waitpid(child, 0)
    for trace, plan in zip(recorded, planned, strict=True):
        _sit(trace, plan, rulebook)
    return recorded


def check_of(
    fault: str = "", matches: int = 10, cheats: Sequence[str] = (), rulebook: str = "revised"
) -> AdministratorCheck:
    """Judge the matches of an administrator with a planted fault, or without."""
    book = RULEBOOKS[rulebook]
    planned = plans(book, cheats, matches)
    return check_for(book, *zip(planned, traces(fault, book, planned), strict=True))


def check_for(book: Rulebook, *played: tuple[MatchPlan, MatchTrace]) -> AdministratorCheck:
    """Judge some matches."""
    cast = cast_for(book)
    cases, source = cases_for(book, cast.members.values()), AddressSource("", 0)
    check = AdministratorCheck(cases, source, MatchPlayer(cast, Clocks.for_seats), SEATS, 1)
    for plan, trace in played:
        match = PlayedMatch(plan, trace, CLOCKS)
        match.judge()
        check.add(match)
    return check


def failed(results: Sequence[CaseResult]) -> dict[str, str]:
    """Return what is said of each case that failed, by its id."""
    wrong = (CaseVerdict.FAIL, CaseVerdict.WARN)
    return {each.case.id: each.actual for each in results if each.verdict in wrong}
