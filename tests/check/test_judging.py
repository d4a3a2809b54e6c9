"""Verdicts on trials: what fails a case, what was right so far, warnings and hints."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
import trio
from loops import for_each
from positions import at_table
from trio.testing import MockClock
from virtual_time import Players, PlayerSocket

from acquire.admin.launching.limits import ProcessExit
from acquire.admin.refereeing.diagnosis.diagnose import of_fault
from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.events import Answered
from acquire.admin.refereeing.play.outcome import Outcome
from acquire.admin.refereeing.play.questions import Ask
from acquire.admin.testing.cases.case import Case
from acquire.admin.testing.judging.case_judge import OTHER_FORM, guess_at, judge, silence
from acquire.admin.testing.judging.check_result import (
    CaseResult,
    CaseVerdict,
    CheckResult,
    completed,
)
from acquire.admin.testing.reports.case_text import SPLIT_MARK, WHOLE, has_splits, shorten
from acquire.admin.testing.trial.player_source import PRINT_INSTEAD, ExitReport
from acquire.admin.testing.trial.trial import TrialResult
from acquire.admin.testing.trial.wire import TranscriptEntry
from acquire.game.rulebooks import REVISED
from acquire.game.state import State
from acquire.game.turn import Ending
from acquire.game.violation import Violation
from acquire.player.strategies.simple import Ordered
from acquire.protocol import messages
from acquire.protocol.faults import Fault, Reason
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from acquire.protocol.writing import Writer
from check.rehearsal import Rehearsal, answering, case_of, rehearse, section_of
from check.thread_players import check, play_well

RIGHT_SO_FAR = "The tested step was right; then: "
GONE = Fault(Reason.DISCONNECTED, "It crashed.")


def judged(case: Case, played: Rehearsal, *, strict: bool = False) -> CaseResult:
    return judge(case, played.trial(case.name), strict=strict)


def ejected(reason: Reason, detail: str, violation: Violation | None = None) -> events.Ejected:
    """The ejection of the player in a turn."""
    state = at_table()
    ask = Ask(messages.Turn(state.board, state.players), state, thinking=True)
    return events.Ejected("me", reason, violation, ask, detail, b"", (), state)


def trial_ended_by(left: events.Ejected) -> TrialResult:
    outcome = Outcome(Ending.NO_MORE_TURNS, 1, (), (left,))
    return TrialResult(requested_name="me", name="me", events=[left], outcome=outcome)


# -- failed, not reached, right so far ----------------------------------------------------------


@for_each(
    ("id_", "question", "verdict"),
    [
        ("turn/alone", "turn", CaseVerdict.FAIL),
        ("turn/alone", "tile", CaseVerdict.RIGHT_SO_FAR),
        ("turn/drawn", "tile", CaseVerdict.FAIL),
        ("turn/drawn", "turn", CaseVerdict.NOT_REACHED),
        ("turn/drawn", "score", CaseVerdict.WARN),
    ],
)
def test_case_is_failed_only_by_a_mistake_in_a_tested_question(
    id_: str, question: str, verdict: CaseVerdict
) -> None:
    case = case_of(REVISED, id_)
    ordered = Ordered(REVISED, 0)

    def crash(message: messages.RefereeMessage) -> messages.PlayerMessage | Fault:
        return GONE if messages.TAGS[type(message)] == question else ordered(message)

    assert judged(case, rehearse(case.script, crash)).verdict is verdict


@pytest.mark.parametrize(
    ("id_", "question", "right_so_far"),
    [("turn/alone", "tile", True), ("set-up/noted", "turn", True), ("turn/drawn", "turn", False)],
)
def test_mistake_after_the_tested_step_is_reported_as_such(
    id_: str, question: str, right_so_far: bool
) -> None:
    case = case_of(REVISED, id_)
    wrong = answering(REVISED, question, lambda _: messages.KeepAnswer((True,)))
    result = judged(case, rehearse(case.script, wrong))
    assert result.verdict is (CaseVerdict.RIGHT_SO_FAR if right_so_far else CaseVerdict.NOT_REACHED)
    assert result.actual.startswith(RIGHT_SO_FAR) == right_so_far


def test_case_with_too_few_turns_is_not_reached() -> None:
    case = case_of(REVISED, "turn/others-turns")
    played = rehearse(case.script)
    early = replace_turns(played, 2)
    assert judged(case, early).actual == "The trial ended after 2 of 3 turns."
    assert judged(case, played).verdict is CaseVerdict.PASS


def replace_turns(played: Rehearsal, turns: int) -> Rehearsal:
    outcome = played.outcome
    return played._replace(outcome=Outcome(outcome.ending, turns, outcome.standings, ()))


def test_case_with_an_unasked_question_is_not_reached() -> None:
    case = replace(case_of(REVISED, "turn/alone"), tested=frozenset({"turn", "keep"}))
    result = judged(case, rehearse(case.script))
    assert result.verdict is CaseVerdict.NOT_REACHED
    assert result.actual == "The player was never asked: keep."


@pytest.mark.parametrize(
    ("strict", "verdict"), [(False, CaseVerdict.WARN), (True, CaseVerdict.FAIL)]
)
def test_behaviour_that_is_not_guaranteed_costs_a_warning(
    strict: bool, verdict: CaseVerdict
) -> None:
    case = case_of(REVISED, "framing/white-space")
    assert not case.guaranteed
    result = judge(case, trial_ended_by(ejected(Reason.TIMED_OUT, "Late.")), strict=strict)
    assert result.verdict is verdict
    assert OTHER_FORM in result.warnings


def test_actual_shows_the_tested_answers() -> None:
    case = case_of(REVISED, "sign-up/speaks-first")
    assert judged(case, rehearse(case.script)).actual == '<signup name="player"/>'
    case = case_of(REVISED, "turn/drawn")
    assert judged(case, rehearse(case.script)).actual == "<void/>"
    case = case_of(REVISED, "turn/alone")
    assert judged(case, rehearse(case.script)).actual.startswith("<pbuy>")


# -- at sign-up, with a connection and a clock --------------------------------------------------


def sign_up(player: PlayerSocket, name: str) -> None:
    player.sendall(b'<signup name="%b"/>' % name.encode())
    player.recv(1000)


@pytest.mark.parametrize("pause", [0.0, 0.5])
async def test_connection_lost_after_sign_up_does_not_fail_the_sign_up(
    pause: float, players: Players
) -> None:
    case = replace(case_of(REVISED, "sign-up/speaks-first"), pause=pause)
    (result,) = await check([case], sign_up, players)
    assert result.verdict is CaseVerdict.RIGHT_SO_FAR
    assert result.actual.startswith(RIGHT_SO_FAR)


@pytest.mark.parametrize("referee_is_late", [True, False])
async def test_late_sign_up_is_waited_for_again_only_if_the_referee_was_late(
    referee_is_late: bool, players: Players, mock_clock: MockClock
) -> None:
    case = replace(case_of(REVISED, "sign-up/speaks-first"), pause=0.0)

    def late(player: PlayerSocket, name: str) -> None:
        player.sleep(1.3)  # the limit is a second
        sign_up(player, name)

    async def hold_up_this_process() -> None:
        await trio.sleep(0.35)
        if referee_is_late:
            mock_clock.jump(0.4)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(hold_up_this_process)
        (result,) = await check([case], late, players)
    if referee_is_late:
        assert result.actual.startswith(RIGHT_SO_FAR)
    else:
        assert result.verdict is CaseVerdict.FAIL and "timed-out" in result.actual


async def test_case_is_played_again_if_player_and_referee_were_late(
    players: Players, mock_clock: MockClock
) -> None:
    case = replace(case_of(REVISED, "turn/alone"), pause=0.0)
    count = 0

    def late_at_first(player: PlayerSocket, name: str) -> None:
        nonlocal count
        count += 1
        if count == 1:
            player.recv(1)  # until the referee closes the connection
        else:
            play_well(player, name)

    async def hold_up_this_process() -> None:
        for seconds in (0.35, 0.6):  # in the second for the sign-up, and in the extra one
            await trio.sleep(seconds)
            mock_clock.jump(0.4)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(hold_up_this_process)
        (result,) = await check([case], late_at_first, players)
    assert (result.verdict, count) == (CaseVerdict.PASS, 2)


WAITING = ExitReport(ProcessExit(None, "asked", 0, 10, 1000), "", b"")


@for_each(("data", "missed"), [(b"", True), (b'<signup name="\xfc"/>', False)])
def test_sign_up_that_was_only_printed_is_missed(data: bytes, *, missed: bool) -> None:
    waiting = WAITING._replace(output=b'<signup name="player"/>')
    fault = Fault(Reason.TIMED_OUT, "Late.", data)
    trial = TrialResult(sign_up_fault=fault, exit_report=waiting)
    told = judge(case_of(REVISED, "sign-up/speaks-first"), trial, strict=False).actual
    assert told.startswith("The program printed <signup>, but it did not arrive.") is missed


@for_each(
    ("output", "sent", "printed"),
    [
        (b"<pbuy><placement/>", b"", "pbuy"),
        (b"<placement><tile/>", b"", "placement"),
        (b"<pbuy>", b"<pbuy>", ""),
        (b"<pbuy> 1 <pbuy> 2", b"<pbuy>", "pbuy"),
        (b"ejected: TOLD", b"", ""),
        (b"<pbuy/> ejected: TOLD", b"", "pbuy"),
        (b"<pbuyer>", b"", ""),
        (b"<void/>", b"", ""),
    ],
)
def test_answer_that_was_only_printed_is_missed(output: bytes, sent: bytes, printed: str) -> None:
    left = ejected(Reason.TIMED_OUT, "The limit for <pbuy> or <placement> was 12 s.")
    trial = trial_ended_by(left)
    told = left.sentences.encode()
    trial.exit_report = WAITING._replace(output=output.replace(b"TOLD", told))
    trial.transcript.append(TranscriptEntry(0.0, "P", sent))
    result = judge(case_of(REVISED, "turn/alone"), trial, strict=False)
    missed = f"The program printed <{printed}>, but it did not arrive."
    assert result.actual.startswith(missed) is bool(printed), result.actual


def test_name_is_suspected_only_where_the_usual_name_does_better() -> None:
    cases = [case_of(REVISED, id_) for id_ in ("turn/alone", "sign-up/suffix")]
    late = trial_ended_by(ejected(Reason.TIMED_OUT, "Late."))
    renamed = replace(late, requested_name="you")
    for usual, suspected in (late, False), (rehearse(cases[0].script).trial("player"), True):
        trials = zip(cases, (usual, renamed), strict=True)
        results = [judge(case, trial, strict=False) for case, trial in trials]
        told = completed(cases, results, "")[1].actual
        assert ("was given the name 'me', and may look for 'you'" in told) is suspected


# -- warnings -----------------------------------------------------------------------------------


def with_latency(played: Rehearsal, question: str, seconds: float) -> Rehearsal:
    """The same, but the player took so long to answer a question."""
    found = [
        event._replace(latency=int(seconds * 1e6))
        if isinstance(event, Answered) and (event.name, event.question) == ("player", question)
        else event
        for event in played.events
    ]
    return played._replace(events=found)


@for_each(
    ("slug", "question", "seconds", "warning"),
    [
        ("turn/drawn", "turn", 5.9, None),
        ("turn/drawn", "turn", 6.1, "<turn> took 6.10 s of the 12 s allowed."),
        ("turn/drawn", "tile", 0.4, None),
        ("turn/drawn", "tile", 0.6, "<tile> took 0.60 s of the 1 s allowed."),
        (
            *("turn/drawn", "tile", 1.5),
            "<tile> took 1.50 s of the 1 s allowed. A busy machine excused it; otherwise the "
            "player would have been ejected.",
        ),
        ("framing/trickle", "tile", 2.4, None),
        ("framing/trickle", "tile", 2.6, "<tile> took 2.60 s of the 3 s allowed."),
    ],
)
def test_answer_that_takes_more_than_half_of_its_time_costs_a_warning(
    slug: str, question: str, seconds: float, warning: str | None
) -> None:
    """The delivery of ``framing/trickle`` may take 2 s, which are not counted."""
    case = case_of(REVISED, slug)
    result = judged(case, with_latency(rehearse(case.script), question, seconds))
    assert result.warnings == ((warning,) if warning else ())


def test_thinking_is_added_up_over_a_turn_and_its_merger() -> None:
    case = case_of(REVISED, "mergers/placement-alone")
    played = with_latency(rehearse(case.script), "turn", 3.5)
    assert judged(case, played).warnings == ()
    result = judged(case, with_latency(played, "players", 3.5))
    assert result.warnings == ("<players> took 7.00 s of the 12 s allowed.",)


def test_late_player_is_not_failed_if_the_referee_was_late_too() -> None:
    case = case_of(REVISED, "turn/alone")
    trial = trial_ended_by(ejected(Reason.TIMED_OUT, "Late."))
    assert judge(case, trial, strict=False).verdict is CaseVerdict.FAIL
    trial.referee_was_late = True
    result = judge(case, trial, strict=False)
    assert result.verdict is CaseVerdict.NOT_REACHED
    assert any("so was this machine" in warning for warning in result.warnings)


def test_answer_at_the_end_of_the_connection_may_be_held_up_by_the_machine() -> None:
    trial = trial_ended_by(ejected(Reason.TIMED_OUT, "Late."))
    trial.transcript += [TranscriptEntry(0.0, "A", b"<turn/>"), TranscriptEntry(1.0, "A", b"<e/>")]
    trial.transcript.append(TranscriptEntry(1.5, "P", b"<void/>"))
    trial.computed = 0.0
    for held_up, waited_for_the_end in (0.0, False), (0.2, False), (0.4, True):
        trial.held_up = held_up
        said = silence(case_of(REVISED, "turn/alone"), trial)
        assert ("perhaps for the end of a line or of the input" in said) is waited_for_the_end


EXITS: list[tuple[ProcessExit, str]] = [
    (ProcessExit(0, None, 0, 10, 1000), ""),
    (ProcessExit(3, None, 0, 10, 1000), "It did so. After a normal game, exit with 0."),
    (ProcessExit(0, "asked", 0, 10, 1000), "It was still running after the game"),
    (ProcessExit(0, "memory", 0, 10, 1000), "It did so."),
    (ProcessExit(0, None, 2, 10, 1000), "It left processes running."),
]


@for_each(("exited", "warning"), EXITS)
def test_unusual_exit_costs_a_warning(exited: ProcessExit, warning: str) -> None:
    case = case_of(REVISED, "turn/alone")
    trial = rehearse(case.script).trial(case.name)
    trial.exit_report = ExitReport(exited, "It did so.", b"")
    result = judge(case, trial, strict=False)
    assert [each[: len(warning)] for each in result.warnings] == ([warning] if warning else [])


def test_changed_name_costs_a_warning() -> None:
    case = case_of(REVISED, "names/spaces")
    trial = rehearse(case.script).trial("Ada King, Countess of Lovelace")
    (warning,) = judge(case, trial, strict=False).warnings
    assert warning.startswith(
        "It should sign up as 'Ada King,  Countess of Lovelace', but signed up as "
        "'Ada King, Countess of Lovelace': take the name"
    )


def test_any_name_will_do_where_the_case_is_not_about_it() -> None:
    case = case_of(REVISED, "turn/alone")
    assert judge(case, rehearse(case.script).trial("Ada"), strict=False).warnings == ()


def sent(played: Rehearsal, edit: tuple[bytes, bytes] = (b"", b"")) -> list[TranscriptEntry]:
    """What the player sent, with one edit."""
    writer = Writer(REVISED)
    answers = [event.message for event in played.of(Answered) if event.name == played.subject]
    documents = [writer.write(message) for message in (messages.SignUp("player"), *answers)]
    if edit[0]:
        assert any(edit[0] in document for document in documents)
    return [TranscriptEntry(0, "P", document.replace(*edit, 1)) for document in documents]


@pytest.mark.parametrize(
    ("edit", "shown"),
    [
        ((b"<order/>", b"<order></order>"), ("<order/>", "<order></order>")),
        ((b'<signup name="player"/>', b'<signup  name="player"/>'), ("<signup  name",)),
        ((b"<void/>", b"<void/>\n"), ("received \\n<pbuy>",)),
    ],
)
def test_strict_check_fails_unusual_xml_and_quotes_it(
    edit: tuple[bytes, bytes], shown: Sequence[str]
) -> None:
    case = case_of(REVISED, "turn/alone")
    empty_order = answering(REVISED, "turn", lambda message: place_only(message))
    played = rehearse(case.script, empty_order)
    trial = played.trial(case.name)
    trial.transcript = sent(played)
    assert judge(case, trial, strict=True).verdict is CaseVerdict.PASS
    trial.transcript = sent(played, edit)
    result = judge(case, trial, strict=True)
    assert result.verdict is CaseVerdict.FAIL and "only because of --strict" in result.actual
    (warning,) = result.warnings
    assert all(part in warning for part in shown), warning
    lenient = judge(case, trial, strict=False)
    assert (lenient.verdict, lenient.warnings) == (CaseVerdict.PASS, ())


def place_only(message: messages.RefereeMessage) -> messages.PlayerMessage:
    """Place a tile, and order nothing."""
    assert isinstance(message, messages.Turn)
    answer = Ordered(REVISED, 0)(message)
    assert isinstance(answer, messages.Pbuy)
    return messages.Pbuy(answer.placement, ())


# -- hints --------------------------------------------------------------------------------------


@for_each(
    ("id_", "reason", "violation", "shown"),
    [
        ("buying/no-money", Reason.ILLEGAL, Violation.TOO_DEAR, True),
        ("buying/no-money", Reason.ILLEGAL, Violation.NOT_IN_HAND, False),
        ("buying/no-money", Reason.INVALID, None, False),
        ("turn/alone", Reason.ILLEGAL, Violation.TOO_DEAR, False),
        ("turn/alone", Reason.ILLEGAL, Violation.HOTEL_NOT_DUE, True),
        ("turn/alone", Reason.INVALID, None, False),
        ("turn/alone", Reason.TIMED_OUT, None, False),
        ("turn/alone", Reason.DISCONNECTED, None, False),
        ("framing/halves", Reason.DISCONNECTED, None, True),
        ("framing/halves", Reason.INVALID, None, False),
        ("framing/halves", Reason.ILLEGAL, Violation.NOT_IN_HAND, False),
        ("founding/price-after-founding", Reason.ILLEGAL, Violation.TOO_DEAR, True),
    ],
)
def test_hint_is_shown_if_it_may_fit(
    id_: str, reason: Reason, violation: Violation | None, *, shown: bool
) -> None:
    trial = trial_ended_by(ejected(reason, "Wrong.", violation))
    assert bool(guess_at(judge(case_of(REVISED, id_), trial, strict=False))) is shown


def test_known_end_of_a_program_wins_over_the_hint() -> None:
    trial = trial_ended_by(ejected(Reason.DISCONNECTED, "Gone."))
    case = case_of(REVISED, "framing/halves")
    crashed = ExitReport(ProcessExit(1, None, 0, 10, 1000), "It did so.", b"KeyError: 'ann'")
    trial.exit_report = crashed
    result = judge(case, trial, strict=False)
    assert "KeyError: 'ann'" in result.actual and not guess_at(result)
    trial.exit_report = left = crashed._replace(output=b"bye")
    assert guess_at(judge(case, trial, strict=False))
    stopped = left._replace(exit=left.exit._replace(code=None, stopped="memory"))
    for known in (left._replace(flooded="--file-size"), stopped):
        trial.exit_report = known
        assert not guess_at(judge(case, trial, strict=False))


@for_each(("computed", "idle"), [(0.0, True), (0.013, True), (0.4, False), (None, False)])
def test_program_that_computed_nothing_was_not_slow(computed: float | None, *, idle: bool) -> None:
    slow, swallowed = "it took too long", "or an exception was swallowed"
    left = ejected(Reason.TIMED_OUT, "Late.")
    hint = of_fault(Fault(left.reason, ""), "turn")
    trial = trial_ended_by(left._replace(hint=str(hint)))
    trial.computed = computed
    trial.events.insert(0, Answered("me", "state", messages.VOID, 0, 0))
    result = judge(case_of(REVISED, "turn/alone"), trial, strict=False)
    assert (slow in result.actual, swallowed in result.actual) == (not idle, idle), result.actual


def test_hint_of_a_case_of_framing_is_shown_for_a_program_that_is_idle() -> None:
    trial = trial_ended_by(ejected(Reason.TIMED_OUT, "Late."))
    trial.computed = 0.0
    assert guess_at(judge(case_of(REVISED, "framing/halves"), trial, strict=False))


GO_STACK = """goroutine 1 [running]:
runtime.throw({0x4b, 0x12})
        /usr/local/go/src/runtime/panic.go:1023 +0x5c
