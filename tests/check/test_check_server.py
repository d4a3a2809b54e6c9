"""`acquire check-server`: administrators that are right, and what is found of wrong ones."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path

import pytest
import trio
from child_processes import ending
from command_line import ACQUIRE, invoke, on_one_line, refused, succeed
from faulty_administrator import FAULTS
from loops import in_soak
from lxml import etree
from trio.testing import MockClock

from acquire.admin.refereeing.log.reader import read_bytes
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.events import Acquired, Placed, TurnBegan
from acquire.admin.testing.judging.check_result import CaseVerdict
from acquire.admin.testing.servers.administrator_check import PlayedMatch
from acquire.admin.testing.servers.breaches import Breach
from acquire.admin.testing.servers.exchanges import Exchanged, MatchTrace, SeatTrace
from acquire.admin.testing.servers.explorer import Style
from acquire.admin.testing.servers.game_moment import GameMoment
from acquire.admin.testing.servers.match_player import free_ports
from acquire.admin.testing.servers.plans import (
    HONESTLY,
    MatchPlan,
    MatchSchedule,
    SeatPlan,
    cast_for,
    rehearse,
    stuck_bag,
)
from acquire.admin.testing.servers.requirements import cases_for
from acquire.admin.testing.servers.seat_client import SeatClient, Timeline
from acquire.admin.testing.servers.whole_match import of_whole_match
from acquire.game.board import empty_board
from acquire.game.merger import join
from acquire.game.notation import parse_position
from acquire.game.placement import Kind, Placement
from acquire.game.rulebooks import RULEBOOKS
from acquire.game.state import deal
from acquire.game.tiles import Tile, parse_tile
from acquire.protocol import messages
from acquire.protocol.writing import Writer
from check.recorded_matches import CLOCKS, check_of, failed, play
from check.test_cases import is_quoted

TESTS = Path(__file__).parents[1]
FAULTY = [sys.executable, str(TESTS / "faulty_administrator.py")]
REFERENCE = [sys.executable, str(TESTS / "reference" / "administrator.py")]
SKELETON = TESTS.parent / "player" / "starters" / "administrator" / "administrator.py"
CHEATS = ("turn-tile-not-in-hand", "turn-mixed", "keep-says-void", "order-mixed")
QUICK = {
    **{"no-founders-share": 2, "turns-backwards": 1, "too-much-cash": 1, "cash-not-counted": 1},
    **{"honest-player-ejected": 4, "ejected-player-comes-back": 0, "unknown-attribute": 1},
    **{"no-tile-message": 1, "hotels-just-safe-may-be-acquired": 0},
    **{"tiles-of-the-ejected-are-lost": 0, "bag-is-short": 1},
    **{"all-of-no-hotels-are-safe": 1, "ends-undeclared": 1, "mover-disposes-last": 1},
    **{"all-bonuses-are-paid-first": 4, "holders-dispose-of-all-hotels-at-once": 4},
    "order-of-equals-is-ignored": 8,
}
"""Faults that show early, each with how many matches of honest players it takes."""
OTHERS = [name for name, fault in FAULTS.items() if not fault.wire and name not in QUICK]
ENOUGH = 8
"""Matches of honest players that tell all causes apart."""


def serving(fault: str) -> list[str]:
    """The command of our server with a fault; ``{logs}`` is the folder of its logs."""
    return [*FAULTY, fault, "serve", "--log-dir", "{logs}"]


def judged(plan: MatchPlan, rulebook: str = "revised") -> PlayedMatch:
    """A match of a right administrator."""
    book = RULEBOOKS[rulebook]
    match = PlayedMatch(plan, play(plan, book, book, Counter()), CLOCKS)
    match.judge()
    return match


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_cases_quote_the_protocol(rulebook: str) -> None:
    book = RULEBOOKS[rulebook]
    cases = cases_for(book, cast_for(book).members.values())
    assert [case.id for case in cases if not is_quoted(case.source)] == []
    assert len({case.id for case in cases}) == len(cases)


def test_unknown_case_of_a_long_section_is_answered_by_the_nearest() -> None:
    said = refused("check-server", "--only", "ejection/turn-mix", "--", "true", "{port}")
    assert "ejection/turn-mixed" in said and said.endswith("All: the same command with --list.")
    assert len(said.splitlines()) < 40


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "No administrator given."),
        (("--connect", "127.0.0.1:1", "--", "true"), "Give either --connect, or a COMMAND."),
        (("--connect", "127.0.0.1"), "Give HOST:PORT."),
        (("--", "./none", "{port}"), "'./none': no such program."),
        (("--", "./README.md", "{port}"), "it is not executable. Run chmod +x ./README.md, or"),
        (("--", "docs/", "{port}"), "python3 docs/administrator.py --port {port} --players"),
        (("--bag-argument", "--bag", "--", "true", "{port}"), "Give words with {file} in them."),
        (("--sandbox", "bwrap", "--", "true", "{port}"), "Give uid or none."),
        (("--seats", "6", "--rulebook", "classic", "--only", "none"), "no such section or case"),
    ],
)
def test_wrong_options_are_refused(words: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused("check-server", *words)


def test_unknown_placeholder_is_named() -> None:
    words = ("--sandbox", "none", "--time", "0.1", "--", "false", "{port}", "{players}")
    said = succeed("check-server", *words, code=1)
    assert "Note: {players} is not a placeholder. Use {host}, {port} or {seats}." in said.stderr


def test_limits_quote_their_own_words() -> None:
    book = RULEBOOKS["revised"]
    quoted = {c.slug: c.source.quoted for c in cases_for(book, cast_for(book).members.values())}
    assert "nested deeper than 16" in quoted["turn-too-deep"]
    assert "more than 4096 bytes" in quoted["signup-too-long"]
    assert "more than 4096 bytes" in quoted["order-floods"]


@pytest.mark.parametrize(
    "rulebook", ["revised", *in_soak("corporations", "classic", "wikipedia", "digest")]
)
def test_right_administrator_has_no_findings(rulebook: str, soak: bool) -> None:
    cheats = [name for name in CHEATS if name in cast_for(RULEBOOKS[rulebook]).members]
    results = check_of("", 60 if soak else 5, cheats, rulebook).results()
    assert failed(results) == {}
    passed = {each.case.id for each in results if each.verdict is CaseVerdict.PASS}
    assert {"mergers/bonuses", "buying/price", "drawing/tile", "end/scores"} <= passed
    assert {f"ejection/{name}" for name in cheats[:1]} <= passed


@pytest.mark.parametrize("name", [*QUICK, *in_soak(*OTHERS)])
def test_fault_is_found_and_its_cause_named(name: str) -> None:
    fault = FAULTS[name]
    misbehaving = fault.case.startswith("ejection/") and fault.case != "ejection/honest"
    cheats = fault.more.split() or [fault.case] * misbehaving
    matches = QUICK.get(name, 0 if cheats else ENOUGH)
    check = check_of(name, matches, cheats, fault.rulebook)
    assert check.leading == fault.case
    assert re.search(fault.words, failed(check.results())[fault.case].partition(" In <")[0])


@pytest.mark.soak
@pytest.mark.parametrize("name", [name for name, fault in FAULTS.items() if fault.wire])
def test_fault_is_found_at_a_connection_and_its_cause_named(name: str, tmp_path: Path) -> None:
    """A bag leads to the wrong order of some mergers and ties; all others are right."""
    fault = FAULTS[name]
    only = [word for case in (fault.case, *fault.more.split()) for word in ("--only", case)]
    options = (*only, "--bag-argument", "--bag {file}", "--time", "60")
    _, said = checked(tmp_path, *options, administrator=serving(name))
    assert re.search(rf"Begin with [\d.]+ \({fault.case}\)\. .*{fault.words}", said), said


@pytest.mark.parametrize(
    ("name", "matches"),
    [
        ("tie-shares-the-majority-only", 4),
        ("tie-for-second-not-shared", 1),
        ("both-bonuses-to-all-who-tie", 4),
        ("bonuses-after-the-returns", 8),
        ("mover-is-asked-last", 1),
        ("score-shows-the-cash-paid-out", 1),
        ("state-sent-twice", 1),
        ("keep-sent-twice", 1),
    ],
)
def test_fault_fails_its_case_alone(name: str, matches: int) -> None:
    """Other ways to pay may give the same in a tie; other messages are right."""
    fault, found = FAULTS[name], failed(check_of(name, matches).results())
    assert found.keys() == {fault.case}, found
    assert re.search(fault.words, found[fault.case])


@pytest.mark.soak
def test_unjust_ejection_explains_what_the_others_are_sent() -> None:
    findings = check_of("safe-at-11", 4).matches[-1].findings
    assert [each.case for each in findings] == ["ejection/honest"] * 2
    told = [each.sentence.rpartition(" it merges ")[2] for each in findings]
    assert told == ["Imperial (11) and Worldwide (2); a hotel is safe from 12 tiles on."] * 2


@pytest.mark.parametrize(("equals", "counts"), [((), False), ((1, 0), True)])
def test_order_of_equals_counts_if_it_is_not_that_of_their_names(
    equals: tuple[int, ...], counts: bool
) -> None:
    book, moment = RULEBOOKS["classic"], GameMoment(RULEBOOKS["classic"], 3)
    state = parse_position(book, "AA.CC/..F/..F/..F", ["ann 3A", "bob", "cyd"])
    moment.before = moment.last = state
    merger = join(state, Placement(parse_tile("3A"), 2, equals))
    moment.take(TurnBegan(1, "ann", state))
    moment.take(Placed("ann", parse_tile("3A"), Kind.MERGING, 2, merger.state))
    for hotel, price in zip(merger.acquired, merger.prices, strict=True):
        moment.take(Acquired(2, hotel, state.board.size(hotel), price, merger.state))
    assert ("mergers/equals-named" in moment.cases) is counts


def test_who_answered_may_be_missing_from_what_was_sent_before() -> None:
    matches = check_of("certificates-for-nothing", 0, ("keep-one-too-many",) * 2).matches
    assert all(match.findings[0].case == "buying/price" for match in matches)


@pytest.mark.parametrize(
    ("rulebook", "seats"), [*((each, 4) for each in RULEBOOKS), ("classic", 2)]
)
def test_bag_that_is_given_has_to_be_followed(rulebook: str, seats: int) -> None:
    """At a table of two, the tiles of the stock market are shown to both."""
    book = RULEBOOKS[rulebook]
    right = MatchPlan("", (SeatPlan(Style.GROW),) * seats, 7).with_bag()
    trace = play(right, book, book, Counter())

    def findings(bag: tuple[Tile, ...]) -> list[str]:
        return [each.case for each in of_whole_match(replace(right, bag=bag), trace, CLOCKS)]

    bag = Dealer(right.seed).bag
    dealt = len(bag) - len(deal(book, [*"abcdef"[:seats]], bag).bag)
    assert findings(bag) == []
    assert findings((*bag[:dealt], *bag[:dealt:-1], bag[dealt])) == ["drawing/tile"]
    assert findings(bag[::-1]) == ["set-up/tiles"]


@pytest.mark.parametrize("rulebook", ["classic", "corporations"])
def test_hands_that_are_dealt_in_sign_up_order_are_told_from_others(rulebook: str) -> None:
    """They are dealt from the starting player on."""
    book, names = RULEBOOKS[rulebook], ["player1", "player2", "player3"]
    seed = next(n for n in range(9) if deal(book, names, Dealer(n).bag).mover.name == "player3")
    plan = MatchPlan("", (SeatPlan(),) * 3, seed).with_bag()
    trace, bag = play(plan, book, book, Counter()), Dealer(seed).bag
    in_seats = (*bag[:3], *bag[9:21], *bag[3:9], *bag[21:])
    for given, told in ((in_seats, True), ((*bag[:9], *bag[15:21], *bag[9:15], *bag[21:]), False)):
        (found,) = of_whole_match(replace(plan, bag=given), trace, CLOCKS)
        assert found.case == "set-up/tiles"
        assert found.sentence.endswith("sign-up order; player3, who begins, draws first.") is told


def test_same_may_be_asked_again_after_a_turn_that_is_undone() -> None:
    book = RULEBOOKS["revised"]
    members = cast_for(book).members
    cheats = [SeatPlan(cheat=members[name]) for name in ("order-mixed", "order-too-dear")]
    match = judged(MatchPlan("", (*cheats, SeatPlan(), SeatPlan()), 1700))
    asked = match.trace.seats[2].exchanges
    assert any(one.data == other.data for one, other in pairwise(asked))
    assert match.findings == []


@pytest.mark.parametrize(
    ("after", "words"),
    [
        (messages.Keep((0,)), "<keep> was sent to a before the answer to <state>."),
        (None, "The same <state> was sent to a twice."),
    ],
)
def test_message_before_the_answer_is_named(
    after: messages.RefereeMessage | None, words: str
) -> None:
    book = RULEBOOKS["revised"]
    state = messages.State(empty_board(book), ())
    sent = [(each, Writer(book).write(each)) for each in (state, after or state)]
    first, second = (Exchanged(each, data, 1.0 + at) for at, (each, data) in enumerate(sent))
    trace = MatchTrace(book, [SeatTrace("a", "a", [replace(first, early=second.data), second])])
    found = [
        (each.case, each.sentence) for each in of_whole_match(MatchPlan("", ()), trace, CLOCKS)
    ]
    assert found == [("conversation/one-at-a-time", words)]


def test_questions_that_are_put_at_once_are_open_at_once(autojump_clock: MockClock) -> None:
    """So they are told from those that are put in another order."""
    book = RULEBOOKS["revised"]
    trace = MatchTrace(book, [SeatTrace("a"), SeatTrace("b")])

    async def play() -> None:
        timeline, keep = Timeline(), Writer(book).write(messages.Keep((0,)))
        async with trio.open_nursery() as nursery:
            for seat in trace.seats:
                ours, own = trio.socket.socketpair()
                await own.send(f'<signup name="{seat.asked_name}"/>'.encode() + keep)
                client = SeatClient(trio.SocketStream(ours), book, seat, timeline, HONESTLY)
                await client.sign_up()
                nursery.start_soon(client.play, lambda _: messages.KeepAnswer((True,)))
                own.close()

    trio.run(play, clock=autojump_clock)
    (one,), (other,) = (seat.exchanges for seat in trace.seats)
    assert max(one.at, other.at) < min(one.answered, other.answered)


def test_bag_is_judged_up_to_an_ejection_however_late_that_is_read() -> None:
    book = RULEBOOKS["revised"]
    seats = (SeatPlan(cheat=cast_for(book).members["order-four-certificates"]), SeatPlan())
    plan = MatchPlan("", (*seats, SeatPlan()), 7).with_bag()
    trace = play(plan, book, book, Counter())
    ejected = trace.seats[0].exchanges[-1]
    assert isinstance(ejected.message, messages.Ejected)
    assert any(each.at > ejected.at for each in trace.seats[1].exchanges)
    ejected.at = trace.seats[1].ended
    assert [*of_whole_match(plan, trace, CLOCKS)] == []


def test_hands_that_are_replaced_come_from_the_bag_that_is_given() -> None:
    book, seats = RULEBOOKS["wikipedia"], [Style.LOWEST, Style.LOWEST, Style.HIGHEST, Style.HIGHEST]
    plan = MatchPlan("", tuple(map(SeatPlan, seats)), bag=stuck_bag())
    trace = play(plan, book, book, Counter())
    assert [*of_whole_match(plan, trace, CLOCKS)] == []


def test_log_of_a_match_is_verified_and_goes_on_after_a_mistake() -> None:
    (right,), (wrong,) = check_of("", 1).matches, check_of("no-founders-share", 1).matches
    assert not right.findings and wrong.findings
    for match, laid_out in ((right, False), (wrong, True)):
        record = read_bytes(Path("log"), match.log)
        verdict = Verifier(record).verify()
        assert verdict.divergence is None and verdict.turns > 20
        assert any(each.tag == "position" for each in record.elements) is laid_out
        assert record.header.given


def test_log_with_a_given_bag_is_refused_where_bags_follow_from_a_seed() -> None:
    record = read_bytes(Path("log"), check_of("", 1).matches[0].log)
    divergence = Verifier(record, seeded=True).verify().divergence
    assert divergence is not None and "seed" in divergence


def checked(folder: Path, *words: str, administrator: list[str]) -> tuple[int, str]:
    """Check an administrator by the command; return the exit code and what it prints."""
    given = [word.replace("{logs}", str(folder / "matches")) for word in administrator]
    done = invoke(
        *("check-server", "--sandbox", "none", "--log-dir", folder / "logs", "--time", "5"),
        *(*words, "--", *given, "--port", "{port}", "--players", "{seats}"),
    )
    assert "Traceback" not in done.output
    return done.exit_code, on_one_line(done.stdout + done.stderr)


def test_administrator_on_the_reference_engine_passes_early_cases(tmp_path: Path) -> None:
    only = ("--only", "set-up", "--time", "0.1", "--bag-argument", "--bag {file}")
    code, said = checked(tmp_path, *only, administrator=REFERENCE)
    assert code == 0, said
    assert "5 of 5 passed." in said
    assert not (tmp_path / "logs").exists()


def test_mistake_that_keeps_the_chosen_cases_away_is_named(tmp_path: Path) -> None:
    """As in the skeleton of an administrator, which ends in the first turn."""
    skeleton = [sys.executable, str(SKELETON)]
    code, said = checked(tmp_path, "--only", "mergers", "--time", "0.1", administrator=skeleton)
    assert code == 1, said
    assert (
        "Perhaps another mistake ends matches before they get there. robustness/answers: " in said
    )


def test_case_shows_its_own_finding_before_those_of_cases_that_were_not_chosen() -> None:
    check = check_of("", 1)
    check.cases = [each for each in check.cases if each.id == "mergers/bonuses"]
    price = Breach.of("mergers/price", "The price is wrong.")
    bonus = Breach.of("mergers/bonuses", "The bonus is wrong.")
    check.matches[0].in_game += [price, price, bonus]
    assert failed(check.results())["mergers/bonuses"].startswith("The bonus is wrong.")


@pytest.mark.soak
def test_case_is_reached_that_misbehaving_players_lead_to(tmp_path: Path) -> None:
    """Alone, without any case of these players."""
    only = ("--only", "1.5", "--only", "ejection/undone", "--only", "clocks/not-early")
    code, said = checked(tmp_path, *only, "--time", "60", administrator=serving("none"))
    assert code == 0, said
    assert "3 of 3 passed." in said


def test_no_two_administrators_are_given_the_same_port() -> None:
    ports = {*islice(free_ports(), 1000)}
    assert len(ports) == 1000
    first, _ = Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()
    assert max(ports) < int(first), "the system may assign it meanwhile"


@pytest.mark.soak
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_administrator_on_the_reference_engine_passes(rulebook: str, tmp_path: Path) -> None:
    """It shares nothing with our server but the pages that both were written from."""
    words = ("--rulebook", rulebook, "--time", "300", "--bag-argument", "--bag {file}")
    code, said = checked(tmp_path, *words, administrator=[*REFERENCE, "--rulebook", rulebook])
    assert code == 0, said


def test_tie_counts_where_names_are_not_in_the_order_of_turns() -> None:
    cast = cast_for(RULEBOOKS["revised"])
    plan = [*MatchSchedule(cast, [3, 4, 5, 6], 3, CLOCKS).exploring(109)][1].with_bag()
    assert "end/tie" in rehearse(plan, cast)
    assert "end/tie" not in rehearse(replace(plan, names=()), cast)


def test_long_name_is_longer_in_utf_16() -> None:
    book = RULEBOOKS["revised"]
    schedule = MatchSchedule(cast_for(book), [3], 3, CLOCKS)
    (plan,) = schedule.usual({"sign-up/odd-names"})
    names = [plan.name_of(seat) for seat in range(len(plan.seats))]
    assert [len(name.encode("utf-16-le")) // 2 for name in names if len(name) == 64] == [96]


def test_bag_leads_to_hands_without_a_playable_tile() -> None:
    cast = cast_for(RULEBOOKS["wikipedia"])
    two = [SeatPlan(cheat=cast.members[f"replace-{each}"]) for each in ("silent", "not-xml")]
    others = [SeatPlan(Style.HIGHEST)] * 2
    found = rehearse(MatchPlan("", (*two, *others), bag=stuck_bag()), cast)
    assert {"ejection/replace-silent", "ejection/replace-not-xml"} <= found
    two = [SeatPlan(Style.LOWEST)] * 2
    for seed in range(5):
        found |= rehearse(MatchPlan("", (*two, *others), seed, stuck_bag()), cast)
    assert {"drawing/new-hand", "drawing/hand-kept"} <= found


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_bag_leads_to_a_merger_of_four_hotels(rulebook: str) -> None:
    book = RULEBOOKS[rulebook]
    (plan,) = MatchSchedule(cast_for(book), [3, 4], 3, CLOCKS).crossing()
    match = judged(plan, rulebook)
    acquired = Counter[int]()
    turn = 0
    for event in Verifier(read_bytes(Path("log"), match.log)).verify().events:
        turn += isinstance(event, TurnBegan)
        acquired[turn] += isinstance(event, Acquired)
    assert acquired[13] == 3


@pytest.mark.parametrize("case", ["mergers/nobody", "ejection/twice"])
def test_matches_for_a_case_alone_come_to_it(case: str) -> None:
    book = RULEBOOKS["revised"]
    schedule = MatchSchedule(cast_for(book), [3, 4, 5, 6], 3, CLOCKS)
    planned = [plan for round_ in range(3) for plan in schedule.helping({case}, round_)]
    chosen = [replace(plan, bag=Dealer(plan.seed).bag) for plan in planned]
    assert sum(case in rehearse(plan, cast_for(book)) for plan in chosen) >= 3


def test_deliberate_difference_is_allowed() -> None:
    check = check_of("too-much-cash", 1)
    check.allowed = ("set-up/*",)
    (cash,) = [each for each in check.results() if each.case.id == "set-up/cash"]
    assert cash.verdict is CaseVerdict.WARN
    assert cash.warnings == ("Allowed by --allow set-up/*.",)


def silent_at_its_order(used: float, ended: float) -> MatchTrace:
    """Return what a player saw that thought so long before a merger, and then fell silent."""
    book = RULEBOOKS["revised"]
    writer, turn = Writer(book), messages.Turn(empty_board(book), ())
    asked = Exchanged(messages.Players(()), writer.write(messages.Players(())), 1.0 + used)
    first = Exchanged(turn, writer.write(turn), 1.0, answered=1.0 + used)
    cheat = cast_for(book).members["order-silent"]
    seat = SeatTrace("a", "a", [first, asked], ended=ended, cheat=cheat, cheated=asked)
    return MatchTrace(book, [seat])


@pytest.mark.parametrize(
    ("used", "ended", "found"), [(7.0, 13.1, False), (7.0, 20.1, True), (0.1, 13.1, False)]
)
def test_clock_is_not_full_again_at_the_second_question(
    used: float, ended: float, found: bool
) -> None:
    trace = silent_at_its_order(used, ended)
    cases = [each.case for each in of_whole_match(MatchPlan("", ()), trace, CLOCKS)]
    assert cases == ["clocks/whole-turn"] * found


@pytest.mark.parametrize(
    ("name", "case"),
    [("tile-silent", "clocks/not-late"), ("setup-dribble", "ejection/setup-dribble")],
)
def test_silent_player_is_ejected_when_its_clock_has_run_out(name: str, case: str) -> None:
    book = RULEBOOKS["revised"]
    state = messages.State(empty_board(book), ())
    asked = Exchanged(state, Writer(book).write(state), 1.0)
    seat = SeatTrace("a", "a", [asked], cheat=cast_for(book).members[name], cheated=asked)

    def found(ended: float) -> list[tuple[str, str]]:
        trace = MatchTrace(book, [replace(seat, ended=ended)])
        breaches = of_whole_match(MatchPlan("", ()), trace, CLOCKS)
        return [(each.case, each.sentence) for each in breaches]

    assert found(3.3) == []
    assert found(4.0) == [(case, "a was ejected after 3 s, due after 1 s.")]


def test_silent_player_is_turned_away_at_sign_up() -> None:
    book = RULEBOOKS["revised"]
    seat = SeatTrace("a", cheat=cast_for(book).members["signup-silent"])

    def found(end: str) -> list[str]:
        trace = MatchTrace(book, turned_away=[replace(seat, end=end)])
        return [each.case for each in of_whole_match(MatchPlan("", ()), trace, CLOCKS)]

    assert found("closed") == []
    assert found("") == ["ejection/signup-silent"]


def test_reset_after_the_last_message_is_found() -> None:
    book = RULEBOOKS["revised"]
    trace = MatchTrace(book, [SeatTrace("a")])

    async def administrator(own: trio.socket.SocketType) -> None:
        await own.recv(5)
        await own.send(b'<signup name="a"/><ejected reason="malformed">Why.</ejected>')
        own.close()  # although most of the sign-up has not been read

    async def play() -> None:
        ours, own = trio.socket.socketpair()
        client = SeatClient(trio.SocketStream(ours), book, trace.seats[0], Timeline(), HONESTLY)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(administrator, own)
            await client.sign_up()
            await client.play(lambda _: messages.VOID)

    trio.run(play)
    (found,) = of_whole_match(MatchPlan("", ()), trace, CLOCKS)
    assert found.case == "robustness/reset" and "unread input" in found.sentence


def test_program_that_is_no_administrator_is_reported(tmp_path: Path) -> None:
    program = [sys.executable, "-c", "import sys; sys.exit('KeyError: no port')"]
    code, said = checked(tmp_path, "--only", "set-up/cash", administrator=program)
    assert code == 1
    assert "The first match did not come about." in said


def test_unreached_cases_are_all_shown_alike(tmp_path: Path) -> None:
    only = ("--only", "set-up/cash", "--only", "placing/no-share-left", "--only", "mergers/nobody")
    code, said = checked(tmp_path, *only, "--time", "0.1", administrator=REFERENCE)
    assert code == 0, said
    assert "not reached 6.4, 7.10 Given up after 0 s. To repeat: acquire check-server" in said


def test_stopped_check_judges_what_was_played(tmp_path: Path) -> None:
    """The first match is judged at once, and the others after some more."""
    started = tmp_path / "started"
    os.mkfifo(started)
    third = f"echo >> count; if [ $(wc -l < count) = 3 ]; then echo > '{started}'; sleep 600; fi"
    command = [ACQUIRE, "check-server", "--sandbox", "none", "--jobs", "1", "--", "sh", "-c"]
    command += [f'{third}; exec "$@"', "sh", *REFERENCE, "--port", "{port}", "--players", "{seats}"]
    checking = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    with ending(checking) as process:
        started.read_text()  # blocks until the third administrator has started
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGINT
    assert "Matches played: 2." in said
    assert "Stopped before a match came to it." in said


def test_faulty_server_leaves_a_log_and_reports_say_what_to_begin_with(tmp_path: Path) -> None:
    files = {name: tmp_path / f"report.{name}" for name in ("json", "html", "junit")}
    options = [word for name, file in files.items() for word in (f"--{name}", file)]
    course = tmp_path / "my course"
    code, said = checked(
        course,
        *("--only", "set-up", "--time", "0.1", *map(str, options)),
        administrator=serving("too-much-cash"),
    )
    assert code == 1
    log, *_ = shlex.split(said.partition("See one: acquire replay ")[2])
    assert Path(log) in (course / "logs").glob("revised-check-match*.xml")
    begin = "Begin with 2.2 (set-up/cash). Everybody begins with $8,000, not 9000."
    assert begin in said and begin in json.loads(files["json"].read_text())["output"]
    suites = etree.fromstring(files["junit"].read_bytes())
    assert suites.get("name") == "acquire check-server" and float(suites.get("time", "0")) > 0
    page = files["html"].read_text()
    assert begin in page and "acquire check-server --only 2.2 ..." in page