main.(*Bot).handle(0xc00009a6c0)
        /home/ann/main.go:448 +0x2f1
main.main()
        /home/ann/main.go:499 +0x54f
"""
OVERFLOW = 'Exception in thread "pool 1" java.lang.StackOverflowError\n\tat Bot.main(Bot.java:9)\n'


JRE = "There is insufficient memory for the Java Runtime Environment."


@for_each(
    ("output", "cause"),
    [
        (f"panic: nil map\n\n{GO_STACK}exit status 2", "panic: nil map (main.go:448)"),
        (f"Error: late\nfatal error: stack\n{GO_STACK}", "fatal error: stack (main.go:448)"),
        ("panic: a\n\tpanic: b\n", "panic: a"),
        (
            "thread 'main' panicked at src/main.rs:3:5:\nno tile\nnote: run with it",
            "thread 'main' panicked at src/main.rs:3:5: no tile",
        ),
        (
            "thread 'io' (17) panicked at 'no tile', src/main.rs:3:5\nnote: run with it",
            "thread 'io' (17) panicked at 'no tile', src/main.rs:3:5",
        ),
        (OVERFLOW, "java.lang.StackOverflowError"),
        ('Exception in thread "main" Boom: no tile\n', "Boom: no tile"),
        ("KeyError: 'a'\nKeyError: 'b'\n", "KeyError: 'b'"),
        ("do not panic: it works\n", ""),
        (
            "#\n# There is insufficient memory for the Java Runtime Environment.\n# /tmp/hs.log\n",
            JRE,
        ),
    ],
)
def test_crash_is_quoted_by_its_cause(output: str, cause: str) -> None:
    assert ExitReport(ProcessExit(2, None, 0, 10, 1000), "", output.encode()).exception == cause


NODE = "Error: EROFS: read-only file system, open 'log.txt'"
PYTHON = "OSError: [Errno 30] Read-only file system: '/bot/log.txt'"
GO = "2026/11/24 16:02:11 open log.txt: read-only file system"


@for_each(
    ("output", "told"),
    [
        (NODE, f"It ended: {NODE}. {PRINT_INSTEAD}"),
        (PYTHON, f"It ended: {PYTHON}. {PRINT_INSTEAD}"),
        (GO, f"It ended. Last line of its output: {GO}. {PRINT_INSTEAD}"),
        (f"{GO}\nKeyError: 'a'", "It ended: KeyError: 'a'"),
        (f"{GO}\nbye", "It ended. Last line of its output: bye"),
    ],
)
def test_program_that_cannot_write_its_log_is_told_where_to_print(output: str, told: str) -> None:
    report = ExitReport(ProcessExit(1, None, 0, 10, 1000), "", output.encode())
    last = "" if report.exception else report.last_line
    assert f"{report.with_exception('It ended.')} {last}".rstrip() == told


@for_each(
    ("code", "output", "told"),
    [
        (1, b"KeyError: 'total'", "before it answered <score>. It did so: KeyError: 'total'"),
        (
            1,
            b"no total",
            "before it answered <score>. It did so. Last line of its output: no total",
        ),
        (0, b"", "It disconnected without answering <score>; the answer is <void/>."),
    ],
)
def test_crash_at_the_score_is_told_from_leaving(code: int, output: bytes, told: str) -> None:
    state = at_table()
    left = ejected(Reason.DISCONNECTED, "Gone.")._replace(
        ask=Ask(messages.Score((), state.board, state.players), state)
    )
    trial = trial_ended_by(left)
    trial.exit_report = ExitReport(ProcessExit(code, None, 0, 10, 1000), "It did so.", output)
    result = judge(case_of(REVISED, "turn/drawn"), trial, strict=False)
    assert any(told in warning for warning in result.warnings), result.warnings


# -- all cases together -------------------------------------------------------------------------


class NeverBuying(Ordered):
    """Places tiles, and orders nothing."""

    def order(self, state: State) -> tuple[int, ...]:
        """Order nothing."""
        return ()


@pytest.mark.parametrize(("strategy", "notes"), [(Ordered, 0), (NeverBuying, 1)])
def test_player_that_never_buys_gets_a_note(strategy: type[Ordered], notes: int) -> None:
    cases = section_of(REVISED, "buying").values()
    results = tuple(judged(case, rehearse(case.script, strategy(REVISED, 0))) for case in cases)
    found = CheckResult(REVISED, "player", False, results, datetime.now(UTC), 1.0)
    assert found.passed and len(found.notes) == notes
    assert all(note.startswith(f"All {len(cases)} orders were empty.") for note in found.notes)


# -- the transcript -----------------------------------------------------------------------------


async def test_splits_are_shown_where_they_were_made(players: Players) -> None:
    section = section_of(REVISED, "framing")
    cases = [section[slug] for slug in ("whole", "in-a-tag", "trickle")]
    whole, split, in_bytes = await check(cases, play_well, players)
    assert not has_splits(shorten(whole.trial.transcript))
    received = [m.text for m in shorten(split.trial.transcript, WHOLE) if m.sender == "A"]
    assert received[1].startswith("<st│ate>") and received[1].endswith("</st│ate>")
    shown = [message.text for message in shorten(in_bytes.trial.transcript, WHOLE)]
    assert not any(SPLIT_MARK in text for text in shown)
    assert any(text.endswith(" pieces)") for text in shown)


# -- the question that is judged ----------------------------------------------------------------


@for_each("number", [1, 2, 3])
def test_only_the_first_position_is_called_setup(number: int) -> None:
    """The case is about later ones, so it is not reached by a player that fails at the first."""
    case = case_of(REVISED, "turn/others-turns")
    seen = 0

    def player(message: RefereeMessage) -> PlayerMessage:
        nonlocal seen
        seen += isinstance(message, messages.State)
        return messages.Order(()) if seen == number else messages.VOID

    result = judged(case, rehearse(case.script, player))
    assert result.trial.failed_question == ("setup" if number == 1 else "state")
    assert result.verdict is (CaseVerdict.NOT_REACHED if number == 1 else CaseVerdict.FAIL)
